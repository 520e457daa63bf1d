/// \file
/// \brief The bodies of training_lesson.hpp.
#include "chapters/04_backpropagation/training_lesson.hpp"

#include "chapters/04_backpropagation/experiments/learning_streams.hpp"
#include "common/kernels/elementary.hpp"
#include "common/nn/optimisers.hpp"
#include "common/parallel/for_each_index.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

namespace attn::backpropagation {

using random::Generator;

Lesson draw_lesson(std::uint64_t seed)
{
    constexpr std::size_t d_k = 8;
    constexpr std::size_t d_q = 12;
    Generator generator(seed, stream::lesson);
    RetrievalTask task{{"lesson", scoring_functions::orthonormal_columns(generator, d_q, d_k),
                        0.9 * xt::ones<double>({d_q})},
                       8,
                       Keys::normal};

    // Units from 3 down to 0.03, in equal ratios.
    for (std::size_t m = 0; m < d_q; ++m) {
        const double unit = 3 * elementary::pow(0.01, static_cast<double>(m) / (d_q - 1));
        xt::row(task.of.M, static_cast<std::ptrdiff_t>(m)) *= unit;
        task.of.noise(m) *= unit;
    }
    Lesson lesson;
    lesson.train = draw_batch<float>(task, generator, n_lesson_train);
    lesson.validation = draw_batch<float>(task, generator, 512);
    lesson.fresh = draw_batch<float>(task, generator, 1000);
    return lesson;
}

// ---------------------------------------------------------------- a training

namespace {

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

/// What a model is worth on a set of examples, and on each hundred of them.
Quality quality_of(const LearntScore<float>& model, const Batch<float>& examples,
                   std::vector<double>* hundreds = nullptr)
{
    const std::size_t n = examples.chosen.size();
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), std::size_t{0});
    Quality quality;
    for (std::size_t begin = 0; begin < n; begin += n_small_test) {
        const std::size_t count = std::min(n_small_test, n - begin);
        const double share = static_cast<double>(count) / static_cast<double>(n);
        const Batch<float> part = pick(examples, all.data() + begin, count);
        const Variable<float> scores = model.score(part.queries, part.keys);
        const double accuracy = accuracy_of(scores, part.chosen);
        quality.loss +=
            share * static_cast<double>(cross_entropy_of(scores, part.chosen).item());
        quality.accuracy += share * accuracy;
        if (hundreds != nullptr) {
            hundreds->push_back(accuracy);
        }
    }
    return quality;
}

Look look_at(const LearntScore<float>& model, const Lesson& lesson)
{
    Look look;
    look.train = quality_of(model, lesson.train);
    look.validation = quality_of(model, lesson.validation);
    look.fresh = quality_of(model, lesson.fresh, &look.small_tests);
    return look;
}

std::unique_ptr<nn::Optimiser<float>> optimiser_of(const Attempt& attempt,
                                                   const nn::Parameters<float>& parameters)
{
    const double rate = attempt.learning_rate;
    const double momentum = attempt.method == Method::momentum ? 0.9 : 0.0;
    if (attempt.method == Method::adam) {
        return std::make_unique<nn::Adam<float>>(
            parameters, nn::Adam<float>::Options{.learning_rate = rate});
    }
    return std::make_unique<nn::Sgd<float>>(
        parameters, nn::Sgd<float>::Options{.learning_rate = rate, .momentum = momentum});
}

} // namespace

// [train]
std::vector<Look> train(const Lesson& lesson, const Attempt& attempt)
{
    Generator generator(attempt.first, stream::lesson_training);
    const ScoreSizes sizes{lesson.train.queries.shape()[2], lesson.train.keys.shape()[2],
                           attempt.d_hidden};
    const LearntScore<float> model =
        score_named<float>("additive, bias").make(sizes, generator);
    const std::unique_ptr<nn::Optimiser<float>> optimiser =
        optimiser_of(attempt, model.parameters);

    std::vector<Look> looks = {look_at(model, lesson)};
    std::vector<std::size_t> order; // of the examples that are still to come in this round
    for (std::size_t n_seen = 0; looks.size() <= n_looks;) {
        if (order.size() < attempt.batch) {
            order = generator.permutation(lesson.train.chosen.size());
        }
        const Batch<float> batch =
            pick(lesson.train, order.data() + order.size() - attempt.batch, attempt.batch);
        order.resize(order.size() - attempt.batch);

        autograd::Tape<float> tape;
        autograd::backward(
            cross_entropy_of(model.score(batch.queries, batch.keys), batch.chosen));
        optimiser->step();

        n_seen += attempt.batch;
        if (n_seen >= lesson_budget / n_looks * looks.size()) {
            looks.push_back(look_at(model, lesson));
        }
    }
    return looks;
}
// [train]

// ---------------------------------------------------------------- many trainings

std::vector<double> lesson_rates(bool quick)
{
    return quick ? std::vector<double>{0.03}
                 : std::vector<double>{0.003, 0.01, 0.03, 0.1, 0.3, 1, 3};
}

std::vector<Attempt> lesson_attempts(bool quick)
{
    std::vector<Attempt> attempts;
    for (const std::size_t batch : {n_lesson_train, n_lesson_batch}) {
        for (const Method method : {Method::sgd, Method::momentum, Method::adam}) {
            for (const double rate : lesson_rates(quick)) {
                attempts.push_back({method, batch, rate});
            }
        }
    }
    attempts.push_back({Method::adam, n_lesson_batch, 0.01, 8});
    attempts.push_back({Method::adam, n_lesson_batch, 0.01, 128});
    for (std::uint64_t first = 2; first <= (quick ? 2U : 7U); ++first) {
        attempts.push_back({Method::adam, n_lesson_batch, 0.01, 32, first});
    }
    return attempts;
}

std::vector<Study> study_lesson(const std::vector<std::uint64_t>& seeds,
                                const std::vector<Attempt>& attempts, std::size_t n_threads,
                                const std::function<void()>& after_each)
{
    std::vector<Lesson> lessons(seeds.size());
    std::vector<Study> studies(seeds.size());
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        lessons[i] = draw_lesson(seeds[i]);
        studies[i] = {attempts, std::vector<std::vector<Look>>(attempts.size())};
    }
    parallel::for_each_index(seeds.size() * attempts.size(), n_threads, [&](std::size_t index) {
        const std::size_t i = index / attempts.size();
        const std::size_t which = index % attempts.size();
        studies[i].looks[which] = train(lessons[i], attempts[which]);
        after_each();
    });
    return studies;
}

namespace {

/// The look with the lowest cost among those of some attempts.
template <typename Counts, typename Cost>
Choice lowest(const Study& study, Counts counts, Cost cost)
{
    Choice best{study.attempts.size(), 0};
    double lowest_cost = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < study.attempts.size(); ++i) {
        for (std::size_t look = 0; look < study.looks[i].size() && counts(study.attempts[i]);
             ++look) {
            const double here = cost(study.looks[i][look]);
            if (here < lowest_cost) {
                lowest_cost = here;
                best = {i, look};
            }
        }
    }
    return best;
}

} // namespace

Choice choose(const Study& study, const std::function<double(const Look&)>& cost)
{
    return lowest(
        study, [](const Attempt&) { return true; }, cost);
}

Promise choose_by_small_tests(const Study& study)
{
    const std::size_t n_tests = study.looks.front().front().small_tests.size();
    const auto n = static_cast<double>(n_tests);
    Promise mean{0, 0, 0};
    for (std::size_t test = 0; test < n_tests; ++test) {
        const Choice best =
            choose(study, [test](const Look& look) { return -look.small_tests[test]; });
        const Look& look = study.looks[best.attempt][best.look];
        const double promised = look.small_tests[test];
        mean.promised += promised / n;
        mean.loss += look.fresh.loss / n;
        mean.kept += (look.fresh.accuracy * n - promised) / (n - 1) / n;
    }
    return mean;
}

Choice best_of(const Study& study, Method method, std::size_t batch)
{
    const Choice best = lowest(
        study,
        [&](const Attempt& attempt) {
            return attempt.method == method && attempt.batch == batch &&
                   attempt.d_hidden == 32 && attempt.first == 1;
        },
        [](const Look& look) { return look.validation.loss; });
    expect(best.attempt < study.attempts.size(), "best_of: no attempt has batches of {}",
           batch);
    return best;
}

} // namespace attn::backpropagation
