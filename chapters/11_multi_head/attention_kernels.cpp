#include "chapters/11_multi_head/attention_kernels.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/rule.hpp"
#include "common/kernels/gemm.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "common/kernels/row_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::multi_head {

std::size_t AttentionMask::n_attended(std::size_t sentence, std::size_t query,
                                      std::size_t n_queries, std::size_t n_keys) const
{
    const std::size_t there = key_lengths.empty() ? n_keys : key_lengths[sentence];
    return causal ? std::min(there, n_keys - n_queries + query + 1) : there;
}

void expect_fitting(const AttentionMask& mask, std::size_t batch, std::size_t n_queries,
                    std::size_t n_keys)
{
    const std::vector<std::size_t>& lengths = mask.key_lengths;
    expect(lengths.empty() || lengths.size() == batch,
           "attention: there must be a number of keys for each of {} sentences, got {}", batch,
           lengths.size());
    expect(std::all_of(lengths.begin(), lengths.end(),
                       [&](std::size_t length) { return length <= n_keys; }),
           "attention: a sentence cannot have more than its {} keys", n_keys);
    expect(!mask.causal || n_queries <= n_keys,
           "attention: a causal query has a key at its position, got {} queries and {} keys",
           n_queries, n_keys);
}

void expect_together(const Shape& queries, const Shape& keys, const Shape& values,
                     std::size_t n_heads)
{
    expect(queries.size() == 3 && keys.size() == 3 && values.size() == 3 &&
               queries[0] == keys[0] && queries[0] == values[0] && keys[1] == values[1] &&
               queries[2] == keys[2],
           "attention: queries {}, keys {} and values {} do not go together", queries, keys,
           values);
    expect(
        n_heads >= 1 && queries[2] % n_heads == 0 && values[2] % n_heads == 0 && queries[2] > 0,
        "attention: {} heads cannot share queries {} and values {}", n_heads, queries, values);
}

Mask mask_of(const AttentionMask& mask, std::size_t batch, std::size_t n_queries,
             std::size_t n_keys)
{
    expect_fitting(mask, batch, n_queries, n_keys);
    Mask attended(Shape{batch, 1, n_queries, n_keys}, false);
    bool* row = attended.data();
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t i = 0; i < n_queries; ++i, row += n_keys) {
            std::fill_n(row, mask.n_attended(b, i, n_queries, n_keys), true);
        }
    }
    return attended;
}

// [split]
template <typename T>
Variable<T> split_heads(const Variable<T>& x, std::size_t n_heads)
{
    expect(x.rank() == 3 && n_heads >= 1 && x.shape()[2] % n_heads == 0,
           "split_heads: {} heads cannot share the last axis of {}", n_heads, x.shape());
    const Shape& shape = x.shape(); // [batch, n, d]
    return permute(reshape(x, {shape[0], shape[1], n_heads, shape[2] / n_heads}), {0, 2, 1, 3});
}

template <typename T>
Variable<T> merge_heads(const Variable<T>& x)
{
    expect(x.rank() == 4, "merge_heads: x must be [batch, heads, n, d], got {}", x.shape());
    const Shape& shape = x.shape(); // [batch, H, n, d / H]
    return reshape(permute(x, {0, 2, 1, 3}), {shape[0], shape[2], shape[1] * shape[3]});
}
// [split]

// [heads]
template <typename T>
Variable<T> attend_by_operators(const Variable<T>& queries, const Variable<T>& keys,
                                const Variable<T>& values, std::size_t n_heads,
                                const AttentionMask& mask, Array<T>* weights)
{
    expect_together(queries.shape(), keys.shape(), values.shape(), n_heads);
    const Variable<T> Q = split_heads(queries, n_heads); // [batch, H, n_queries, d_k]
    const Variable<T> K = split_heads(keys, n_heads);    // [batch, H, n_keys, d_k]
    const Variable<T> V = split_heads(values, n_heads);  // [batch, H, n_keys, d_v]
    const T root = std::sqrt(static_cast<T>(Q.shape()[3]));
    const Variable<T> scores = matmul(Q, K, Transpose::no, Transpose::yes) / root;
    const Variable<T> A =
        masked_softmax(scores, mask_of(mask, Q.shape()[0], Q.shape()[2], K.shape()[2]));
    if (weights != nullptr) {
        *weights = A.value();
    }
    return merge_heads(matmul(A, V));
}
// [heads]

// ---------------------------------------------------------------- as one step of the tape

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

/// f(head) for each head of each sentence. Heads are independent: where there is enough to compute,
/// threads share them.
template <typename Function>
void for_each_head(const Dimensions& size, const AttentionMask& mask, Function f)
{
    const std::size_t n = size.n_queries == 0 ? 0 : size.batch * size.n_heads;
    const std::size_t multiplications =
        n * size.n_queries * size.n_keys * (size.d_k + size.d_v);
    const auto compute = [&](std::size_t i) {
        const std::size_t b = i / size.n_heads;
        const std::size_t h = i % size.n_heads;
        f(Head{b, mask.n_attended(b, size.n_queries - 1, size.n_queries, size.n_keys),
               b * size.n_queries * size.query_row() + h * size.d_k,
               b * size.n_keys * size.query_row() + h * size.d_k,
               b * size.n_keys * size.value_row() + h * size.d_v,
               b * size.n_queries * size.value_row() + h * size.d_v,
               i * size.n_queries * size.n_keys});
    };
    if (n >= kernels::execution().n_threads &&
        multiplications >= kernels::multiplications_worth_sharing) {
        kernels::for_each_by_threads(n, compute);
    } else {
        for (std::size_t i = 0; i < n; ++i) {
            compute(i);
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
        const std::size_t row = size.query_row();
        for_each_head(size, mask, [&](const Head& head) {
            Array<T> scratch = uninitialised<T>({size.n_queries, size.n_keys}); // dA, then dS
            T* const dS = scratch.data();
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

#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> split_heads(const Variable<T>&, std::size_t);                         \
    template Variable<T> merge_heads(const Variable<T>&);                                      \
    template Variable<T> attend_by_operators(const Variable<T>&, const Variable<T>&,           \
                                             const Variable<T>&, std::size_t,                  \
                                             const AttentionMask&, Array<T>*);                 \
    template Variable<T> attend_in_one_step(const Variable<T>&, const Variable<T>&,            \
                                            const Variable<T>&, std::size_t,                   \
                                            const AttentionMask&, Array<T>*);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::multi_head
