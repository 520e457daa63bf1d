#include "chapters/04_backpropagation/learnt_scores.hpp"

#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/reductions.hpp"
#include "common/autograd/rule.hpp"
#include "common/kernels/gemm.hpp"
#include "common/kernels/vector_math.hpp"
#include "common/nn/initialise.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
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

template <typename T>
Variable<T> multiplicative(const Variable<T>& queries, const Variable<T>& keys,
                           const Variable<T>& W)
{
    return dot_product(matmul(queries, W), keys); // one small product a query, none a key
}

namespace {

/// The hidden units of all pairs, [n_batch, n_queries, n_keys, d_hidden].
struct PairSizes
{
    std::size_t n_batch;
    std::size_t n_queries;
    std::size_t n_keys;
    std::size_t d_hidden;
};

template <typename T>
PairSizes sizes_of(const Variable<T>& from_queries, const Variable<T>& from_keys,
                   const Variable<T>& w)
{
    const Shape& q = from_queries.shape();
    const Shape& k = from_keys.shape();
    expect(
        q.size() == 3 && k.size() == 3 && q[0] == k[0] && q[2] == k[2] &&
            w.shape() == Shape{q[2], 1},
        "additive: queries [batch, n_queries, d_hidden], keys [batch, n_keys, d_hidden] and w "
        "[d_hidden, 1] do not go together, got shapes {}, {} and {}",
        q, k, w.shape());
    return {q[0], q[1], k[1], q[2]};
}

/// The backward pass through one pair's hidden units u; all arrays [d_hidden], none overlapping.
template <typename T>
void units_backward(T ds, const T* __restrict u, const T* __restrict w, std::size_t d_hidden,
                    T* __restrict dw, T* __restrict dx, T* __restrict dy)
{
    for (std::size_t m = 0; m < d_hidden; ++m) {
        const T dz = ds * w[m] * (1 - u[m] * u[m]);
        dw[m] += ds * u[m];
        dx[m] += dz;
        dy[m] += dz;
    }
}

/// The backward pass of additive_pairs(): dw = sum of ds u, dz = ds w (1 - u u), and every query
/// and every key receives the sum over the pairs it was in.
template <typename T>
void additive_pairs_backward(const Variable<T>& x, const Variable<T>& y, const Variable<T>& w,
                             const Array<T>& units, const Array<T>& ds)
{
    const auto [n_batch, n_queries, n_keys, d_hidden] = sizes_of(x, y, w);
    Array<T> dx(x.shape(), T(0));
    Array<T> dy(y.shape(), T(0));
    Array<T> dw(w.shape(), T(0));
    for (std::size_t pair = 0; pair < n_batch * n_queries * n_keys; ++pair) {
        const std::size_t query = pair / n_keys;
        const std::size_t key = query / n_queries * n_keys + pair % n_keys;
        units_backward(ds.data()[pair], units.data() + pair * d_hidden, w.value().data(),
                       d_hidden, dw.data(), dx.data() + query * d_hidden,
                       dy.data() + key * d_hidden);
    }
    autograd::add_to_gradient(x, [&](std::size_t i) { return dx.data()[i]; });
    autograd::add_to_gradient(y, [&](std::size_t i) { return dy.data()[i]; });
    autograd::add_to_gradient(w, [&](std::size_t i) { return dw.data()[i]; });
}

/// w . tanh(x_i + y_j) for every query's x_i and every key's y_j of a table: one step of the
/// tape, so that the hidden units of all pairs are written once and read once.
template <typename T>
Variable<T> additive_pairs(const Variable<T>& x, const Variable<T>& y, const Variable<T>& w)
{
    const auto [n_batch, n_queries, n_keys, d_hidden] = sizes_of(x, y, w);
    const std::size_t table = n_keys * d_hidden; // what one query meets
    Array<T> units(Shape{n_batch, n_queries, n_keys, d_hidden});
    Array<T> scores(Shape{n_batch, n_queries, n_keys});
    for (std::size_t query = 0; query < n_batch * n_queries; ++query) {
        const T* const own = x.value().data() + query * d_hidden;
        const T* const keys = y.value().data() + query / n_queries * table;
        const std::span<T> met(units.data() + query * table, table);
        for (std::size_t at = 0; at < table; at += d_hidden) {
            std::transform(own, own + d_hidden, keys + at, met.data() + at, std::plus<>());
        }
        vector_math::tanh<T>(met, met);
    }
    gemm<T>(Transpose::no, Transpose::no, scores.size(), 1, d_hidden, 1, units.data(), d_hidden,
            w.value().data(), 1, 0, scores.data(), 1);
    return autograd::record(
        std::move(scores), x.needs_gradient() || y.needs_gradient() || w.needs_gradient(),
        [x, y, w, units = std::move(units)](const Array<T>&, const Array<T>& ds) {
            additive_pairs_backward(x, y, w, units, ds);
        });
}

} // namespace

// [learnt_additive]
template <typename T>
Variable<T> additive(const Variable<T>& queries, const Variable<T>& keys,
                     const AdditiveParameters<T>& parameters)
{
    const auto& [W_q, W_k, b, w] = parameters;
    Variable<T> from_queries = matmul(queries, W_q); // [batch, n_queries, d_hidden]
    const Variable<T> from_keys = matmul(keys, W_k); // [batch, n_keys, d_hidden]
    if (b) {
        from_queries = from_queries + *b;
    }
    return additive_pairs(from_queries, from_keys, w);
}
// [learnt_additive]

// ---------------------------------------------------------------- scores that can be learnt

template <typename T>
Variable<T> matrix_parameter(Generator& generator, std::size_t n_rows, std::size_t n_columns)
{
    const double deviation = 1 / std::sqrt(static_cast<double>(n_rows));
    return autograd::parameter(
        nn::initialise::normal<T>({n_rows, n_columns}, 0, deviation, generator));
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
    result.score = [parameters](const auto& queries, const auto& keys) {
        return additive(queries, keys, parameters);
    };
    return result;
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
    template LearntScore<T> learnt_additive(const ScoreSizes&, Generator&, bool);

ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::backpropagation
