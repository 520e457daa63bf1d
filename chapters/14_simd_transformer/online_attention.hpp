/// \file
/// \brief Attention key by key, with no scores kept, in float and plain loops: as little memory
/// as the fused form, and none of its speed.
#pragma once

#include <cstddef>

namespace attn::simd_transformer {

/// One head of one sentence as plain loops see it.
struct PlainHead
{
    const float* queries;  ///< [n_queries, d_k], query_row apart
    const float* keys;     ///< [n_keys, d_k], query_row apart
    const float* values;   ///< [n_keys, d_v], value_row apart
    float* context;        ///< [n_queries, d_v], value_row apart
    std::size_t d_k;       ///< numbers in a query and in a key
    std::size_t d_v;       ///< numbers in a value and in a context
    std::size_t query_row; ///< from one query or key to the next
    std::size_t value_row; ///< from one value or context to the next
    std::size_t sentence;  ///< of the batch
    float root;            ///< of d_k
};

/// A query's context; 0 if it attends to no key.
/// \param head    whose context is written
/// \param query   its index
/// \param n_seen  keys that it attends to, the first so many
/// \see \cite milakov2018, algorithm 3
void attend_online(const PlainHead& head, std::size_t query, std::size_t n_seen);

} // namespace attn::simd_transformer
