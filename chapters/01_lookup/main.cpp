/// \file
/// \brief The program of chapter 1: looks a query up in a table in six ways, then turns the
/// temperature, then lets the dot product surprise. Data in, tables out, numbers out; the
/// ideas are in lookup.hpp.
#include "chapters/01_lookup/experiments.hpp"
#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/01_lookup/thermometer.csv.hpp"
#include "common/program/csv.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/trace.hpp"

#include <fmt/format.h>

namespace {

using namespace attn;
using program::fixed;
using program::Frame;
using program::significant;

constexpr int digits = 4;

/// What the reader may choose.
struct Options
{
    std::optional<std::string> table;
    std::optional<std::string> value;
    std::vector<double> query;
    std::size_t k = 2;
    std::optional<double> temperature = 1.0;
};

/// A table of data with its columns' roles.
struct NamedTable
{
    std::vector<std::string> key_names;
    std::string value_name;
    lookup::Question question;
};

/// Reads the table: the value is the last column or the one named, the key all others.
NamedTable read_table(const Options& options)
{
    const program::NumericTable data =
        options.table ? program::read_numeric_csv(*options.table)
                      : program::parse_numeric_csv(lookup::thermometer_csv, "thermometer.csv");
    NamedTable table;
    table.value_name = options.value.value_or(data.names.back());
    table.question.values = as_column(data.vector(table.value_name));
    for (const std::string& name : data.names) {
        if (name != table.value_name) {
            table.key_names.push_back(name);
        }
    }
    if (table.key_names.empty()) {
        throw program::BadInput(fmt::format(
            "{}: the table must have at least two columns, a key and a value, got one",
            data.source));
    }
    table.question.keys = Matrix::from_shape({data.n_rows(), table.key_names.size()});
    for (std::size_t column = 0; column < table.key_names.size(); ++column) {
        xt::col(table.question.keys, static_cast<std::ptrdiff_t>(column)) =
            data.vector(table.key_names[column]);
    }
    return table;
}

/// The numbers behind --query, one query a row.
Matrix read_queries(const Options& options, const NamedTable& table)
{
    std::vector<double> numbers = options.query;
    if (numbers.empty() && !options.table) {
        numbers = {9, 12, 10};
    }
    const std::size_t d_k = table.key_names.size();
    if (numbers.empty()) { // the reader's own table without a query: ask for its first key
        for (std::size_t column = 0; column < d_k; ++column) {
            numbers.push_back(table.question.keys(0, column));
        }
    }
    if (numbers.size() % d_k != 0) {
        throw program::BadInput(fmt::format(
            "--query: the key has {} columns ({}), so the numbers must come in groups of {}, "
            "got {}",
            d_k, fmt::join(table.key_names, ", "), d_k, numbers.size()));
    }
    Matrix queries = Matrix::from_shape({numbers.size() / d_k, d_k});
    std::copy(numbers.begin(), numbers.end(), queries.begin());
    return queries;
}

/// A row of a matrix for the reader's eyes: "10" or "(1, 2)".
std::string show_row(const Matrix& matrix, std::size_t row)
{
    std::vector<std::string> cells;
    for (std::size_t column = 0; column < matrix.shape(1); ++column) {
        cells.push_back(significant(matrix(row, column), digits));
    }
    return cells.size() == 1 ? cells[0] : fmt::format("({})", fmt::join(cells, ", "));
}

/// Prints every lookup's weights and answer for one query.
void show_lookups(Frame& frame, const NamedTable& table, std::size_t query,
                  const Options& options)
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
    for (const lookup::Lookup& way : lookup::lookups(options.k, *options.temperature)) {
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

/// Prints and keeps what the temperature does to the last query of the table.
void show_temperatures(Frame& frame, const NamedTable& table)
{
    lookup::Question question = table.question;
    const std::size_t last = question.queries.shape(0) - 1;
    question.queries = single_row(table.question.queries, last);
    const lookup::Score& score = lookup::scores()[1];
    frame.terminal.heading(fmt::format("Soft lookup of {} = {} as the temperature rises",
                                       fmt::join(table.key_names, ", "),
                                       show_row(question.queries, 0)));

    const Vector shown = lookup::geometric_steps(0.01, 10000, 7);
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

    const Vector fine = lookup::geometric_steps(0.01, 10000, 73);
    const lookup::Attention path = lookup::along_temperatures(question, score, fine);
    program::CsvColumns columns;
    columns.add("temperature", fine, significant, digits)
        .add("answer", column_of(path.context, 0), significant, digits)
        .add_each(program::numbered("weight", question.keys.shape(0)), path.weights, fixed, 5);
    frame.files.write_csv("temperature.csv", columns.names(), columns.cells());
}

/// The question of the pencil example's query of a given number.
lookup::Question pencil_question(std::size_t query)
{
    namespace pencil = lookup::pencil_example;
    return {pencil::keys(), pencil::values(), single_row(pencil::queries(), query)};
}

/// Keeps the paths of the pencil example's contexts through the triangle of its values.
void keep_hull(Frame& frame)
{
    const Vector temperatures = lookup::geometric_steps(0.01, 10000, 73);
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
    frame.files.write_csv("hull.csv", columns.names(), columns.cells());
}

/// Keeps what the temperature slider of the page shows.
void keep_slider(Frame& frame)
{
    const lookup::Question question = pencil_question(0);
    const Vector temperatures = lookup::geometric_steps(0.01, 100, 81);
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

/// Prints and keeps where the dot product returns another key than the nearest.
void show_longest_key(Frame& frame)
{
    namespace pencil = lookup::pencil_example;
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

    const lookup::WinnerMap map = lookup::winner_map(pencil::keys(), -1, 3, 25);
    frame.terminal.line(
        fmt::format("Of {} queries on a grid from (-1, -1) to (3, 3), {} % get another key.",
                    map.nearest.size(), significant(100 * lookup::disagreement(map), digits)));
    program::CsvColumns columns;
    columns.add_each({"x", "y"}, map.queries, significant, digits)
        .add("nearest", map.nearest, fixed, 0)
        .add("dot", map.dot, fixed, 0);
    frame.files.write_csv("winner.csv", columns.names(), columns.cells());
    program::CsvColumns keys;
    keys.add_each({"x", "y"}, pencil::keys(), significant, digits);
    frame.files.write_csv("pencil_keys.csv", keys.names(), keys.cells());
}

/// The pencil-size example, every intermediate by its name and shape.
void trace_pencil_example(Frame& frame)
{
    namespace pencil = lookup::pencil_example;
    const Matrix queries = pencil::queries();
    const Matrix keys = pencil::keys();
    const Matrix values = pencil::values();
    program::trace(frame.terminal, "Q", "the queries", "n_queries, d", queries);
    program::trace(frame.terminal, "K", "the keys", "n_keys, d", keys);
    program::trace(frame.terminal, "V", "the values", "n_keys, d_v", values);
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

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, const Options& options)
{
    NamedTable table = read_table(options);
    table.question.queries = read_queries(options, table);
    frame.terminal.paragraph(fmt::format("A table of {} rows: the key is {}, the value is {}.",
                                         table.question.keys.shape(0),
                                         fmt::join(table.key_names, ", "), table.value_name));
    for (std::size_t query = 0; query < table.question.queries.shape(0); ++query) {
        show_lookups(frame, table, query, options);
    }
    if (options.table) {
        return; // the reader's own table: what follows is the book's
    }
    show_temperatures(frame, table);
    show_longest_key(frame);
    keep_hull(frame);
    keep_slider(frame);
    for (const char* figure : {"01_lookup_temperature", "01_lookup_hull", "01_lookup_winner"}) {
        frame.files.draw_figure(figure);
    }
}

} // namespace

int main(int argc, char** argv)
{
    Options options;
    program::CommandLine command_line(
        {"01_lookup", "What is a query, a key, a value?",
         "build/bin/01_lookup\n"
         "build/bin/01_lookup --table cities.csv --query 48.9,2.4 --temperature 4"});
    command_line.add_text("--table", options.table, "FILE.csv",
                          "your own table of numbers: the last column is the value, all "
                          "others are the key");
    command_line.add_text("--value", options.value, "NAME", "the value's column");
    command_line.add_numbers("--query", options.query, "NUMBERS",
                             "what to look up; several queries one after another");
    command_line.add_count("--neighbours", options.k, 1, "how many nearest keys to average");
    command_line.add_number("--temperature", options.temperature, "NUMBER",
                            "of the soft lookup: above 0");
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        frame.options.trace ? trace_pencil_example(frame) : show_chapter(frame, options);
    });
}
