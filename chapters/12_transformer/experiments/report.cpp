#include "chapters/12_transformer/experiments/report.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/12_transformer/experiments/decoding_cost.hpp"
#include "chapters/12_transformer/experiments/depth.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layer_norm.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrices.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/softmax.hpp"
#include "common/nn/label_smoothing.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/trace.hpp"

#include <cmath>
#include <fmt/format.h>

namespace attn::transformer::report {

using autograd::as_matrix;
using autograd::as_variable;
using program::fixed;
using program::Frame;
using program::significant;

// ---------------------------------------------------------------- parameters

namespace {

/// A matrix with its bias, or a gain with its.
struct Place
{
    std::string name;
    std::string shape;
    std::size_t n = 0;
};

std::string text_of(const Shape& shape)
{
    std::string text;
    for (const std::size_t n : shape) {
        text += (text.empty() ? "" : " x ") + std::to_string(n);
    }
    return text;
}

std::vector<Place> places_of(const nn::Parameters<float>& parameters)
{
    std::vector<Place> places;
    for (const nn::NamedParameter<float>& one : parameters) {
        const std::string name = one.name.substr(0, one.name.rfind('.'));
        const bool bias = !places.empty() && places.back().name == name;
        if (bias) {
            places.back().shape += " + " + text_of(one.variable.shape());
            places.back().n += one.variable.size();
        } else {
            places.push_back({name, text_of(one.variable.shape()), one.variable.size()});
        }
    }
    return places;
}

} // namespace

void parameters(Frame& frame, const TranslationTask& task)
{
    const Transformer<float> whole = make_transformer(
        options_of(ablations()[0], task.source.size(), task.target.size()), frame.options.seed);
    const std::size_t all = whole.parameters().n_numbers();
    frame.terminal.introduce(
        "Where the parameters sit",
        "One layer of the encoder and one of the decoder, d = 64, 4 heads, d_ff = 128, {} "
        "English and {} French words: {} numbers. A matrix with its bias, or a gain with its, "
        "is one row; the names are PyTorch's. The number of heads is in none of them.",
        task.source.size(), task.target.size(), all);
    program::Table table({"where", "shape", "numbers", "share"});
    for (const Place& place : places_of(whole.parameters())) {
        table.row({place.name, place.shape, std::to_string(place.n),
                   fixed(static_cast<double>(place.n) / static_cast<double>(all), 3)});
    }
    frame.terminal.table(table);
}

// ---------------------------------------------------------------- depth

void depth(Frame& frame)
{
    constexpr std::size_t n_layers = 12;
    frame.terminal.introduce(
        "Twelve layers, untrained",
        "Random rows go through {} layers of an encoder that has learnt nothing (in double), "
        "and a loss back. Size: root mean square of the numbers behind a layer. Apart: the "
        "share of it in which the rows of a sentence differ. Gradient: its length over all "
        "parameters of the layer. First, middle and last layer. The loss sees normalised "
        "rows; with « no last » it sees them as they are.",
        n_layers);
    program::Table table({"layers", "size", "", "", "apart", "", "", "gradient", "", ""});
    for (const DepthKind& kind : depth_kinds()) {
        const DepthNorms found = norms_by_depth(kind, n_layers, frame.options.seed);
        std::vector<std::string> row = {kind.name};
        for (const auto* numbers : {&found.rows, &found.apart, &found.gradients}) {
            for (const std::size_t layer : {std::size_t{0}, n_layers / 2 - 1, n_layers - 1}) {
                row.push_back(fixed((*numbers)[layer], 2));
            }
        }
        table.row(row);
    }
    frame.terminal.table(table);
}

// ---------------------------------------------------------------- label smoothing

void smoothing(Frame& frame, const TranslationTask& task)
{
    const std::size_t n = task.target.size();
    frame.terminal.introduce(
        "Label smoothing and its floor",
        "The loss of a word if the right one of {} has the probability p and the others share "
        "the rest, for three epsilon. The floor is the loss of whoever says the smoothed "
        "target itself, p = 1 - epsilon + epsilon / {}.",
        n, n);
    const std::vector<double> epsilons = {0.0, 0.1, 0.2};
    program::Table table({"p", "0.0", "0.1", "0.2"});
    const auto row = [&](const std::string& name, const auto& number) {
        std::vector<std::string> cells = {name};
        for (const double epsilon : epsilons) {
            cells.push_back(fixed(number(epsilon), 3));
        }
        table.row(cells);
    };
    for (const double p : {0.5, 0.8, 0.9, 0.99, 0.999}) {
        row(fixed(p, 3), [&](double epsilon) { return nn::smoothed_loss(n, epsilon, p); });
    }
    row("best p", [&](double epsilon) { return nn::smoothed_targets(n, 0, epsilon)(0); });
    row("floor", [&](double epsilon) { return nn::smoothing_floor(n, epsilon); });
    frame.terminal.table(table);
}

// ---------------------------------------------------------------- word by word

void decoding(Frame& frame)
{
    constexpr DecodingSizes sizes;
    frame.terminal.introduce(
        "Word by word",
        "Scores of every next word from an untrained decoder in double: all at once under a "
        "causal mask, and word by word with the keys and values of earlier words kept.");
    program::Table equal({"layers", "norm", "scores", "largest difference"});
    for (const NormPlace norm : {NormPlace::before, NormPlace::after}) {
        for (const std::size_t n_layers : {std::size_t{1}, std::size_t{2}}) {
            const DecodingDifference found =
                compare_decoding<double>({.d_model = 8, .n_heads = 2, .d_ff = 12, .norm = norm},
                                         n_layers, 20, frame.options.seed);
            equal.row({std::to_string(n_layers), name_of(norm), std::to_string(found.n_numbers),
                       found.largest == 0 ? "none" : significant(found.largest, 2)});
        }
    }
    frame.terminal.table(equal);
    frame.terminal.line();
    frame.terminal.paragraph(fmt::format(
        "Multiplications for word n: one layer, d = {}, d_ff = {}, a source of {} words, {} "
        "French words. Kept are the keys and values of both attentions; those of the source "
        "cost {} once.",
        sizes.d_model, sizes.d_ff, sizes.n_source, sizes.n_target, source_cost(sizes)));
    frame.terminal.line();
    program::Table table({"n", "kept", "computed anew", "ratio"});
    program::CsvRows csv(
        {{"n", significant, 6}, {"cached", significant, 10}, {"uncached", significant, 10}});
    for (const std::size_t n : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 128U, 256U}) {
        const std::size_t kept = cached_cost(sizes, n);
        const std::size_t anew = uncached_cost(sizes, n);
        table.row({std::to_string(n), std::to_string(kept), std::to_string(anew),
                   fixed(static_cast<double>(anew) / static_cast<double>(kept), 1)});
        csv.add({static_cast<double>(n), static_cast<double>(kept), static_cast<double>(anew)});
    }
    frame.terminal.table(table);
    frame.files.write_csv("cost.csv", csv.columns());
}

// ---------------------------------------------------------------- the pencil

void pencil_steps(Frame& frame)
{
    program::Terminal& terminal = frame.terminal;
    terminal.introduce(
        "Step by step with a pencil",
        "Two target words stand in the rows x, the queries of the example; the encoder has "
        "left the rows m for three source words, its keys. One layer's attention to the source "
        "with one head and its dense layers follow, pre-norm. The projection of the values is "
        "3 times the identity, every other one the identity; W_1 = (1 -1; 0 2), W_2 = (1 0; 0 "
        "1), and there are no biases. A norm of two numbers leaves their order alone.");
    const Variable<double> x = as_variable(lookup::pencil_example::queries(), {2, 2});
    const Variable<double> m = as_variable(lookup::pencil_example::keys(), {3, 2});
    const nn::LayerNorm<double> norm(2);
    trace(terminal, "x", "rows of the target words", "n_target, d", as_matrix(x));
    trace(terminal, "m", "rows of the source words", "n_source, d", as_matrix(m));
    const Variable<double> q = norm(x);
    trace(terminal, "norm(x)", "each row less its mean, over its deviation", "n_target, d",
          as_matrix(q));
    const Variable<double> scores = (1 / std::sqrt(2.0)) * matmul(q, transpose(m));
    trace(terminal, "scores", "norm(x) . m / root 2", "n_target, n_source", as_matrix(scores));
    const Variable<double> a = softmax(scores);
    trace(terminal, "a", "softmax of the scores", "n_target, n_source", as_matrix(a));
    const Variable<double> c = matmul(a, 3.0 * m);
    trace(terminal, "c", "weighted mean of the values 3 m", "n_target, d", as_matrix(c));
    const Variable<double> y = x + c;
    trace(terminal, "y", "x + c, the residual connection", "n_target, d", as_matrix(y));
    const Variable<double> n = norm(y);
    trace(terminal, "norm(y)", "what the dense layers read", "n_target, d", as_matrix(n));
    const Variable<double> W_1 = as_variable({{1, -1}, {0, 2}}, {2, 2});
    const Variable<double> inner = relu(matmul(n, W_1));
    trace(terminal, "h", "max(0, norm(y) W_1)", "n_target, d_ff", as_matrix(inner));
    const Variable<double> z = y + inner;
    trace(terminal, "z", "y + h W_2, what the layer hands on", "n_target, d", as_matrix(z));
}

} // namespace attn::transformer::report
