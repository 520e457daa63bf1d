/// \file
/// \brief Where learning starts: initial values under the names that the frameworks give them.
/// Numbers are drawn in double, row by row, and then rounded, so that a model in float and one
/// in double start alike.
///
/// A matrix [n_in, n_out] multiplies from the right, so that n_in inputs are summed up in each
/// output; PyTorch keeps it the other way round.
#pragma once

#include "common/random/random.hpp"
#include "common/tensor/array.hpp"

#include <cstddef>

/// Initial values.
namespace attn::nn::initialise {

/// Nothing but zeros.
template <typename T>
Array<T> zeros(const Shape& shape);

/// Nothing but ones.
template <typename T>
Array<T> ones(const Shape& shape);

/// Uniform numbers.
/// \param low   included, but for rounding
/// \param high  excluded, but for rounding; not below low
/// \throws ContractError if the interval is empty or not finite
template <typename T>
Array<T> uniform(const Shape& shape, double low, double high, random::Generator& generator);

/// Normal numbers.
/// \param mean                finite
/// \param standard_deviation  finite, at least 0
/// \throws ContractError if a parameter is not as stated
template <typename T>
Array<T> normal(const Shape& shape, double mean, double standard_deviation,
                random::Generator& generator);

/// Uniform with variance 2 gain² / (n_in + n_out): between ± gain sqrt(6 / (n_in + n_out))
/// (\cite glorot2010, equation 16).
/// \param shape  [n_in, n_out]
/// \param gain   1, or what makes up for an activation: 5/3 for tanh
/// \throws ContractError if it is no matrix
template <typename T>
Array<T> xavier_uniform(const Shape& shape, random::Generator& generator, double gain = 1.0);

/// What PyTorch starts the weight and the bias of a linear layer with: uniform between
/// ± 1 / sqrt(n_in).
/// \param n_in  inputs of the layer, at least 1
/// \throws ContractError if n_in is 0
template <typename T>
Array<T> pytorch_linear(const Shape& shape, std::size_t n_in, random::Generator& generator);

/// What PyTorch starts all parameters of a recurrent layer with: uniform between
/// ± 1 / sqrt(hidden).
/// \param hidden  numbers in the state, at least 1
/// \throws ContractError if hidden is 0
template <typename T>
Array<T> pytorch_recurrent(const Shape& shape, std::size_t hidden,
                           random::Generator& generator);

} // namespace attn::nn::initialise
