/// \file
/// \brief Multi-head attention as one step of the tape: the body of attend_in_one_step,
/// declared in attention_kernels.hpp.
#include "chapters/11_multi_head/attention_kernels.hpp"
#include "common/autograd/rule.hpp"
#include "common/kernels/gemm.hpp"
#include "common/kernels/instruction_sets.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace attn::multi_head {

namespace {

/// How large everything is, and where the matrices of a head lie.
struct Sizes
{
    std::size_t batch;
    std::size_t n_heads;
    std::size_t n_queries;
    std::size_t n_keys;
    std::size_t d_k; ///< numbers of a query in one head
    std::size_t d_v; ///< numbers of a value in one head

    std::size_t query_row() const { return n_heads * d_k; } ///< numbers from row to row of Q, K
    std::size_t value_row() const { return n_heads * d_v; } ///< numbers from row to row of V, C
    std::size_t pairs() const { return n_queries * n_keys; }
};

template <typename T>
Sizes sizes_of(const Variable<T>& queries, const Variable<T>& keys, const Variable<T>& values,
               std::size_t n_heads)
{
    const Shape& q = queries.shape();
    const Shape& k = keys.shape();
    const Shape& v = values.shape();
    expect_together(q, k, v, n_heads);
    return {q[0], n_heads, q[1], k[1], q[2] / n_heads, v[2] / n_heads};
}

/// The matrices of one head of one sentence: where each begins.
struct Head
{
    std::size_t queries;
    std::size_t keys;
    std::size_t values;
    std::size_t contexts;
    std::size_t weights;
    std::size_t n_seen; ///< keys of the sentence that some query sees
};

/// f(head) for each head of each sentence.
template <typename Function>
void for_each_head(const Sizes& sizes, const Visible& visible, Function f)
{
    for (std::size_t b = 0; b < sizes.batch; ++b) {
        const std::size_t n_seen =
            sizes.n_queries == 0
                ? 0
                : visible.n_seen(b, sizes.n_queries - 1, sizes.n_queries, sizes.n_keys);
        for (std::size_t h = 0; h < sizes.n_heads; ++h) {
            f(Head{b * sizes.n_queries * sizes.query_row() + h * sizes.d_k,
                   b * sizes.n_keys * sizes.query_row() + h * sizes.d_k,
                   b * sizes.n_keys * sizes.value_row() + h * sizes.d_v,
                   b * sizes.n_queries * sizes.value_row() + h * sizes.d_v,
                   (b * sizes.n_heads + h) * sizes.pairs(), n_seen});
        }
    }
}

/// The numbers of one row's visible keys; the others of the row.
template <typename T>
struct SplitRow
{
    std::span<T> seen;
    std::span<T> hidden;
};

/// f(row) for each row of weights.
template <typename T, typename Function>
void for_each_row(const Sizes& sizes, const Visible& visible, T* weights, Function f)
{
    for (std::size_t b = 0; b < sizes.batch; ++b) {
        for (std::size_t h = 0; h < sizes.n_heads; ++h) {
            for (std::size_t i = 0; i < sizes.n_queries; ++i, weights += sizes.n_keys) {
                const std::size_t n = visible.n_seen(b, i, sizes.n_queries, sizes.n_keys);
                f(SplitRow<T>{{weights, n}, {weights + n, sizes.n_keys - n}});
            }
        }
    }
}

/// Scores become weights, all rows of all heads.
template <typename T>
void softmax_of_rows(const Sizes& sizes, const Visible& visible, Array<T>& weights)
{
    const auto& kernel = kernels::current<T>().rows;
    for_each_row(sizes, visible, weights.data(), [&](const SplitRow<T>& row) {
        kernel.softmax(row.seen.size(), row.seen.data(), row.seen.data());
        std::fill(row.hidden.begin(), row.hidden.end(), T(0));
    });
}

/// A, then C = A V.
template <typename T>
void walk_forward(const Sizes& sizes, const Visible& visible, const T* queries, const T* keys,
                  const T* values, Array<T>& weights, T* contexts)
{
    const T scale = T(1) / std::sqrt(static_cast<T>(sizes.d_k));
    for_each_head(sizes, visible, [&](const Head& head) {
        gemm(Transpose::no, Transpose::yes, sizes.n_queries, head.n_seen, sizes.d_k, scale,
             queries + head.queries, sizes.query_row(), keys + head.keys, sizes.query_row(),
             T(0), weights.data() + head.weights, sizes.n_keys);
    });
    softmax_of_rows(sizes, visible, weights);
    for_each_head(sizes, visible, [&](const Head& head) {
        gemm(Transpose::no, Transpose::no, sizes.n_queries, sizes.d_v, head.n_seen, T(1),
             weights.data() + head.weights, sizes.n_keys, values + head.values,
             sizes.value_row(), T(0), contexts + head.contexts, sizes.value_row());
    });
}

/// dA becomes dS: \f$ dS_{ij} = A_{ij} (dA_{ij} - \sum_l A_{il} dA_{il}) \f$, 0 for hidden
/// keys.
template <typename T>
void softmax_gradient_of_rows(const Sizes& sizes, const Visible& visible,
                              const Array<T>& weights, Array<T>& gradients)
{
    const T* p = weights.data();
    const auto& kernel = kernels::current<T>().rows;
    for_each_row(sizes, visible, gradients.data(), [&](const SplitRow<T>& row) {
        kernel.softmax_backward(row.seen.size(), p, row.seen.data(), row.seen.data());
        std::fill(row.hidden.begin(), row.hidden.end(), T(0));
        p += sizes.n_keys;
    });
}

/// The way back, with what it needs.
template <typename T>
struct AttentionRule
{
    Variable<T> queries;
    Variable<T> keys;
    Variable<T> values;
    Sizes sizes;
    Visible visible;
    Array<T> weights; ///< A

    void operator()(const Array<T>& /*contexts*/, const Array<T>& d_contexts) const
    {
        const T* const dc = d_contexts.data();
        Array<T> scratch = uninitialised<T>(weights.shape()); // dA, then dS
        for_each_head(sizes, visible, [&](const Head& head) { // dA = dC V'
            gemm(Transpose::no, Transpose::yes, sizes.n_queries, head.n_seen, sizes.d_v, T(1),
                 dc + head.contexts, sizes.value_row(), values.value().data() + head.values,
                 sizes.value_row(), T(0), scratch.data() + head.weights, sizes.n_keys);
        });
        softmax_gradient_of_rows(sizes, visible, weights, scratch);
        add_value_gradient(dc);
        add_query_and_key_gradients(scratch.data());
    }

    /// dV += A' dC.
    void add_value_gradient(const T* dc) const
    {
        if (!values.needs_gradient()) {
            return;
        }
        T* const dv = autograd::zeroed_gradient(values);
        for_each_head(sizes, visible, [&](const Head& head) {
            gemm(Transpose::yes, Transpose::no, head.n_seen, sizes.d_v, sizes.n_queries, T(1),
                 weights.data() + head.weights, sizes.n_keys, dc + head.contexts,
                 sizes.value_row(), T(1), dv + head.values, sizes.value_row());
        });
    }

    /// dQ += dS K / sqrt(d_k), dK += dS' Q / sqrt(d_k).
    void add_query_and_key_gradients(const T* ds) const
    {
        const T scale = T(1) / std::sqrt(static_cast<T>(sizes.d_k));
        const std::size_t row = sizes.query_row();
        if (queries.needs_gradient()) {
            T* const dq = autograd::zeroed_gradient(queries);
            for_each_head(sizes, visible, [&](const Head& head) {
                gemm(Transpose::no, Transpose::no, sizes.n_queries, sizes.d_k, head.n_seen,
                     scale, ds + head.weights, sizes.n_keys, keys.value().data() + head.keys,
                     row, T(1), dq + head.queries, row);
            });
        }
        if (keys.needs_gradient()) {
            T* const dk = autograd::zeroed_gradient(keys);
            for_each_head(sizes, visible, [&](const Head& head) {
                gemm(Transpose::yes, Transpose::no, head.n_seen, sizes.d_k, sizes.n_queries,
                     scale, ds + head.weights, sizes.n_keys,
                     queries.value().data() + head.queries, row, T(1), dk + head.keys, row);
            });
        }
    }
};

} // namespace

template <typename T>
Variable<T> attend_in_one_step(const Variable<T>& queries, const Variable<T>& keys,
                               const Variable<T>& values, std::size_t n_heads,
                               const Visible& visible, Array<T>* weights)
{
    const Sizes sizes = sizes_of(queries, keys, values, n_heads);
    expect_fitting(visible, sizes.batch, sizes.n_queries, sizes.n_keys);
    Array<T> A = uninitialised<T>({sizes.batch, n_heads, sizes.n_queries, sizes.n_keys});
    Array<T> contexts = uninitialised<T>({sizes.batch, sizes.n_queries, sizes.value_row()});
    walk_forward(sizes, visible, queries.value().data(), keys.value().data(),
                 values.value().data(), A, contexts.data());
    if (weights != nullptr) {
        *weights = A;
    }
    const bool needs_gradient =
        queries.needs_gradient() || keys.needs_gradient() || values.needs_gradient();
    return autograd::record(
        std::move(contexts), needs_gradient,
        AttentionRule<T>{queries, keys, values, sizes, visible, std::move(A)});
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> attend_in_one_step(const Variable<T>&, const Variable<T>&,            \
                                            const Variable<T>&, std::size_t, const Visible&,   \
                                            Array<T>*);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::multi_head
