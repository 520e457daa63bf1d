/// \file
/// \brief What an error is made of: bias and variance over redrawn tables, and the bias at the
/// ends of the data.
#pragma once

#include "chapters/02_nadaraya_watson/experiments/kernel_comparison.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace attn::nadaraya_watson {

/// What an estimate says of some queries, from one table.
using Estimator = std::function<Vector(const Vector& queries, const Sample& sample)>;

/// What redrawn tables do to an estimate, query by query.
struct BiasAndVariance
{
    Vector bias;     ///< [n_queries], the mean estimate less the truth
    Vector variance; ///< [n_queries], the mean squared deviation from the mean estimate
};

/// Asks an estimator on many independent draws of the synthetic table, keys and noise drawn
/// afresh each time.
/// \param n_draws    at least 1
/// \param n_threads  how many draws at a time; the result does not depend on it
/// \returns          [n_queries] each; squared bias plus variance is the mean squared error
BiasAndVariance bias_and_variance(std::uint64_t seed, std::size_t n_draws,
                                  std::size_t n_threads, const Vector& queries,
                                  const Estimator& estimator);

/// Prints bias, variance and the mean leave-one-out error over the bandwidth.
void show_bias_and_variance(program::Frame& frame);

/// Prints and writes the bias over the query, of the local mean and of the local line.
void show_boundary(program::Frame& frame);

} // namespace attn::nadaraya_watson
