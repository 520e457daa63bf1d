/// \file
/// \brief Random sequences and the layer of the question in plain loops, for the tests of
/// chapter 5.
#pragma once

#include "common/nn/initialise.hpp"
#include "common/random/random.hpp"
#include "common/tensor/array.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::testing {

/// Standard normal numbers, the same on every run.
inline Array<double> sequences(std::size_t batch, std::size_t n_steps, std::size_t n_features,
                               std::uint64_t stream = 1)
{
    random::Generator generator(5, stream);
    return nn::initialise::normal<double>({batch, n_steps, n_features}, 0.0, 1.0, generator);
}

/// The layer of the question for sequence n of X, in plain loops.
struct PlainAttention
{
    std::vector<double> weights; ///< [n_steps]
    std::vector<double> context; ///< [n_features]

    PlainAttention(const Array<double>& X, std::size_t n, const Array<double>& W,
                   const std::vector<double>& b, bool squashed)
    {
        const std::size_t n_steps = X.shape()[1];
        const std::size_t n_features = X.shape()[2];
        double sum = 0;
        for (std::size_t t = 0; t < n_steps; ++t) {
            double score = b[t];
            for (std::size_t k = 0; k < n_features; ++k) {
                score += X(n, t, k) * W(k, 0);
            }
            weights.push_back(std::exp(squashed ? std::tanh(score) : score));
            sum += weights.back();
        }
        context.assign(n_features, 0.0);
        for (std::size_t t = 0; t < n_steps; ++t) {
            weights[t] /= sum;
            for (std::size_t k = 0; k < n_features; ++k) {
                context[k] += weights[t] * X(n, t, k);
            }
        }
    }
};

} // namespace attn::testing
