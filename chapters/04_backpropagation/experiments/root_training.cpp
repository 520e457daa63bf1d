#include "chapters/04_backpropagation/experiments/root_training.hpp"

#include "chapters/04_backpropagation/experiments/learnt_retrieval.hpp"
#include "chapters/04_backpropagation/random_streams.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/losses.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/softmax.hpp"
#include "common/nn/optimisers.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace attn::backpropagation {

using autograd::matmul;
using random::Generator;

namespace {

/// Two projections, each number of whose results has unit variance, and their score.
struct Projections
{
    Variable<float> U; ///< [d_q, d]
    Variable<float> V; ///< [d_k, d]
    double factor;     ///< 1, or 1 over the root of d

    /// (q U) (k V)^T with the brackets where they cost least: q (U V^T) k^T.
    Variable<float> score(const Batch& batch) const
    {
        const Variable<float> W = matmul(U, V, Transpose::no, Transpose::yes);
        return factor * multiplicative<float>(batch.queries, batch.keys, W);
    }
};

/// The loss of a batch, and the values that the contexts are asked for.
Variable<float> loss_of(const RootTraining& training, const Batch& batch,
                        const Variable<float>& scores, Generator& generator)
{
    if (training.objective == Objective::weights) {
        return cross_entropy_of(scores, batch.chosen);
    }
    constexpr std::size_t d_v = 16;
    const std::size_t n = batch.chosen.size();
    const std::size_t n_keys = scores.shape()[2];
    Array<float> values(Shape{n, n_keys, d_v});
    for (float& number : numbers_of(values)) {
        number = static_cast<float>(generator.normal());
    }
    Array<float> wanted(Shape{n, 1, d_v});
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t row = i * n_keys + static_cast<std::size_t>(batch.chosen[i]);
        std::copy_n(values.data() + row * d_v, d_v, wanted.data() + i * d_v);
    }
    const Variable<float> contexts =
        matmul(autograd::softmax(scores), Variable<float>(std::move(values)));
    return mean_squared_error(contexts, Variable<float>(std::move(wanted)));
}

} // namespace

RootResult train_projections(const RootTraining& training, std::uint64_t seed)
{
    const RetrievalTask task{scoring_functions::retrieval_tasks(seed)[2]}; // rotated
    Generator parameters(seed, stream::root_parameters);
    const Projections model{matrix_parameter<float>(parameters, task.of.M.shape(0), training.d),
                            matrix_parameter<float>(parameters, task.of.M.shape(1), training.d),
                            training.scaled ? 1 / std::sqrt(static_cast<double>(training.d))
                                            : 1.0};
    nn::Parameters<float> list;
    list.add("U", model.U);
    list.add("V", model.V);
    std::unique_ptr<nn::Optimiser<float>> optimiser;
    if (training.adam) {
        optimiser = std::make_unique<nn::Adam<float>>(
            list, nn::Adam<float>::Options{.learning_rate = training.learning_rate});
    } else {
        optimiser = std::make_unique<nn::Sgd<float>>(
            list, nn::Sgd<float>::Options{.learning_rate = training.learning_rate});
    }

    Generator data(seed, stream::root_data);
    const Batch test = draw_batch(task, data, 500);
    RootResult result{0, training.most_steps, false};
    for (std::size_t step = 0; step < training.most_steps; ++step) {
        if (accuracy_of(model.score(test), test.chosen) >= 0.9) {
            return {result.first_loss, step, true};
        }
        const Batch batch = draw_batch(task, data, 128);
        autograd::Tape<float> tape;
        const Variable<float> loss = loss_of(training, batch, model.score(batch), data);
        if (step == 0) {
            result.first_loss = static_cast<double>(loss.item());
        }
        autograd::backward(loss);
        optimiser->step();
    }
    return result;
}

} // namespace attn::backpropagation
