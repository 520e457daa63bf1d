/// \file
/// \brief What is best possible, by algebra: how much weight a capped score can give, what that
/// leaves of the marked step, and what weights that do not see the input can reach.
#pragma once

#include "common/tensor/tensor.hpp"

#include <cstddef>

namespace attn::attention_versus_dense {

/// The largest weight of a step if no score is more than a range above another,
/// \f$ 1 / (1 + (T - 1) e^{-\Delta}) \f$.
/// \param range  Delta: 2 for a tanh, infinity without one
/// \throws ContractError if the range is negative or there is no step
double largest_weight(double range, std::size_t n_steps);

/// R^2 on the marked step if its score is higher than all others by a range and these are equal,
///
/// \f[ \frac{a^2}{a^2 + (T - 1) b^2} = \frac{1}{1 + (T - 1) e^{-2 \Delta}} , \f]
///
/// with \f$ a \f$ the largest weight and \f$ b = (1 - a) / (T - 1) \f$ the others. The best of scores
/// that depend on the marker alone, and no bound on those that depend on the values.
/// \throws ContractError if the range is negative or there is no step
double marked_ceiling(double range, std::size_t n_steps);

/// The best R^2 of each layer on a sum with fixed weights over independent features of equal
/// variance, if the layer's weights are constants.
struct ConstantWeights
{
    double mean;      ///< 1/T for each step, any linear readout
    double attention; ///< beta_t >= 0, the same for all features, any linear readout
    double over_time; ///< w_t of any sign, the same for all features, any linear readout
    double over_both; ///< w_tk: 1
};

/// \param weights  of the sum [n_steps, n_features], not all 0
/// \returns        the share of its variance that each can explain
/// \throws ContractError if all weights are 0
ConstantWeights best_with_constant_weights(const Matrix& weights);

} // namespace attn::attention_versus_dense
