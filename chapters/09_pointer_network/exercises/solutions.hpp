/// \file
/// \brief Solutions of the exercises of chapter 9 that are functions.
#pragma once

#include <cstddef>

/// Solutions of the exercises of chapter 9.
namespace attn::pointer_network::solutions {

/// Exercise 9.1: how many scores it takes to sort n numbers by pointing, the hidden ones computed
/// as well, \f$ n^2 \f$; or only the visible ones, \f$ n (n + 1) / 2 \f$.
/// \param visible_only  whether hidden ones are left out
std::size_t scores_to_sort(std::size_t n, bool visible_only);

/// Exercise 9.2: how probable one position must be, if n positions are right together with a
/// probability, independently, and each with the same: \f$ p^{1/n} \f$.
/// \param together  from 0 to 1
/// \throws ContractError if it is no probability, or n is 0
double each_position(double together, std::size_t n);

/// Exercise 9.3: with which probability n random pointers, without a mask, point at n different
/// elements: \f$ n! / n^n \f$.
double all_different(std::size_t n);

} // namespace attn::pointer_network::solutions
