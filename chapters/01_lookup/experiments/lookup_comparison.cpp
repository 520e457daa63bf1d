#include "chapters/01_lookup/experiments/experiments.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "common/kernels/elementary.hpp"
#include "common/kernels/geometric_steps.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/trace.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace attn::lookup {

using program::fixed;
using program::Frame;
using program::significant;

Attention along_temperatures(const AttentionInputs& inputs, const Score& score,
                             const Vector& temperatures)
{
    const std::size_t n_temperatures = temperatures.size();
    const Matrix queries =
        xt::ones<double>({n_temperatures, std::size_t{1}}) * single_row(inputs.queries, 0);
    return attend(queries, inputs.keys, inputs.values, score, [&](const Matrix& scores) {
        Matrix weights = scores;
        for (std::size_t step = 0; step < n_temperatures; ++step) {
            xt::view(weights, xt::range(step, step + 1), xt::all()) =
                softmax(single_row(scores, step), temperatures(step));
        }
        return weights;
    });
}

namespace {

/// Scores that are nearer to each other tie, so that every machine draws the same map.
constexpr double rounding = 1e-9;

/// The column of each row's highest score; of several that tie, the first.
std::vector<std::size_t> winners(const Matrix& scores)
{
    std::vector<std::size_t> best(scores.shape(0), 0);
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        for (std::size_t j = 1; j < scores.shape(1); ++j) {
            if (scores(i, j) > scores(i, best[i]) + rounding) {
                best[i] = j;
            }
        }
    }
    return best;
}

} // namespace

WinnerMap winner_map(const Matrix& keys, double low, double high, std::size_t n_side)
{
    expect_columns(keys, 2, "winner_map", "keys", "points of the plane");
    expect(n_side >= 2, "winner_map: n_side must be at least 2, got {}", n_side);
    WinnerMap map;
    map.queries = Matrix::from_shape({n_side * n_side, 2});
    // Weigh the two ends, so that a point in the middle of -1 and 1 is 0 on every processor.
    const auto coordinate = [&](std::size_t i) {
        const auto last = static_cast<double>(n_side - 1);
        const auto along = static_cast<double>(i);
        return (low * (last - along) + high * along) / last;
    };
    for (std::size_t point = 0; point < n_side * n_side; ++point) {
        map.queries(point, 0) = coordinate(point % n_side);
        map.queries(point, 1) = coordinate(point / n_side);
    }
    const Matrix nearness =
        minus_half_squared_distance(map.queries, keys);     // [n_points, n_keys]
    const Matrix products = dot_product(map.queries, keys); // [n_points, n_keys]
    map.nearest = winners(nearness);
    map.dot = winners(products);

    // Count the points at which no key is the best by both scores, ties included.
    for (std::size_t point = 0; point < map.nearest.size(); ++point) {
        const double nearest = nearness(point, map.nearest[point]) - rounding;
        const double largest = products(point, map.dot[point]) - rounding;
        bool agree = false;
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            agree = agree || (nearness(point, j) >= nearest && products(point, j) >= largest);
        }
        map.n_farther += agree ? 0 : 1;
    }
    return map;
}

double disagreement(const WinnerMap& map)
{
    return static_cast<double>(map.n_farther) / static_cast<double>(map.nearest.size());
}

namespace {

constexpr int digits = 4;

/// A row of a matrix for the reader's eyes: "10" or "(1, 2)".
std::string show_row(const Matrix& matrix, std::size_t row)
{
    std::vector<std::string> cells;
    for (std::size_t column = 0; column < matrix.shape(1); ++column) {
        cells.push_back(significant(matrix(row, column),
                                    program::digits_apart(column_of(matrix, column), digits)));
    }
    return cells.size() == 1 ? cells[0] : fmt::format("({})", fmt::join(cells, ", "));
}

/// The pencil example with one of its queries.
AttentionInputs pencil_inputs(std::size_t query)
{
    return {pencil_example::keys(), pencil_example::values(),
            single_row(pencil_example::queries(), query)};
}

} // namespace

namespace {

/// The keys of a query's tables as column headers, between a first one and two last ones.
std::vector<std::string> header_of(const NamedTable& table, bool with_keys)
{
    const std::string names = fmt::format("{}", fmt::join(table.key_names, ", "));
    std::vector<std::string> header = {with_keys ? names + " of the key" : "lookup"};
    for (std::size_t j = 0; with_keys && j < table.inputs.keys.shape(0); ++j) {
        header.push_back(show_row(table.inputs.keys, j));
    }
    header.insert(header.end(), {"sum", table.value_name});
    return header;
}

/// One query's weights [1, n_keys], their sum and the answer; no row without a weight.
/// \param of_values  digits of the answer
std::vector<std::string> cells_of(const std::string& name, const Matrix& weights,
                                  const Matrix& context, bool with_keys, int of_values = digits)
{
    std::vector<std::string> cells = {name};
    double sum = 0;
    for (const double weight : weights) {
        sum += weight;
        if (with_keys) {
            cells.push_back(fixed(weight, digits));
        }
    }
    cells.insert(cells.end(), {significant(sum, digits),
                               sum == 0 ? "no row" : significant(context(0, 0), of_values)});
    return cells;
}

} // namespace

namespace {

/// The power of two by which a number is divided before it is squared: 0 unless the square would
/// overflow or vanish.
int exponent_of(double x)
{
    const bool usual = x == 0 || (x > 1e-145 && x < 1e145);
    return usual ? 0 : std::ilogb(x);
}

/// The largest number of a matrix, whatever its sign.
double largest_of(const Matrix& matrix)
{
    double largest = 0;
    for (const double x : matrix) {
        largest = std::max(largest, std::abs(x));
    }
    return largest;
}

/// The largest coordinate of the nearest key that is not the query itself, by differences from the
/// query: [n_keys, d_k].
double nearest_of(const Matrix& differences)
{
    double nearest = 0;
    for (std::size_t j = 0; j < differences.shape(0); ++j) {
        const double gap = largest_of(single_row(differences, j));
        nearest = gap > 0 && (nearest == 0 || gap < nearest) ? gap : nearest;
    }
    return nearest;
}

Matrix divided(Matrix matrix, int exponent)
{
    for (double& x : matrix) {
        x = std::ldexp(x, -exponent);
    }
    return matrix;
}

double divided_temperature(double temperature, int exponent)
{
    return std::clamp(std::ldexp(temperature, -2 * exponent),
                      std::numeric_limits<double>::min(), std::numeric_limits<double>::max());
}

} // namespace

void show_lookups(Frame& frame, const NamedTable& table, std::size_t query, std::size_t k,
                  double temperature)
{
    const auto& [keys, values, queries] = table.inputs;
    const Matrix one_query = single_row(queries, query); // [1, d_k]
    constexpr std::size_t n_shown_keys = 8;
    const bool with_keys = keys.shape(0) <= n_shown_keys;
    frame.terminal.heading(fmt::format("Query: {} = {}", fmt::join(table.key_names, ", "),
                                       show_row(queries, query)));
    // Differences from the query, so that nothing is lost to a large offset; and both in a unit in
    // which squares have a place.
    Matrix differences = keys;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        differences.data()[i] -= one_query.data()[i % keys.shape(1)];
    }
    const int of_distances = exponent_of(nearest_of(differences));
    const int of_products = exponent_of(std::max(largest_of(keys), largest_of(one_query)));
    for (const auto& [exponent, what] :
         {std::pair(of_distances, "Distances from the query"),
          std::pair(of_products, "For products, keys and query")}) {
        if (exponent != 0) {
            frame.terminal.paragraph(fmt::format(
                "{} are divided by 2^{}, and the temperature by the square of that: their own "
                "squares have no place in a double.",
                what, exponent));
        }
    }

    const int of_values = program::digits_apart(values, digits);
    program::Table output(header_of(table, with_keys));
    std::string score_shown;
    const auto by_distance = lookups(k, divided_temperature(temperature, of_distances));
    const auto by_product = lookups(k, divided_temperature(temperature, of_products));
    for (std::size_t i = 0; i < by_distance.size(); ++i) {
        const bool distance = by_distance[i].score.name == "distance";
        const Lookup& way = distance ? by_distance[i] : by_product[i];
        const Attention found =
            distance ? attend(xt::zeros_like(one_query), divided(differences, of_distances),
                              values, way.score, way.normaliser)
                     : attend(divided(one_query, of_products), divided(keys, of_products),
                              values, way.score, way.normaliser);
        if (with_keys && way.score.name != score_shown) {
            score_shown = way.score.name;
            std::vector<std::string> cells =
                program::texts_of(found.scores, significant, digits);
            cells.insert(cells.begin(), "score: " + score_shown);
            cells.insert(cells.end(), {"", ""});
            output.row(cells);
        }
        output.row(cells_of(way.name, found.weights, found.context, with_keys, of_values));
    }
    frame.terminal.table(output);
}

void show_masks(Frame& frame, const NamedTable& table)
{
    frame.terminal.heading("The nearest reading masked, at 10 o'clock");
    const Matrix& values = table.inputs.values;
    const Matrix scores = minus_half_squared_distance({{10}}, table.inputs.keys); // [1, n_keys]
    const std::size_t nearest = winners(scores)[0];
    const auto with_score = [&](double score) {
        Matrix changed = scores;
        changed(0, nearest) = score;
        return softmax(changed);
    };
    Matrix set_afterwards = softmax(scores);
    set_afterwards(0, nearest) = 0;

    program::Table output(header_of(table, true));
    const auto show = [&](const std::string& how, const Matrix& weights) {
        output.row(cells_of(how, weights, weighted_sum(weights, values), true));
    };
    show("not masked", softmax(scores));
    show("score set to -inf", with_score(-std::numeric_limits<double>::infinity()));
    show("score set to 0", with_score(0));
    show("weight set to 0", set_afterwards);
    frame.terminal.table(output);
}

Attention answers_along(const NamedTable& table, const Vector& queries,
                        const Normaliser& normaliser)
{
    return attend(as_column(queries), table.inputs.keys, table.inputs.values,
                  minus_half_squared_distance, normaliser);
}

void show_moving_query(Frame& frame, const NamedTable& table)
{
    frame.terminal.heading("The answer while the query moves");
    const std::vector<Normaliser> ways = normalisers(2, 1.0);
    const Normaliser& nearest = ways[0];
    const Normaliser& soft = ways[2];
    const Vector shown = {10, 10.4, 10.5, 10.6, 11, 23};
    const Attention hard_answers = answers_along(table, shown, nearest);
    const Attention soft_answers = answers_along(table, shown, soft);
    program::Table output({fmt::format("{}", fmt::join(table.key_names, ", ")), nearest.name,
                           soft.name, "best score"});
    for (std::size_t i = 0; i < shown.size(); ++i) {
        output.row({significant(shown(i), digits),
                    significant(hard_answers.context(i, 0), digits),
                    significant(soft_answers.context(i, 0), digits),
                    significant(xt::amax(single_row(soft_answers.scores, i))(), digits)});
    }
    frame.terminal.table(output);

    // A quotient is rounded once, so that 10.5 is on the grid on every processor.
    const Vector fine = xt::arange<double>(100, 381) / 20.0;
    program::CsvColumns columns;
    columns.add("hour", fine, significant, digits);
    for (const Normaliser& way : {nearest, soft}) {
        columns.add(way.name, column_of(answers_along(table, fine, way).context, 0),
                    significant, digits);
    }
    frame.files.write_csv("answers.csv", columns);
    program::CsvColumns readings;
    readings.add("hour", column_of(table.inputs.keys, 0), significant, digits)
        .add(table.value_name, column_of(table.inputs.values, 0), significant, digits);
    frame.files.write_csv("readings.csv", readings);
}

void show_temperatures(Frame& frame, const NamedTable& table)
{
    AttentionInputs inputs = table.inputs;
    const std::size_t last = inputs.queries.shape(0) - 1;
    inputs.queries = single_row(table.inputs.queries, last);
    const Score& score = scores()[1];
    frame.terminal.heading(fmt::format("Soft lookup of {} = {} as the temperature rises",
                                       fmt::join(table.key_names, ", "),
                                       show_row(inputs.queries, 0)));

    const Vector shown = geometric_steps(0.01, 10000, 7);
    const Attention coarse = along_temperatures(inputs, score, shown);
    program::HeatMap map{coarse.weights,
                         {},
                         "temperature: answer",
                         fmt::format("{} of the key", fmt::join(table.key_names, ", ")),
                         {}};
    for (std::size_t step = 0; step < shown.size(); ++step) {
        map.row_labels.push_back(fmt::format("{}: {}", significant(shown(step), 5),
                                             significant(coarse.context(step, 0), digits)));
    }
    for (std::size_t j = 0; j < inputs.keys.shape(0); ++j) {
        map.column_labels.push_back(show_row(inputs.keys, j));
    }
    frame.terminal.heat_map(map);

    const Vector fine = geometric_steps(0.01, 10000, 73);
    const Attention path = along_temperatures(inputs, score, fine);
    program::CsvColumns columns;
    columns.add("temperature", fine, significant, digits)
        .add("answer", column_of(path.context, 0), significant, digits)
        .add_each(program::numbered("weight", inputs.keys.shape(0)), path.weights, fixed, 5);
    frame.files.write_csv("temperature.csv", columns);
}

void show_hull(Frame& frame)
{
    const Vector temperatures = geometric_steps(0.01, 10000, 73);
    program::CsvColumns columns;
    columns.add("temperature", temperatures, significant, digits);
    for (const Score& score : {scores()[1], scores()[2]}) {
        for (std::size_t query = 0; query < 2; ++query) {
            const Attention path =
                along_temperatures(pencil_inputs(query), score, temperatures);
            const std::string name = fmt::format("{}_query{}", score.name, query + 1);
            columns.add_each({name + "_x", name + "_y"}, path.context, fixed, 4);
        }
    }
    frame.files.write_csv("hull.csv", columns);
}

void show_slider(Frame& frame)
{
    const AttentionInputs inputs = pencil_inputs(0);
    const Vector temperatures = geometric_steps(0.01, 100, 81);
    const Attention path = along_temperatures(inputs, scores()[1], temperatures);
    program::WidgetData data;
    data.set("temperatures", temperatures, digits)
        .set("query", Vector(xt::row(inputs.queries, 0)), digits)
        .set("keys", inputs.keys, digits)
        .set("values", inputs.values, digits)
        .set("key_labels", std::vector<std::string>{"key 1", "key 2", "key 3"})
        .set("scores", Vector(xt::row(path.scores, 0)), digits)
        .set("weights", path.weights, digits)
        .set("contexts", path.context, digits);
    frame.files.write_widget_data("01_lookup_temperature.data.js", data);
}

void show_longest_key(Frame& frame)
{
    frame.terminal.heading("The dot product may return the longest key, not the nearest");
    program::Table output({"query", "score", "key (1, 0)", "key (0, 1)", "key (2, 2)", "best"});
    for (std::size_t query = 0; query < 2; ++query) {
        for (const Score& score : {scores()[1], scores()[2]}) {
            const AttentionInputs inputs = pencil_inputs(query);
            const Attention hard =
                attend(inputs.queries, inputs.keys, inputs.values, score, one_hot);
            std::vector<std::string> cells = {show_row(inputs.queries, 0), score.name};
            std::vector<std::string> best;
            for (std::size_t j = 0; j < inputs.keys.shape(0); ++j) {
                cells.push_back(significant(hard.scores(0, j), digits));
                if (hard.weights(0, j) > 0) {
                    best.push_back(show_row(inputs.keys, j));
                }
            }
            cells.push_back(fmt::format("{}", fmt::join(best, " and ")));
            output.row(cells);
        }
    }
    frame.terminal.table(output);

    const WinnerMap map = winner_map(pencil_example::keys(), -1, 3, 25);
    frame.terminal.line(fmt::format("Of {} queries on a grid from (-1, -1) to (3, 3), {} % get "
                                    "a key that is farther than the nearest.",
                                    map.nearest.size(),
                                    significant(100 * disagreement(map), digits)));
    program::CsvColumns columns;
    columns.add_each({"x", "y"}, map.queries, significant, digits)
        .add("nearest", map.nearest, fixed, 0)
        .add("dot", map.dot, fixed, 0);
    frame.files.write_csv("winner.csv", columns);
    program::CsvColumns keys;
    keys.add_each({"x", "y"}, pencil_example::keys(), significant, digits);
    frame.files.write_csv("pencil_keys.csv", keys);
}

void show_pencil_steps(Frame& frame)
{
    const Matrix queries = pencil_example::queries();
    const Matrix keys = pencil_example::keys();
    const Matrix values = pencil_example::values();
    program::trace_inputs(frame.terminal, queries, keys, values);
    for (const Lookup& way : lookups(2, 1.0)) {
        const Attention found = attend(queries, keys, values, way.score, way.normaliser);
        frame.terminal.heading(way.name);
        program::trace(frame.terminal, "S", way.score.idea, "n_queries, n_keys", found.scores);
        if (way.name == "soft") {
            const Matrix row_max = xt::amax(found.scores, {1}, xt::keep_dims);
            Matrix exponentials = found.scores - row_max;
            for (double& number : exponentials) {
                number = elementary::exp(number);
            }
            program::trace(frame.terminal, "E", "exp(S - the row's maximum)",
                           "n_queries, n_keys", exponentials);
        }
        program::trace(frame.terminal, "A", way.normaliser.idea, "n_queries, n_keys",
                       found.weights);
        program::trace(frame.terminal, "C", "the contexts A V", "n_queries, d_v",
                       found.context);
    }
}

} // namespace attn::lookup
