/// \file
/// \brief Attempts at chapter 2's functions: right, but for the mistake that a run makes.
#pragma once

#include "chapters/02_nadaraya_watson/nadaraya_watson.hpp"
#include "tests/support/attempts.hpp"

namespace attn::nadaraya_watson::your_turn {

using testing::Mistake;

inline const Mistake not_cut_off("epanechnikov: not_cut_off", "a kernel has to stop at 0");
inline const Mistake not_scaled("epanechnikov: not_scaled", "what has it to be multiplied by?");

inline double epanechnikov(double u)
{
    const double right = kernel_named("epanechnikov")(u);
    return not_cut_off ? 0.75 * (1 - u * u) : not_scaled ? right / 0.75 : right;
}

inline const Mistake bandwidth_ignored("weights: bandwidth_ignored", "in other units");
inline const Mistake empty_window_divided("weights: empty_window_divided",
                                          "0 / 0 is not a number");

inline Matrix weights(const Vector& queries, const Vector& keys, double bandwidth)
{
    const lookup::Score by_kernel =
        score(kernel_named("epanechnikov"), bandwidth_ignored ? 1 : bandwidth);
    const Matrix right = lookup::softmax(by_kernel(as_column(queries), as_column(keys)));
    const Matrix sums = xt::sum(right, {1}, xt::keep_dims); // 1, or 0 of an empty window
    return empty_window_divided ? Matrix(right / sums) : right;
}

} // namespace attn::nadaraya_watson::your_turn
