/// \file
/// \brief The rules that every forecast must beat: the last value, the value of the last
/// season, the mean; and ridge regression, with and without products. Deliberately nothing that
/// learns by steps.
#pragma once

#include "chapters/06_recurrent_attention/series.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace attn::recurrent_attention {

/// Forecasts windows: from [n, window, n_columns] to [n, n_horizons], in units of the scaling.
using Predictor = std::function<Matrix(const Array<float>& windows)>;

/// Persistence: all that comes is as the last value.
/// \param problem  whose target and horizons
/// \returns        the rule
Predictor persistence(const Problem& problem);

/// The level stays as it is: every change is 0, in the units of the series.
/// \param problem  of a series of changes
/// \returns        the rule
/// \throws ContractError if the series is not one of changes
Predictor unchanged_level(const Problem& problem);

/// Seasonal naive: what comes is as it was a season ago, or as many seasons as are needed.
/// \param problem  whose target, horizons and season
/// \returns        the rule
/// \throws ContractError if the plan has no season
Predictor seasonal_naive(const Problem& problem);

/// The mean of the rows to learn from, whatever the window.
/// \param problem  whose horizons
/// \returns        the rule
Predictor mean_rule(const Problem& problem);

// ---------------------------------------------------------------- ridge regression

/// Solves A X = B by Cholesky's decomposition.
/// \param a  A [n, n], symmetric; only its lower half is looked at
/// \param b  B [n, m]
/// \returns  X [n, m]
/// \throws ContractError if the shapes do not fit or A is not positive definite
Matrix solve_positive(const Matrix& a, const Matrix& b);

/// A linear map with an intercept.
struct LinearMap
{
    Matrix coefficients; ///< [n_features, n_outputs]
    Vector intercept;    ///< [n_outputs]
};

/// Ridge regression \cite hoerl1970 is least squares with
/// \f$ \lambda \lVert B \rVert^2 \f$ added. The intercept is free.
/// \param x       [n, n_features]
/// \param y       [n, n_outputs]
/// \param lambda  above 0
/// \returns       \f$ B = (X^\top X + \lambda I)^{-1} X^\top Y \f$ of the centred matrices
/// \throws ContractError if the shapes do not fit or lambda is not positive
LinearMap ridge(const Matrix& x, const Matrix& y, double lambda);

/// What ridge regression sees of a window: all of its numbers, the earliest row first, and all
/// of them times the last row's number in each of some columns.
/// \param windows   [n, window, n_columns]
/// \param switches  columns, may be empty
/// \returns         [n, window n_columns (1 + n_switches)]
/// \throws ContractError if there is no such column
Matrix features_of(const Array<float>& windows, const std::vector<std::size_t>& switches);

/// Ridge regression on windows, with the lambda of .01, .1, 1, 10, 100, 1000 that is best on
/// the rows to choose by.
/// \param problem   the split series
/// \param switches  columns whose last number is multiplied with everything
/// \returns         the rule
Predictor ridge_forecast(const Problem& problem, const std::vector<std::size_t>& switches = {});

/// Forecasts one step after the other: each forecast is put at the end of its window as if it
/// had been measured.
/// \param one_step    forecasts the next row
/// \param windows     [n, window, 1]
/// \param n_horizons  how far, at least 1
/// \returns           [n, n_horizons]
/// \throws ContractError if a window has more than one column, the others of which nobody knows
Matrix recursive_forecast(const Predictor& one_step, const Array<float>& windows,
                          std::size_t n_horizons);

} // namespace attn::recurrent_attention
