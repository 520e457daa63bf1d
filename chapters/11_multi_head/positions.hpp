/// \file
/// \brief Where a token stands: sinusoids that are added to it, rows that are learnt and added,
/// and rotations of its queries and keys.
#pragma once

#include "chapters/11_multi_head/attention_kernels.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <string>

namespace attn::multi_head {

/// How a token's position enters.
enum class Positions
{
    none,       ///< not at all
    sinusoidal, ///< sinusoids are added to the token
    learnt,     ///< a learnt row for each position is added to the token
    rotary      ///< queries and keys are rotated, by an angle that grows with the position
};

std::string name_of(Positions positions); ///< \returns "none", "sinusoidal", "learnt", "rotary"

/// How fast each pair of numbers rotates, \f$ \omega_j = 10000^{-2j/d} \f$ radians a position
/// (\cite vaswani2017, section 3.5).
/// \returns [d / 2], from 1 downwards
/// \throws ContractError if d is odd or 0
Vector frequencies(std::size_t d);

/// The sinusoids of successive positions from the first: \f$ p_{t,2j} = \sin \omega_j t \f$ and
/// \f$ p_{t,2j+1} = \cos \omega_j t \f$ (\cite vaswani2017, section 3.5).
/// \returns [n_positions, d]
/// \throws ContractError if d is odd or 0
template <typename T>
Array<T> sinusoids(std::size_t n_positions, std::size_t d, std::size_t first = 0);

/// The matrix that leads from a position to another, whatever the position:
/// \f$ p_{t+s} = p_t R_s \f$ for all t, as rows. It rotates each pair of numbers.
/// \param shift  s, may be negative
/// \returns      R [d, d]
/// \throws ContractError if d is odd or 0
Matrix rotation_between_positions(std::size_t d, double shift);

/// Queries or keys rotated by their position (\cite su2021): in each head the pair of numbers
/// \f$ (2j, 2j+1) \f$ of position t by the angle \f$ \omega_j t \f$, with the frequencies of
/// d = d_k. The dot product of a rotated query and a rotated key depends on the positions only by
/// their difference. This is what MultiHeadAttention::rotate is for.
/// \param x               [batch, n, H d_k], d_k even
/// \param first_position  of the first of the n rows
/// \throws ContractError naming the shape if it does not divide into such heads
template <typename T>
Variable<T> rotated_by_position(const Variable<T>& x, std::size_t n_heads,
                                std::size_t first_position = 0);

} // namespace attn::multi_head
