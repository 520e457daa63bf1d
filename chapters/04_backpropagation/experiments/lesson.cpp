#include "chapters/04_backpropagation/experiments/lesson.hpp"

#include "chapters/04_backpropagation/experiments/learnt_retrieval.hpp"
#include "chapters/04_backpropagation/random_streams.hpp"
#include "common/kernels/elementary.hpp"
#include "common/parallel/for_each_index.hpp"

#include <limits>

namespace attn::backpropagation {

using random::Generator;

Split draw_lesson(std::uint64_t seed)
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
    Split split;
    split.train = draw_batch(task, generator, n_lesson_train);
    split.validation = draw_batch(task, generator, 512);
    split.fresh = draw_batch(task, generator, 1000);
    return split;
}

std::vector<Attempt> lesson_attempts(bool quick)
{
    const std::vector<double> rates =
        quick ? std::vector<double>{0.03}
              : std::vector<double>{0.003, 0.01, 0.03, 0.1, 0.3, 1, 3};
    std::vector<Attempt> attempts;
    for (const std::size_t batch : {n_lesson_train, n_lesson_batch}) {
        for (const Method method : {Method::sgd, Method::momentum, Method::adam}) {
            for (const double rate : rates) {
                attempts.push_back({method, batch, rate});
            }
        }
    }
    attempts.push_back({Method::adam, n_lesson_batch, 0.01, 8});
    attempts.push_back({Method::adam, n_lesson_batch, 0.01, 128});
    for (std::uint64_t seed = 2; seed <= (quick ? 2U : 7U); ++seed) {
        attempts.push_back({Method::adam, n_lesson_batch, 0.01, 32, seed});
    }
    return attempts;
}

std::vector<Study> study_lesson(const std::vector<std::uint64_t>& seeds,
                                const std::vector<Attempt>& attempts, std::size_t n_threads,
                                const std::function<void()>& after_each)
{
    std::vector<Split> lessons(seeds.size());
    std::vector<Study> studies(seeds.size());
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        lessons[i] = draw_lesson(seeds[i]);
        studies[i] = {attempts, std::vector<std::vector<Evaluation>>(attempts.size())};
    }
    parallel::for_each_index(seeds.size() * attempts.size(), n_threads, [&](std::size_t index) {
        const std::size_t i = index / attempts.size();
        const std::size_t which = index % attempts.size();
        studies[i].evaluations[which] = train(lessons[i], attempts[which]);
        after_each();
    });
    return studies;
}

namespace {

/// The evaluation of lowest cost among those of some attempts.
template <typename Counts, typename Cost>
Choice lowest(const Study& study, Counts counts, Cost cost)
{
    Choice best{study.attempts.size(), 0};
    double lowest_cost = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < study.attempts.size(); ++i) {
        for (std::size_t j = 0; j < study.evaluations[i].size() && counts(study.attempts[i]);
             ++j) {
            const double here = cost(study.evaluations[i][j]);
            if (here < lowest_cost) {
                lowest_cost = here;
                best = {i, j};
            }
        }
    }
    return best;
}

} // namespace

Choice choose(const Study& study, const std::function<double(const Evaluation&)>& cost)
{
    return lowest(
        study, [](const Attempt&) { return true; }, cost);
}

Promise choose_by_small_tests(const Study& study)
{
    const std::size_t n_tests = study.evaluations.front().front().small_tests.size();
    const auto n = static_cast<double>(n_tests);
    Promise mean{0, 0, 0};
    for (std::size_t test = 0; test < n_tests; ++test) {
        const Choice best =
            choose(study, [test](const Evaluation& one) { return -one.small_tests[test]; });
        const Evaluation& chosen = study.evaluations[best.attempt][best.evaluation];
        const double promised = chosen.small_tests[test];
        mean.promised += promised / n;
        mean.loss += chosen.fresh.loss / n;
        mean.kept += (chosen.fresh.accuracy * n - promised) / (n - 1) / n;
    }
    return mean;
}

Choice best_of(const Study& study, Method method, std::size_t batch)
{
    const Choice best = lowest(
        study,
        [&](const Attempt& attempt) {
            return attempt.method == method && attempt.batch == batch &&
                   attempt.d_hidden == 32 && attempt.seed == 1;
        },
        [](const Evaluation& one) { return one.validation.loss; });
    expect(best.attempt < study.attempts.size(), "best_of: no attempt has batches of {}",
           batch);
    return best;
}

} // namespace attn::backpropagation
