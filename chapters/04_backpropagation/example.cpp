/// \file
/// \brief Learns a score by backpropagation from answers alone: nobody says which key is the
/// right one. A place to start one's own.
#include "chapters/03_scoring_functions/retrieval.hpp"
#include "chapters/04_backpropagation/learnt_scores.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/softmax.hpp"
#include "common/nn/optimisers.hpp"
#include "common/random/random.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>

namespace {

using namespace attn;

/// A matrix [n, d] as a batch of one, [1, n, d].
autograd::Variable<double> batch_of_one(const Matrix& matrix)
{
    return autograd::reshape(autograd::Variable<double>(Array<double>(matrix)),
                             {1, matrix.shape(0), matrix.shape(1)});
}

} // namespace

int main()
{
    using namespace attn::backpropagation;
    namespace task = scoring_functions;

    // What may be changed.
    const std::size_t d_q = 24;        // numbers in a query
    const std::size_t d_k = 16;        // numbers in a key, at most as many
    const std::size_t d_v = 4;         // numbers in a value
    const std::size_t n_queries = 64;  // at each step, over 16 keys
    const std::size_t n_steps = 400;   // of training
    const double learning_rate = 0.01; // of the optimiser
    const double noise = 0.3;          // in a query
    const std::uint64_t seed = 1;      // of the task, the first parameters and all tables

    // The task: a query is made from a key, q = M k + noise; the answer is that key's value.
    random::Generator rng(seed);
    const Matrix M = task::orthonormal_columns(rng, d_q, d_k); // [d_q, d_k]
    const task::Retrieval retrieval{"example", M, noise * xt::ones<double>({d_q})};

    // The model: a score and the parameters that it learns.
    LearntScore<double> model;
    const Variable<double> W = matrix_parameter<double>(rng, d_q, d_k);
    model.parameters.add("W", W);
    model.score = [W](const auto& queries, const auto& keys) {
        return multiplicative(queries, keys, W); // q.W k
    };

    // The loss: the squared error of what attention answers. It is not told which key is right.
    const auto loss_of = [&](std::size_t step) {
        random::Generator draws(seed, 1 + step); // each step has a table of its own
        const task::RetrievalTable table = task::draw_table(retrieval, draws, n_queries);
        const Matrix values = draws.normals(table.keys.shape(0), d_v); // [n_keys, d_v]
        const Matrix answers = xt::view(values, xt::keep(table.chosen), xt::all());
        const auto scores = model.score(batch_of_one(table.queries), batch_of_one(table.keys));
        const auto weights = softmax(scores);                        // [1, n_queries, n_keys]
        const auto contexts = matmul(weights, batch_of_one(values)); // [1, n_queries, d_v]
        return mean_squared_error(contexts, batch_of_one(answers));
    };

    // Compute the gradient, and check one entry: the tape against central differences.
    Variable<double> parameter = model.parameters.begin()->variable;
    {
        const autograd::Tape<double> tape;
        backward(loss_of(0));
    }
    double& entry = parameter.value().data()[0];
    const double start = entry;
    entry = start + 1e-5;
    const double above = loss_of(0).item();
    entry = start - 1e-5;
    const double below = loss_of(0).item();
    entry = start;
    fmt::print("d loss / d parameter: by the tape {:.6f}, by differences {:.6f}\n\n",
               parameter.gradient().data()[0], (above - below) / 2e-5);
    model.parameters.clear_gradients(); // or they would be added to those of the first step

    // Train the model, and try its score on new tables.
    const auto learnt = [&model](const Matrix& queries, const Matrix& keys) -> Matrix {
        const auto scores = model.score(batch_of_one(queries), batch_of_one(keys));
        return xt::view(scores.value(), 0, xt::all(), xt::all());
    };
    nn::Adam<double> optimiser(model.parameters, {.learning_rate = learning_rate});
    fmt::print("  step    loss  right keys found\n");
    for (std::size_t step = 0; step <= n_steps; ++step) {
        if (step % 50 == 0) { // without a tape nothing is recorded
            double loss = 0;
            for (std::size_t i = 1; i <= 20; ++i) {
                loss += loss_of(n_steps + i).item() / 20;
            }
            const double found =
                task::retrieve(retrieval, {{"learnt", "", learnt}}, seed)[0].accuracy;
            fmt::print("{:>6}{:>8.3f}{:>18.3f}\n", step, loss, found);
        }
        const autograd::Tape<double> tape;
        backward(loss_of(step));
        optimiser.step();
    }

    // Compare with the parameters of somebody who knows M.
    const auto with_M = [&M](const auto& Q, const auto& K) {
        return task::multiplicative(Q, K, M);
    };
    fmt::print("with W = M{:>22.3f}\n",
               task::retrieve(retrieval, {{"q.M k", "", with_M}}, seed)[0].accuracy);

    // Try: below the model, model = learnt_additive<double>({d_q, d_k, 32}, rng, true);
    // dot_with_key_bias(matmul(queries, W), keys) in place of multiplicative(queries, keys, W);
    // nn::Sgd in place of nn::Adam, with the same learning rate and with learning_rate = 1.
}
