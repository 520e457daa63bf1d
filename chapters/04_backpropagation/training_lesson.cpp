/// \file
/// \brief The bodies of training_lesson.hpp.
#include "chapters/04_backpropagation/training_lesson.hpp"

#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/nn/optimisers.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <cstdlib>

namespace attn::backpropagation {

using random::Generator;

namespace {

enum Stream : std::uint64_t
{
    world = 31ULL << 40U,
    training_order = 32ULL << 40U,
    first_parameters = 33ULL << 40U,
};

double env(const char* n, double d) { const char* v = std::getenv(n); return v ? std::atof(v) : d; }

} // namespace

Lesson draw_lesson(std::uint64_t seed)
{
    Generator generator(seed, Stream::world);
    const std::size_t d_k = 8;
    const std::size_t d_q = 12;
    RetrievalTask task{{"lesson", scoring_functions::orthonormal_columns(generator, d_q, d_k),
                        env("NOISE", 0.5) * xt::ones<double>({d_q})},
                       n_lesson_keys,
                       Keys::normal};
    const double range = env("RANGE", 100), top = env("TOP", 3);
    for (std::size_t m = 0; m < d_q; ++m) {
        const double unit = top * std::pow(range, -static_cast<double>(m) / static_cast<double>(d_q - 1));
        xt::row(task.of.M, static_cast<std::ptrdiff_t>(m)) *= unit;
        task.of.noise(m) *= unit;
    }
    Lesson lesson;
    lesson.train = draw_batch<float>(task, generator, size_t(env("NTRAIN", 384)));
    lesson.validation = draw_batch<float>(task, generator, size_t(env("NVAL", 384)));
    lesson.test = draw_batch<float>(task, generator, size_t(env("NTEST", 200)));
    lesson.fresh = draw_batch<float>(task, generator, size_t(env("NFRESH", 2000)));
    return lesson;
}

std::size_t History::best_look() const
{
    const auto best = std::min_element(
        validation.begin(), validation.end(),
        [](const Quality& a, const Quality& b) { return a.loss < b.loss; });
    return static_cast<std::size_t>(best - validation.begin());
}

namespace {

Variable<float> loss_of(const Variable<float>& scores, const std::vector<std::int64_t>& chosen)
{
    return cross_entropy(autograd::reshape(scores, {scores.shape()[0], scores.shape()[2]}),
                         std::span<const std::int64_t>(chosen));
}

/// Some of the examples.
Batch<float> pick(const Batch<float>& all, const std::size_t* which, std::size_t n)
{
    const std::size_t d_q = all.queries.shape()[2];
    const std::size_t table = all.keys.shape()[1] * all.keys.shape()[2];
    Batch<float> batch{Array<float>(Shape{n, 1, d_q}),
                       Array<float>(Shape{n, all.keys.shape()[1], all.keys.shape()[2]}),
                       {}};
    for (std::size_t i = 0; i < n; ++i) {
        std::copy_n(all.queries.data() + which[i] * d_q, d_q, batch.queries.data() + i * d_q);
        std::copy_n(all.keys.data() + which[i] * table, table, batch.keys.data() + i * table);
        batch.chosen.push_back(all.chosen[which[i]]);
    }
    return batch;
}

/// What a model is worth on a set of examples, a part at a time.
Quality look(const LearntScore<float>& model, const Batch<float>& examples)
{
    constexpr std::size_t at_a_time = 128;
    const std::size_t n = examples.chosen.size();
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), std::size_t{0});
    Quality quality;
    for (std::size_t begin = 0; begin < n; begin += at_a_time) {
        const std::size_t count = std::min(at_a_time, n - begin);
        const double share = static_cast<double>(count) / static_cast<double>(n);
        const Batch<float> part = pick(examples, all.data() + begin, count);
        const Variable<float> scores = model.score(part.queries, part.keys);
        quality.loss += share * static_cast<double>(loss_of(scores, part.chosen).item());
        quality.accuracy += share * accuracy_of(scores, part.chosen);
    }
    return quality;
}

std::unique_ptr<nn::Optimiser<float>> optimiser_of(const Attempt& attempt,
                                                   const nn::Parameters<float>& parameters)
{
    if (attempt.method == Method::adam) {
        return std::make_unique<nn::Adam<float>>(
            parameters, nn::Adam<float>::Options{.learning_rate = attempt.learning_rate});
    }
    return std::make_unique<nn::Sgd<float>>(
        parameters,
        nn::Sgd<float>::Options{.learning_rate = attempt.learning_rate,
                                .momentum = attempt.method == Method::momentum ? 0.9 : 0.0});
}

} // namespace

History train(const Lesson& lesson, const Attempt& attempt)
{
    const std::size_t n_train = lesson.train.chosen.size();
    Generator parameters(attempt.seed, Stream::first_parameters);
    const LearntScore<float> model =
        score_named<float>("additive, bias")
            .make({lesson.train.queries.shape()[2], lesson.train.keys.shape()[2],
                   attempt.d_hidden},
                  parameters);
    const std::unique_ptr<nn::Optimiser<float>> optimiser =
        optimiser_of(attempt, model.parameters);

    History history;
    const auto look_at_all = [&] {
        history.train.push_back(look(model, lesson.train));
        history.validation.push_back(look(model, lesson.validation));
        history.test.push_back(look(model, lesson.test));
        history.fresh.push_back(look(model, lesson.fresh));
    };
    look_at_all();

    Generator order_of(attempt.seed, Stream::training_order);
    std::vector<std::size_t> order;
    std::size_t n_seen = 0;
    for (std::size_t i = 1; i <= n_looks; ++i) {
        const std::size_t until = attempt.budget * i / n_looks;
        while (n_seen + attempt.batch <= until) {
            if (order.size() < attempt.batch) {
                order = order_of.permutation(n_train);
            }
            const Batch<float> batch =
                pick(lesson.train, order.data() + order.size() - attempt.batch, attempt.batch);
            order.resize(order.size() - attempt.batch);
            autograd::Tape<float> tape;
            autograd::backward(loss_of(model.score(batch.queries, batch.keys), batch.chosen));
            optimiser->step();
            n_seen += attempt.batch;
        }
        look_at_all();
    }
    return history;
}

} // namespace attn::backpropagation
