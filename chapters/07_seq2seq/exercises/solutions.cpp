#include "chapters/07_seq2seq/exercises/solutions.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

#include <cmath>

namespace attn::seq2seq::solutions {

double needed_of_a_word(double q, std::size_t n_words)
{
    expect(q > 0 && q <= 1 && n_words > 0,
           "needed_of_a_word: q must be above 0 and at most 1, and n_words at least 1, got {} "
           "and {}",
           q, n_words);
    return elementary::pow(q, 1 / static_cast<double>(n_words));
}

double alpha_of_equal_scores(double log_p_1, std::size_t n_1, double log_p_2, std::size_t n_2)
{
    expect(
        log_p_1 < 0 && log_p_2 <= log_p_1 && n_2 > n_1,
        "alpha_of_equal_scores: log-probabilities must be below 0, the longer sentence's not "
        "above the shorter one's, got {} of {} steps and {} of {}",
        log_p_1, n_1, log_p_2, n_2);
    const double lengths = (5 + static_cast<double>(n_2)) / (5 + static_cast<double>(n_1));
    return elementary::log(log_p_2 / log_p_1) / elementary::log(lengths);
}

double circular_state(double u, double x, double start)
{
    expect(std::abs(u) < 1, "circular_state: u must be between -1 and 1, got {}", u);
    // Each round brings two states nearer by the factor |u|, at least: so far is the solution from
    // here, at most.
    double state = start;
    double distance = 1;
    for (std::size_t round = 0; round < 10'000'000 && distance > 1e-13; ++round) {
        const double next = elementary::tanh(u * state + x);
        distance = std::abs(next - state) / (1 - std::abs(u));
        state = next;
    }
    expect(distance <= 1e-13, "circular_state: u = {} is too near to 1 or -1", u);
    return state;
}

} // namespace attn::seq2seq::solutions
