#include "chapters/04_backpropagation/experiments/experiments.hpp"

#include "chapters/02_nadaraya_watson/bandwidth.hpp"
#include "chapters/02_nadaraya_watson/cars.csv.hpp"
#include "chapters/02_nadaraya_watson/old_faithful.csv.hpp"
#include "chapters/02_nadaraya_watson/toy40.csv.hpp"
#include "common/kernels/elementary.hpp"
#include "common/kernels/geometric_steps.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace attn::backpropagation {

using program::fixed;
using program::Frame;
using program::significant;

std::vector<Minimum> local_minima(const WidthProblem& problem, double low, double high)
{
    expect(low > 0 && low < high,
           "local_minima: low must be above 0 and below high, got {} and {}", low, high);
    const Vector grid = geometric_steps(low, high, 121);
    std::vector<Minimum> found;
    bool falling = error_and_derivative(grid(0), problem).derivative < 0;
    for (std::size_t i = 1; i < grid.size(); ++i) {
        const bool still_falling = error_and_derivative(grid(i), problem).derivative < 0;
        if (falling && !still_falling) {
            double left = elementary::log(grid(i - 1));
            double right = elementary::log(grid(i));
            while (right - left > 1e-10) {
                const double middle = 0.5 * (left + right);
                (error_and_derivative(elementary::exp(middle), problem).derivative < 0
                     ? left
                     : right) = middle;
            }
            const double width = elementary::exp(right);
            found.push_back({width, error_and_derivative(width, problem).error});
        }
        falling = still_falling;
    }
    return found;
}

namespace {

nadaraya_watson::Sample read(std::string_view csv, const std::string& source, const char* key,
                             const char* value)
{
    const program::NumericTable table = program::parse_numeric_csv(csv, source);
    return {table.vector(key), table.vector(value)};
}

} // namespace

std::vector<NamedTable> tables_of_chapter_2()
{
    using namespace nadaraya_watson;
    return {
        {"toy", read(toy40_csv, "toy40.csv", "x", "y")},
        {"Old Faithful", read(old_faithful_csv, "old_faithful.csv", "eruption", "waiting")},
        {"cars", read(cars_csv, "cars.csv", "x", "y")},
    };
}

namespace {

constexpr int digits = 4;

/// Where the descents start, as shares of the keys' range.
constexpr std::array<double, 3> starts = {0.01, 0.1, 1.0};

/// The descents from every start.
using FromStarts = std::array<Descent, starts.size()>;

/// The descents of one table: no point predicts itself; every point does.
using Descents = std::array<FromStarts, 2>;

std::vector<Descents> descend_everywhere(const std::vector<NamedTable>& tables,
                                         const DescentOptions& options, std::size_t n_threads)
{
    std::vector<Descents> found(tables.size());
    parallel::for_each_index(tables.size() * 2 * starts.size(), n_threads, [&](std::size_t i) {
        const std::size_t which = i / (2 * starts.size());
        const std::size_t unmasked = i / starts.size() % 2;
        const WidthProblem problem = width_problem(
            tables[which].sample, unmasked == 0 ? Diagonal::masked : Diagonal::unmasked);
        found[which][unmasked][i % starts.size()] =
            learn_width(problem, starts[i % starts.size()] * problem.range, options);
    });
    return found;
}

void width_table(Frame& frame, const std::vector<NamedTable>& tables,
                 const std::vector<Descents>& descents)
{
    program::Table table({"table", "chosen by trying", "start", "learnt", "error", "steps"});
    for (std::size_t which = 0; which < tables.size(); ++which) {
        const double chosen =
            nadaraya_watson::choose_bandwidth(tables[which].sample,
                                              nadaraya_watson::kernel_named("gaussian"))
                .bandwidth;
        for (const Descent& descent : descents[which][0]) {
            table.row({tables[which].name, significant(chosen, digits),
                       significant(descent.widths.front(), digits),
                       significant(descent.widths.back(), digits),
                       significant(descent.errors.back(), digits + 1),
                       std::to_string(descent.widths.size() - 1)});
        }
    }
    frame.terminal.table(table);
}

void collapse_table(Frame& frame, const std::vector<NamedTable>& tables,
                    const std::vector<Descents>& descents)
{
    program::Table table(
        {"table", "start", "learnt", "steps", "error, itself included", "leave-one-out error"});
    for (std::size_t which = 0; which < tables.size(); ++which) {
        const WidthProblem masked = width_problem(tables[which].sample, Diagonal::masked);
        for (const Descent& descent : descents[which][1]) {
            table.row({tables[which].name, significant(descent.widths.front(), digits),
                       significant(descent.widths.back(), 2),
                       std::to_string(descent.widths.size() - 1),
                       fixed(descent.errors.back(), 2),
                       fixed(error_and_derivative(descent.widths.back(), masked).error, 2)});
        }
    }
    frame.terminal.table(table);
}

/// Every tenth point of a path, and its last.
std::vector<std::size_t> shown_points(const Descent& descent)
{
    std::vector<std::size_t> shown;
    for (std::size_t step = 0; step + 1 < descent.widths.size(); step += 10) {
        shown.push_back(step);
    }
    shown.push_back(descent.widths.size() - 1);
    return shown;
}

/// The paths of the descents, nan after the end of the shorter ones.
void write_paths(Frame& frame, const FromStarts& descents)
{
    std::size_t n_rows = 0;
    for (const Descent& descent : descents) {
        n_rows = std::max(n_rows, shown_points(descent).size());
    }
    program::CsvColumns columns;
    for (std::size_t start = 0; start < starts.size(); ++start) {
        const Descent& descent = descents[start];
        const std::vector<std::size_t> shown = shown_points(descent);
        std::vector<double> steps(n_rows, std::nan(""));
        std::vector<double> widths(n_rows, std::nan(""));
        std::vector<double> errors(n_rows, std::nan(""));
        for (std::size_t row = 0; row < shown.size(); ++row) {
            steps[row] = static_cast<double>(shown[row]);
            widths[row] = descent.widths[shown[row]];
            errors[row] = descent.errors[shown[row]];
        }
        columns.add(fmt::format("step_{}", start + 1), steps, fixed, 0)
            .add(fmt::format("width_{}", start + 1), widths, significant, digits)
            .add(fmt::format("error_{}", start + 1), errors, significant, digits + 1);
    }
    frame.files.write_csv("width_paths.csv", columns.names(), columns.cells());
}

/// The error over the width, with and without the mask, and the local minima of the first.
void write_curve(Frame& frame, const nadaraya_watson::Sample& sample,
                 const std::vector<Minimum>& found)
{
    const WidthProblem masked = width_problem(sample, Diagonal::masked);
    const WidthProblem unmasked = width_problem(sample, Diagonal::unmasked);
    program::CsvRows curve({{"width", significant, digits},
                            {"hidden", significant, digits + 1},
                            {"seen", significant, digits + 1}});
    for (const double width : geometric_steps(0.001, 4, 201)) {
        curve.add({width, error_and_derivative(width, masked).error,
                   error_and_derivative(width, unmasked).error});
    }
    frame.files.write_csv("width_curve.csv", curve.columns());

    program::CsvRows minima(
        {{"width", significant, digits}, {"error", significant, digits + 1}});
    for (const Minimum& minimum : found) {
        minima.add({minimum.width, minimum.error});
    }
    frame.files.write_csv("width_valleys.csv", minima.columns());
}

} // namespace

void show_width(Frame& frame)
{
    const std::vector<NamedTable> tables = tables_of_chapter_2();
    DescentOptions options;
    options.n_steps = frame.options.quick ? 150 : options.n_steps;
    const std::vector<Descents> descents =
        descend_everywhere(tables, options, frame.options.threads);

    frame.terminal.introduce(
        "The width of chapter 2's kernel, learnt",
        "Descent on log h by Adam with a learning rate of {}, at most {} steps, on the mean "
        "squared leave-one-out error: no point attends to itself. Starts at a hundredth, a "
        "tenth and the whole of the keys' range. Steps: until log h no longer moves.",
        significant(options.learning_rate, digits), options.n_steps);
    width_table(frame, tables, descents);

    const WidthProblem faithful = width_problem(tables[1].sample, Diagonal::masked);
    const std::vector<Minimum> found =
        local_minima(faithful, 0.01 * faithful.range, faithful.range);
    frame.terminal.line();
    std::vector<std::string> in_words;
    for (const Minimum& minimum : found) {
        in_words.push_back(fmt::format("{} (error {})", significant(minimum.width, digits),
                                       significant(minimum.error, digits + 1)));
    }
    frame.terminal.paragraph(fmt::format("The local minima of {}'s leave-one-out error: {}.",
                                         tables[1].name, fmt::join(in_words, ", ")));

    frame.terminal.introduce(
        "The same descents, where every point attends to itself",
        "Learnt from the error of predictions to which every point contributes its own value. "
        "The last column is the leave-one-out error of the learnt width.");
    collapse_table(frame, tables, descents);

    write_curve(frame, tables[1].sample, found);
    write_paths(frame, descents[1][0]);
}

} // namespace attn::backpropagation
