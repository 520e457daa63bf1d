/// \file
/// \brief Attempts at chapter 2's functions: right, but for the mistake that a run makes.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>

namespace attn::nadaraya_watson::your_turn {

using testing::Mistake;

inline const Mistake not_cut_off("epanechnikov: not_cut_off", "a kernel has to stop at 0");
inline const Mistake not_scaled("epanechnikov: not_scaled", "what has it to be multiplied by?");

inline double epanechnikov(double u)
{
    const double parabola = std::abs(u) < 1 || not_cut_off ? 1 - u * u : 0;
    return not_scaled ? parabola : 0.75 * parabola;
}

inline const Mistake bandwidth_ignored("weights: bandwidth_ignored", "in other units");
inline const Mistake empty_window_divided("weights: empty_window_divided",
                                          "0 / 0 is not a number");

inline Matrix weights(const Vector& queries, const Vector& keys, double bandwidth)
{
    const double width = bandwidth_ignored ? 1 : bandwidth;
    Matrix shares = Matrix::from_shape({queries.size(), keys.size()});
    for (std::size_t i = 0; i < queries.size(); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < keys.size(); ++j) {
            shares(i, j) = epanechnikov((queries(i) - keys(j)) / width);
            sum += shares(i, j);
        }
        for (std::size_t j = 0; j < keys.size(); ++j) {
            shares(i, j) = sum > 0 || empty_window_divided ? shares(i, j) / sum : 0;
        }
    }
    return shares;
}

} // namespace attn::nadaraya_watson::your_turn
