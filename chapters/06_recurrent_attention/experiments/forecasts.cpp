#include "chapters/06_recurrent_attention/experiments/experiments.hpp"

#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/program/widget_data.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

namespace attn::recurrent_attention {

using program::fixed;
using program::Frame;
using program::significant;
using program::Spread;
using program::spread;

namespace {

/// Everything that enters a comparison, in the order of the tables.
const std::vector<std::string> models = {
    "persistence",    "level unchanged",     "seasonal naive", "mean",
    "ridge",          "ridge with products", "LSTM",           "LSTM with attention",
    "attention only", "dense network"};

/// One number of a rule or a regression; lowest, median and highest of a network's seeds; a dash if
/// the model is not in the comparison.
std::string error_cell(const std::vector<ComparedModel>& compared, const std::string& model)
{
    const auto found =
        std::find_if(compared.begin(), compared.end(),
                     [&](const ComparedModel& entry) { return entry.name == model; });
    if (found == compared.end()) {
        return "-";
    }
    const Spread spread(found->errors[0]);
    return found->trained.empty() ? fixed(spread.median(), 3) : spread.text(3);
}

/// Prints a row a model and a column a comparison, three comparisons in a table.
void print_errors(Frame& frame, const std::vector<std::string>& names,
                  const std::vector<std::vector<ComparedModel>>& compared)
{
    constexpr std::size_t n_columns = 3;
    for (std::size_t begin = 0; begin < compared.size(); begin += n_columns) {
        const std::size_t end = std::min(compared.size(), begin + n_columns);
        std::vector<std::string> header = {"model"};
        header.insert(header.end(), names.begin() + static_cast<std::ptrdiff_t>(begin),
                      names.begin() + static_cast<std::ptrdiff_t>(end));
        program::Table table(header);
        for (const std::string& model : models) {
            std::vector<std::string> line = {model};
            bool any = false;
            for (std::size_t comparison = begin; comparison < end; ++comparison) {
                line.push_back(error_cell(compared[comparison], model));
                any = any || line.back() != "-";
            }
            if (any) {
                table.row(line);
            }
        }
        if (begin > 0) {
            frame.terminal.line();
        }
        frame.terminal.table(table);
    }
}

/// Saves a line for each error: comparison, model, seed (0 for what has none).
void save_errors(Frame& frame, const std::vector<std::string>& names,
                 const std::vector<std::vector<ComparedModel>>& compared, const char* file)
{
    program::Results results({"contest", "model"},
                             {{"seed", significant, 10}, {"rmse", significant, 4}});
    for (std::size_t comparison = 0; comparison < compared.size(); ++comparison) {
        for (const ComparedModel& model : compared[comparison]) {
            const std::uint64_t first = model.trained.empty() ? 0 : frame.options.seed;
            for (std::size_t seed = 0; seed < model.errors[0].size(); ++seed) {
                results.add({names[comparison], program::key_name(model.name)},
                            {static_cast<double>(first + seed), model.errors[0][seed]});
            }
        }
    }
    frame.files.write_csv(file, results.columns());
}

/// The mean weights at each lag for both positions of the switch: printed at the lags that
/// count, saved for the figure.
void switched_weights(Frame& frame, const Problem& problem, const ComparedModel& entry)
{
    const std::vector<bool> on = switched_on(problem, problem.test);
    std::vector<bool> off = on;
    off.flip();
    program::Table table({"switch", "right lag", "mean weight there"});
    program::CsvColumns columns;
    std::vector<double> lowest; // of the seeds, at the right lag
    std::vector<double> lags(problem.plan.window);
    std::iota(lags.begin(), lags.end(), 1.0);
    columns.add("lag", lags, significant, 3);
    for (const bool z : {true, false}) {
        const std::size_t right = z ? lag_if_1 : lag_if_0;
        std::vector<double> at_right;
        std::vector<Vector> means;
        for (const TrainedForecaster& of_seed : entry.trained) {
            const Vector mean =
                mean_weight_by_lag(weights_on(of_seed.network, problem.test), z ? on : off);
            at_right.push_back(mean(right - 1));
            means.push_back(mean);
        }
        std::vector<double> medians;
        for (std::size_t lag = 0; lag < lags.size(); ++lag) {
            medians.push_back(
                spread(means, [&](const Vector& mean) { return mean(lag); }).median());
        }
        columns.add(z ? "z_1" : "z_0", medians, fixed, 4);
        lowest.push_back(Spread(at_right).lowest());
        table.row({z ? "z = 1" : "z = 0", std::to_string(right), Spread(at_right).text(3)});
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_lags.csv", columns);
    frame.files.write_csv("trained_right_lag.csv",
                          program::CsvColumns()
                              .add("z", std::vector<double>{1, 0}, significant, 3)
                              .add("lowest_weight", lowest, fixed, 4));
}

/// The weights of consecutive rows, for the figure, and of some for the interactive one.
void weights_over_time(Frame& frame, const Problem& problem, const ComparedModel& entry)
{
    constexpr std::size_t n_shown = 32;
    const std::vector<bool> on = switched_on(problem, problem.test);
    const Matrix weights = weights_on(entry.trained[0].network, problem.test);
    const Matrix truth = truth_of(problem, problem.test);
    program::CsvRows shown(
        {{"row", significant, 4}, {"lag", significant, 4}, {"weight", fixed, 3}});
    program::CsvRows right({{"row", significant, 4}, {"lag", significant, 4}});
    Vector z = Vector::from_shape({n_shown});
    Vector forecast = z;
    Vector came = z;
    Matrix by_lag = Matrix::from_shape({n_shown, problem.plan.window});
    Matrix x1 = by_lag;
    Matrix switches = by_lag;
    for (std::size_t i = 0; i < n_shown; ++i) {
        for (std::size_t lag = 1; lag <= problem.plan.window; ++lag) {
            const std::size_t row = problem.test.last[i] + 1 - lag;
            by_lag(i, lag - 1) = weights(i, problem.plan.window - lag);
            shown.add(
                {static_cast<double>(i + 1), static_cast<double>(lag), by_lag(i, lag - 1)});
            x1(i, lag - 1) = problem.series.values(row, 0);
            switches(i, lag - 1) = problem.series.values(row, z_column);
        }
        right.add(
            {static_cast<double>(i + 1), static_cast<double>(on[i] ? lag_if_1 : lag_if_0)});
        z(i) = on[i] ? 1 : 0;
        forecast(i) = entry.forecasts[0](i, 0);
        came(i) = truth(i, 0);
    }
    frame.files.write_csv("trained_weights.csv", shown.columns());
    frame.files.write_csv("trained_switch.csv", right.columns());
    frame.files.write_widget_data("trained_06_recurrent_attention_lags.data.js",
                                  program::WidgetData()
                                      .set("z", z, 3)
                                      .set("forecast", forecast, 4)
                                      .set("truth", came, 4)
                                      .set("weights", by_lag, 4)
                                      .set("x1", x1, 4)
                                      .set("switches", switches, 3));
}

/// The constructed series.
const std::vector<std::string> contests = {"switched", "fixed"};

/// The switched series, and the one of fixed lags.
std::vector<Comparison> constructed(const Frame& frame)
{
    const std::size_t n_rows = 3000;
    const Plan plan{16, 1, 400, 600};
    const std::uint64_t seed = frame.options.seed;
    return {
        {split_in_time(draw_series(Lags::switched, n_rows, seed), plan), {z_column}, 1500, 1},
        {split_in_time(draw_series(Lags::fixed, n_rows, seed), plan), {0, 1, 2}, 1500, 2}};
}

} // namespace

void show_constructed(Frame& frame)
{
    const std::vector<Comparison> comparisons = constructed(frame);
    const auto compared = compare_models(frame, "forecasts", comparisons);
    frame.terminal.introduce(
        "Forecasts of the switched series",
        "Root mean squared error of the next y, from a window of 16 rows, on the last 600 of "
        "3000 rows. Products: all numbers of the window are also multiplied by the last row's "
        "switch. Networks: lowest, median and highest of three seeds, 1500 steps.");
    print_errors(frame, {"error"}, {compared[0]});
    frame.terminal.introduce("Forecasts with fixed lags",
                             "The same of the series whose lags never change. Products: with "
                             "each number of the last "
                             "row. The attention-only network has two queries.");
    print_errors(frame, {"error"}, {compared[1]});

    save_errors(frame, contests, compared, "trained_constructed.csv");
    frame.terminal.introduce(
        "Where the attention-only network attends",
        "The mean weight that the attention-only network puts on the right lag of the switched "
        "series, on its last 600 rows. Equal weights would be 0.0625.");
    const ComparedModel& attention = model_named(compared[0], "attention only");
    switched_weights(frame, comparisons[0].problem, attention);
    weights_over_time(frame, comparisons[0].problem, attention);

    const ComparedModel& two = model_named(compared[1], "attention only");
    const Windows& test = comparisons[1].problem.test;
    std::vector<double> at_3;
    std::vector<double> at_12;
    for (const TrainedForecaster& trained : two.trained) {
        const Vector a = mean_weight_by_lag(weights_on(trained.network, test, 0));
        const Vector b = mean_weight_by_lag(weights_on(trained.network, test, 1));
        at_3.push_back(std::max(a(2), b(2)));
        at_12.push_back(std::max(a(11), b(11)));
    }
    frame.terminal.line();
    frame.terminal.paragraph(fmt::format(
        "Fixed lags: one of the two queries puts a weight of {} on lag 3, the other {} on "
        "lag 12.",
        Spread(at_3).text(3), Spread(at_12).text(3)));
    frame.files.write_csv("trained_fixed.csv",
                          program::CsvColumns()
                              .add("seed", program::seeds_of(frame), significant, 10)
                              .add("at_lag_3", at_3, fixed, 4)
                              .add("at_lag_12", at_12, fixed, 4));
    const TrainedForecaster& lstm = model_named(compared[0], "LSTM").trained[0];
    frame.files.write_csv("trained_forecast_losses.csv",
                          program::first_losses_of({"attention", "lstm"},
                                                   {attention.trained[0].losses, lstm.losses}));
    show_row_removal(frame, comparisons[0].problem, compared[0]);
}

void show_forecast_rates(Frame& frame, std::size_t n_steps)
{
    n_steps = frame.options.quick ? 50 : std::max<std::size_t>(3 * n_steps / 10, 1);
    constexpr std::array<double, 4> rates = {1e-3, 3e-3, 1e-2, 3e-2};
    constexpr std::array trained = {make_lstm<float>, make_lstm_attention<float>,
                                    make_attention_only<float>};
    frame.terminal.introduce(
        "The switched series at four learning rates",
        "The errors when the networks are trained for {} steps, at each of four rates: lowest, "
        "median and highest of three seeds.",
        n_steps);
    const std::vector<Comparison> comparisons = constructed(frame);
    const auto errors = program::run_rows_with_seeds(
        frame, "rates", comparisons.size() * rates.size() * trained.size(),
        program::seeds_of(frame), [&](std::size_t row, std::uint64_t seed) {
            const Comparison& comparison = comparisons[row / (rates.size() * trained.size())];
            const TrainedForecaster result =
                train_forecaster(comparison.problem,
                                 {trained[row % trained.size()], comparison.n_lookups, n_steps,
                                  rates[row / trained.size() % rates.size()]},
                                 seed);
            const Matrix forecast =
                predictor_of(result.network)(comparison.problem.test.inputs);
            return rmse(in_own_units(comparison.problem, forecast),
                        truth_of(comparison.problem, comparison.problem.test), 0);
        });
    const std::vector<std::string> header = {"rate", "LSTM", "LSTM with attention",
                                             "attention only"};
    program::Results results({"contest", "rate", "network"},
                             {{"seed", significant, 10}, {"rmse", significant, 4}});
    auto of_seeds = errors.begin();
    for (std::size_t comparison = 0; comparison < comparisons.size(); ++comparison) {
        program::Table table(header);
        for (const double rate : rates) {
            std::vector<std::string> line = {significant(rate, 1)};
            for (std::size_t network = 0; network < trained.size(); ++network, ++of_seeds) {
                line.push_back(Spread(*of_seeds).text(3));
                for (std::size_t seed = 0; seed < of_seeds->size(); ++seed) {
                    results.add(
                        {contests[comparison], line.front(),
                         program::key_name(header[network + 1])},
                        {static_cast<double>(frame.options.seed + seed), (*of_seeds)[seed]});
                }
            }
            table.row(line);
        }
        if (comparison == 1) {
            frame.terminal.introduce("Fixed lags at four learning rates",
                                     "The same of the series whose lags never change.");
        }
        frame.terminal.table(table);
    }
    frame.files.write_csv("trained_forecast_rates.csv", results.columns());
}

void show_measured(Frame& frame)
{
    std::vector<Comparison> comparisons;
    std::vector<std::string> names;
    for (const RealSeries& real : real_series()) {
        std::vector<std::size_t> all(real.series.columns.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        comparisons.push_back({split_in_time(real.series, real.plan), all, 600, 1});
        names.push_back(real.series.name.substr(0, real.series.name.find('.')));
    }
    frame.terminal.introduce(
        "Forecasts of measured series",
        "Root mean squared error of the next row, on the last rows. Sunspots: yearly, square "
        "roots. bjsales: changes of sales, with a leading indicator. lung_deaths: monthly, "
        "logarithms. seatbelts: drivers killed or seriously injured a month, logarithms. ftse: "
        "daily returns in per cent. Networks: 600 steps, three seeds. Products: with all "
        "numbers of the last row.");
    const auto compared = compare_models(frame, "forecasts", comparisons);
    program::Table sizes({"series", "to learn from", "to choose by", "to test on", "window"});
    for (std::size_t i = 0; i < comparisons.size(); ++i) {
        const Problem& problem = comparisons[i].problem;
        sizes.row({names[i], std::to_string(problem.train.last.size()),
                   std::to_string(problem.validation.last.size()),
                   std::to_string(problem.test.last.size()),
                   std::to_string(problem.plan.window)});
    }
    frame.terminal.table(sizes);
    frame.terminal.line();
    print_errors(frame, names, compared);
    save_errors(frame, names, compared, "trained_measured.csv");

    const Problem& sales = comparisons[1].problem;
    std::vector<double> at_3;
    for (const TrainedForecaster& trained :
         model_named(compared[1], "attention only").trained) {
        at_3.push_back(mean_weight_by_lag(weights_on(trained.network, sales.test))(2));
    }
    frame.terminal.line();
    frame.terminal.paragraph(fmt::format(
        "Sales follow their indicator after three rows. The attention-only network puts a "
        "weight of {} on lag 3 of 8.",
        Spread(at_3).text(2)));
    frame.files.write_csv("trained_sales.csv",
                          program::CsvColumns()
                              .add("seed", program::seeds_of(frame), significant, 10)
                              .add("at_lag_3", at_3, fixed, 4));
}

} // namespace attn::recurrent_attention
