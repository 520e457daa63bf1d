/// \file
/// \brief The bodies of report.hpp.
#include "chapters/04_backpropagation/experiments/report.hpp"

#include "chapters/01_lookup/experiments/experiments.hpp"
#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/04_backpropagation/experiments/experiments.hpp"
#include "chapters/04_backpropagation/kernel_width.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/trace.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace attn::backpropagation::report {

using program::fixed;
using program::Frame;
using program::significant;

namespace {

/// The largest difference of two matrices in words, since its digits are those of rounding.
std::string difference(const Matrix& a, const Matrix& b, double bound, const char* in_words)
{
    const double largest = xt::amax(xt::abs(a - b))();
    return largest < bound ? in_words : significant(largest, 2);
}

} // namespace

// ---------------------------------------------------------------- gradients

void gradients(Frame& frame)
{
    frame.terminal.heading("Gradients by hand, by the tape, by differences");
    frame.terminal.paragraph(
        "3 random queries of 4 numbers, 5 keys, values of 2 numbers, 6 hidden units in the "
        "additive score. The mask hides some keys from the first two queries and all from the "
        "third. The last columns: the largest difference of an entry.");
    frame.terminal.line();
    program::Table table(
        {"back through", "gradient", "shape", "hand - tape", "hand - differences"});
    for (const ThreeGradients& three : three_gradients(frame.options.seed)) {
        table.row({three.operation, three.name, shape_of(three.by_hand),
                   difference(three.by_hand, three.by_tape, 1e-12, "below 1e-12"),
                   difference(three.by_hand, three.by_differences, 1e-9, "below 1e-9")});
    }
    frame.terminal.table(table);
}

void covariance(Frame& frame)
{
    namespace pencil = lookup::pencil_example;
    const Vector query = xt::view(pencil::queries(), 1, xt::all());
    frame.terminal.heading("How a context answers to its query");
    frame.terminal.paragraph(
        "The second query of the pencil example, q = (1, 1): d c / d q as the covariance of "
        "the "
        "values with the slopes of the scores, and how far central differences are from it.");
    frame.terminal.line();
    program::Table table(
        {"score", "its slope", "dc1/dq1", "dc1/dq2", "dc2/dq1", "dc2/dq2", "differences"});
    for (const QuerySlope& one :
         query_slopes(query, pencil::keys(), pencil::values(), pencil_scores())) {
        table.row({one.score, one.slope, fixed(one.by_covariance(0, 0), 4),
                   fixed(one.by_covariance(0, 1), 4), fixed(one.by_covariance(1, 0), 4),
                   fixed(one.by_covariance(1, 1), 4),
                   difference(one.by_covariance, one.by_differences, 1e-9, "below 1e-9")});
    }
    frame.terminal.table(table);
}

// ---------------------------------------------------------------- the width

namespace {

constexpr int digits = 4;

/// Where the descents start, as shares of the keys' range.
constexpr std::array<double, 3> starts = {0.01, 0.1, 1.0};

/// The descents of one table from every start.
struct Descents
{
    std::array<Descent, starts.size()> hidden; ///< a point may not look at itself
    std::array<Descent, starts.size()> seen;   ///< it may
};

std::vector<Descents> descend_everywhere(const std::vector<NamedTable>& tables,
                                         const DescentPlan& plan, std::size_t n_threads)
{
    std::vector<Descents> found(tables.size());
    parallel::for_each_index(tables.size() * starts.size() * 2, n_threads, [&](std::size_t i) {
        const std::size_t which = i / (starts.size() * 2);
        const std::size_t start = i / 2 % starts.size();
        const bool is_hidden = i % 2 == 0;
        const WidthProblem problem =
            width_problem(tables[which].sample, is_hidden ? Itself::hidden : Itself::seen);
        (is_hidden ? found[which].hidden : found[which].seen)[start] =
            learn_width(problem, starts[start] * problem.range, plan);
    });
    return found;
}

void width_table(Frame& frame, const std::vector<NamedTable>& tables,
                 const std::vector<Descents>& descents)
{
    program::Table table({"table", "chosen by trying", "start", "learnt", "error", "steps"});
    for (std::size_t which = 0; which < tables.size(); ++which) {
        const auto& [keys, values] = tables[which].sample;
        const double chosen = nadaraya_watson::choose_bandwidth(
                                  keys, values, nadaraya_watson::kernel_named("gaussian"))
                                  .bandwidth;
        for (const Descent& descent : descents[which].hidden) {
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
        {"table", "start", "learnt", "steps", "error, itself seen", "leave-one-out error"});
    for (std::size_t which = 0; which < tables.size(); ++which) {
        const WidthProblem masked = width_problem(tables[which].sample, Itself::hidden);
        for (const Descent& descent : descents[which].seen) {
            table.row({tables[which].name, significant(descent.widths.front(), digits),
                       significant(descent.widths.back(), 2),
                       std::to_string(descent.widths.size() - 1),
                       fixed(descent.errors.back(), 2),
                       fixed(error_and_slope(descent.widths.back(), masked).error, 2)});
        }
    }
    frame.terminal.table(table);
}

/// Every tenth point of a path, and its last.
std::vector<std::size_t> kept_points(const Descent& descent)
{
    std::vector<std::size_t> kept;
    for (std::size_t step = 0; step + 1 < descent.widths.size(); step += 10) {
        kept.push_back(step);
    }
    kept.push_back(descent.widths.size() - 1);
    return kept;
}

/// The paths of the descents, nan behind the end of the shorter ones.
void keep_paths(Frame& frame, const std::array<Descent, starts.size()>& descents)
{
    std::size_t n_rows = 0;
    for (const Descent& descent : descents) {
        n_rows = std::max(n_rows, kept_points(descent).size());
    }
    program::CsvColumns columns;
    for (std::size_t start = 0; start < starts.size(); ++start) {
        const Descent& descent = descents[start];
        const std::vector<std::size_t> kept = kept_points(descent);
        std::vector<double> steps(n_rows, std::nan(""));
        std::vector<double> widths(n_rows, std::nan(""));
        std::vector<double> errors(n_rows, std::nan(""));
        for (std::size_t row = 0; row < kept.size(); ++row) {
            steps[row] = static_cast<double>(kept[row]);
            widths[row] = descent.widths[kept[row]];
            errors[row] = descent.errors[kept[row]];
        }
        columns.add(fmt::format("step_{}", start + 1), steps, fixed, 0)
            .add(fmt::format("width_{}", start + 1), widths, significant, digits)
            .add(fmt::format("error_{}", start + 1), errors, significant, digits + 1);
    }
    frame.files.write_csv("width_paths.csv", columns.names(), columns.cells());
}

/// The error over the width, with and without the mask, and the valleys of the first.
void keep_curve(Frame& frame, const nadaraya_watson::Sample& sample,
                const std::vector<Valley>& found)
{
    const WidthProblem without_itself = width_problem(sample, Itself::hidden);
    const WidthProblem with_itself = width_problem(sample, Itself::seen);
    const Vector widths = lookup::geometric_steps(0.001, 4, 201);
    Vector hidden = xt::empty_like(widths);
    Vector seen = xt::empty_like(widths);
    for (std::size_t i = 0; i < widths.size(); ++i) {
        hidden(i) = error_and_slope(widths(i), without_itself).error;
        seen(i) = error_and_slope(widths(i), with_itself).error;
    }
    program::CsvColumns curve;
    curve.add("width", widths, significant, digits)
        .add("hidden", hidden, significant, digits + 1)
        .add("seen", seen, significant, digits + 1);
    frame.files.write_csv("width_curve.csv", curve.names(), curve.cells());

    std::vector<double> valley_widths;
    std::vector<double> valley_errors;
    for (const Valley& valley : found) {
        valley_widths.push_back(valley.width);
        valley_errors.push_back(valley.error);
    }
    program::CsvColumns valleys;
    valleys.add("width", valley_widths, significant, digits)
        .add("error", valley_errors, significant, digits + 1);
    frame.files.write_csv("width_valleys.csv", valleys.names(), valleys.cells());
}

} // namespace

void width(Frame& frame)
{
    const std::vector<NamedTable> tables = tables_of_chapter_2();
    DescentPlan plan;
    plan.n_steps = frame.options.quick ? 150 : plan.n_steps;
    const std::vector<Descents> descents =
        descend_everywhere(tables, plan, frame.options.threads);

    frame.terminal.heading("The width of chapter 2's kernel, learnt");
    frame.terminal.paragraph(fmt::format(
        "Descent on log h by Adam with a learning rate of {}, at most {} steps, on the mean "
        "squared leave-one-out error: no point may look at itself. Starts at a hundredth, a "
        "tenth and the whole of the keys' range. Steps: until log h rests.",
        significant(plan.learning_rate, digits), plan.n_steps));
    frame.terminal.line();
    width_table(frame, tables, descents);

    const WidthProblem faithful = width_problem(tables[1].sample, Itself::hidden);
    const std::vector<Valley> found = valleys(faithful, 0.01 * faithful.range, faithful.range);
    frame.terminal.line();
    std::vector<std::string> in_words;
    for (const Valley& valley : found) {
        in_words.push_back(fmt::format("{} (error {})", significant(valley.width, digits),
                                       significant(valley.error, digits + 1)));
    }
    frame.terminal.paragraph(fmt::format("The valleys of {}'s leave-one-out error: {}.",
                                         tables[1].name, fmt::join(in_words, ", ")));

    frame.terminal.heading("The same descents, where a point may look at itself");
    frame.terminal.paragraph(
        "Learnt from the error of predictions to which every point contributes its own value. "
        "The last column is the leave-one-out error of the width that was learnt so.");
    frame.terminal.line();
    collapse_table(frame, tables, descents);

    keep_curve(frame, tables[1].sample, found);
    keep_paths(frame, descents[1].hidden);
}

// ---------------------------------------------------------------- the pencil

void pencil_steps(Frame& frame)
{
    namespace pencil = lookup::pencil_example;
    const PencilWalk walk = pencil_walk();
    const auto trace = [&](const char* name, const char* meaning, const char* dims,
                           const Matrix& values) {
        program::trace(frame.terminal, name, meaning, dims, values);
    };
    frame.terminal.heading("forwards");
    trace("Q", "the queries", "n_queries, d", pencil::queries());
    trace("K", "the keys", "n_keys, d", pencil::keys());
    trace("V", "the values", "n_keys, d_v", pencil::values());
    trace("S", "the scores Q K^T", "n_queries, n_keys", walk.forward.scores);
    trace("A", "the weights, softmax of S", "n_queries, n_keys", walk.forward.weights);
    trace("C", "the contexts A V", "n_queries, d_v", walk.forward.context);
    trace("Y", "what the contexts should be", "n_queries, d_v", walk.targets);
    frame.terminal.line("L: the loss, half the sum of the squares of C - Y");
    frame.terminal.line("  " + fixed(walk.loss, 4));

    frame.terminal.heading("backwards");
    trace("dC", "C - Y", "n_queries, d_v", walk.dcontext);
    trace("dV", "A^T dC", "n_keys, d_v", walk.gradients.dvalues);
    trace("dA", "dC V^T", "n_queries, n_keys", walk.gradients.dweights);
    trace("dS", "A (dA - the mean of dA under A)", "n_queries, n_keys", walk.gradients.dscores);
    trace("dQ", "dS K", "n_queries, d", walk.gradients.dqueries);
    trace("dK", "dS^T Q", "n_keys, d", walk.gradients.dkeys);

    frame.terminal.heading("the same dQ, by the covariance");
    for (std::size_t i = 0; i < walk.covariances.size(); ++i) {
        trace(fmt::format("Cov{}", i + 1).c_str(),
              fmt::format("of values and keys under the weights of query {}: dc{}/dq{}", i + 1,
                          i + 1, i + 1)
                  .c_str(),
              "d_v, d", walk.covariances[i]);
    }
    trace("dQ", "each row dC times its Cov", "n_queries, d", walk.dqueries);
    frame.terminal.line(fmt::format("Queries 0.1 dQ downhill: the loss falls from {} to {}.",
                                    fixed(walk.loss, 4), fixed(walk.loss_after, 4)));
}

} // namespace attn::backpropagation::report
