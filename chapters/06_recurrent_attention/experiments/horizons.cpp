#include "chapters/06_recurrent_attention/experiments/experiments.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <numeric>

namespace attn::recurrent_attention {

using program::BadInput;
using program::fixed;
using program::Frame;
using program::significant;
using program::Spread;

Problem only_horizon(const Problem& problem, std::size_t horizon)
{
    Problem of_one = problem;
    of_one.plan.n_horizons = 1;
    for (Windows* const windows : {&of_one.train, &of_one.validation, &of_one.test}) {
        const std::size_t n = windows->targets.shape()[0];
        const std::size_t n_horizons = windows->targets.shape()[1];
        expect(horizon < n_horizons, "only_horizon: there is no horizon {} among {}", horizon,
               n_horizons);
        Array<float> targets(Shape{n, 1});
        for (std::size_t i = 0; i < n; ++i) {
            targets.data()[i] = windows->targets.data()[i * n_horizons + horizon];
        }
        windows->targets = targets;
    }
    return of_one;
}

namespace {

/// A number of a model at every horizon: the median of its seeds.
struct Line
{
    std::string name;
    std::vector<double> medians; // [n_horizons]
};

/// The errors of a model.
Line line_of(const std::string& name, const std::vector<std::vector<double>>& errors)
{
    Line line{name, {}};
    for (const std::vector<double>& of_seeds : errors) {
        line.medians.push_back(Spread(of_seeds).median());
    }
    return line;
}

/// The errors of a one-step model that is applied again and again.
Line recursive_line(const Problem& problem, const ComparedModel& one_step)
{
    std::vector<std::vector<double>> errors(problem.plan.n_horizons);
    const Matrix truth = truth_of(problem, problem.test);
    for (const Predictor& predict : one_step.predict) {
        const Matrix forecast = in_own_units(
            problem, recursive_forecast(predict, problem.test.inputs, problem.plan.n_horizons));
        for (std::size_t h = 0; h < problem.plan.n_horizons; ++h) {
            errors[h].push_back(rmse(forecast, truth, h));
        }
    }
    return line_of(one_step.name + ", recursive", errors);
}

/// The errors of direct forecasts: an LSTM for each horizon, which learns from the windows that a
/// multi-output model learns from.
Line direct_line(const Frame& frame, const Problem& problem, std::size_t n_steps)
{
    const std::size_t n_horizons = problem.plan.n_horizons;
    const Matrix truth = truth_of(problem, problem.test);
    const auto errors = program::run_rows_with_seeds(
        frame, "direct", n_horizons, program::seeds_of(frame),
        [&](std::size_t h, std::uint64_t seed) {
            const Problem of_one = only_horizon(problem, h);
            const TrainedForecaster trained = train_forecaster(
                of_one, {make_lstm<float>, 1, frame.options.quick ? 50 : n_steps}, seed);
            Matrix forecast = truth;
            xt::col(forecast, static_cast<std::ptrdiff_t>(h)) = xt::col(
                in_own_units(problem, predictor_of(trained.network)(problem.test.inputs)), 0);
            return rmse(forecast, truth, h);
        });
    return line_of("LSTM, direct", errors);
}

/// Multi-output models and, where only one column is to be known, recursive ones.
std::vector<Line> lines_of(const Problem& problem, const std::vector<ComparedModel>& direct,
                           const std::vector<ComparedModel>* one_step)
{
    std::vector<Line> lines;
    for (const ComparedModel& model : direct) {
        lines.push_back(line_of(model.name, model.errors));
        const bool learns = model.name.starts_with("ridge") || !model.trained.empty();
        if (one_step != nullptr && learns) {
            lines.back().name += ", multi-output";
            lines.push_back(recursive_line(problem, model_named(*one_step, model.name)));
        }
    }
    return lines;
}

void print_lines(Frame& frame, const std::vector<Line>& lines,
                 const std::vector<std::size_t>& shown, program::NumberFormat format)
{
    std::vector<std::string> header = {"model"};
    for (const std::size_t h : shown) {
        header.push_back(fmt::format("{} ahead", h));
    }
    program::Table table(header);
    for (const Line& line : lines) {
        std::vector<std::string> row = {line.name};
        for (const std::size_t h : shown) {
            row.push_back(format(line.medians[h - 1], 3));
        }
        table.row(row);
    }
    frame.terminal.table(table);
}

/// Saves a column a line, "ridge_multi-output", behind the horizons.
void save_lines(Frame& frame, const std::vector<Line>& lines, const char* first,
                program::NumberFormat format, const char* file)
{
    constexpr int digits = 4;
    program::CsvColumns columns;
    std::vector<double> horizons(lines.front().medians.size());
    std::iota(horizons.begin(), horizons.end(), 1.0);
    columns.add(first, horizons, format, digits);
    for (const Line& line : lines) {
        std::string name = line.name;
        std::erase(name, ',');
        std::replace(name.begin(), name.end(), ' ', '_');
        columns.add(name, line.medians, format, digits);
    }
    frame.files.write_csv(file, columns);
}

/// The same comparison about the next row alone.
Comparison one_step_of(const Comparison& comparison)
{
    Comparison one_step = comparison;
    Plan plan = comparison.problem.plan;
    plan.n_horizons = 1;
    one_step.problem = split_in_time(comparison.problem.series, plan);
    return one_step;
}

} // namespace

void show_horizons(Frame& frame)
{
    const RealSeries sunspots = real_series().front();
    Plan plan = sunspots.plan;
    plan.n_horizons = 12;
    const Comparison comparison{split_in_time(sunspots.series, plan), {}, 600, 1};
    frame.terminal.introduce(
        "The error against the horizon",
        "Square roots of yearly sunspot numbers plus 1, 1 to 12 years ahead, on 47 windows of "
        "the last 58 years. Multi-output: one model with twelve outputs. Direct: twelve "
        "models, "
        "one for each horizon, which learn from the same windows. Recursive: a model of the "
        "next year is asked again, with its own forecasts in the window. Root mean squared "
        "error; networks: the median of three seeds, 600 steps.");
    const auto compared =
        compare_models(frame, "horizons", {comparison, one_step_of(comparison)});
    std::vector<Line> lines = lines_of(comparison.problem, compared[0], &compared[1]);
    const auto lstm = std::find_if(lines.begin(), lines.end(), [](const Line& line) {
        return line.name == "LSTM, multi-output";
    });
    lines.insert(lstm + 1, direct_line(frame, comparison.problem, comparison.n_steps));
    print_lines(frame, lines, {1, 2, 4, 8, 12}, fixed);
    save_lines(frame, lines, "horizon", significant, "trained_horizons.csv");
}

// ---------------------------------------------------------------- a reader's table

namespace {

/// The columns for ridge regression with products, or none if there would be too many.
std::vector<std::size_t> affordable_switches(const Series& series, std::size_t window)
{
    constexpr std::size_t most_features = 1000;
    std::vector<std::size_t> all(series.columns.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (window * all.size() * (1 + all.size()) > most_features) {
        all.clear();
    }
    return all;
}

/// At which lags attention only has its largest weights.
std::string largest_lags(const Problem& problem, const ComparedModel& entry)
{
    const Vector mean = mean_weight_by_lag(weights_on(entry.trained[0].network, problem.test));
    std::vector<std::size_t> lags(mean.size());
    std::iota(lags.begin(), lags.end(), std::size_t{1});
    std::stable_sort(lags.begin(), lags.end(),
                     [&](std::size_t a, std::size_t b) { return mean(a - 1) > mean(b - 1); });
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, lags.size()); ++i) {
        text +=
            fmt::format("{}{} ({})", i == 0 ? "" : ", ", lags[i], fixed(mean(lags[i] - 1), 2));
    }
    return text;
}

/// What comes after the last row, model by model.
void print_next(Frame& frame, const Problem& problem,
                const std::vector<ComparedModel>& compared, bool changes)
{
    frame.terminal.line();
    frame.terminal.paragraph(fmt::format(
        "What comes after the last row of {}'{}' (networks: the median of their seeds).",
        changes ? "changes of " : "", problem.series.columns[problem.series.target]));
    frame.terminal.line();
    std::vector<std::string> header = {"ahead"};
    std::vector<Line> lines;
    for (const ComparedModel& model : compared) {
        header.push_back(model.name);
        lines.push_back({model.name, {}});
        for (std::size_t h = 0; h < problem.plan.n_horizons; ++h) {
            lines.back().medians.push_back(
                program::spread(model.next, [&](const Matrix& forecast) {
                    return forecast(0, h);
                }).median());
        }
    }
    const int digits =
        program::digits_apart(column_of(problem.series.values, problem.series.target), 4);
    program::Table table(header);
    for (std::size_t h = 0; h < problem.plan.n_horizons; ++h) {
        std::vector<std::string> row = {std::to_string(h + 1)};
        for (const Line& line : lines) {
            row.push_back(significant(line.medians[h], digits));
        }
        table.row(row);
    }
    frame.terminal.table(table);
    save_lines(frame, lines, "ahead", program::shortest, "trained_next.csv");
}

} // namespace

void show_readers_table(Frame& frame, const TableRequest& request)
{
    if (request.season > request.window) {
        throw BadInput("--season: it must fit into the window; see --window");
    }
    const Series levels = series_of(program::read_numeric_csv(*request.data), *request.target);
    const Series series = request.changes ? changes_of(levels) : levels;
    const std::size_t fifth = series.values.shape(0) / 5;
    const Plan plan{request.window, request.horizon, fifth, fifth, request.season};
    const Comparison comparison{split_in_time(series, plan),
                                affordable_switches(series, request.window), 600, 1};
    const Problem& problem = comparison.problem;
    frame.files.require_writable();
    frame.terminal.introduce(
        "Your table",
        "Root mean squared error of {}'{}', in its own unit, on the last {} of {} "
        "rows. Models see {} rows and all columns; they learn from the first {} "
        "rows, units included, and are chosen by the {} in between. Networks: "
        "{}.",
        request.changes ? "changes of " : "", *request.target, fifth, series.values.shape(0),
        request.window, series.values.shape(0) - 2 * fifth, fifth,
        frame.options.quick ? "50 steps, one seed" : "the median of three seeds, 600 steps");
    const bool recursive = series.columns.size() == 1 && request.horizon > 1;
    std::vector<Comparison> comparisons = {comparison};
    if (recursive) {
        comparisons.push_back(one_step_of(comparison));
    }
    const auto compared = compare_models(frame, "your table", comparisons);
    const std::vector<Line> lines =
        lines_of(comparison.problem, compared[0], recursive ? &compared[1] : nullptr);
    std::vector<std::size_t> shown = {1, (request.horizon + 1) / 2, request.horizon};
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
    print_lines(frame, lines, shown, significant);
    save_lines(frame, lines, "horizon", program::shortest, "trained_errors.csv");
    if (comparison.switches.empty()) {
        frame.terminal.line();
        frame.terminal.paragraph("Ridge regression with products is left out: there would be "
                                 "too many products.");
    }
    frame.terminal.line();
    frame.terminal.paragraph(
        fmt::format("Attention only attends mostly to lags {} (mean weight, first seed; equal "
                    "weights would be {}).",
                    largest_lags(problem, model_named(compared[0], "attention only")),
                    fixed(1 / static_cast<double>(request.window), 2)));
    print_next(frame, problem, compared[0], request.changes);
}

} // namespace attn::recurrent_attention
