#include "chapters/04_backpropagation/training/training.hpp"

#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/nn/training.hpp"
#include "common/random/streams.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace attn::backpropagation {

using random::Generator;

double accuracy_of(const Variable<float>& scores, const std::vector<std::int64_t>& chosen)
{
    expect(scores.rank() == 3 && scores.shape()[0] == chosen.size() && scores.shape()[1] == 1,
           "accuracy_of: scores must have shape [{}, 1, n_keys], got {}", chosen.size(),
           scores.shape());
    const std::size_t n_keys = scores.shape()[2];
    std::size_t n_right = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const float* const row = scores.value().data() + i * n_keys;
        n_right += std::max_element(row, row + n_keys) - row == chosen[i] ? 1 : 0;
    }
    return static_cast<double>(n_right) / static_cast<double>(chosen.size());
}

Variable<float> cross_entropy_of(const Variable<float>& scores,
                                 const std::vector<std::int64_t>& chosen)
{
    return cross_entropy(reshape(scores, {scores.shape()[0], scores.shape()[2]}),
                         std::span<const std::int64_t>(chosen));
}

namespace {

/// Some of the examples.
Batch pick(const Batch& all, const std::size_t* which, std::size_t n)
{
    const std::size_t d_q = all.queries.shape()[2];
    const std::size_t table = all.keys.shape()[1] * all.keys.shape()[2];
    Batch batch{Array<float>(Shape{n, 1, d_q}),
                Array<float>(Shape{n, all.keys.shape()[1], all.keys.shape()[2]}),
                {}};
    for (std::size_t i = 0; i < n; ++i) {
        std::copy_n(all.queries.data() + which[i] * d_q, d_q, batch.queries.data() + i * d_q);
        std::copy_n(all.keys.data() + which[i] * table, table, batch.keys.data() + i * table);
        batch.chosen.push_back(all.chosen[which[i]]);
    }
    return batch;
}

/// What a model is worth on a set of examples, and on each hundred of them.
Metrics metrics_of(const LearntScore<float>& model, const Batch& examples,
                   std::vector<double>* hundreds = nullptr)
{
    const std::size_t n = examples.chosen.size();
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), std::size_t{0});
    Metrics metrics;
    for (std::size_t begin = 0; begin < n; begin += n_small_test) {
        const std::size_t count = std::min(n_small_test, n - begin);
        const double share = static_cast<double>(count) / static_cast<double>(n);
        const Batch part = pick(examples, all.data() + begin, count);
        const Variable<float> scores = model.score(part.queries, part.keys);
        const double accuracy = accuracy_of(scores, part.chosen);
        metrics.loss +=
            share * static_cast<double>(cross_entropy_of(scores, part.chosen).item());
        metrics.accuracy += share * accuracy;
        if (hundreds != nullptr) {
            hundreds->push_back(accuracy);
        }
    }
    return metrics;
}

Evaluation evaluate(const LearntScore<float>& model, const Split& split)
{
    Evaluation result;
    result.train = metrics_of(model, split.train);
    result.validation = metrics_of(model, split.validation);
    result.fresh = metrics_of(model, split.fresh, &result.small_tests);
    return result;
}

} // namespace

namespace {

using Parameters = nn::Parameters<float>;
using Optimiser = std::unique_ptr<nn::Optimiser<float>>;

Optimiser gradient_descent(const Parameters& parameters, double learning_rate, double momentum)
{
    return std::make_unique<nn::Sgd<float>>(
        parameters,
        nn::Sgd<float>::Options{.learning_rate = learning_rate, .momentum = momentum});
}

} // namespace

constexpr Method Method::sgd{"SGD", [](const Parameters& parameters, double rate) {
                                 return gradient_descent(parameters, rate, 0);
                             }};
constexpr Method Method::momentum{"momentum", [](const Parameters& parameters, double rate) {
                                      return gradient_descent(parameters, rate, 0.9);
                                  }};
constexpr Method Method::adam{
    "Adam", [](const Parameters& parameters, double rate) -> Optimiser {
        return std::make_unique<nn::Adam<float>>(
            parameters, nn::Adam<float>::Options{.learning_rate = rate});
    }};

const std::vector<Method>& methods()
{
    static const std::vector<Method> table = {Method::sgd, Method::momentum, Method::adam};
    return table;
}

// [train]
std::vector<Evaluation> train(const Split& split, const Hyperparameters& settings)
{
    Generator generator(settings.seed, random::Stream::split_training);
    const ScoreSizes sizes{split.train.queries.shape()[2], split.train.keys.shape()[2],
                           settings.d_hidden};
    const LearntScore<float> model = learnt_additive<float>(sizes, generator, true);
    const std::unique_ptr<nn::Optimiser<float>> optimiser =
        settings.method.optimiser(model.parameters, settings.learning_rate);

    std::vector<Evaluation> evaluations = {evaluate(model, split)};
    const std::size_t budget = n_epochs * split.train.chosen.size();
    std::vector<std::size_t> order; // of the examples that are still to come in this epoch
    for (std::size_t n_seen = 0; evaluations.size() <= n_evaluations;) {
        if (order.size() < settings.batch) {
            order = generator.permutation(split.train.chosen.size());
        }
        const Batch batch =
            pick(split.train, order.data() + order.size() - settings.batch, settings.batch);
        order.resize(order.size() - settings.batch);

        autograd::Tape<float> tape;
        autograd::backward(
            cross_entropy_of(model.score(batch.queries, batch.keys), batch.chosen));
        optimiser->step();

        n_seen += settings.batch;
        if (n_seen >= budget / n_evaluations * evaluations.size()) {
            evaluations.push_back(evaluate(model, split));
        }
    }
    nn::count_training(model.parameters); // for --checksums
    return evaluations;
}
// [train]

} // namespace attn::backpropagation
