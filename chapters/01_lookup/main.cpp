/// \file
/// \brief The program of chapter 1: looks a query up in a table in six ways, moves the query,
/// turns the temperature, masks a key, then lets the dot product surprise. Data in, tables out,
/// numbers out; the ideas are in lookup.hpp, the tables in experiments/.
#include "chapters/01_lookup/experiments/experiments.hpp"
#include "chapters/01_lookup/thermometer.csv.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace {

using namespace attn;
using lookup::NamedTable;
using program::Frame;

/// What the reader may choose.
struct Options
{
    std::optional<std::string> table;
    std::optional<std::string> value;
    std::vector<double> query;
    std::size_t k = 2;
    std::optional<double> temperature = 1.0;
};

/// Reads the table: the value is the last column or the one named, the key all others.
NamedTable read_table(const Options& options)
{
    const program::NumericTable columns =
        options.table ? program::read_numeric_csv(*options.table)
                      : program::parse_numeric_csv(lookup::thermometer_csv, "thermometer.csv");
    NamedTable table;
    table.value_name = options.value.value_or(columns.names.back());
    table.inputs.values = as_column(columns.vector(table.value_name));
    for (const std::string& name : columns.names) {
        if (name != table.value_name) {
            table.key_names.push_back(name);
        }
    }
    if (table.key_names.empty()) {
        throw program::BadInput(fmt::format(
            "{}: the table must have at least two columns, a key and a value, got one",
            columns.source));
    }
    table.inputs.keys = Matrix::from_shape({columns.n_rows(), table.key_names.size()});
    for (std::size_t column = 0; column < table.key_names.size(); ++column) {
        xt::col(table.inputs.keys, static_cast<std::ptrdiff_t>(column)) =
            columns.vector(table.key_names[column]);
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
            numbers.push_back(table.inputs.keys(0, column));
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

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, const Options& options)
{
    expect_positive(*options.temperature, "--temperature", "the temperature");
    if (!options.table) { // with the reader's own table nothing is written
        frame.files.require_writable();
    }
    NamedTable table = read_table(options);
    table.inputs.queries = read_queries(options, table);
    frame.terminal.paragraph(fmt::format("A table of {} rows: the key is {}, the value is {}.",
                                         table.inputs.keys.shape(0),
                                         fmt::join(table.key_names, ", "), table.value_name));
    for (std::size_t query = 0; query < table.inputs.queries.shape(0); ++query) {
        lookup::show_lookups(frame, table, query, options.k, *options.temperature);
    }
    if (options.table) {
        return; // the reader's own table: what follows is the book's
    }
    lookup::show_moving_query(frame, table);
    lookup::show_temperatures(frame, table);
    lookup::show_masks(frame, table);
    lookup::show_longest_key(frame);
    lookup::show_hull(frame);
    lookup::show_slider(frame);
    frame.files.draw_figures("01_lookup", {"answers", "temperature", "hull", "winner"});
}

} // namespace

int main(int argc, char** argv)
{
    Options options;
    program::CommandLine command_line(
        {"01_lookup", "What is a query, a key, a value?",
         "build/bin/01_lookup\n"
         "build/bin/01_lookup --table cities.csv --query 48.9,2.4 --temperature 4"});
    command_line.add_input("--table", options.table, "FILE.csv",
                           "your own table of numbers: the last column is the value, all "
                           "others are the key");
    command_line.add_text("--value", options.value, "NAME", "the value's column");
    command_line.add_numbers("--query", options.query, "NUMBERS",
                             "what to look up; several queries one after another");
    command_line.add_count("--neighbours", options.k, 1, "how many nearest keys to average");
    command_line.add_number("--temperature", options.temperature, "NUMBER",
                            "of the soft lookup: above 0");
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        frame.options.trace ? lookup::show_pencil_steps(frame) : show_chapter(frame, options);
    });
}
