#include "chapters/01_lookup/experiments/report.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "common/kernels/geometric_steps.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/trace.hpp"

#include <fmt/format.h>

namespace attn::lookup::report {

using program::fixed;
using program::Frame;
using program::significant;

namespace {

constexpr int digits = 4;

/// A row of a matrix for the reader's eyes: "10" or "(1, 2)".
std::string show_row(const Matrix& matrix, std::size_t row)
{
    const std::vector<std::string> cells =
        program::texts_of(single_row(matrix, row), significant, digits);
    return cells.size() == 1 ? cells[0] : fmt::format("({})", fmt::join(cells, ", "));
}

/// The question of the pencil example's query of a given number.
lookup::Question pencil_question(std::size_t query)
{
    return {pencil_example::keys(), pencil_example::values(),
            single_row(pencil_example::queries(), query)};
}

} // namespace

void lookups(Frame& frame, const NamedTable& table, std::size_t query, std::size_t k,
             double temperature)
{
    const auto& [keys, values, queries] = table.question;
    const std::size_t n_keys = keys.shape(0);
    constexpr std::size_t n_shown_keys = 8;
    frame.terminal.heading(fmt::format("Query: {} = {}", fmt::join(table.key_names, ", "),
                                       show_row(queries, query)));

    std::vector<std::string> header = {"lookup"};
    for (std::size_t j = 0; n_keys <= n_shown_keys && j < n_keys; ++j) {
        header.push_back("w(" + show_row(keys, j) + ")");
    }
    header.insert(header.end(), {"keys used", "sum of w", table.value_name});
    program::Table output(header);
    const Matrix one_query = single_row(queries, query); // [1, d_k]
    for (const lookup::Lookup& way : lookup::lookups(k, temperature)) {
        const lookup::Attention found =
            lookup::attend(one_query, keys, values, way.score, way.normaliser);
        std::vector<std::string> cells = {way.name};
        std::size_t n_used = 0;
        double sum = 0;
        for (std::size_t j = 0; j < n_keys; ++j) {
            n_used += found.weights(0, j) > 0 ? 1 : 0;
            sum += found.weights(0, j);
            if (n_keys <= n_shown_keys) {
                cells.push_back(fixed(found.weights(0, j), 3));
            }
        }
        cells.insert(cells.end(),
                     {std::to_string(n_used), significant(sum, digits),
                      n_used == 0 ? "no row" : significant(found.context(0, 0), digits)});
        output.row(cells);
    }
    frame.terminal.table(output);
}

void temperatures(Frame& frame, const NamedTable& table)
{
    lookup::Question question = table.question;
    const std::size_t last = question.queries.shape(0) - 1;
    question.queries = single_row(table.question.queries, last);
    const lookup::Score& score = lookup::scores()[1];
    frame.terminal.heading(fmt::format("Soft lookup of {} = {} as the temperature rises",
                                       fmt::join(table.key_names, ", "),
                                       show_row(question.queries, 0)));

    const Vector shown = geometric_steps(0.01, 10000, 7);
    const lookup::Attention coarse = lookup::along_temperatures(question, score, shown);
    program::HeatMap map{coarse.weights,
                         {},
                         "temperature: answer",
                         fmt::format("{} of the key", fmt::join(table.key_names, ", ")),
                         {}};
    for (std::size_t step = 0; step < shown.size(); ++step) {
        map.row_labels.push_back(fmt::format("{}: {}", significant(shown(step), 5),
                                             significant(coarse.context(step, 0), digits)));
    }
    for (std::size_t j = 0; j < question.keys.shape(0); ++j) {
        map.column_labels.push_back(show_row(question.keys, j));
    }
    frame.terminal.heat_map(map);

    const Vector fine = geometric_steps(0.01, 10000, 73);
    const lookup::Attention path = lookup::along_temperatures(question, score, fine);
    program::CsvColumns columns;
    columns.add("temperature", fine, significant, digits)
        .add("answer", column_of(path.context, 0), significant, digits)
        .add_each(program::numbered("weight", question.keys.shape(0)), path.weights, fixed, 5);
    frame.files.write_csv("temperature.csv", columns);
}

void hull(Frame& frame)
{
    const Vector temperatures = geometric_steps(0.01, 10000, 73);
    program::CsvColumns columns;
    columns.add("temperature", temperatures, significant, digits);
    for (const lookup::Score& score : {lookup::scores()[1], lookup::scores()[2]}) {
        for (std::size_t query = 0; query < 2; ++query) {
            const lookup::Attention path =
                lookup::along_temperatures(pencil_question(query), score, temperatures);
            const std::string name = fmt::format("{}_query{}", score.name, query + 1);
            columns.add_each({name + "_x", name + "_y"}, path.context, fixed, 4);
        }
    }
    frame.files.write_csv("hull.csv", columns);
}

void slider(Frame& frame)
{
    const lookup::Question question = pencil_question(0);
    const Vector temperatures = geometric_steps(0.01, 100, 81);
    const lookup::Attention path =
        lookup::along_temperatures(question, lookup::scores()[1], temperatures);
    program::WidgetData data;
    data.set("temperatures", temperatures, digits)
        .set("query", Vector(xt::row(question.queries, 0)), digits)
        .set("keys", question.keys, digits)
        .set("values", question.values, digits)
        .set("key_labels", std::vector<std::string>{"key 1", "key 2", "key 3"})
        .set("scores", Vector(xt::row(path.scores, 0)), digits)
        .set("weights", path.weights, digits)
        .set("contexts", path.context, digits);
    frame.files.write_widget_data("01_lookup_temperature.data.js", data);
}

void longest_key(Frame& frame)
{
    frame.terminal.heading("The dot product may return the longest key, not the nearest");
    program::Table output({"query", "score", "key (1, 0)", "key (0, 1)", "key (2, 2)", "best"});
    for (std::size_t query = 0; query < 2; ++query) {
        for (const lookup::Score& score : {lookup::scores()[1], lookup::scores()[2]}) {
            const lookup::Question question = pencil_question(query);
            const lookup::Attention hard = lookup::attend(
                question.queries, question.keys, question.values, score, lookup::one_hot);
            std::vector<std::string> cells = {show_row(question.queries, 0), score.name};
            std::vector<std::string> best;
            for (std::size_t j = 0; j < question.keys.shape(0); ++j) {
                cells.push_back(significant(hard.scores(0, j), digits));
                if (hard.weights(0, j) > 0) {
                    best.push_back(show_row(question.keys, j));
                }
            }
            cells.push_back(fmt::format("{}", fmt::join(best, " and ")));
            output.row(cells);
        }
    }
    frame.terminal.table(output);

    const lookup::WinnerMap map = lookup::winner_map(pencil_example::keys(), -1, 3, 25);
    frame.terminal.line(fmt::format(
        "Of {} queries on a grid from (-1, -1) to (3, 3), {} % get another key (of keys that "
        "tie, the first is taken).",
        map.nearest.size(), significant(100 * lookup::disagreement(map), digits)));
    program::CsvColumns columns;
    columns.add_each({"x", "y"}, map.queries, significant, digits)
        .add("nearest", map.nearest, fixed, 0)
        .add("dot", map.dot, fixed, 0);
    frame.files.write_csv("winner.csv", columns);
    program::CsvColumns keys;
    keys.add_each({"x", "y"}, pencil_example::keys(), significant, digits);
    frame.files.write_csv("pencil_keys.csv", keys);
}

void pencil_steps(Frame& frame)
{
    const Matrix queries = pencil_example::queries();
    const Matrix keys = pencil_example::keys();
    const Matrix values = pencil_example::values();
    program::trace_inputs(frame.terminal, queries, keys, values);
    for (const lookup::Lookup& way : lookup::lookups(2, 1.0)) {
        const lookup::Attention found =
            lookup::attend(queries, keys, values, way.score, way.normaliser);
        frame.terminal.heading(way.name);
        program::trace(frame.terminal, "S", way.score.idea, "n_queries, n_keys", found.scores);
        program::trace(frame.terminal, "A", way.normaliser.idea, "n_queries, n_keys",
                       found.weights);
        program::trace(frame.terminal, "C", "the contexts A V", "n_queries, d_v",
                       found.context);
    }
}

} // namespace attn::lookup::report
