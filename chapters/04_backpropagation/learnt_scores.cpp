/// \file
/// \brief The bodies of learnt_scores.hpp.
#include "chapters/04_backpropagation/learnt_scores.hpp"

#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/reductions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::backpropagation {

using autograd::matmul;
using random::Generator;

// ---------------------------------------------------------------- scores on the tape

template <typename T>
Variable<T> dot_product(const Variable<T>& queries, const Variable<T>& keys)
{
    return matmul(queries, keys, Transpose::no, Transpose::yes);
}

template <typename T>
Variable<T> scaled_dot_product(const Variable<T>& queries, const Variable<T>& keys)
{
    return dot_product(queries, keys) / std::sqrt(static_cast<double>(keys.shape().back()));
}

namespace {

/// Each row divided by its length.
template <typename T>
Variable<T> unit_rows(const Variable<T>& rows)
{
    return rows / square_root(sum(squared(rows), -1, autograd::Axis::kept));
}

} // namespace

template <typename T>
Variable<T> cosine(const Variable<T>& queries, const Variable<T>& keys)
{
    return dot_product(unit_rows(queries), unit_rows(keys));
}

template <typename T>
Variable<T> dot_with_key_bias(const Variable<T>& queries, const Variable<T>& keys)
{
    const Variable<T> lengths = sum(squared(keys), -1, autograd::Axis::kept); // [.., n_keys, 1]
    return dot_product(queries, keys) - 0.5 * transpose(lengths);
}

// [learnt_multiplicative]
template <typename T>
Variable<T> multiplicative(const Variable<T>& queries, const Variable<T>& keys,
                           const Variable<T>& W)
{
    return dot_product(matmul(queries, W), keys); // one small product a query, none a key
}
// [learnt_multiplicative]

// [learnt_additive]
template <typename T>
Variable<T> additive(const Variable<T>& queries, const Variable<T>& keys,
                     const AdditiveParameters<T>& parameters)
{
    const auto& [W_q, W_k, b, w] = parameters;
    const Shape& of_queries = queries.shape(); // [batch, n_queries, d_q]
    const Shape& of_keys = keys.shape();       // [batch, n_keys, d_k]
    expect(of_queries.size() == 3 && of_keys.size() == 3,
           "additive: queries and keys must have three axes, got shapes {} and {}", of_queries,
           of_keys);

    // W_q q_i + b for every query: [batch, n_queries, 1, d_hidden].
    Variable<T> from_queries =
        matmul(reshape(queries, {of_queries[0], of_queries[1], 1, of_queries[2]}), W_q);
    if (b) {
        from_queries = from_queries + *b;
    }
    // W_k k_j for every key: [batch, 1, n_keys, d_hidden].
    const Variable<T> from_keys =
        matmul(reshape(keys, {of_keys[0], 1, of_keys[1], of_keys[2]}), W_k);

    // Every query of a table meets every key of it: [batch, n_queries, n_keys, d_hidden].
    const Variable<T> units = tanh(from_queries + from_keys);
    return reshape(matmul(units, w), {of_keys[0], of_queries[1], of_keys[1]});
}
// [learnt_additive]

// ---------------------------------------------------------------- scores that can be learnt

template <typename T>
Variable<T> matrix_parameter(Generator& generator, std::size_t n_rows, std::size_t n_columns)
{
    const double deviation = 1 / std::sqrt(static_cast<double>(n_rows));
    Array<T> matrix(Shape{n_rows, n_columns});
    for (T& entry : numbers_of(matrix)) {
        entry = static_cast<T>(generator.normal(0, deviation));
    }
    return autograd::parameter(std::move(matrix));
}

namespace {

/// exp(theta) times scores, theta to be learnt and 0 at first: a temperature that stays positive.
template <typename T>
LearntScore<T> with_temperature(const std::string& name,
                                Variable<T> (*score)(const Variable<T>& queries,
                                                     const Variable<T>& keys))
{
    const Variable<T> theta = autograd::parameter(filled<T>({1}, T(0)));
    LearntScore<T> result{name, {}, [score, theta](const auto& queries, const auto& keys) {
                              return exp(theta) * score(queries, keys);
                          }};
    result.parameters.add("theta", theta);
    return result;
}

template <typename T>
LearntScore<T> learnt_multiplicative(const ScoreSizes& sizes, Generator& generator)
{
    const Variable<T> W = matrix_parameter<T>(generator, sizes.d_q, sizes.d_k);
    LearntScore<T> result{"multiplicative", {}, [W](const auto& queries, const auto& keys) {
                              return multiplicative(queries, keys, W);
                          }};
    result.parameters.add("W", W);
    return result;
}

template <typename T>
LearntScore<T> learnt_distance(const ScoreSizes& sizes, Generator& generator)
{
    const Variable<T> W = matrix_parameter<T>(generator, sizes.d_k, sizes.d_q);
    const Variable<T> theta = autograd::parameter(filled<T>({1}, T(0)));
    LearntScore<T> result{
        "multiplicative + key bias", {}, [W, theta](const auto& queries, const auto& keys) {
            return exp(theta) * dot_with_key_bias(queries, matmul(keys, W));
        }};
    result.parameters.add("W", W);
    result.parameters.add("theta", theta);
    return result;
}

template <typename T>
LearntScore<T> learnt_projected(const ScoreSizes& sizes, Generator& generator)
{
    const Variable<T> U = matrix_parameter<T>(generator, sizes.d_q, sizes.d_hidden);
    const Variable<T> V = matrix_parameter<T>(generator, sizes.d_k, sizes.d_hidden);
    LearntScore<T> result{"projected", {}, [U, V](const auto& queries, const auto& keys) {
                              return scaled_dot_product(matmul(queries, U), matmul(keys, V));
                          }};
    result.parameters.add("U", U);
    result.parameters.add("V", V);
    return result;
}

template <typename T>
LearntScore<T> learnt_additive(const ScoreSizes& sizes, Generator& generator, bool bias)
{
    const Variable<T> W_q = matrix_parameter<T>(generator, sizes.d_q, sizes.d_hidden);
    const Variable<T> W_k = matrix_parameter<T>(generator, sizes.d_k, sizes.d_hidden);
    const Variable<T> w = matrix_parameter<T>(generator, sizes.d_hidden, 1);
    AdditiveParameters<T> parameters{W_q, W_k, {}, w};
    LearntScore<T> result;
    result.parameters.add("W_q", W_q);
    result.parameters.add("W_k", W_k);
    result.parameters.add("w", w);
    if (bias) {
        parameters.b = autograd::parameter(filled<T>({sizes.d_hidden}, T(0)));
        result.parameters.add("b", *parameters.b);
    }
    result.name = bias ? "additive, bias" : "additive, no bias";
    result.score = [parameters](const auto& queries, const auto& keys) {
        return additive(queries, keys, parameters);
    };
    return result;
}

/// A score without parameters.
template <typename T>
LearntScore<T> fixed_score(const std::string& name,
                           Variable<T> (*score)(const Variable<T>& queries,
                                                const Variable<T>& keys))
{
    return {name, {}, score};
}

} // namespace

template <typename T>
const std::vector<ScoreMaker<T>>& score_makers()
{
    using Sizes = ScoreSizes;
    static const std::vector<ScoreMaker<T>> table = {
        {"dot", true,
         [](const Sizes&, Generator&) { return fixed_score<T>("dot", dot_product<T>); }},
        {"scaled dot", true,
         [](const Sizes&, Generator&) {
             return fixed_score<T>("scaled dot", scaled_dot_product<T>);
         }},
        {"cosine", true,
         [](const Sizes&, Generator&) { return with_temperature<T>("cosine", cosine<T>); }},
        {"dot + key bias", true,
         [](const Sizes&, Generator&) {
             return with_temperature<T>("dot + key bias", dot_with_key_bias<T>);
         }},
        {"multiplicative", false, learnt_multiplicative<T>},
        {"multiplicative + key bias", false, learnt_distance<T>},
        {"projected", false, learnt_projected<T>},
        {"additive, no bias", false,
         [](const Sizes& sizes, Generator& generator) {
             return learnt_additive<T>(sizes, generator, false);
         }},
        {"additive, bias", false,
         [](const Sizes& sizes, Generator& generator) {
             return learnt_additive<T>(sizes, generator, true);
         }},
    };
    return table;
}

template <typename T>
const ScoreMaker<T>& score_named(const std::string& name)
{
    const std::vector<ScoreMaker<T>>& table = score_makers<T>();
    const auto found =
        std::find_if(table.begin(), table.end(),
                     [&](const ScoreMaker<T>& maker) { return maker.name == name; });
    expect(found != table.end(), "score_named: there is no score '{}'", name);
    return *found;
}

// ---------------------------------------------------------------- for both types

#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> dot_product(const Variable<T>&, const Variable<T>&);                  \
    template Variable<T> scaled_dot_product(const Variable<T>&, const Variable<T>&);           \
    template Variable<T> cosine(const Variable<T>&, const Variable<T>&);                       \
    template Variable<T> dot_with_key_bias(const Variable<T>&, const Variable<T>&);            \
    template Variable<T> multiplicative(const Variable<T>&, const Variable<T>&,                \
                                        const Variable<T>&);                                   \
    template Variable<T> additive(const Variable<T>&, const Variable<T>&,                      \
                                  const AdditiveParameters<T>&);                               \
    template Variable<T> matrix_parameter(Generator&, std::size_t, std::size_t);               \
    template const std::vector<ScoreMaker<T>>& score_makers<T>();                              \
    template const ScoreMaker<T>& score_named<T>(const std::string&);

ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::backpropagation
