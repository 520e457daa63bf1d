/// \file
/// \brief The gradient of a model's loss beside central differences, parameter by parameter.
#pragma once

#include "common/autograd/tape.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace attn::testing {

/// The largest difference between a parameter's gradient and central differences of the loss,
/// divided by the larger of .001 and the gradient.
/// \param model      with loss(batch), of rank 0; its gradients are there already
/// \param parameter  one of the model's; is put back as it was
template <typename Model, typename Batch>
double worst_difference(const Model& model, const Batch& batch,
                        autograd::Variable<double> parameter)
{
    constexpr double h = 1e-5;
    const autograd::NoGradient<double> forwards;
    double worst = 0;
    for (std::size_t i = 0; i < parameter.value().size(); ++i) {
        double& entry = parameter.value().data()[i];
        const double before = entry;
        entry = before + h;
        const double above = model.loss(batch).item();
        entry = before - h;
        const double below = model.loss(batch).item();
        entry = before;
        const double gradient = parameter.gradient().data()[i];
        const double difference = std::abs((above - below) / (2 * h) - gradient);
        worst = std::max(worst, difference / std::max(1e-3, std::abs(gradient)));
    }
    return worst;
}

} // namespace attn::testing
