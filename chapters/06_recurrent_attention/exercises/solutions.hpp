/// \file
/// \brief Solutions of the exercises of chapter 6 that are functions.
#pragma once

#include "common/tensor/tensor.hpp"

#include <cstddef>

/// Solutions of the exercises of chapter 6.
namespace attn::recurrent_attention::solutions {

/// Exercise 6.1: the largest weight that one of n states can have if all scores lie between
/// -bound and bound: \f$ 1 / (1 + (n - 1) e^{-2 \cdot bound}) \f$.
/// \throws ContractError if n is 0 or the bound is negative
double largest_weight(std::size_t n, double bound);

/// Exercise 6.2: after how many steps half of a gradient is left by a gate with a bias and nothing else,
/// \f$ \ln 2 / \ln(1 + e^{-b}) \f$.
double half_life(double bias);

/// Exercise 6.3: the mean absolute scaled error \cite hyndman2006, the mean absolute error over
/// that of the seasonal rule on the rows to learn from. Below 1 it beats that rule.
/// \param forecast  [n]
/// \param truth     [n], n at least 1
/// \param learnt    [m], the rows to learn from, m above the season
/// \param season    rows in a season; 1 for persistence
/// \throws ContractError if lengths do not fit, or the rule never erred
double mean_absolute_scaled_error(const Vector& forecast, const Vector& truth,
                                  const Vector& learnt, std::size_t season);

} // namespace attn::recurrent_attention::solutions
