#include "chapters/04_backpropagation/experiments/experiments.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/02_nadaraya_watson/nadaraya_watson.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/reductions.hpp"
#include "common/autograd/softmax.hpp"
#include "common/program/number.hpp"
#include "common/program/trace.hpp"
#include "common/random/random.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>

namespace attn::backpropagation {

using autograd::Variable;
using lookup::dot_product;
using lookup::weighted_sum;
using program::fixed;
using program::Frame;
using scoring_functions::Additive;
using scoring_functions::Mask;

Matrix gradient_by_differences(const Loss& loss, const Matrix& x)
{
    Matrix moved = x;
    Matrix gradient = xt::empty_like(x);
    for (std::size_t i = 0; i < x.shape(0); ++i) {
        for (std::size_t j = 0; j < x.shape(1); ++j) {
            const auto central = [&](double h) {
                moved(i, j) = x(i, j) + h;
                const double above = loss(moved);
                moved(i, j) = x(i, j) - h;
                const double below = loss(moved);
                moved(i, j) = x(i, j);
                return (above - below) / (2 * h);
            };
            const double h = 1e-3 * std::max(1.0, std::abs(x(i, j)));
            gradient(i, j) = (4 * central(h / 2) - central(h)) / 3;
        }
    }
    return gradient;
}

namespace {

using Matrices = std::vector<Matrix>;
using Variables = std::vector<Variable<double>>;

/// The random projection of a result: what makes a loss of it.
double projected(const Matrix& result, const Matrix& projection)
{
    const Matrix products = result * projection;
    return xt::sum(products)();
}

/// An operation in plain matrices and on the tape, with its gradients by hand, one an input.
struct Operation
{
    std::string name;
    Matrices inputs;
    Matrix projection; ///< of the result
    std::function<Matrix(const Matrices&)> plain;
    std::function<Variable<double>(const Variables&)> on_tape;
    std::vector<std::pair<std::string, Matrix>> by_hand;
};

void compare(const Operation& operation, std::vector<ThreeGradients>& found)
{
    autograd::Tape<double> tape;
    Variables variables;
    for (const Matrix& input : operation.inputs) {
        variables.push_back(autograd::parameter(Array<double>(input)));
    }
    const Variable<double> projection(Array<double>(operation.projection));
    backward(sum(operation.on_tape(variables) * projection));

    for (std::size_t which = 0; which < variables.size(); ++which) {
        const auto loss = [&](const Matrix& x) {
            Matrices moved = operation.inputs;
            moved[which] = x;
            return projected(operation.plain(moved), operation.projection);
        };
        const auto& [name, by_hand] = operation.by_hand[which];
        const Matrix by_tape = variables[which].gradient();
        found.push_back({operation.name, name, by_hand, by_tape,
                         gradient_by_differences(loss, operation.inputs[which])});
    }
}

/// All that the comparisons are made with.
struct Example
{
    Matrix queries;      // [3, 4]
    Matrix keys;         // [5, 4]
    Matrix values;       // [5, 2]
    Matrix scores;       // [3, 5]
    Matrix of_weights;   // [3, 5], projects weights
    Matrix of_context;   // [3, 2], projects contexts
    Additive parameters; // 6 hidden units

    explicit Example(std::uint64_t seed)
    {
        random::Generator generator(seed, random::Stream::samples, 4);
        queries = generator.normals(3, 4);
        keys = generator.normals(5, 4);
        values = generator.normals(5, 2);
        scores = generator.normals(3, 5);
        of_weights = generator.normals(3, 5);
        of_context = generator.normals(3, 2);
        parameters.W_q = generator.normals(6, 4);
        parameters.W_k = generator.normals(6, 4);
        parameters.b = column_of(generator.normals(6, 1), 0);
        parameters.w = column_of(generator.normals(6, 1), 0);
    }
};

Operation softmax_of(const Example& example, const std::string& name, const Mask& mask)
{
    const Matrix weights = scoring_functions::masked_softmax(example.scores, mask);
    return {name,
            {example.scores},
            example.of_weights,
            [=](const Matrices& x) { return scoring_functions::masked_softmax(x[0], mask); },
            [=](const Variables& x) { return masked_softmax(x[0], autograd::Mask(mask)); },
            {{"dS", softmax_backward(weights, example.of_weights)}}};
}

Operation attention_of(const Example& example, const std::string& name, const Mask& mask)
{
    const auto weights = [=](const Matrices& x) {
        return scoring_functions::masked_softmax(dot_product(x[0], x[1]), mask);
    };
    const Matrices inputs = {example.queries, example.keys, example.values};
    const AttentionGradients by_hand = attention_backward(
        example.queries, example.keys, example.values, weights(inputs), example.of_context);
    return {name,
            inputs,
            example.of_context,
            [=](const Matrices& x) { return weighted_sum(weights(x), x[2]); },
            [=](const Variables& x) {
                const Variable<double> S = matmul(x[0], x[1], Transpose::no, Transpose::yes);
                return matmul(masked_softmax(S, autograd::Mask(mask)), x[2]);
            },
            {{"dQ", by_hand.dqueries}, {"dK", by_hand.dkeys}, {"dV", by_hand.dvalues}}};
}

/// The additive score on the tape, of queries, keys, W_q, W_k, b and w.
Variable<double> additive_on_tape(const Variables& x)
{
    const std::size_t d_hidden = x[5].size();
    const Variable<double> per_query = reshape(
        matmul(x[0], x[2], Transpose::no, Transpose::yes), {x[0].shape()[0], 1, d_hidden});
    const Variable<double> per_key = reshape(matmul(x[1], x[3], Transpose::no, Transpose::yes),
                                             {1, x[1].shape()[0], d_hidden});
    return sum(tanh(per_query + per_key + x[4]) * x[5], -1);
}

/// A matrix of one row as a vector.
Vector as_vector(const Matrix& row)
{
    return xt::view(row, 0, xt::all());
}

Operation additive_attention_of(const Example& example)
{
    const auto weights = [](const Matrices& x) {
        return lookup::softmax(scoring_functions::additive(
            x[0], x[1], {x[2], x[3], as_vector(x[4]), as_vector(x[5])}));
    };
    const auto& [W_q, W_k, b, w] = example.parameters;
    const Matrices inputs = {example.queries, example.keys, W_q, W_k, as_row(b), as_row(w)};
    const Matrix dweights =
        weighted_sum_backward(weights(inputs), example.values, example.of_context).dweights;
    const AdditiveGradients by_hand =
        additive_backward(example.queries, example.keys, example.parameters,
                          softmax_backward(weights(inputs), dweights));
    const Variable<double> values(Array<double>(example.values));
    return {"additive attention",
            inputs,
            example.of_context,
            [=, v = example.values](const Matrices& x) { return weighted_sum(weights(x), v); },
            [=](const Variables& x) { return matmul(softmax(additive_on_tape(x)), values); },
            {{"dQ", by_hand.dqueries},
             {"dK", by_hand.dkeys},
             {"dW_q", by_hand.dparameters.W_q},
             {"dW_k", by_hand.dparameters.W_k},
             {"db", as_row(by_hand.dparameters.b)},
             {"dw", as_row(by_hand.dparameters.w)}}};
}

} // namespace

std::vector<ThreeGradients> three_gradients(std::uint64_t seed)
{
    const Example example(seed);
    const Mask all = scoring_functions::length_mask({5, 5, 5}, 5);
    const Mask some = {{true, false, true, true, false},
                       {false, true, true, true, true},
                       {false, false, false, false, false}};
    std::vector<ThreeGradients> found;
    compare(softmax_of(example, "softmax", all), found);
    compare(softmax_of(example, "masked softmax", some), found);
    compare(attention_of(example, "dot-product attention", all), found);
    compare(attention_of(example, "the same with a mask", some), found);
    compare(additive_attention_of(example), found);
    return found;
}

namespace {

/// The largest difference of two matrices in words, since its digits are those of rounding.
std::string difference(const Matrix& a, const Matrix& b, const std::string& bound)
{
    const double largest = xt::amax(xt::abs(a - b))();
    return largest < std::stod(bound) ? "below " + bound : program::significant(largest, 2);
}

} // namespace

void show_gradients(Frame& frame)
{
    frame.terminal.introduce(
        "Gradients by hand, by the tape, by differences",
        "3 random queries of 4 numbers, 5 keys, values of 2 numbers, 6 hidden units in the "
        "additive score. The mask hides some keys from the first two queries and all from the "
        "third. The last columns: the largest difference of any entry.");
    program::Table table(
        {"back through", "gradient", "shape", "hand - tape", "hand - differences"});
    for (const ThreeGradients& three : three_gradients(frame.options.seed)) {
        table.row({three.operation, three.name, shape_of(three.by_hand),
                   difference(three.by_hand, three.by_tape, "1e-12"),
                   difference(three.by_hand, three.by_differences, "1e-9")});
    }
    frame.terminal.table(table);
}

namespace {

/// (k_j / |k_j| - cos_j q / |q|) / |q|.
Matrix cosine_gradients(const Vector& query, const Matrix& keys)
{
    const Matrix direction = scoring_functions::unit_rows(as_row(query)); // [1, d]
    const double length = dot_product(direction, as_row(query))(0, 0);
    if (length == 0) {
        return xt::zeros_like(keys);
    }
    const Matrix directions = scoring_functions::unit_rows(keys); // [n_keys, d]
    const Matrix cosines = dot_product(directions, direction);    // [n_keys, 1]
    return (directions - cosines * direction) / length;
}

/// W_q^T (w (1 - h_j^2)), h_j the hidden units.
Matrix additive_gradients(const Vector& query, const Matrix& keys, const Additive& parameters)
{
    const Tensor3 hidden = scoring_functions::hidden_units(as_row(query), keys, parameters);
    const Matrix of_query = xt::view(hidden, 0, xt::all(), xt::all()); // [n_keys, d_hidden]
    const Matrix bends = parameters.w * (1.0 - xt::square(of_query));
    return weighted_sum(bends, parameters.W_q); // [n_keys, d_q]
}

} // namespace

std::vector<DifferentiableScore>
differentiable_scores(const Matrix& W, const Additive& parameters, double bandwidth)
{
    const std::vector<lookup::Score>& known = scoring_functions::parameterless_scores();
    const auto keys_themselves = [](const Vector&, const Matrix& keys) { return keys; };
    const auto keys_over_root = [](const Vector& query, const Matrix& keys) -> Matrix {
        return keys / std::sqrt(static_cast<double>(query.size()));
    };
    return {
        {known[0], "k", keys_themselves},
        {known[1], "k / sqrt(d)", keys_over_root},
        {known[2], "(k/|k| - s q/|q|) / |q|", cosine_gradients},
        {known[3], "k", keys_themselves},
        {{"multiplicative", "q.W k",
          [W](const Matrix& queries, const Matrix& keys) {
              return scoring_functions::multiplicative(queries, keys, W);
          }},
         "W k",
         [W](const Vector&, const Matrix& keys) { return dot_product(keys, W); }},
        {{"additive", "w.tanh(W_q q + W_k k + b)",
          [parameters](const Matrix& queries, const Matrix& keys) {
              return scoring_functions::additive(queries, keys, parameters);
          }},
         "W_q^T (w (1 - tanh^2))",
         [parameters](const Vector& query, const Matrix& keys) {
             return additive_gradients(query, keys, parameters);
         }},
        {nadaraya_watson::score(nadaraya_watson::kernel_named("gaussian"), bandwidth),
         "(k - q) / h^2",
         [bandwidth](const Vector& query, const Matrix& keys) -> Matrix {
             return (keys - query) / (bandwidth * bandwidth);
         }},
    };
}

std::vector<ContextJacobian> context_jacobians(const Vector& query, const Matrix& keys,
                                               const Matrix& values,
                                               const std::vector<DifferentiableScore>& scores)
{
    std::vector<ContextJacobian> found;
    for (const DifferentiableScore& candidate : scores) {
        const auto attend = [&](const Matrix& row) {
            return lookup::attend(row, keys, values, candidate.score,
                                  [](const Matrix& s) { return lookup::softmax(s); });
        };
        const Matrix row = as_row(query);
        const Vector weights = as_vector(attend(row).weights);
        Matrix by_differences = Matrix::from_shape({values.shape(1), query.size()});
        for (std::size_t a = 0; a < values.shape(1); ++a) {
            const Matrix gradient = gradient_by_differences(
                [&](const Matrix& moved) { return attend(moved).context(0, a); }, row);
            xt::view(by_differences, a, xt::all()) = xt::row(gradient, 0);
        }
        found.push_back(
            {candidate.score.name, candidate.formula,
             covariance_of_values(weights, values, candidate.gradients(query, keys)),
             by_differences});
    }
    return found;
}

void show_covariance(Frame& frame)
{
    namespace pencil = lookup::pencil_example;
    const Vector query = xt::view(pencil::queries(), 1, xt::all());
    frame.terminal.introduce(
        "The derivative of a context with respect to its query",
        "The second query of the pencil example, q = (1, 1): dc / dq as the covariance of the "
        "values with the gradients of the scores. Last column: how far central differences "
        "are from it.");
    // With the parameters that chapter 3 traces: a W that swaps two numbers, two hidden units
    // of q - k + 1, and a Gaussian of width 2.
    const std::vector<DifferentiableScore> scores = differentiable_scores(
        {{0, 1}, {1, 0}}, {{{1, 0}, {0, 1}}, {{-1, 0}, {0, -1}}, {1, 1}, {1, 1}}, 2);
    program::Table table(
        {"score", "its gradient", "dc1/dq1", "dc1/dq2", "dc2/dq1", "dc2/dq2", "differences"});
    for (const ContextJacobian& one :
         context_jacobians(query, pencil::keys(), pencil::values(), scores)) {
        table.row({one.score, one.formula, fixed(one.by_covariance(0, 0), 4),
                   fixed(one.by_covariance(0, 1), 4), fixed(one.by_covariance(1, 0), 4),
                   fixed(one.by_covariance(1, 1), 4),
                   difference(one.by_covariance, one.by_differences, "1e-9")});
    }
    frame.terminal.table(table);
}

void show_pencil_steps(Frame& frame)
{
    namespace pencil = lookup::pencil_example;
    const Matrix keys = pencil::keys();
    const Matrix values = pencil::values();
    const Matrix targets = {{0, 2}, {3, 2}};
    const auto attend = [&](const Matrix& queries) {
        return lookup::attend(queries, keys, values, lookup::dot_product,
                              [](const Matrix& s) { return lookup::softmax(s); });
    };
    const auto loss = [&](const Matrix& context) {
        return 0.5 * xt::sum(xt::square(context - targets))();
    };
    const auto trace = [&](std::string_view name, std::string_view meaning,
                           std::string_view dims, const Matrix& matrix) {
        program::trace(frame.terminal, name, meaning, dims, matrix);
    };
    frame.terminal.heading("forwards");
    const auto& [scores, weights, context] = attend(pencil::queries());
    program::trace_inputs(frame.terminal, pencil::queries(), keys, values);
    trace("S", "the scores Q K^T", "n_queries, n_keys", scores);
    trace("A", "the weights, softmax of S", "n_queries, n_keys", weights);
    trace("C", "the contexts A V", "n_queries, d_v", context);
    trace("Y", "what the contexts should be", "n_queries, d_v", targets);
    frame.terminal.line("L: the loss, half the sum of the squares of C - Y");
    frame.terminal.line("  " + fixed(loss(context), 4));

    frame.terminal.heading("backwards");
    const Matrix dcontext = context - targets;
    const AttentionGradients gradients =
        attention_backward(pencil::queries(), keys, values, weights, dcontext);
    trace("dC", "C - Y", "n_queries, d_v", dcontext);
    trace("dV", "A^T dC", "n_keys, d_v", gradients.dvalues);
    trace("dA", "dC V^T", "n_queries, n_keys", gradients.dweights);
    trace("dS", "A (dA - the mean of dA under A)", "n_queries, n_keys", gradients.dscores);
    trace("dQ", "dS K", "n_queries, d", gradients.dqueries);
    trace("dK", "dS^T Q", "n_keys, d", gradients.dkeys);

    frame.terminal.heading("the same dQ, by the covariance");
    Matrix dqueries = xt::empty_like(gradients.dqueries);
    for (std::size_t i = 0; i < dqueries.shape(0); ++i) {
        const Matrix covariance =
            covariance_of_values(xt::view(weights, i, xt::all()), values, keys);
        trace(fmt::format("Cov{}", i + 1),
              fmt::format("of values and keys under the weights of query {0}: dc{0}/dq{0}",
                          i + 1),
              "d_v, d", covariance);
        xt::view(dqueries, xt::range(i, i + 1), xt::all()) =
            weighted_sum(single_row(dcontext, i), covariance);
    }
    trace("dQ", "each row dC times its Cov", "n_queries, d", dqueries);
    const Matrix lower = pencil::queries() - 0.1 * gradients.dqueries;
    frame.terminal.line(fmt::format("Queries 0.1 dQ downhill: the loss falls from {} to {}.",
                                    fixed(loss(context), 4),
                                    fixed(loss(attend(lower).context), 4)));
}

} // namespace attn::backpropagation
