#include "chapters/06_recurrent_attention/experiments/experiments.hpp"

#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/spread.hpp"
#include "common/tensor/check.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::recurrent_attention {

using program::fixed;
using program::Frame;
using program::significant;

std::vector<Problem> rolling_origins(const Series& series, const Plan& plan,
                                     std::size_t n_blocks)
{
    expect(n_blocks > 0 && series.values.shape(0) >= n_blocks * plan.n_test,
           "rolling_origins: {} blocks of {} rows do not fit into {}", n_blocks, plan.n_test,
           series.values.shape(0));
    std::vector<Problem> problems;
    for (std::size_t later = n_blocks; later-- > 0;) {
        Series known = series;
        const std::size_t n_rows = series.values.shape(0) - later * plan.n_test;
        known.values = xt::view(series.values, xt::range(0, n_rows), xt::all());
        problems.push_back(split_in_time(known, plan));
    }
    return problems;
}

namespace {

/// One of the measured series, and the blocks that it is tested on.
struct RollingSeries
{
    const char* name;
    std::size_t which;   // of real_series()
    std::size_t n_block; // rows of a block
};

// Deaths from lung diseases are left out: 72 rows are too few for eight origins.
constexpr std::array<RollingSeries, 4> rolling_series = {
    {{"sunspots", 0, 20}, {"bjsales", 1, 10}, {"seatbelts", 3, 12}, {"ftse", 4, 100}}};

/// A line of the table: a model and the one that it is compared with.
struct Pair
{
    const char* model;
    const char* reference;
};

constexpr std::string_view attention_model = "LSTM with attention";
constexpr std::string_view plain_model = "LSTM";

/// A mean of eight differences counts from here on, in standard errors: Student's t, seven degrees
/// of freedom, one case of twenty.
constexpr double mark = 2.365;

constexpr std::array<Pair, 10> pairs = {{
    {"persistence", "ridge"},
    {"level unchanged", "ridge"},
    {"seasonal naive", "ridge"},
    {"mean", "ridge"},
    {"ridge with products", "ridge"},
    {"LSTM", "ridge"},
    {"LSTM with attention", "ridge"},
    {"attention only", "ridge"},
    {"dense network", "ridge"},
    {"LSTM with attention", "LSTM"},
}};

/// The mean squared errors of a model in the blocks of a series; none if it is not compared there.
std::vector<double> squared_errors(const std::vector<std::vector<ComparedModel>>& compared,
                                   std::size_t first, std::size_t n_blocks, const char* name)
{
    std::vector<double> errors;
    for (std::size_t block = first; block < first + n_blocks; ++block) {
        for (const ComparedModel& model : compared[block]) {
            if (model.name == name) {
                errors.push_back(model.errors[0][0] * model.errors[0][0]);
            }
        }
    }
    return errors;
}

/// What learns nothing, or no more than an average.
constexpr std::array<const char*, 4> rules = {"persistence", "level unchanged",
                                              "seasonal naive", "mean"};

/// The errors of a few models, a line a series, as multiples of ridge regression's.
void show_ratios(Frame& frame, const std::vector<std::vector<ComparedModel>>& compared,
                 std::size_t n_blocks)
{
    frame.terminal.introduce(
        "Measured series beside ridge regression",
        "Mean squared error over {} blocks, each forecast from an origin of its own, divided "
        "by that of ridge regression: below 1 is better. The rule is the best of "
        "persistence, seasonal naive, mean and, where changes are forecast, no change.",
        n_blocks);
    program::Table table(
        {"series", "the best rule", "error", "LSTM", "with attention", "attention only"});
    program::Results results({"series"}, {{"rule", fixed, 3},
                                          {"lstm", fixed, 3},
                                          {"with_attention", fixed, 3},
                                          {"attention_only", fixed, 3}});
    for (std::size_t series = 0; series < rolling_series.size(); ++series) {
        const auto ratio = [&](const char* name) {
            const auto mean = [&](const char* model) {
                return program::mean_with_error(
                           squared_errors(compared, series * n_blocks, n_blocks, model))
                    .mean;
            };
            return mean(name) / mean("ridge");
        };
        const char* best = nullptr;
        for (const char* const rule : rules) {
            const bool tried =
                !squared_errors(compared, series * n_blocks, n_blocks, rule).empty();
            best = tried && (best == nullptr || ratio(rule) < ratio(best)) ? rule : best;
        }
        std::vector<std::string> line = {rolling_series[series].name, best};
        std::vector<double> ratios;
        for (const char* const model :
             {best, "LSTM", "LSTM with attention", "attention only"}) {
            ratios.push_back(ratio(model));
            line.push_back(fixed(ratios.back(), 2));
        }
        table.row(line);
        results.add({rolling_series[series].name}, ratios);
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_ratios.csv", results.columns());
}

/// All series, each cut at its origins.
std::vector<Comparison> all_blocks(std::size_t n_blocks)
{
    const std::vector<RealSeries> measured = real_series();
    std::vector<Comparison> comparisons;
    for (const RollingSeries& rolling : rolling_series) {
        const RealSeries& real = measured[rolling.which];
        Plan plan = real.plan;
        plan.n_test = rolling.n_block;
        std::vector<std::size_t> all(real.series.columns.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        std::uint64_t origin = 0;
        for (Problem& problem : rolling_origins(real.series, plan, n_blocks)) {
            comparisons.push_back({std::move(problem), all, 600, 1, origin++});
        }
    }
    return comparisons;
}

/// By how much a model's squared errors differ from another's on one series.
struct Difference
{
    std::vector<double> by_block;     // in per cent of ridge regression's mean
    program::MeanWithError mean = {}; // over the blocks
    int n_ahead = 0;                  // blocks with a lower error
};

/// \returns none if the model is not compared on that series
std::optional<Difference> difference(const std::vector<std::vector<ComparedModel>>& compared,
                                     std::size_t first, std::size_t n_blocks, const Pair& pair)
{
    const auto errors = [&](const char* name) {
        return squared_errors(compared, first, n_blocks, name);
    };
    const std::vector<double> reference = errors(pair.reference);
    Difference found{.by_block = errors(pair.model)};
    if (found.by_block.empty()) {
        return std::nullopt;
    }
    const double scale = 100 / program::mean_with_error(errors("ridge")).mean;
    for (std::size_t block = 0; block < n_blocks; ++block) {
        found.n_ahead += found.by_block[block] < reference[block] ? 1 : 0;
        found.by_block[block] = scale * (found.by_block[block] - reference[block]);
    }
    found.mean = program::mean_with_error(found.by_block);
    return found;
}

/// "+24 ± 25"
std::string text_of(const program::MeanWithError& mean)
{
    return fmt::format("{}{} ± {}", mean.mean > 0 ? "+" : "", fixed(mean.mean, 0),
                       fixed(mean.standard_error, 0));
}

/// Every model beside ridge regression, and what attention adds to the LSTM.
void show_differences(Frame& frame, const std::vector<std::vector<ComparedModel>>& compared,
                      std::size_t n_blocks)
{
    frame.terminal.introduce(
        "From eight origins",
        "Four series, forecast from eight origins: each time the models learn from all rows up "
        "to the origin (some kept to choose by) and are tested on the block after it, of 20 "
        "years (sunspots), 10 rows (bjsales), 12 months (seatbelts) or 100 days (ftse). Mean "
        "squared error less that of ridge regression, in per cent of the latter: mean over the "
        "blocks, its standard error, and in how many of the blocks the model is ahead. The "
        "last "
        "line: the LSTM with attention less the one without. Networks: one seed for each "
        "origin, 600 steps.");
    std::vector<std::string> header = {"model"};
    std::vector<std::vector<std::string>> attends; // a line for each series
    for (const RollingSeries& rolling : rolling_series) {
        header.emplace_back(rolling.name);
        attends.push_back({rolling.name});
    }
    program::Table table(header);
    program::Results results({"series", "model", "reference"}, {{"per_cent", fixed, 2},
                                                                {"standard_error", fixed, 2},
                                                                {"low", fixed, 2},
                                                                {"high", fixed, 2},
                                                                {"n_ahead", significant, 4}});
    // What attention adds to the LSTM, block by block.
    program::Results added({"series"}, {{"block", significant, 4}, {"per_cent", fixed, 2}});
    for (const Pair& pair : pairs) {
        const bool adds_attention = pair.reference == plain_model;
        std::vector<std::string> line = {adds_attention ? "LSTM, with less without"
                                                        : pair.model};
        for (std::size_t series = 0; series < rolling_series.size(); ++series) {
            const auto found = difference(compared, series * n_blocks, n_blocks, pair);
            if (!found) {
                line.emplace_back("-");
                continue;
            }
            const program::MeanWithError& mean = found->mean;
            line.push_back(fmt::format("{}, {}", text_of(mean), found->n_ahead));
            if (pair.model == attention_model) {
                attends[series].push_back(text_of(mean));
                attends[series].push_back(fixed(std::abs(mean.mean) / mean.standard_error, 2));
            }
            for (std::size_t block = 0; adds_attention && block < n_blocks; ++block) {
                added.add({rolling_series[series].name},
                          {static_cast<double>(block + 1), found->by_block[block]});
            }
            const double reach = mark * mean.standard_error;
            results.add({rolling_series[series].name, program::key_name(pair.model),
                         program::key_name(pair.reference)},
                        {mean.mean, mean.standard_error, mean.mean - reach, mean.mean + reach,
                         static_cast<double>(found->n_ahead)});
        }
        table.row(line);
    }
    frame.terminal.table(table);
    frame.terminal.introduce(
        "The LSTM with attention from eight origins",
        "Mean squared errors of the LSTM with attention minus those of ridge regression, and "
        "minus those of the LSTM without attention, in per cent of ridge regression's: the "
        "mean "
        "of the eight blocks, its standard error, and the mean in standard errors.");
    program::Table attention(
        {"series", "minus ridge", "std. errors", "minus the LSTM", "std. errors"});
    for (const std::vector<std::string>& line : attends) {
        attention.row(line);
    }
    frame.terminal.table(attention);
    frame.files.write_csv("trained_origins.csv", results.columns());
    frame.files.write_csv("trained_added_by_attention.csv", added.columns());
}

} // namespace

void show_rolling_origins(Frame& frame)
{
    const std::size_t n_blocks = frame.options.quick ? 2 : 8;
    const auto compared =
        compare_models(frame, "origins", all_blocks(n_blocks), {frame.options.seed});
    show_differences(frame, compared, n_blocks);
    show_ratios(frame, compared, n_blocks);
}

} // namespace attn::recurrent_attention
