#include "chapters/04_backpropagation/experiments/gradients.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/02_nadaraya_watson/nadaraya_watson.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/reductions.hpp"
#include "common/autograd/softmax.hpp"
#include "common/random/random.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::backpropagation {

using autograd::Variable;
using lookup::dot_product;
using lookup::weighted_sum;
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

/// A matrix as a parameter of the tape.
Variable<double> as_parameter(const Matrix& x)
{
    return autograd::parameter(Array<double>(x));
}

Matrix as_matrix(const Array<double>& x)
{
    return x;
}

/// The random projection of a result: what makes a loss of it.
double projected(const Matrix& result, const Matrix& projection)
{
    const Matrix products = result * projection;
    return xt::sum(products)();
}

/// The backward pass from the projection of a result.
void project_backward(const Variable<double>& result, const Matrix& projection)
{
    backward(sum(result * Variable<double>(Array<double>(projection))));
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
    Mask mask;           // [3, 5]
    Mask unmasked;       // [3, 5]
    Additive parameters; // 6 hidden units

    explicit Example(std::uint64_t seed)
    {
        random::Generator generator(seed, 4);
        for (const auto& [matrix, rows, columns] :
             {std::tuple(&queries, 3, 4), std::tuple(&keys, 5, 4), std::tuple(&values, 5, 2),
              std::tuple(&scores, 3, 5), std::tuple(&of_weights, 3, 5),
              std::tuple(&of_context, 3, 2), std::tuple(&parameters.W_q, 6, 4),
              std::tuple(&parameters.W_k, 6, 4)}) {
            *matrix = generator.normals(static_cast<std::size_t>(rows),
                                        static_cast<std::size_t>(columns));
        }
        parameters.b = column_of(generator.normals(6, 1), 0);
        parameters.w = column_of(generator.normals(6, 1), 0);
        mask = {{true, false, true, true, false},
                {false, true, true, true, true},
                {false, false, false, false, false}};
        unmasked = scoring_functions::length_mask({5, 5, 5}, 5);
    }
};

void compare_softmax(const Example& example, const std::string& operation, const Mask& mask,
                     std::vector<ThreeGradients>& found)
{
    const auto loss = [&](const Matrix& scores) {
        return projected(scoring_functions::masked_softmax(scores, mask), example.of_weights);
    };
    const Matrix weights = scoring_functions::masked_softmax(example.scores, mask);
    autograd::Tape<double> tape;
    const Variable<double> scores = as_parameter(example.scores);
    project_backward(masked_softmax(scores, autograd::Mask(mask)), example.of_weights);
    found.push_back({operation, "dS", softmax_backward(weights, example.of_weights),
                     as_matrix(scores.gradient()),
                     gradient_by_differences(loss, example.scores)});
}

Matrix context_of(const Matrix& scores, const Mask& mask, const Matrix& values)
{
    return weighted_sum(scoring_functions::masked_softmax(scores, mask), values);
}

void compare_attention(const Example& example, const std::string& operation, const Mask& mask,
                       std::vector<ThreeGradients>& found)
{
    const Matrix& queries = example.queries;
    const Matrix& keys = example.keys;
    const Matrix& values = example.values;
    const auto loss = [&](const Matrix& q, const Matrix& k, const Matrix& v) {
        return projected(context_of(dot_product(q, k), mask, v), example.of_context);
    };
    const Matrix weights = scoring_functions::masked_softmax(dot_product(queries, keys), mask);
    const AttentionGradients by_hand =
        attention_backward(queries, keys, values, weights, example.of_context);

    autograd::Tape<double> tape;
    const Variable<double> Q = as_parameter(queries);
    const Variable<double> K = as_parameter(keys);
    const Variable<double> V = as_parameter(values);
    const Variable<double> S = matmul(Q, K, Transpose::no, Transpose::yes);
    project_backward(matmul(masked_softmax(S, autograd::Mask(mask)), V), example.of_context);

    found.push_back({operation, "dQ", by_hand.dqueries, as_matrix(Q.gradient()),
                     gradient_by_differences(
                         [&](const Matrix& x) { return loss(x, keys, values); }, queries)});
    found.push_back({operation, "dK", by_hand.dkeys, as_matrix(K.gradient()),
                     gradient_by_differences(
                         [&](const Matrix& x) { return loss(queries, x, values); }, keys)});
    found.push_back({operation, "dV", by_hand.dvalues, as_matrix(V.gradient()),
                     gradient_by_differences(
                         [&](const Matrix& x) { return loss(queries, keys, x); }, values)});
}

/// The additive score on the tape.
Variable<double> additive_on_tape(const Variable<double>& queries, const Variable<double>& keys,
                                  const Variable<double>& W_q, const Variable<double>& W_k,
                                  const Variable<double>& b, const Variable<double>& w)
{
    const std::size_t n_queries = queries.shape()[0];
    const std::size_t n_keys = keys.shape()[0];
    const std::size_t d_hidden = w.size();
    const Variable<double> per_query =
        reshape(matmul(queries, W_q, Transpose::no, Transpose::yes), {n_queries, 1, d_hidden});
    const Variable<double> per_key =
        reshape(matmul(keys, W_k, Transpose::no, Transpose::yes), {1, n_keys, d_hidden});
    return sum(tanh(per_query + per_key + b) * w, -1);
}

/// A matrix of one row as a vector.
Vector as_vector(const Matrix& row)
{
    return xt::view(row, 0, xt::all());
}

void compare_additive(const Example& example, std::vector<ThreeGradients>& found)
{
    const std::string operation = "additive attention";
    // The matrices in a row, so that each can be moved in turn.
    const std::vector<Matrix> inputs = {example.queries,
                                        example.keys,
                                        example.parameters.W_q,
                                        example.parameters.W_k,
                                        as_row(example.parameters.b),
                                        as_row(example.parameters.w)};
    const auto scores_of = [](const std::vector<Matrix>& x) {
        return scoring_functions::additive(x[0], x[1],
                                           {x[2], x[3], as_vector(x[4]), as_vector(x[5])});
    };
    const Matrix weights = lookup::softmax(scores_of(inputs));
    const Matrix dweights =
        weighted_sum_backward(weights, example.values, example.of_context).dweights;
    const AdditiveGradients by_hand = additive_backward(
        example.queries, example.keys, example.parameters, softmax_backward(weights, dweights));

    autograd::Tape<double> tape;
    std::vector<Variable<double>> variables;
    for (const Matrix& input : inputs) {
        variables.push_back(as_parameter(input));
    }
    const Variable<double> S = additive_on_tape(variables[0], variables[1], variables[2],
                                                variables[3], variables[4], variables[5]);
    project_backward(matmul(softmax(S), Variable<double>(Array<double>(example.values))),
                     example.of_context);

    const std::vector<std::pair<std::string, Matrix>> gradients = {
        {"dQ", by_hand.dqueries},
        {"dK", by_hand.dkeys},
        {"dW_q", by_hand.dparameters.W_q},
        {"dW_k", by_hand.dparameters.W_k},
        {"db", as_row(by_hand.dparameters.b)},
        {"dw", as_row(by_hand.dparameters.w)}};
    for (std::size_t which = 0; which < inputs.size(); ++which) {
        const auto loss = [&](const Matrix& x) {
            std::vector<Matrix> moved = inputs;
            moved[which] = x;
            const Matrix context =
                weighted_sum(lookup::softmax(scores_of(moved)), example.values);
            return projected(context, example.of_context);
        };
        found.push_back({operation, gradients[which].first, gradients[which].second,
                         as_matrix(variables[which].gradient()),
                         gradient_by_differences(loss, inputs[which])});
    }
}

} // namespace

std::vector<ThreeGradients> three_gradients(std::uint64_t seed)
{
    const Example example(seed);
    std::vector<ThreeGradients> found;
    compare_softmax(example, "softmax", example.unmasked, found);
    compare_softmax(example, "masked softmax", example.mask, found);
    compare_attention(example, "dot-product attention", example.unmasked, found);
    compare_attention(example, "the same with a mask", example.mask, found);
    compare_additive(example, found);
    return found;
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
            for (std::size_t m = 0; m < query.size(); ++m) {
                by_differences(a, m) = gradient(0, m);
            }
        }
        found.push_back(
            {candidate.score.name, candidate.formula,
             covariance_of_values(weights, values, candidate.gradients(query, keys)),
             by_differences});
    }
    return found;
}

std::vector<DifferentiableScore> pencil_scores()
{
    return differentiable_scores({{0, 1}, {1, 0}},
                                 {{{1, 0}, {0, 1}}, {{-1, 0}, {0, -1}}, {1, 1}, {1, 1}}, 2);
}

namespace {

/// Half the sum of the squared differences.
double half_squares(const Matrix& differences)
{
    const Matrix squares = xt::square(differences);
    return 0.5 * xt::sum(squares)();
}

} // namespace

PencilPasses pencil_passes()
{
    namespace pencil = lookup::pencil_example;
    const Matrix keys = pencil::keys();
    const Matrix values = pencil::values();
    const auto attend = [&](const Matrix& queries) {
        return lookup::attend(queries, keys, values, lookup::dot_product,
                              [](const Matrix& s) { return lookup::softmax(s); });
    };
    PencilPasses passes;
    passes.forward = attend(pencil::queries());
    passes.targets = {{0, 2}, {3, 2}};
    passes.dcontext = passes.forward.context - passes.targets;
    passes.loss = half_squares(passes.dcontext);
    passes.gradients = attention_backward(pencil::queries(), keys, values,
                                          passes.forward.weights, passes.dcontext);
    passes.dqueries = xt::empty_like(pencil::queries());
    for (std::size_t i = 0; i < passes.dcontext.shape(0); ++i) {
        const Vector weights = xt::view(passes.forward.weights, i, xt::all());
        passes.covariances.push_back(covariance_of_values(weights, values, keys));
        xt::view(passes.dqueries, i, xt::all()) =
            xt::view(weighted_sum(single_row(passes.dcontext, i), passes.covariances[i]), 0);
    }
    const Matrix lower = pencil::queries() - 0.1 * passes.gradients.dqueries;
    passes.loss_after = half_squares(attend(lower).context - passes.targets);
    return passes;
}

} // namespace attn::backpropagation
