/// \file
/// \brief Multi-head attention as one step of the tape: attend_in_one_step of
/// attention_kernels.hpp.
#include "chapters/11_multi_head/attention_kernels.hpp"
#include "common/autograd/rule.hpp"
#include "common/kernels/gemm.hpp"
#include "common/kernels/instruction_sets.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::multi_head {

namespace {

/// How large everything is.
struct Dimensions
{
    std::size_t batch;
    std::size_t n_heads;
    std::size_t n_queries;
    std::size_t n_keys;
    std::size_t d_k; ///< numbers of a query in one head
    std::size_t d_v; ///< numbers of a value in one head

    std::size_t query_row() const { return n_heads * d_k; } ///< numbers from row to row of Q, K
    std::size_t value_row() const { return n_heads * d_v; } ///< numbers from row to row of V, C
};

/// The matrices of one head of one sentence: where each begins.
struct Head
{
    std::size_t sentence;
    std::size_t n_seen; ///< keys of the sentence that some query attends to
    std::size_t queries;
    std::size_t keys;
    std::size_t values;
    std::size_t contexts;
    std::size_t weights;
};

/// f(head) for each head of each sentence.
template <typename Function>
void for_each_head(const Dimensions& size, const AttentionMask& mask, Function f)
{
    for (std::size_t b = 0; size.n_queries > 0 && b < size.batch; ++b) {
        const std::size_t n_seen =
            mask.n_attended(b, size.n_queries - 1, size.n_queries, size.n_keys);
        for (std::size_t h = 0; h < size.n_heads; ++h) {
            f(Head{b, n_seen, b * size.n_queries * size.query_row() + h * size.d_k,
                   b * size.n_keys * size.query_row() + h * size.d_k,
                   b * size.n_keys * size.value_row() + h * size.d_v,
                   b * size.n_queries * size.value_row() + h * size.d_v,
                   (b * size.n_heads + h) * size.n_queries * size.n_keys});
        }
    }
}

/// The step with all that its backward pass needs.
template <typename T>
struct AttentionRule
{
    Variable<T> queries;
    Variable<T> keys;
    Variable<T> values;
    Dimensions size;
    AttentionMask mask;
    Array<T> weights; ///< A

    T scale() const { return T(1) / std::sqrt(static_cast<T>(size.d_k)); }

    /// f(row, n) for each row of a head's [n_queries, n_keys] numbers and the n keys that its
    /// query attends to; the numbers at masked keys become 0.
    template <typename Function>
    void for_each_row(const Head& head, T* row, Function f) const
    {
        for (std::size_t i = 0; i < size.n_queries; ++i, row += size.n_keys) {
            const std::size_t n =
                mask.n_attended(head.sentence, i, size.n_queries, size.n_keys);
            f(row, n);
            std::fill(row + n, row + size.n_keys, T(0));
        }
    }

    /// A = softmax(Q K' / sqrt(d_k)), then C = A V.
    void forward(T* contexts)
    {
        const auto& kernel = kernels::current<T>().rows;
        for_each_head(size, mask, [&](const Head& head) {
            T* const A = weights.data() + head.weights;
            gemm(Transpose::no, Transpose::yes, size.n_queries, head.n_seen, size.d_k, scale(),
                 queries.value().data() + head.queries, size.query_row(),
                 keys.value().data() + head.keys, size.query_row(), T(0), A, size.n_keys);
            for_each_row(head, A, [&](T* row, std::size_t n) { kernel.softmax(n, row, row); });
            gemm(Transpose::no, Transpose::no, size.n_queries, size.d_v, head.n_seen, T(1), A,
                 size.n_keys, values.value().data() + head.values, size.value_row(), T(0),
                 contexts + head.contexts, size.value_row());
        });
    }

    /// dA = dC V', \f$ dS_{ij} = A_{ij} (dA_{ij} - \sum_l A_{il} dA_{il}) \f$, then
    /// dV += A' dC, dQ += dS K / sqrt(d_k) and dK += dS' Q / sqrt(d_k).
    void operator()(const Array<T>& /*contexts*/, const Array<T>& d_contexts) const
    {
        const auto& kernel = kernels::current<T>().rows;
        const auto gradient_of = [](const Variable<T>& x) {
            return x.needs_gradient() ? autograd::zeroed_gradient(x) : nullptr;
        };
        T* const dV = gradient_of(values);
        T* const dQ = gradient_of(queries);
        T* const dK = gradient_of(keys);
        Array<T> scratch = uninitialised<T>({size.n_queries, size.n_keys}); // dA, then dS
        T* const dS = scratch.data();
        const std::size_t row = size.query_row();
        for_each_head(size, mask, [&](const Head& head) {
            const T* const A = weights.data() + head.weights;
            const T* const dC = d_contexts.data() + head.contexts;
            gemm(Transpose::no, Transpose::yes, size.n_queries, head.n_seen, size.d_v, T(1), dC,
                 size.value_row(), values.value().data() + head.values, size.value_row(), T(0),
                 dS, size.n_keys);
            for_each_row(head, dS, [&](T* dA, std::size_t n) {
                kernel.softmax_backward(n, A + (dA - dS), dA, dA);
            });
            if (dV != nullptr) {
                gemm(Transpose::yes, Transpose::no, head.n_seen, size.d_v, size.n_queries, T(1),
                     A, size.n_keys, dC, size.value_row(), T(1), dV + head.values,
                     size.value_row());
            }
            if (dQ != nullptr) {
                gemm(Transpose::no, Transpose::no, size.n_queries, size.d_k, head.n_seen,
                     scale(), dS, size.n_keys, keys.value().data() + head.keys, row, T(1),
                     dQ + head.queries, row);
            }
            if (dK != nullptr) {
                gemm(Transpose::yes, Transpose::no, head.n_seen, size.d_k, size.n_queries,
                     scale(), dS, size.n_keys, queries.value().data() + head.queries, row, T(1),
                     dK + head.keys, row);
            }
        });
    }
};

} // namespace

template <typename T>
Variable<T> attend_in_one_step(const Variable<T>& queries, const Variable<T>& keys,
                               const Variable<T>& values, std::size_t n_heads,
                               const AttentionMask& mask, Array<T>* weights)
{
    const Shape& q = queries.shape();
    const Shape& k = keys.shape();
    const Shape& v = values.shape();
    expect_together(q, k, v, n_heads);
    expect_fitting(mask, q[0], q[1], k[1]);
    AttentionRule<T> rule{queries, keys,
                          values,  {q[0], n_heads, q[1], k[1], q[2] / n_heads, v[2] / n_heads},
                          mask,    uninitialised<T>({q[0], n_heads, q[1], k[1]})};
    Array<T> contexts = uninitialised<T>({q[0], q[1], v[2]});
    rule.forward(contexts.data());
    if (weights != nullptr) {
        *weights = rule.weights;
    }
    const bool needs_gradient =
        queries.needs_gradient() || keys.needs_gradient() || values.needs_gradient();
    return autograd::record(std::move(contexts), needs_gradient, std::move(rule));
}

template Variable<float> attend_in_one_step(const Variable<float>&, const Variable<float>&,
                                            const Variable<float>&, std::size_t,
                                            const AttentionMask&, Array<float>*);
template Variable<double> attend_in_one_step(const Variable<double>&, const Variable<double>&,
                                             const Variable<double>&, std::size_t,
                                             const AttentionMask&, Array<double>*);

} // namespace attn::multi_head
