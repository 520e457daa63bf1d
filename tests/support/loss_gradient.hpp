/// \file
/// \brief The gradient of a model's loss beside differences, parameter by parameter.
#pragma once

#include "common/autograd/tape.hpp"
#include "common/nn/parameters.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

namespace attn::testing {

/// Every slope of a loss agrees with central differences, of all parameters.
/// \param loss  of rank 0
inline void check_all_gradients(const nn::Parameters<double>& parameters,
                                const std::function<autograd::Variable<double>()>& loss)
{
    {
        const autograd::Tape<double> tape;
        backward(loss());
    }
    const autograd::NoGradient<double> looking;
    for (const nn::NamedParameter<double>& one : parameters) {
        for (std::size_t i = 0; i < one.variable.size(); ++i) {
            double& number = one.variable.node().value.data()[i];
            const double centre = number;
            const auto slope = [&](double h) {
                number = centre + h;
                const double above = loss().item();
                number = centre - h;
                const double below = loss().item();
                number = centre;
                return (above - below) / (2 * h);
            };
            const double difference = (4 * slope(5e-4) - slope(1e-3)) / 3; // Richardson's
            const double rule =
                one.variable.has_gradient() ? one.variable.gradient().data()[i] : 0.0;
            INFO(one.name << ", entry " << i << ": " << rule << " by the rule, " << difference
                          << " by differences");
            CHECK(std::abs(rule - difference) <=
                  1e-6 * std::max(std::abs(rule), std::abs(difference)) + 1e-9);
        }
    }
}

} // namespace attn::testing
