/// \file
/// \brief How the learning rate changes over the steps of a training: factors between 0 and 1
/// that it is multiplied with. They are functions of the step alone, so that a training that
/// goes on after an interruption needs nothing but the step's number.
#pragma once

#include <cstddef>
#include <functional>

namespace attn::nn {

/// The factor for a step, counted from 0.
using Schedule = std::function<double(std::size_t step)>;

/// Rises in a straight line, then does what another schedule says.
/// \param n_warm_up   steps of the rise; step 0 has the factor 1 / n_warm_up
/// \param afterwards  asked for the steps behind the rise, counted from 0 again
/// \throws ContractError if n_warm_up is 0
Schedule warm_up(std::size_t n_warm_up, Schedule afterwards);

/// Falls in a straight line from 1, and stays where it ends.
/// \param n_steps  steps of the fall, at least 1
/// \param last     the factor from step n_steps on, from 0 to 1
/// \returns        max(last, 1 - (1 - last) step / n_steps)
/// \throws ContractError if n_steps is 0 or last is not a share
Schedule linear_decay(std::size_t n_steps, double last = 0.0);

} // namespace attn::nn
