#include "chapters/05_attention_versus_dense/experiments/report.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/05_attention_versus_dense/ceilings.hpp"
#include "chapters/05_attention_versus_dense/experiments/experiments.hpp"
#include "chapters/05_attention_versus_dense/experiments/layer_facts.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/trace.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace attn::attention_versus_dense::report {

using program::fixed;
using program::Frame;
using program::significant;

void indices(Frame& frame)
{
    constexpr std::size_t n_features = 5;
    frame.terminal.heading("Which index a weight carries");
    frame.terminal.paragraph(fmt::format(
        "Each layer for T = {} steps of K = {} features, with one unit. The weight is what "
        "x_tk "
        "of example n is multiplied with on its way into the result; numbers are those to be "
        "learnt. Sees x: the result is no linear function of the sequence, since the weight "
        "depends on it. Order: the largest change of a result when the steps are put in "
        "another order. Longer: whether the same layer takes T + 1 steps. Measured in double "
        "on "
        "random sequences.",
        n_marked_steps, n_features));
    frame.terminal.line();
    program::Table table({"layer", "weight", "numbers", "sees x", "order", "longer"});
    const std::uint64_t seed = frame.options.seed;
    for (const ComparedLayer& layer : compared_layers(seed, n_marked_steps, n_features)) {
        const LayerFacts facts = facts_of(layer, seed, n_marked_steps, n_features);
        table.row({layer.name, layer.weight, std::to_string(layer.n_numbers),
                   facts.sees_input ? "yes" : "no",
                   facts.order_change < 1e-12 ? "below 1e-12" : "changes",
                   facts.any_length ? "yes" : "no"});
    }
    frame.terminal.table(table);
}

void ceilings(Frame& frame)
{
    constexpr double tanh_and_bias = 2; // from -1 to 1
    constexpr double tanh_alone = 1;    // from tanh(0) = 0 to 1
    frame.terminal.heading("What a tanh leaves, by algebra");
    frame.terminal.paragraph(
        "One step of T is marked, and its numbers are to be predicted. A tanh keeps scores "
        "between -1 and 1: a marked score of 1 beside others of -1 if there is a bias, beside "
        "others of 0 if there is none. The largest weight, and the R^2 that a linear readout "
        "reaches with it. The trivial rule, the mean of the steps, has 1/T.");
    frame.terminal.line();
    program::Table table({"T", "largest weight", "R^2, tanh and bias", "R^2, tanh alone",
                          "R^2, mean of the steps"});
    for (const std::size_t T : {5U, 10U, 20U, 50U, 100U, 500U}) {
        table.row({std::to_string(T), fixed(largest_weight(tanh_and_bias, T), 4),
                   fixed(marked_ceiling(tanh_and_bias, T), 4),
                   fixed(marked_ceiling(tanh_alone, T), 4), fixed(marked_ceiling(0, T), 4)});
    }
    frame.terminal.table(table);

    program::CsvRows csv({{"n_steps", fixed, 0},
                          {"with_bias", fixed, 4},
                          {"without_bias", fixed, 4},
                          {"mean", fixed, 4}});
    for (std::size_t T = 2; T <= 128; T += T < 20 ? 1 : T / 10) {
        csv.add({static_cast<double>(T), marked_ceiling(tanh_and_bias, T),
                 marked_ceiling(tanh_alone, T), marked_ceiling(0, T)});
    }
    frame.files.write_csv("ceilings.csv", csv.columns());
}

namespace {

Matrix as_row(const Variable<double>& column)
{
    Matrix row = Matrix::from_shape({1, column.size()});
    std::copy_n(column.value().data(), column.size(), row.data());
    return row;
}

/// One sequence through a layer.
void trace_sequence(Frame& frame, const char* name, const Matrix& X,
                    const AttentionOverTime<double>& layer)
{
    const Array<double> batch = array_of<double>({1, X.shape(0), X.shape(1)},
                                                 std::span<const double>(X.data(), X.size()));
    const Attended<double> attended = layer(batch);
    program::trace(frame.terminal, fmt::format("{} c^T", name),
                   layer.squash == Squash::tanh ? "the scores tanh(X W + b)"
                                                : "the scores X W + b",
                   "one, n_steps", as_row(attended.scores));
    program::trace(frame.terminal, fmt::format("{} beta^T", name),
                   "the weights, softmax of c over time", "one, n_steps",
                   as_row(attended.weights));
    program::trace(frame.terminal, fmt::format("{} f", name), "the sum of beta_t x_t",
                   "one, n_features", as_row(attended.context));
}

} // namespace

void pencil_steps(Frame& frame)
{
    namespace pencil = lookup::pencil_example;
    const Matrix one = pencil::keys();
    const Matrix two = pencil::values();
    random::Generator unused(1);
    AttentionOverTime<double> layer(2, 3, ScoreBias::per_step, Squash::tanh, unused);
    layer.W.value() = array_of<double>({2, 1}, {1, 1});
    layer.b->value() = array_of<double>({3, 1}, {-1, -1, -4});

    frame.terminal.heading("the layer of the question");
    program::trace(frame.terminal, "X1", "the first sequence", "n_steps, n_features", one);
    program::trace(frame.terminal, "X2", "the second sequence", "n_steps, n_features", two);
    program::trace(frame.terminal, "W", "a number a feature, for all steps", "n_features, one",
                   Matrix{{1}, {1}});
    program::trace(frame.terminal, "b", "a number a step, for all sequences", "n_steps, one",
                   Matrix{{-1}, {-1}, {-4}});
    trace_sequence(frame, "X1:", one, layer);
    trace_sequence(frame, "X2:", two, layer);

    frame.terminal.heading("the same without tanh");
    layer.squash = Squash::none;
    trace_sequence(frame, "X1:", one, layer);
    trace_sequence(frame, "X2:", two, layer);

    frame.terminal.heading("the same without b, and X1 with its first and last step exchanged");
    layer.b.reset();
    trace_sequence(frame, "X1:", one, layer);
    trace_sequence(frame, "exchanged:", {{2, 2}, {0, 1}, {1, 0}}, layer);
}

} // namespace attn::attention_versus_dense::report
