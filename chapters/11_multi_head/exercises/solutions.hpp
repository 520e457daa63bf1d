/// \file
/// \brief Solutions of the exercises of chapter 11 that are functions.
#pragma once

#include "common/tensor/tensor.hpp"

#include <cstddef>

/// Solutions of the exercises of chapter 11.
namespace attn::multi_head::solutions {

/// Exercise 11.1: how many parameters a multi-head layer has, biases included:
/// \f$ d (d + d_y + d_z + d) + 4 d \f$ for keys made from d_y and values made from d_z numbers.
std::size_t n_parameters(std::size_t d, std::size_t d_y, std::size_t d_z);

/// Exercise 11.2: v_a - v_b by one head, whose weights are equal on a and b and 0 elsewhere, if
/// each value is multiplied by its mark before: +1 at a, -1 at b.
/// \param marks    [n, 2]: (1, 0) at a, (0, 1) at b, zeros elsewhere
/// \param vectors  v [n, m]
/// \returns        [m], twice what the head finds
/// \throws ContractError if there is not one a and one b, a row is marked otherwise, or the
///         rows differ in number
Vector difference_by_one_head(const Matrix& marks, const Matrix& vectors);

/// Exercise 11.3: the longest sentence for which self-attention takes no more multiplications
/// than a GRU, both with their matrices: \f$ 2 n^2 d + 4 n d^2 \le 6 n d^2 \f$.
std::size_t longest_cheaper(std::size_t d);

} // namespace attn::multi_head::solutions
