#include "chapters/12_transformer/experiments/experiments.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/12_transformer/training/label_smoothing.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layer_norm.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/autograd/matrices.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/softmax.hpp"
#include "common/program/number.hpp"
#include "common/program/trace.hpp"
#include "common/random/streams.hpp"

#include <cmath>
#include <utility>

namespace attn::transformer {

using autograd::as_matrix;
using autograd::as_variable;
using program::fixed;
using program::Frame;

// ---------------------------------------------------------------- parameters

namespace {

/// A row of the table: a matrix with its bias, or a gain with its.
struct ParameterRow
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

std::vector<ParameterRow> rows_of(const nn::Parameters<float>& parameters)
{
    std::vector<ParameterRow> rows;
    for (const nn::NamedParameter<float>& one : parameters) {
        const std::string name = one.name.substr(0, one.name.rfind('.'));
        const bool bias = !rows.empty() && rows.back().name == name;
        if (bias) {
            rows.back().shape += " + " + text_of(one.variable.shape());
            rows.back().n += one.variable.size();
        } else {
            rows.push_back({name, text_of(one.variable.shape()), one.variable.size()});
        }
    }
    return rows;
}

} // namespace

void show_parameters(Frame& frame, const translation::TranslationTask& task)
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
    for (const ParameterRow& row : rows_of(whole.parameters())) {
        table.row({row.name, row.shape, std::to_string(row.n),
                   fixed(static_cast<double>(row.n) / static_cast<double>(all), 3)});
    }
    frame.terminal.table(table);
}

// ---------------------------------------------------------------- depth

namespace {

double square_sum(const Array<double>& numbers)
{
    double sum = 0;
    for (const double number : numbers_of(numbers)) {
        sum += number * number;
    }
    return sum;
}

/// The sum of squares of rows less the mean row of their sentence.
double square_sum_apart(const Array<double>& rows)
{
    const std::size_t n = rows.shape()[1];
    const std::size_t d = rows.shape()[2];
    double sum = 0;
    for (std::size_t b = 0; b < rows.shape()[0]; ++b) {
        for (std::size_t m = 0; m < d; ++m) {
            const auto number = [&](std::size_t t) { return rows.data()[(b * n + t) * d + m]; };
            double mean = 0;
            for (std::size_t t = 0; t < n; ++t) {
                mean += number(t) / static_cast<double>(n);
            }
            for (std::size_t t = 0; t < n; ++t) {
                sum += (number(t) - mean) * (number(t) - mean);
            }
        }
    }
    return sum;
}

Variable<double> random_rows(const Shape& shape, random::Generator& generator)
{
    Array<double> rows = uninitialised<double>(shape);
    for (double& number : numbers_of(rows)) {
        number = generator.normal();
    }
    return Variable<double>(std::move(rows));
}

} // namespace

const std::vector<DepthKind>& depth_kinds()
{
    static const std::vector<DepthKind> kinds = {
        {"pre-norm", "pre", {.norm = NormPlace::before}, true},
        {"post-norm", "post", {.norm = NormPlace::after}, false}, // has one there already
        {"no norm", "none", {.norm = NormPlace::nowhere}, true},
        {"pre-norm, no residual", "no_residual", {.residual = false}, true},
        {"pre-norm, no last", "pre_bare", {.norm = NormPlace::before}, false},
        {"no norm, no last", "none_bare", {.norm = NormPlace::nowhere}, false}};
    return kinds;
}

DepthNorms norms_by_depth(const DepthKind& kind, std::size_t n_layers, std::uint64_t seed)
{
    const std::size_t d = kind.layer.d_model;
    const Shape shape = {4, 10, d};
    random::Generator generator(seed, random::Stream::norms_by_depth);
    std::vector<EncoderLayer<double>> layers;
    for (std::size_t i = 0; i < n_layers; ++i) {
        layers.emplace_back(kind.layer, generator);
    }
    const Variable<double> target = random_rows(shape, generator);
    Variable<double> rows = random_rows(shape, generator);

    const autograd::Tape<double> tape;
    DepthNorms norms;
    for (const EncoderLayer<double>& one : layers) {
        rows = one(rows, {}).sum();
        const double squares = square_sum(rows.value());
        norms.rows.push_back(std::sqrt(squares / static_cast<double>(rows.size())));
        norms.apart.push_back(std::sqrt(square_sum_apart(rows.value()) / squares));
    }
    const nn::LayerNorm<double> last(d);
    backward(mean_squared_error(kind.last_norm ? last(rows) : rows, target));
    for (const EncoderLayer<double>& one : layers) {
        double sum = 0;
        for (const nn::NamedParameter<double>& parameter : one.parameters()) {
            sum += square_sum(parameter.variable.gradient());
        }
        norms.gradients.push_back(std::sqrt(sum));
    }
    return norms;
}

void show_depth(Frame& frame)
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

void show_smoothing(Frame& frame, const translation::TranslationTask& task)
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
        row(fixed(p, 3), [&](double epsilon) { return smoothed_loss(n, epsilon, p); });
    }
    row("best p", [&](double epsilon) { return smoothed_targets(n, 0, epsilon)(0); });
    row("floor", [&](double epsilon) { return smoothing_floor(n, epsilon); });
    frame.terminal.table(table);
}

// ---------------------------------------------------------------- the pencil

void show_pencil_steps(Frame& frame)
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

} // namespace attn::transformer
