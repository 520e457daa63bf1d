/// \file
/// \brief What trains nothing: shapes, exact properties, costs, the pencil example.
#include "chapters/11_multi_head/experiments/report.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/11_multi_head/experiments/costs.hpp"
#include "chapters/11_multi_head/experiments/facts.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrices.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/program/number.hpp"
#include "common/program/trace.hpp"

#include <cmath>

namespace attn::multi_head::report {

using autograd::as_matrix;
using autograd::as_variable;
using program::fixed;
using program::Frame;
using program::significant;

// ---------------------------------------------------------------- shapes and facts

void shapes(Frame& frame)
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

void facts(Frame& frame)
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
        row("tokens in another order, places: " + name_of(positions),
            "the results in that order", difference_of_orders(positions, seed));
    }
    row("sinusoids of places t, turned", "those of t + 7", difference_of_shifts(16, 7));
    row("heads in another order, W_o with them", "the layer", difference_of_heads(true, seed));
    row("heads in another order, W_o not", "the layer", difference_of_heads(false, seed));
    row("linear attention, 100 queries at once", "step by step with a state",
        difference_of_forms(100, 8, seed));
    frame.terminal.table(table);
}

void distances(Frame& frame)
{
    constexpr std::size_t d = 32;
    frame.terminal.introduce(
        "Sinusoids and distance",
        "The dot product of the sinusoids of two places, {} numbers each, as a share of its "
        "largest value. It depends on how far apart they are, not on where, and not on which "
        "comes first. The two rows begin at places 0 and 500.",
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
        std::vector<std::string> cells = {"from place " + std::to_string(from)};
        for (const std::size_t distance : {0U, 1U, 2U, 4U, 8U, 16U, 32U, 64U}) {
            cells.push_back(fixed(share(from, from + distance), 3));
        }
        table.row(cells);
    }
    frame.terminal.table(table);
}

// ---------------------------------------------------------------- costs

void costs(Frame& frame)
{
    constexpr std::size_t d = 64;
    frame.terminal.introduce(
        "What a layer costs, counted",
        "Multiplications of one layer on n places of d = {} numbers, in millions, its matrices "
        "included. Waiting: how many steps must be taken one after the other, however many "
        "processors there are. Path: how many steps lie between the two most distant places.",
        d);
    program::Table table({"layer", "multiplications", "n = 64", "n = 1024", "n = 4096",
                          "waiting", "path, n = 1024"});
    const std::vector<LayerCost> at_64 = layer_costs(64, d);
    const std::vector<LayerCost> at_1024 = layer_costs(1024, d);
    const std::vector<LayerCost> at_4096 = layer_costs(4096, d);
    const auto millions = [](std::size_t number) {
        return fixed(static_cast<double>(number) * 1e-6, 1);
    };
    for (std::size_t i = 0; i < at_64.size(); ++i) {
        table.row({at_64[i].name, at_64[i].formula, millions(at_64[i].multiplications),
                   millions(at_1024[i].multiplications), millions(at_4096[i].multiplications),
                   at_1024[i].waiting_steps == 1 ? "1" : "n",
                   std::to_string(at_1024[i].longest_path)});
    }
    frame.terminal.table(table);
    frame.terminal.line();
    frame.terminal.paragraph(
        "Linear attention waits in the form that is counted here; at once it does not, and "
        "costs as much as self-attention. To write one place more where n have been read:");
    frame.terminal.line();
    program::Table steps(
        {"layer", "multiplications", "n = 64", "n = 4096", "numbers kept, n = 64", "n = 4096"});
    const std::vector<StepCost> near = step_costs(64, d);
    const std::vector<StepCost> far = step_costs(4096, d);
    for (std::size_t i = 0; i < near.size(); ++i) {
        steps.row({near[i].name, near[i].formula, std::to_string(near[i].multiplications),
                   std::to_string(far[i].multiplications), std::to_string(near[i].kept),
                   std::to_string(far[i].kept)});
    }
    frame.terminal.table(steps);
}

void timed(Frame& frame)
{
    frame.terminal.introduce(
        "What a layer costs, timed now on this computer",
        "Forwards, one sentence in float on one thread, the shortest of several runs. "
        "Self-attention has 4 heads.");
    frame.terminal.line(timed_report());
}

// ---------------------------------------------------------------- the pencil

void pencil_steps(Frame& frame)
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

} // namespace attn::multi_head::report
