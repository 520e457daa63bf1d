/// \file
/// \brief How long a training step takes that several machines share, counted from sizes alone: what
/// each computes, and what travels between them.
#pragma once

#include <bit>
#include <cstddef>

namespace attn::simd_transformer {

/// A training, and the machines that share it.
struct SharedStep
{
    double n_parameters = 0;      ///< of the model, floats that all machines hold
    std::size_t n_examples = 1;   ///< in a batch, which cannot be divided further
    double tokens_an_example = 1; ///< that are computed at once
    double flops_a_second = 1;    ///< of each machine, in a step of this model
    double bytes_a_second = 1;    ///< that each sends, and receives at the same time
    double seconds_a_round = 0;   ///< until the shortest message has arrived
};

// [step_time]
/// What one machine computes: a product and a sum for each parameter and token on the way forward,
/// and twice as much on the way back.
inline double seconds_of_arithmetic(const SharedStep& step, std::size_t n_machines)
{
    const std::size_t n_own = (step.n_examples + n_machines - 1) / n_machines;
    const double n_tokens = static_cast<double>(n_own) * step.tokens_an_example;
    return 6 * step.n_parameters * n_tokens / step.flops_a_second;
}

/// What one machine sends: its share of the numbers goes nowhere, the others go out once to be added
/// and come back once as sums.
inline double bytes_sent(const SharedStep& step, std::size_t n_machines)
{
    const auto n = static_cast<double>(n_machines);
    return 4 * step.n_parameters * 2 * (n - 1) / n;
}

/// Rounds of messages in a step, in which all wait for each other: whether to stop is known everywhere
/// when what each knows has doubled often enough; sums of parts go to whoever adds them; and all are
/// passed on around a ring. None for one machine.
/// \param n_machines  at least 1
inline double n_rounds(std::size_t n_machines)
{
    const std::size_t doublings = static_cast<std::size_t>(std::bit_width(n_machines - 1));
    return static_cast<double>(n_machines == 1 ? 0 : doublings + n_machines);
}

/// Steps a second, if nothing travels while something is computed.
inline double steps_a_second(const SharedStep& step, std::size_t n_machines)
{
    const double waiting = n_rounds(n_machines) * step.seconds_a_round;
    return 1 / (seconds_of_arithmetic(step, n_machines) +
                bytes_sent(step, n_machines) / step.bytes_a_second + waiting);
}
// [step_time]

/// How many tokens balance the cable. A batch of more is faster on any number of machines than on
/// one, short messages apart; with so many on each of many machines the gradients travel as long as
/// the arithmetic takes. The number of parameters cancels.
inline double balancing_tokens(double flops_a_second, double bytes_a_second)
{
    return 4.0 / 3.0 * flops_a_second / bytes_a_second;
}

} // namespace attn::simd_transformer
