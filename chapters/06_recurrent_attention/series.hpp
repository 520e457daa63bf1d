/// \file
/// \brief A series in time, split into windows to learn from, to choose by and to test on, in the
/// units in which models see them. Everything that could let the future into a forecast is
/// decided here.
#pragma once

#include "common/tensor/array.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <functional>
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

/// How a series is made into windows and targets.
struct Plan
{
    std::size_t window;         ///< rows that a forecast is made from
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

/// Windows with what followed them, in units of the scaling.
struct Windows
{
    std::vector<std::size_t> last; ///< [n], the last row of a window
    Array<float> inputs;           ///< [n, window, n_columns]
    Array<float> targets;          ///< [n, n_horizons]
};

/// A series, split in time: a window belongs where all of its targets lie.
struct Problem
{
    Series series;      ///< in its own units
    Plan plan;          ///< how it was split
    Scaling scaling;    ///< from the rows before the first one to choose by
    Windows train;      ///< targets before the rows to choose by
    Windows validation; ///< targets among the rows to choose by
    Windows test;       ///< targets among the rows to test on
    Array<float> next;  ///< [1, window, n_columns]: the last rows, whose target nobody knows
};

/// Forecasts windows: from [n, window, n_columns] to [n, n_horizons], in units of the scaling.
using Predictor = std::function<Matrix(const Array<float>& windows)>;

/// How many windows a model has to learn from at least.
inline constexpr std::size_t fewest_windows = 20;

/// Splits a series, and scales it by mean and standard deviation of the rows to learn from.
/// \throws program::BadInput if there are too few rows, or a column does not vary in those that
///         models learn from
Problem split_in_time(const Series& series, const Plan& plan);

} // namespace attn::recurrent_attention
