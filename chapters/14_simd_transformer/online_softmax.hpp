/// \file
/// \brief Softmax over keys that come a tile at a time, for one query, in double: the idea of
/// fused attention without its speed, for reading, for the pencil and as an oracle. The fast
/// form is fused_attention/forward.inl's.
#pragma once

#include "common/tensor/tensor.hpp"

#include <limits>

namespace attn::simd_transformer {

/// What is remembered of the keys that a query has met so far.
struct OnlineSoftmaxState
{
    double largest = -std::numeric_limits<double>::infinity(); ///< m, the largest score
    double total = 0;                                          ///< l, the sum of exp(score - m)
    Vector context; ///< c [d_v], the sum of exp(score - m) times the value
};

/// A query that has met no key: m = -inf, l = 0, c = 0.
OnlineSoftmaxState empty_state(std::size_t d_v);

/// Meets a tile of keys. With m' the largest score of the tile and of all before,
///
/// \f[ l' = e^{m - m'} \, l + \sum_j e^{s_j - m'} , \f]
/// \f[ c' = e^{m - m'} \, c + \sum_j e^{s_j - m'} v_j . \f]
///
/// While every score has been -inf there is nothing to add: -inf - (-inf) is not computed.
/// \param scores  s [n_keys] of the tile; -inf where a key is masked
/// \param values  v [n_keys, d_v] of the tile
/// \throws ContractError if scores and values are not equally many, or values have another size
///         than the context
/// \see \cite milakov2018, algorithm 3, and \cite dao2022, algorithm 1
void add_tile(OnlineSoftmaxState& row, const Vector& scores, const Matrix& values);

/// The context, when all keys have been met: c / l [d_v]; zeros if all were masked.
Vector context_of(const OnlineSoftmaxState& row);

} // namespace attn::simd_transformer
