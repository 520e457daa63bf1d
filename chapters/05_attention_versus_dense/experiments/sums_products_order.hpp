/// \file
/// \brief Who learns sums with fixed lags, Raffel and Ellis' sums and products of two marked
/// numbers, and which of two symbols came first?
#pragma once

#include "chapters/05_attention_versus_dense/experiments/fitting.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace attn::attention_versus_dense {

/// Learns a sum with fixed lags, one of lag_tasks().
Fitted fit_lags(const std::string& name, const LagTask& task, std::uint64_t seed,
                std::size_t n_train, const Training& training);

/// What came of one of Raffel and Ellis' tasks.
struct ArithmeticResult
{
    double r_squared; ///< on fresh sequences of the length that it learnt from
    double near;      ///< share of them with an error below .04
    double twice;     ///< R^2 on sequences twice as long; nan if it cannot be asked
};

/// Learns one of Raffel and Ellis' tasks at T_0 = 50. Embedding and head have 32 units.
ArithmeticResult fit_arithmetic(const std::string& name, Arithmetic arithmetic,
                                std::uint64_t seed, std::size_t n_train,
                                const Training& training);

/// Learns which of two symbols came first: the share of fresh examples that it is right about.
double fit_order(const std::string& name, std::uint64_t seed, std::size_t n_train,
                 const Training& training);

/// Prints and writes the sums of prices and interest rates.
void show_lags(program::Frame& frame);

/// Prints and writes Raffel and Ellis' tasks.
void show_arithmetic(program::Frame& frame);

/// Prints and writes who can tell which of two symbols came first.
void show_order(program::Frame& frame);

} // namespace attn::attention_versus_dense
