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
#include "common/tensor/check.hpp"

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

PairSizes sizes_of(const Shape& x, const Shape& y, const Shape& w)
{
    expect(
        x.size() == 3 && y.size() == 3 && x[0] == y[0] && x[2] == y[2] &&
            (w == Shape{x[2], 1} || w == Shape{x[2]}),
        "additive_scores: queries {}, keys {} and w {} must be [batch, n_queries, d_hidden], "
        "[batch, n_keys, d_hidden] and [d_hidden, 1] or [d_hidden]",
        x, y, w);
    return {x[0], x[1], y[1], x[2]};
}

/// u_j = tanh(x + y_j) for one query's x and every key's y_j of its table [n_keys, d_hidden].
template <typename T>
void units_forward(const PairSizes& sizes, const T* __restrict x, const T* __restrict y,
                   T* __restrict u)
{
    const std::size_t table = sizes.n_keys * sizes.d_hidden;
    for (std::size_t first = 0; first < table; first += sizes.d_hidden) {
        for (std::size_t m = 0; m < sizes.d_hidden; ++m) {
            u[first + m] = x[m] + y[first + m];
        }
    }
    vector_math::tanh<T>({u, table}, {u, table});
}

/// The backward pass through one pair's hidden units u: dw += ds u, and dz = ds w (1 - u u) is
/// added to the query's and the key's; all arrays [d_hidden], none overlapping.
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

} // namespace

template <typename T>
Variable<T> additive_scores(const Variable<T>& x, const Variable<T>& y, const Variable<T>& w)
{
    const PairSizes sizes = sizes_of(x.shape(), y.shape(), w.shape());
    const auto [n_batch, n_queries, n_keys, d_hidden] = sizes;
    const std::size_t table = n_keys * d_hidden; // what one query meets
    const bool one_product = w.rank() == 2;
    Array<T> units = uninitialised<T>({n_batch, n_queries, n_keys, d_hidden});
    Array<T> scores = uninitialised<T>({n_batch, n_queries, n_keys});
    for (std::size_t query = 0; query < n_batch * n_queries; ++query) {
        T* const u = units.data() + query * table;
        units_forward(sizes, x.value().data() + query * d_hidden,
                      y.value().data() + query / n_queries * table, u);
        for (std::size_t j = 0; j < n_keys && !one_product; ++j) {
            scores.data()[query * n_keys + j] =
                vector_math::dot<T>({u + j * d_hidden, d_hidden}, {w.value().data(), d_hidden});
        }
    }
    if (one_product) {
        gemm<T>(Transpose::no, Transpose::no, scores.size(), 1, d_hidden, 1, units.data(),
                d_hidden, w.value().data(), 1, 0, scores.data(), 1);
    }
    return autograd::record(
        std::move(scores), x.needs_gradient() || y.needs_gradient() || w.needs_gradient(),
        [x, y, w, sizes, units = std::move(units)](const Array<T>& /*s*/, const Array<T>& ds) {
            Array<T> unasked[3];
            T* const dx = autograd::gradient_or_scratch(x, unasked[0]);
            T* const dy = autograd::gradient_or_scratch(y, unasked[1]);
            T* const dw = autograd::gradient_or_scratch(w, unasked[2]);
            for (std::size_t pair = 0; pair < ds.size(); ++pair) {
                const std::size_t query = pair / sizes.n_keys;
                const std::size_t key =
                    query / sizes.n_queries * sizes.n_keys + pair % sizes.n_keys;
                units_backward(ds.data()[pair], units.data() + pair * sizes.d_hidden,
                               w.value().data(), sizes.d_hidden, dw,
                               dx + query * sizes.d_hidden, dy + key * sizes.d_hidden);
            }
        });
}

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
    return additive_scores(from_queries, from_keys, w);
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
    template Variable<T> additive_scores(const Variable<T>&, const Variable<T>&,               \
                                         const Variable<T>&);                                  \
    template Variable<T> additive(const Variable<T>&, const Variable<T>&,                      \
                                  const AdditiveParameters<T>&);                               \
    template Variable<T> matrix_parameter(Generator&, std::size_t, std::size_t);               \
    template LearntScore<T> learnt_additive(const ScoreSizes&, Generator&, bool);

ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::backpropagation
