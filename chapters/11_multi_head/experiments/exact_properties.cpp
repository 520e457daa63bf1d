#include "chapters/11_multi_head/experiments/experiments.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/11_multi_head/linear_attention.hpp"
#include "chapters/11_multi_head/positions.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrices.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/nn/initialise.hpp"
#include "common/program/number.hpp"
#include "common/program/trace.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <cmath>

namespace attn::multi_head {

using autograd::as_matrix;
using autograd::as_variable;
using program::fixed;
using program::Frame;
using program::significant;

// ---------------------------------------------------------------- two ways to the same numbers

MultiHeadAttention<double> heads_in_order(const MultiHeadAttention<double>& layer,
                                          const std::vector<std::size_t>& order,
                                          bool with_output)
{
    const std::size_t n_heads = layer.n_heads;
    std::vector<std::size_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t h = 0; h < std::max(n_heads, sorted.size()); ++h) {
        expect(sorted.size() == n_heads && sorted[h] == h,
               "heads_in_order: each of {} heads must be named once, got {} names", n_heads,
               order.size());
    }
    const std::size_t d = layer.W_q.weight.shape()[1];
    const auto source = [d_head = d / n_heads, &order](std::size_t column) {
        return order[column / d_head] * d_head + column % d_head;
    };
    const auto columns_in_order = [&](const Variable<double>& from) { // a matrix or a bias
        Array<double> to = from.value();
        for (std::size_t i = 0; i < to.size(); ++i) {
            to.data()[i] = from.value().data()[i / d * d + source(i % d)];
        }
        return autograd::parameter(to);
    };
    MultiHeadAttention<double> result = layer;
    for (nn::Linear<double>* const projection : {&result.W_q, &result.W_k, &result.W_v}) {
        projection->weight = columns_in_order(projection->weight);
        if (projection->bias) {
            projection->bias = columns_in_order(*projection->bias);
        }
    }
    result.W_o.weight = autograd::parameter(layer.W_o.weight.value());
    for (std::size_t row = 0; with_output && row < d; ++row) {
        std::copy_n(layer.W_o.weight.value().data() + source(row) * d, d,
                    result.W_o.weight.value().data() + row * d);
    }
    return result;
}

namespace {

using random::Generator;

constexpr std::size_t d_model = 12;
constexpr std::size_t n_tokens = 6;

Variable<double> normals(const Shape& shape, Generator& generator)
{
    return Variable<double>(nn::initialise::normal<double>(shape, 0.0, 1.0, generator));
}

double largest_difference(const Array<double>& a, const Array<double>& b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::abs(a.data()[i] - b.data()[i]));
    }
    return largest;
}

Variable<double> in_order(const Variable<double>& x, const std::vector<std::size_t>& order)
{
    std::vector<Variable<double>> rows;
    for (const std::size_t row : order) {
        rows.push_back(slice(x, 1, row, row + 1));
    }
    return autograd::concatenate(rows, 1);
}

/// The largest difference of self-attention of tokens in another order to its results in that
/// order; 0 but for rounding without positions.
double difference_of_orders(Positions positions, std::uint64_t seed)
{
    Generator generator(seed, random::Stream::head_properties);
    MultiHeadAttention<double> layer({.d_model = d_model, .n_heads = 3}, generator);
    const Variable<double> x = normals({1, n_tokens, d_model}, generator);
    Variable<double> rows(filled<double>({n_tokens, d_model}, 0.0));
    if (positions == Positions::rotary) {
        layer.rotate = rotated_by_position<double>;
    } else if (positions == Positions::sinusoidal) {
        rows = Variable<double>(sinusoids<double>(n_tokens, d_model));
    } else if (positions == Positions::learnt) {
        rows = normals({n_tokens, d_model}, generator);
    }
    const std::vector<std::size_t> order = generator.permutation(n_tokens);
    return largest_difference(layer(in_order(x, order) + rows).value(),
                              in_order(layer(x + rows), order).value());
}

/// The largest difference of the sinusoids of positions 0 to 99, rotated, to those of the
/// positions that are so many on.
double difference_of_shifts(std::size_t d, std::size_t shift)
{
    constexpr std::size_t n = 100;
    const Array<double> p = sinusoids<double>(n + shift, d);
    const Matrix r = rotation_between_positions(d, static_cast<double>(shift));
    double largest = 0;
    for (std::size_t t = 0; t < n; ++t) {
        for (std::size_t j = 0; j < d; ++j) {
            double rotated = 0;
            for (std::size_t i = 0; i < d; ++i) {
                rotated += p.data()[t * d + i] * r(i, j);
            }
            largest = std::max(largest, std::abs(rotated - p.data()[(t + shift) * d + j]));
        }
    }
    return largest;
}

/// The largest difference of a layer to one whose heads have changed places, with the rows of
/// W_o or not.
double difference_of_heads(bool with_output, std::uint64_t seed)
{
    Generator generator(seed, random::Stream::head_properties);
    const MultiHeadAttention<double> layer({.d_model = d_model, .n_heads = 3}, generator);
    const Variable<double> x = normals({1, n_tokens, d_model}, generator);
    return largest_difference(heads_in_order(layer, {1, 2, 0}, with_output)(x).value(),
                              layer(x).value());
}

/// The largest difference of linear attention for all n queries at once to step by step with a
/// state.
double difference_of_forms(std::size_t n, std::size_t d, std::uint64_t seed)
{
    Generator generator(seed, random::Stream::head_properties);
    const Variable<double> q = normals({1, n, d}, generator);
    const Variable<double> k = normals({1, n, d}, generator);
    const Variable<double> v = normals({1, n, d}, generator);
    const Variable<double> at_once = attend_linearly(q, k, v, 1, {{}, true});
    const auto row = [&](const Variable<double>& x, std::size_t t) {
        Vector numbers = Vector::from_shape({d});
        std::copy_n(x.value().data() + t * d, d, numbers.begin());
        return numbers;
    };
    LinearState state(d, d);
    double largest = 0;
    for (std::size_t t = 0; t < n; ++t) {
        const Vector c = state.step(row(q, t), row(k, t), row(v, t));
        for (std::size_t j = 0; j < d; ++j) {
            largest = std::max(largest, std::abs(c(j) - at_once.value().data()[t * d + j]));
        }
    }
    return largest;
}

} // namespace

// ---------------------------------------------------------------- printed

void show_shapes(Frame& frame)
{
    constexpr std::size_t batch = 2;
    constexpr std::size_t n_queries = 4;
    constexpr std::size_t n_keys = 6;
    const MultiHeadSizes sizes{
        .d_model = 12, .n_heads = 3, .d_key_inputs = 5, .d_value_inputs = 7};
    frame.terminal.introduce(
        "Every shape inside a layer",
        "{} sentences, {} queries and {} keys in each, d = {} numbers and H = {} heads of "
        "d_k = d / H = {}. Keys are made from rows of {} numbers, values from rows of {}; in "
        "self-attention all three are made from the same rows. A layer was built, and these "
        "are the shapes that it has.",
        batch, n_queries, n_keys, sizes.d_model, sizes.n_heads, sizes.d_model / sizes.n_heads,
        sizes.d_key_inputs, sizes.d_value_inputs);
    random::Generator generator(frame.options.seed);
    const MultiHeadAttention<double> layer(sizes, generator);
    const Variable<double> x(filled<double>({batch, n_queries, sizes.d_model}, 0.0));
    const Variable<double> y(filled<double>({batch, n_keys, sizes.d_key_inputs}, 0.0));
    const Variable<double> z(filled<double>({batch, n_keys, sizes.d_value_inputs}, 0.0));
    Inside<double> inside;
    const Variable<double> out = layer(x, y, z, {}, &inside);
    const auto split = [&](const Array<double>& rows) {
        return split_heads(Variable<double>(rows), sizes.n_heads).shape();
    };

    program::Table table({"name", "what", "axes", "shape"});
    const auto row = [&](const char* name, const char* what, const char* axes,
                         const Shape& shape) {
        table.row({name, what, axes, to_text(shape)});
    };
    row("X", "what asks", "batch, n_queries, d", x.shape());
    row("Y", "what keys are made from", "batch, n_keys, d_y", y.shape());
    row("Z", "what values are made from", "batch, n_keys, d_z", z.shape());
    row("W_q", "projection", "d, d", layer.W_q.weight.shape());
    row("W_k", "projection", "d_y, d", layer.W_k.weight.shape());
    row("W_v", "projection", "d_z, d", layer.W_v.weight.shape());
    row("Q", "X W_q + b_q", "batch, n_queries, d", inside.queries.shape());
    row("K", "Y W_k + b_k", "batch, n_keys, d", inside.keys.shape());
    row("V", "Z W_v + b_v", "batch, n_keys, d", inside.values.shape());
    row("Q split", "heads apart", "batch, H, n_queries, d_k", split(inside.queries));
    row("K split", "heads apart", "batch, H, n_keys, d_k", split(inside.keys));
    row("V split", "heads apart", "batch, H, n_keys, d_k", split(inside.values));
    row("S", "Q K^T / root of d_k", "batch, H, n_queries, n_keys", inside.weights.shape());
    row("mask", "one for all heads", "batch, 1, n_queries, n_keys",
        mask_of({{n_keys, n_keys}, false}, batch, n_queries, n_keys).shape());
    row("A", "softmax of S by rows", "batch, H, n_queries, n_keys", inside.weights.shape());
    const Variable<double> contexts =
        matmul(Variable<double>(inside.weights),
               split_heads(Variable<double>(inside.values), sizes.n_heads));
    row("C split", "A V", "batch, H, n_queries, d_k", contexts.shape());
    row("C", "heads side by side", "batch, n_queries, d", merge_heads(contexts).shape());
    row("W_o", "projection", "d, d", layer.W_o.weight.shape());
    row("O", "C W_o + b_o", "batch, n_queries, d", out.shape());
    frame.terminal.table(table);
    frame.terminal.line();
    frame.terminal.paragraph(fmt::format(
        "Each projection has a bias of d = {} numbers as well: {} numbers to learn in all, "
        "whatever the number of heads.",
        sizes.d_model, layer.parameters().n_numbers()));
}

void show_exact_properties(Frame& frame)
{
    const std::uint64_t seed = frame.options.seed;
    frame.terminal.introduce(
        "What is exactly so",
        "Layers that have learnt nothing, in double. Two ways to the same numbers are equal if "
        "no two differ by more than 1e-12.");
    program::Table table({"one way", "the other", "they are"});
    const auto row = [&](const std::string& one, const char* other, double difference) {
        table.row({one, other,
                   difference < 1e-12 ? "equal" : "apart by " + significant(difference, 2)});
    };
    for (const Positions positions :
         {Positions::none, Positions::sinusoidal, Positions::learnt, Positions::rotary}) {
        row("tokens in another order, positions: " + name_of(positions),
            "the results in that order", difference_of_orders(positions, seed));
    }
    row("sinusoids of positions t, turned", "those of t + 7", difference_of_shifts(16, 7));
    row("heads in another order, W_o with them", "the layer", difference_of_heads(true, seed));
    row("heads in another order, W_o not", "the layer", difference_of_heads(false, seed));
    row("linear attention, 100 queries at once", "step by step with a state",
        difference_of_forms(100, 8, seed));
    frame.terminal.table(table);
}

void show_distances(Frame& frame)
{
    constexpr std::size_t d = 32;
    frame.terminal.introduce(
        "Sinusoids and distance",
        "The dot product of the sinusoids of two positions, {} numbers each, as a share of its "
        "largest value. It depends on how far apart they are, not on where, and not on which "
        "comes first. The two rows begin at positions 0 and 500.",
        d);
    const Array<double> p = sinusoids<double>(600, d);
    const auto share = [&](std::size_t t, std::size_t s) {
        double sum = 0;
        for (std::size_t j = 0; j < d; ++j) {
            sum += p.data()[t * d + j] * p.data()[s * d + j];
        }
        return sum / (d / 2.0);
    };
    program::Table table({"distance", "0", "1", "2", "4", "8", "16", "32", "64"});
    for (const std::size_t from : {0U, 500U}) {
        std::vector<std::string> cells = {"from position " + std::to_string(from)};
        for (const std::size_t distance : {0U, 1U, 2U, 4U, 8U, 16U, 32U, 64U}) {
            cells.push_back(fixed(share(from, from + distance), 3));
        }
        table.row(cells);
    }
    frame.terminal.table(table);
}

// ---------------------------------------------------------------- the pencil

void show_pencil_steps(Frame& frame)
{
    program::Terminal& terminal = frame.terminal;
    terminal.introduce(
        "Step by step with a pencil",
        "Two heads of one number each. Q, K and V are as they come out of the projections; the "
        "first head has their first columns, the second head their second ones. d_k = 1, so "
        "that its root is 1. W_o is the identity.");
    const Matrix queries = lookup::pencil_example::queries();
    const Matrix keys = lookup::pencil_example::keys();
    const Matrix values = lookup::pencil_example::values();
    trace_inputs(terminal, queries, keys, values);
    const Variable<double> q = as_variable(queries, {1, 2, 2});
    const Variable<double> k = as_variable(keys, {1, 3, 2});
    const Variable<double> v = as_variable(values, {1, 3, 2});
    Array<double> weights;
    const Variable<double> c = attend_by_operators(q, k, v, 2, {}, &weights);
    const Variable<double> scores =
        matmul(split_heads(q, 2), split_heads(k, 2), Transpose::no, Transpose::yes);
    const auto of_head = [](const Variable<double>& x, std::size_t head) {
        return as_matrix(select(select(x, 0, 0), 0, head));
    };
    for (const std::size_t head : {0U, 1U}) {
        const std::string number = std::to_string(head + 1);
        trace(terminal, "Q^" + number, "head " + number + " of Q", "n_queries, d_k",
              of_head(split_heads(q, 2), head));
        trace(terminal, "K^" + number, "head " + number + " of K", "n_keys, d_k",
              of_head(split_heads(k, 2), head));
        trace(terminal, "V^" + number, "head " + number + " of V", "n_keys, d_k",
              of_head(split_heads(v, 2), head));
        trace(terminal, "S^" + number, "Q K^T of this head", "n_queries, n_keys",
              of_head(scores, head));
        trace(terminal, "A^" + number, "softmax of its rows", "n_queries, n_keys",
              of_head(Variable<double>(weights), head));
        trace(terminal, "C^" + number, "A V of this head", "n_queries, d_k",
              of_head(split_heads(c, 2), head));
    }
    trace(terminal, "C", "the heads side by side", "n_queries, d", as_matrix(select(c, 0, 0)));
    trace(terminal, "A", "for comparison: one head of two numbers, with 1 / root of 2",
          "n_queries, n_keys", [&] {
              attend_by_operators(q, k, v, 1, {}, &weights);
              return of_head(Variable<double>(weights), 0);
          }());
}

} // namespace attn::multi_head
