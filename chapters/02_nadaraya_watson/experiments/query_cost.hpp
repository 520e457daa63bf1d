/// \file
/// \brief What does one prediction cost, and what must be kept for it? Counted, not timed, beside
/// a fitted straight line.
#pragma once

#include "chapters/02_nadaraya_watson/experiments/kernel_comparison.hpp"

#include <cstddef>

namespace attn::nadaraya_watson {

/// What was done with numbers, and what had to be kept.
struct Cost
{
    std::size_t multiplications = 0; ///< divisions too
    std::size_t exponentials = 0;    ///< none where the kernel has none
    std::size_t kept = 0;            ///< numbers, parameters and data alike
};

/// A prediction together with what it cost.
struct CountedPrediction
{
    double prediction; ///< as without counting
    Cost cost;         ///< of this prediction alone
};

/// The Gaussian estimate for one query, in plain loops.
/// \param query  [d]
/// \param keys   [n, d]
/// \param values  [n]
CountedPrediction count_gaussian(const Vector& query, const Matrix& keys, const Vector& values,
                                 double bandwidth);

/// The estimate with Epanechnikov's kernel where the keys stand in order: two binary searches
/// find the window, and nothing else is visited.
/// \param sample  keys in rising order, at least one of them in the window
CountedPrediction count_epanechnikov(double query, const Sample& sample, double bandwidth);

/// The line of least squares.
struct Line
{
    double slope;     ///< of the values over the keys
    double intercept; ///< where it meets the key 0
};

/// \returns the line whose squared errors have the smallest sum
/// \throws ContractError if there are fewer than two different keys
Line fit_line(const Sample& sample);

/// A line's value at one query.
/// \param query   [d]
/// \param slopes  [d]
CountedPrediction count_line(const Vector& query, const Vector& slopes, double intercept);

/// The leave-one-out error of the line, fitted anew without each row.
double leave_one_out_error_of_line(const Sample& sample);

/// Prints what one prediction costs, and the leave-one-out error that it buys.
void show_query_cost(program::Frame& frame, const Sample& real, const Sample& synthetic);

} // namespace attn::nadaraya_watson
