#include "chapters/05_attention_versus_dense/experiments/experiments.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/05_attention_versus_dense/ceilings.hpp"
#include "chapters/05_attention_versus_dense/raffel_ellis.hpp"
#include "common/autograd/layout.hpp"
#include "common/nn/initialise.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/trace.hpp"
#include "common/random/streams.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>

namespace attn::attention_versus_dense {

using program::fixed;
using program::Frame;
using random::Generator;

namespace {

/// Attention whose bias is not 0, as it would be after learning.
ComparedLayer attention(const char* name, std::size_t n_steps, std::size_t n_features,
                        ScoreBias bias, Squash squash, Generator& generator)
{
    AttentionOverTime<double> layer(n_features, n_steps, bias, squash, generator);
    if (layer.b) {
        layer.b->value() =
            nn::initialise::normal<double>(layer.b->shape(), 0.0, 1.0, generator);
    }
    return {name, "beta_nt", layer.parameters().n_numbers(),
            [layer](const Variable<double>& X) { return layer(X).context; }};
}

ComparedLayer raffel_ellis(std::size_t n_features, Generator& generator)
{
    const RaffelEllis<double> network({n_features, 16, 16, 1}, generator);
    // The weights multiply the embedded steps h_t.
    return {"Raffel and Ellis, 16 units", "beta_nt", network.parameters().n_numbers(),
            [network](const Variable<double>& X) { return network(X).y; }};
}

} // namespace

std::vector<ComparedLayer> compared_layers(std::uint64_t seed, std::size_t n_steps,
                                           std::size_t n_features)
{
    Generator generator(seed, random::Stream::layer_properties);
    const DenseOverFeatures<double> features(n_features, 1, generator);
    const DenseOverTime<double> time(n_steps, 1, generator);
    const DenseOverBoth<double> both(n_steps, n_features, 1, generator);
    std::vector<ComparedLayer> layers = {
        {"mean of the steps", "1/T", 0, [](const auto& X) { return mean_over_time(X); }},
        {"maximum of the steps", "1 or 0", 0, [](const auto& X) { return max_over_time(X); }},
        {"dense over features, mean", "w_k / T", features.parameters().n_numbers(),
         [features](const auto& X) { return mean_over_time(features(X)); }},
        {"dense over time", "w_t", time.parameters().n_numbers(),
         [time](const auto& X) {
             return reshape(time(X), {X.shape()[0], X.shape()[2]});
         }},
        {"dense over both", "w_tk", both.parameters().n_numbers(),
         [both](const auto& X) { return both(X); }},
    };
    const auto add = [&](const char* name, ScoreBias bias, Squash squash) {
        layers.push_back(attention(name, n_steps, n_features, bias, squash, generator));
    };
    add("attention, tanh, b_t", ScoreBias::per_step, Squash::tanh);
    add("attention, tanh, one b", ScoreBias::one, Squash::tanh);
    add("attention, tanh", ScoreBias::none, Squash::tanh);
    add("attention, b_t", ScoreBias::per_step, Squash::none);
    add("attention", ScoreBias::none, Squash::none);
    layers.push_back(raffel_ellis(n_features, generator));
    // The page has room for the layers that its text compares.
    for (ComparedLayer& layer : layers) {
        layer.on_page = layer.name != "attention, tanh" && layer.name != "attention, b_t" &&
                        layer.name != "Raffel and Ellis, 16 units";
    }
    const GatedSum<double> gated(n_features, generator);
    layers.insert(layers.end() - 1, {"gated sum", "g_nt", gated.parameters().n_numbers(),
                                     [gated](const auto& X) { return gated(X).context; }});
    return layers;
}

namespace {

double largest_difference(const Array<double>& a, const Array<double>& b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::abs(a.data()[i] - b.data()[i]));
    }
    return largest;
}

/// What a fixed change of the input does to the result, from where the input is.
Array<double> response_to(const ComparedLayer& layer, const Array<double>& X,
                          const Array<double>& change)
{
    const Array<double> moved = X + change;
    return layer.apply(moved).value() - layer.apply(X).value();
}

bool accepts(const ComparedLayer& layer, const Array<double>& X)
{
    try {
        layer.apply(X);
        return true;
    } catch (const ContractError&) {
        return false;
    }
}

} // namespace

LayerProperties properties_of(const ComparedLayer& layer, std::uint64_t seed,
                              std::size_t n_steps, std::size_t n_features)
{
    Generator generator(seed, random::Stream::layer_properties, 1);
    const auto draw = [&](std::size_t length) {
        return nn::initialise::normal<double>({10, length, n_features}, 0.0, 1.0, generator);
    };
    const Array<double> X = draw(n_steps);
    const Array<double> elsewhere = draw(n_steps);
    const Array<double> change = draw(n_steps);
    const double curved = largest_difference(response_to(layer, X, change),
                                             response_to(layer, elsewhere, change));
    const Array<double> reordered =
        xt::view(X, xt::all(), xt::keep(generator.permutation(n_steps)), xt::all());
    const double order_change =
        largest_difference(layer.apply(X).value(), layer.apply(reordered).value());
    return {curved > 1e-9, order_change, accepts(layer, draw(n_steps + 1))};
}

void show_layer_properties(Frame& frame)
{
    constexpr std::size_t n_steps = 20;
    constexpr std::size_t n_features = 5;
    frame.terminal.introduce(
        "Which index a weight carries",
        "Each layer for T = {} steps of K = {} features, with one unit and random parameters, "
        "on random sequences in double. attention: the scores are X W alone; tanh: they are "
        "squashed; b_t: a bias for each step; one b: the same for all. Numbers: parameters to "
        "learn.",
        n_steps, n_features);
    program::Table table({"layer", "weight", "numbers", "varies", "order", "longer"});
    const std::uint64_t seed = frame.options.seed;
    for (const ComparedLayer& layer : compared_layers(seed, n_steps, n_features)) {
        if (!layer.on_page) {
            continue;
        }
        const LayerProperties has = properties_of(layer, seed, n_steps, n_features);
        table.row({layer.name, layer.weight, std::to_string(layer.n_numbers),
                   has.weight_varies ? "yes" : "no", has.order_change < 1e-12 ? "no" : "yes",
                   has.any_length ? "yes" : "no"});
    }
    frame.terminal.table(table);
}

void show_ceilings(Frame& frame)
{
    constexpr double tanh_and_bias = 2; // from -1 to 1
    constexpr double tanh_alone = 1;    // from tanh(0) = 0 to 1
    frame.terminal.introduce(
        "What a tanh leaves, by algebra",
        "One step of T is marked, and its numbers are to be predicted. A tanh keeps scores "
        "between -1 and 1: a marked score of 1 beside others of -1 if there is a bias, beside "
        "others of 0 if there is none. The largest weight, and the R^2 that a linear readout "
        "reaches with it. The trivial rule, the mean of the steps, has 1/T.");
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

void show_pencil_steps(Frame& frame)
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

} // namespace attn::attention_versus_dense
