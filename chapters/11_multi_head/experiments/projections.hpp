/// \file
/// \brief Why three projections: the symbol before, with projections tied and free.
#pragma once

#include "chapters/11_multi_head/experiments/sequence_model.hpp"

#include <cstddef>

namespace attn::multi_head {

/// The weights that the positions of a ring give to the position so many steps on, as a
/// geometric mean. With one matrix for queries and keys
///
/// \f[ \prod_i \alpha_{i,i-1} = \prod_i \alpha_{i,i+1} \le \prod_i \alpha_{ii} , \f]
///
/// so that the mean weight of the predecessor is at most 1/3.
/// \param weights  alpha [n, n], n at least 3, none negative
/// \param steps    -1 for the predecessor, 0 for the position itself, 1 for the successor
/// \returns        the geometric mean over the ring, 0 if one of these weights is 0
/// \throws ContractError if it is no such matrix
double mean_weight_on_ring(const Matrix& weights, int steps);

/// How long the sequences of the symbol before are.
inline constexpr std::size_t projection_length = 12;

/// Where the symbol before is learnt, with what tells the positions apart.
enum class Setting
{
    line,   ///< a line, rotary positions, nothing is masked
    causal, ///< a line, rotary positions, what comes later is masked
    ring,   ///< a ring, learnt positions
    narrow  ///< the same with few numbers at a position
};

/// The symbol before, with projections tied or not.
SequenceTraining projection_training(Setting setting, Tied tied);

void show_projections(program::Frame& frame); ///< each setting with each tie

} // namespace attn::multi_head
