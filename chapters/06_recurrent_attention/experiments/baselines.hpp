/// \file
/// \brief Errors of forecasts, and the rules that every forecast must beat: the last value, the
/// value of the last season, the mean; and ridge regression, with and without products.
#pragma once

#include "chapters/06_recurrent_attention/series.hpp"

#include <cstddef>
#include <vector>

namespace attn::recurrent_attention {

// ---------------------------------------------------------------- errors

/// Numbers [n_rows, n_columns] in double.
Matrix as_matrix(const Array<float>& array);

/// Forecasts [n, n_horizons] in the target's own unit.
Matrix in_own_units(const Problem& problem, const Matrix& scaled);

/// What really came, in the target's own unit [n, n_horizons].
Matrix truth_of(const Problem& problem, const Windows& windows);

/// The root of the mean squared error in one column of forecasts [n, n_horizons].
/// \throws ContractError if the shapes differ or there is no such column
double rmse(const Matrix& forecast, const Matrix& truth, std::size_t horizon);

// ---------------------------------------------------------------- rules

/// Persistence: all that comes is as the last value.
Predictor persistence(const Problem& problem);

/// The level stays as it is: every change is 0, in the units of the series.
/// \throws ContractError if the series is not one of changes
Predictor unchanged_level(const Problem& problem);

/// Seasonal naive: what comes is as it was a season ago, or as many seasons as are needed.
/// \throws ContractError if the plan has no season
Predictor seasonal_naive(const Problem& problem);

/// The mean of the rows to learn from, whatever the window.
Predictor mean_rule(const Problem& problem);

// ---------------------------------------------------------------- ridge regression

/// A linear map with an intercept.
struct LinearMap
{
    Matrix coefficients; ///< [n_features, n_outputs]
    Vector intercept;    ///< [n_outputs]
};

/// Ridge regression \cite hoerl1970 is least squares with
/// \f$ \lambda \lVert B \rVert^2 \f$ added, and a free intercept:
/// \f$ B = (X^\top X + \lambda I)^{-1} X^\top Y \f$ of the centred matrices X [n, n_features] and
/// Y [n, n_outputs].
/// \throws ContractError if the shapes do not fit or lambda is not positive
LinearMap ridge(const Matrix& x, const Matrix& y, double lambda);

/// What ridge regression sees of a window: all of its numbers, the earliest row first, and all
/// of them times the last row's number in each of some columns, the switches.
/// \param windows  [n, window, n_columns]
/// \returns        [n, window n_columns (1 + n_switches)]
/// \throws ContractError if there is no such column
Matrix features_of(const Array<float>& windows, const std::vector<std::size_t>& switches);

/// Ridge regression on windows, with the lambda of .01, .1, 1, 10, 100, 1000 that is best on
/// the rows to choose by.
/// \param switches  as of features_of
Predictor ridge_forecast(const Problem& problem, const std::vector<std::size_t>& switches = {});

/// Forecasts one step after the other: each forecast is put at the end of its window as if it
/// had been measured.
/// \param windows  [n, window, 1]
/// \returns        [n, n_horizons]
/// \throws ContractError if a window has more than one column, the others of which nobody knows
Matrix recursive_forecast(const Predictor& one_step, const Array<float>& windows,
                          std::size_t n_horizons);

} // namespace attn::recurrent_attention
