/// \file
/// \brief What each kind of layer can express of the marked step, with parameters set by hand and
/// nothing learnt but a linear readout.
#pragma once

#include "chapters/05_attention_versus_dense/experiments/tasks.hpp"
#include "chapters/05_attention_versus_dense/layers.hpp"
#include "common/program/run.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace attn::attention_versus_dense {

/// A layer for the marked step of 4 numbers and a marker, its parameters set by hand.
struct SetByHand
{
    std::string name; ///< as in the table
    /// What it makes of sequences [n, 20, 5]: [n, d].
    std::function<Matrix(const Array<float>& X)> apply;
};

/// Attention without tanh, a gated sum, a dense network of 160 rectifiers; and attention with tanh
/// and one b, scoring the marker alone and scoring the first number, too.
std::vector<SetByHand> layers_by_hand();

/// 160 rectifiers that say exactly what stands at the marked step of sequences [n, 20, 5]: for a
/// number v from -1 to 1 and its marker m, which is 0 or 1,
///
/// \f[ m v = \max(v + m - 1, 0) - \max(-v + m - 1, 0) . \f]
///
/// \returns [n, 4]
Matrix by_rectifiers(const Array<float>& X);

/// R^2 of each of the four numbers on fresh sequences, after a linear readout by least squares.
/// \returns [4]
Vector explained_by(const SetByHand& layer, std::uint64_t seed, std::size_t n_examples);

/// Prints what layers set by hand explain.
void show_by_hand(program::Frame& frame);

} // namespace attn::attention_versus_dense
