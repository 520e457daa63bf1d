/// \file
/// \brief Attempts at chapter 7's functions: right, but for the mistake that a run makes.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace attn::seq2seq::your_turn {

using testing::Mistake;

inline const Mistake padding_counted("mean_context: padding_counted", "not by the 4 rows");
/// Padding times 0, which keeps what is not a number.
inline const Mistake padding_times_zero("mean_context: padding_times_zero",
                                        "still not a number");

inline Vector mean_context(const Matrix& states, std::size_t length)
{
    const std::size_t n = padding_counted ? states.shape(0) : length;
    Vector sum = xt::zeros<double>({states.shape(1)});
    for (std::size_t t = 0; t < (padding_times_zero ? states.shape(0) : n); ++t) {
        for (std::size_t m = 0; m < states.shape(1); ++m) {
            sum(m) += (t < n ? 1.0 : 0.0) * states(t, m);
        }
    }
    return Vector(sum / static_cast<double>(n));
}

inline const Mistake sign_forgotten("perplexity: sign_forgotten", "a perplexity is at least 1");
inline const Mistake padding_in_n("perplexity: padding_in_n", "nor counted in n");

inline double perplexity(const Vector& log_p, const std::vector<bool>& counts)
{
    double sum = 0;
    double n = 0;
    for (std::size_t t = 0; t < log_p.size(); ++t) {
        sum += counts[t] ? log_p(t) : 0;
        n += counts[t] || padding_in_n ? 1 : 0;
    }
    return std::exp((sign_forgotten ? sum : -sum) / n);
}

} // namespace attn::seq2seq::your_turn
