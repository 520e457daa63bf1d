#include "chapters/11_multi_head/attention_kernels.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrix_product.hpp"

#include <algorithm>
#include <cmath>

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

// [heads]
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

#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> split_heads(const Variable<T>&, std::size_t);                         \
    template Variable<T> merge_heads(const Variable<T>&);                                      \
    template Variable<T> attend_by_operators(const Variable<T>&, const Variable<T>&,           \
                                             const Variable<T>&, std::size_t,                  \
                                             const AttentionMask&, Array<T>*);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::multi_head
