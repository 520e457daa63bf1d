/// \file
/// \brief Where a token stands: sinusoids that are added to it, rows that are learnt and added,
/// and rotations of its queries and keys. Deliberately without a model; what each kind is good
/// for is measured in experiments.hpp.
#pragma once

#include "chapters/11_multi_head/attention_kernels.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <string>

namespace attn::multi_head {

/// How a token's place enters.
enum class Positions
{
    none,       ///< not at all
    sinusoidal, ///< sinusoids are added to the token
    learnt,     ///< a learnt row a place is added to the token
    rotary      ///< queries and keys are turned, by an angle that grows with the place
};

/// \param positions  any
/// \returns          "sinusoidal"
std::string name_of(Positions positions);

/// How fast each pair of numbers turns, \f$ \omega_j = 10000^{-2j/d} \f$ radians a place
/// (\cite vaswani2017, section 3.5).
/// \param d  numbers in a row, even
/// \returns  [d / 2], from 1 downwards
/// \throws ContractError if d is odd or 0
Vector frequencies(std::size_t d);

/// The sinusoids of successive positions: \f$ p_{t,2j} = \sin \omega_j t \f$ and
/// \f$ p_{t,2j+1} = \cos \omega_j t \f$ (\cite vaswani2017, section 3.5).
/// \tparam T           float or double
/// \param n_positions  how many
/// \param d            numbers in a row, even
/// \param first        the first of them
/// \returns            [n_positions, d]
/// \throws ContractError if d is odd or 0
template <typename T>
Array<T> sinusoids(std::size_t n_positions, std::size_t d, std::size_t first = 0);

/// The matrix that leads from a place to another, whatever the place:
/// \f$ p_{t+s} = p_t R_s \f$ for all t, as rows. It turns each pair of numbers.
/// \param d      numbers in a row, even
/// \param shift  s, may be negative
/// \returns      R [d, d]
/// \throws ContractError if d is odd or 0
Matrix rotation_between_places(std::size_t d, double shift);

/// Queries or keys turned by their place (\cite su2021): in each head the pair of numbers
/// \f$ (2j, 2j+1) \f$ of place t by the angle \f$ \omega_j t \f$, with the frequencies of
/// d = d_k. The dot product of a turned query and a turned key depends on the places only by
/// their difference. This is what MultiHeadAttention::turn is for.
/// \tparam T           float or double
/// \param x            [batch, n, H d_k]
/// \param n_heads      H; d_k is even
/// \param first_place  where the first of the n rows stands
/// \returns            of x's shape
/// \throws ContractError naming the shape if it does not divide into such heads
template <typename T>
Variable<T> turned_by_place(const Variable<T>& x, std::size_t n_heads,
                            std::size_t first_place = 0);

} // namespace attn::multi_head
