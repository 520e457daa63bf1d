/// \file
/// \brief Series in time: constructed ones, tables, windows, the split in time and the units in
/// which models see them. Everything that could let the future into a forecast is decided here.
/// Deliberately without a model.
#pragma once

#include "common/program/csv.hpp"
#include "common/random/random.hpp"
#include "common/tensor/array.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn::recurrent_attention {

/// Several quantities, measured together at equal distances in time.
struct Series
{
    std::string name;                 ///< for tables and messages
    std::vector<std::string> columns; ///< [n_columns]
    Matrix values;                    ///< [n_rows, n_columns], the earliest row first
    std::size_t target = 0;           ///< which column is to be forecast
    bool of_changes = false;          ///< whether the values are a level's changes
};

/// A table of a reader's as a series.
/// \param table   its rows in the order of time
/// \param target  the column to be forecast
/// \returns       all columns
/// \throws program::BadInput if there is no such column
Series series_of(const program::NumericTable& table, const std::string& target);

/// Each row less the one before it: for a series whose level wanders out of what was learnt.
/// \param series  at least two rows
/// \returns       one row less
/// \throws program::BadInput if there is one row only
Series changes_of(const Series& series);

// ---------------------------------------------------------------- constructed series

/// Which lag the target looks back to.
enum class Lags
{
    switched, ///< \f$ y_t = .9 x_{1, t-3} \f$ if \f$ z_{t-1} = 1 \f$, else
              ///< \f$ .9 x_{1, t-12} \f$; columns x1, x2, z, y
    fixed     ///< \f$ y_t = .8 x_{1, t-3} - .6 x_{2, t-12} \f$; columns x1, x2, y
};

/// The standard deviation of the noise of constructed series: what no forecast can avoid.
inline constexpr double series_noise = 0.3;

/// Draws a series: x is autoregressive, \f$ x_t = .3 x_{t-1} + \varepsilon \f$ with standard
/// normal \f$ \varepsilon \f$, z is 0 or 1 with equal probability.
/// \param lags    which
/// \param n_rows  how long
/// \param seed    of the numbers
/// \returns       with y as the target
Series draw_series(Lags lags, std::size_t n_rows, std::uint64_t seed);

// ---------------------------------------------------------------- the split in time

/// How a series is made into questions and answers.
struct Plan
{
    std::size_t window;         ///< rows that a forecast may look at
    std::size_t n_horizons = 1; ///< rows that it is about: the next one, and so on
    std::size_t n_validation;   ///< rows to choose by, before those to test on
    std::size_t n_test;         ///< rows to test on, the last ones
    std::size_t season = 0;     ///< rows in a season, for the seasonal rule; 0 if there is none
};

/// What is subtracted from each column, and what it is divided by.
struct Scaling
{
    Vector mean;      ///< [n_columns]
    Vector deviation; ///< [n_columns], all above 0
};

/// Mean and standard deviation of the first rows, those that models learn from.
/// \param series  the table
/// \param n_rows  how many of its rows
/// \returns       of each column
/// \throws program::BadInput naming a column that does not vary there
Scaling scaling_of(const Series& series, std::size_t n_rows);

/// Questions and answers, in units of the scaling.
struct Windows
{
    std::vector<std::size_t> last; ///< [n], the last row that a question shows
    Array<float> inputs;           ///< [n, window, n_columns]
    Array<float> targets;          ///< [n, n_horizons]
};

/// A series, split in time: a question belongs where all of its answers lie.
struct Problem
{
    Series series;      ///< in its own units
    Plan plan;          ///< how it was split
    Scaling scaling;    ///< from the rows before the first one to choose by
    Windows train;      ///< answers before the rows to choose by
    Windows validation; ///< answers among the rows to choose by
    Windows test;       ///< answers among the rows to test on
    Array<float> next;  ///< [1, window, n_columns]: the last rows, whose answer nobody knows
};

/// How many windows a model has to learn from at least.
inline constexpr std::size_t fewest_windows = 20;

/// Splits a series.
/// \param series  in its own units
/// \param plan    how
/// \returns       questions and answers
/// \throws program::BadInput if there are too few rows, or a column does not vary in those that
///         models learn from
Problem split_in_time(const Series& series, const Plan& plan);

/// Forecasts in the target's own unit.
/// \param problem  whose scaling
/// \param scaled   [n, n_horizons]
/// \returns        of the same shape
Matrix in_own_units(const Problem& problem, const Matrix& scaled);

/// What really came, in the target's own unit.
/// \param problem  the series
/// \param windows  of it
/// \returns        [n, n_horizons]
Matrix truth_of(const Problem& problem, const Windows& windows);

/// The root of the mean squared error.
/// \param forecast  [n, n_horizons]
/// \param truth     of the same shape
/// \param horizon   which column
/// \returns         one number
/// \throws ContractError if the shapes differ or there is no such column
double rmse(const Matrix& forecast, const Matrix& truth, std::size_t horizon);

} // namespace attn::recurrent_attention
