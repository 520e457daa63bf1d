/// \file
/// \brief The experiments of chapter 6, in the order of its program: how far a gradient reaches, which
/// network recalls, and what attention adds to forecasts of constructed and measured series.
#pragma once

#include "chapters/06_recurrent_attention/attention_cell.hpp"
#include "chapters/06_recurrent_attention/forecaster.hpp"
#include "chapters/06_recurrent_attention/series.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/tasks/recall.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::recurrent_attention {

// ---------------- how far a gradient reaches

/// The derivative of the last state with respect to the first one, by the tape, where all inputs
/// and the first state are 0 and only one thing is set: for the simple network U is the setting
/// times the identity, for the GRU and the LSTM U is 0 and the setting is the bias of the update
/// gate or of the forget gate. For the LSTM the state is the cell.
/// \returns \f$ u^T \f$, or \f$ \sigma(b)^T \f$ for the gates
double gradient_through_steps(Unit unit, double setting, std::size_t n_steps);

/// The derivative of a context with respect to the earliest of n states of equal scores.
/// \returns \f$ 1/n \f$
double gradient_through_context(std::size_t n);

/// Prints how much of a gradient is left after many steps.
void show_gradient_reach(program::Frame& frame);

// ---------------- which network recalls?

/// What is trained.
struct RecallTraining
{
    CellOptions cell;            ///< the model
    tasks::RecallTask task = {}; ///< the task
    std::size_t n_steps = 600;   ///< at most, each on 64 new examples
    double enough = 2; ///< stops at this accuracy on 500 other examples; above 1: never
    double learning_rate = 5e-3; ///< Adam's
};

/// After how many steps networks are compared.
inline constexpr std::size_t compared_steps = 600;

/// After how many steps a cell is evaluated, each time.
inline constexpr std::size_t evaluation_interval = 20;

/// How one sequence is answered for one key.
struct RecallAnswer
{
    char key;                    ///< that was shown at the end
    std::vector<double> weights; ///< [n_pairs + 1] of the last step, on h_0 and the state after
                                 ///< each pair
    std::size_t said;            ///< the value of the largest logit
    double probability;          ///< of that value
};

/// What came of it, on 1000 new examples.
struct RecallResult
{
    double accuracy = 0;          ///< share of right answers (chance: 1 / n_symbols)
    double accuracy_compared = 0; ///< the same after compared_steps; 0 if it took fewer
    std::size_t first_at_95 = 0;  ///< steps to the first evaluation at .95 or better; 0 if none
    double right_weight = 0;      ///< mean weight, at the last step, of the pair asked for
    double right_share = 0;       ///< how often that weight is the largest
    std::size_t n_parameters = 0; ///< numbers that are learnt
    std::vector<double> losses;   ///< [n_steps taken]
    std::vector<double> norms;    ///< [n_steps taken], of the gradients before clipping
    std::vector<RecallAnswer> answers; ///< to the page's sequence, a key each; none if the cell
                                       ///< does not attend to its own states, or the task has
                                       ///< another size than the page's
};

/// Trains a cell with a state of 32 numbers and a linear readout of its last state, with Adam
/// and gradients no longer than 1.
RecallResult train_recall(const RecallTraining& training, std::uint64_t seed);

/// Prints and saves how well networks with and without attention recall.
void show_recall(program::Frame& frame);

// ---------------- which memory is attended to

/// Prints and saves what attending to inputs, own states and states below comes to.
void show_memories(program::Frame& frame);

// ---------------- longer trainings, and other learning rates

/// How far the networks that do not recall by then are trained where nothing else is asked for.
inline constexpr std::size_t longer_steps = 1500;

/// Prints and saves how many steps the networks need that do not recall after compared_steps.
/// \param n_steps  how many they are given at most; if quick, all stop at 40
void show_longer_recall(program::Frame& frame, std::size_t n_steps);

/// Prints and saves how many steps networks need at several learning rates, with one seed.
/// \param n_steps  how many they are given at most; if quick, all stop at 40
void show_recall_rates(program::Frame& frame, std::size_t n_steps);

// ---------------- errors of forecasts

/// Numbers [n_rows, n_columns] in double.
Matrix as_matrix(const Array<float>& array);

/// Forecasts [n, n_horizons] in the target's own unit.
Matrix in_own_units(const Problem& problem, const Matrix& scaled);

/// What really came, in the target's own unit [n, n_horizons].
Matrix truth_of(const Problem& problem, const Windows& windows);

/// The root of the mean squared error in one column of forecasts [n, n_horizons].
/// \throws ContractError if the shapes differ or there is no such column
double rmse(const Matrix& forecast, const Matrix& truth, std::size_t horizon);

// ---------------- rules, and ridge regression

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

// ---------------- models beside each other

/// The LSTM reads the window, a linear map of its last state is the forecast.
template <typename T>
Forecaster<T> make_lstm(const ForecasterSizes& sizes, random::Generator& generator);

/// No recurrence and no attention: all numbers of the window enter a layer of twice as many
/// units as a state has numbers, under a ReLU; a linear map of which is the forecast.
template <typename T>
Forecaster<T> make_dense(const ForecasterSizes& sizes, random::Generator& generator);

/// A split series and how models are compared on it.
struct Comparison
{
    Problem problem; ///< the series
    std::vector<std::size_t>
        switches;                  ///< columns for ridge regression with products; none: it is
                                   ///< not compared
    std::size_t n_steps = 600;     ///< of the networks' trainings
    std::size_t n_lookups = 1;     ///< of attention alone
    std::uint64_t seed_offset = 0; ///< is added to each seed
};

/// What a model did.
struct ComparedModel
{
    std::string name;               ///< "persistence", ..., "dense network"
    std::vector<Predictor> predict; ///< [n_seeds], or one for what does not depend on a seed
    std::vector<Matrix> forecasts;  ///< likewise, each [n_test, n_horizons], in own units
    std::vector<Matrix> next;       ///< likewise, each [1, n_horizons]: after the last row
    std::vector<std::vector<double>> errors; ///< [n_horizons], root mean squared ones of them
    std::vector<TrainedForecaster> trained;  ///< [n_seeds] for networks, else none
};

/// A network's forecasts.
Predictor predictor_of(const Forecaster<float>& network);

/// Compares persistence, the unchanged level if the series is one of changes, seasonal naive if
/// there is a season, the mean, ridge, ridge with products if there are switches, LSTM, LSTM with
/// attention, attention only and a dense network, with the program's threads; if quick, the networks
/// learn for 50 steps.
/// \param label  of the line of progress
/// \param seeds  of the networks; none: the program's
/// \returns      [n_comparisons][n_models]
std::vector<std::vector<ComparedModel>>
compare_models(const program::Frame& frame, const char* label,
               const std::vector<Comparison>& comparisons,
               std::vector<std::uint64_t> seeds = {});

/// A model by its name.
/// \throws ContractError if there is none
const ComparedModel& model_named(const std::vector<ComparedModel>& models,
                                 std::string_view name);

/// The weights of a network on windows.
/// \param lookup  which of its lookup vectors
/// \returns       [n, window]
Matrix weights_on(const Forecaster<float>& network, const Windows& windows,
                  std::size_t lookup = 0);

/// The mean weight at each lag, over some rows. Lag 1 is the last row of the window.
/// \param weights  [n, window]
/// \param which    [n], true for the rows that count; empty: all
/// \returns        [window], lag 1 first; zeros if no row counts
/// \throws ContractError if there is not one entry a row
Vector mean_weight_by_lag(const Matrix& weights, std::vector<bool> which = {});

// ---------------- constructed series

/// Which lag the target of a constructed series depends on.
enum class Lags
{
    switched, ///< \f$ y_t = .9 x_{1, t-3} \f$ if \f$ z_{t-1} = 1 \f$, else
              ///< \f$ .9 x_{1, t-12} \f$; columns x1, x2, z, y
    fixed     ///< \f$ y_t = .8 x_{1, t-3} - .6 x_{2, t-12} \f$; columns x1, x2, y
};

/// The standard deviation of the noise of constructed series: what no forecast can avoid.
inline constexpr double series_noise = 0.3;

inline constexpr std::size_t lag_if_1 = 3;  ///< of the switched series, where z is 1
inline constexpr std::size_t lag_if_0 = 12; ///< of the switched series, where z is 0
inline constexpr std::size_t z_column = 2;  ///< of the switched series

/// Whether the switch stood at 1 in the last row of each window.
std::vector<bool> switched_on(const Problem& problem, const Windows& windows);

/// Draws a series: x is autoregressive, \f$ x_t = .3 x_{t-1} + \varepsilon \f$ with standard
/// normal \f$ \varepsilon \f$, z is 0 or 1 with equal probability, y is the target.
Series draw_series(Lags lags, std::size_t n_rows, std::uint64_t seed);

/// Prints and saves comparisons on constructed series, with the weights.
void show_constructed(program::Frame& frame);

/// Prints and saves what longer trainings at several learning rates come to on constructed series.
/// \param n_steps  of the chapter's longest trainings; these take three tenths of them, or 50 if quick
void show_forecast_rates(program::Frame& frame, std::size_t n_steps);

// ---------------- a row that is removed

/// The windows with one number of each replaced by its column's mean, which is 0 when scaled.
/// \param windows  [n, window, n_columns]
/// \param lags     [n], lag 1 is the last row of the window
/// \throws ContractError if there is not one lag a window, or a lag or the column is not in it
Array<float> without_rows(const Array<float>& windows, const std::vector<std::size_t>& lags,
                          std::size_t column);

/// Prints and saves, for the networks of the switched series, the error without the row that y depends
/// on and without the row of the largest weight.
void show_row_removal(program::Frame& frame, const Problem& problem,
                      const std::vector<ComparedModel>& compared);

// ---------------- measured series

/// A measured series and how it is split.
struct RealSeries
{
    Series series; ///< transformed
    Plan plan;     ///< horizon 1
};

/// All columns of a table whose rows are in the order of time.
/// \throws program::BadInput if there is no column of the target's name
Series series_of(const program::NumericTable& table, const std::string& target);

/// Each row less the one before it: for a series whose level wanders out of what was learnt.
/// \throws program::BadInput if there is one row only
Series changes_of(const Series& series);

/// The table of car drivers as it was published, with its column `law`, which is 0 until the
/// last two of sixteen years.
program::NumericTable seatbelts_table();

/// Yearly sunspots (square roots of x + 1), sales with a leading indicator (differences), monthly
/// deaths from lung diseases (logarithms, by sex and together), car drivers killed or seriously injured
/// (logarithms, with kilometres driven and the price of petrol), and daily returns of a share
/// index in per cent.
/// \returns [5], in that order
std::vector<RealSeries> real_series();

/// Prints and saves comparisons on measured series.
void show_measured(program::Frame& frame);

// ---------------- rolling origins

/// The series as it was known at several moments: each time a block of rows later, that block being
/// tested on, so that the last blocks are forecast one after the other.
/// \param plan      n_test is the length of a block
/// \returns         [n_blocks], the earliest first
/// \throws program::BadInput if there are too few rows for the first
std::vector<Problem> rolling_origins(const Series& series, const Plan& plan,
                                     std::size_t n_blocks);

/// Prints and saves how models compare with ridge regression from origin to origin.
void show_rolling_origins(program::Frame& frame);

// ---------------- horizons

/// The same windows with one of their targets.
/// \param horizon  which one, from 0
/// \throws ContractError if there is no such horizon
Problem only_horizon(const Problem& problem, std::size_t horizon);

/// Forecasts one step after the other: each forecast is put at the end of its window as if it
/// had been measured.
/// \param windows  [n, window, 1]
/// \returns        [n, n_horizons]
/// \throws ContractError if a window has more than one column, the others of which nobody knows
Matrix recursive_forecast(const Predictor& one_step, const Array<float>& windows,
                          std::size_t n_horizons);

/// Prints and saves errors against the horizon, multi-output, direct and recursive.
void show_horizons(program::Frame& frame);

// ---------------- a reader's table

/// What a reader wants of a table.
struct TableRequest
{
    std::optional<std::string> data;   ///< the CSV file
    std::optional<std::string> target; ///< the column to forecast
    std::size_t horizon = 1;           ///< rows ahead, at most
    std::size_t window = 24;           ///< rows that a forecast is made from
    std::size_t season = 0;            ///< rows in a season, 0 if there is none
    bool changes = false;              ///< whether all columns become changes first
};

/// Compares all models on a reader's table, and forecasts what comes after its last row.
/// \throws program::BadInput if the table cannot be used
void show_readers_table(program::Frame& frame, const TableRequest& request);

// ---------------- step by step with a pencil

/// Prints the pencil example, every intermediate by its name and shape.
void show_pencil_steps(program::Frame& frame);
} // namespace attn::recurrent_attention
