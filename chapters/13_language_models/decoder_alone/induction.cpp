#include "chapters/13_language_models/decoder_alone/induction.hpp"

#include "chapters/13_language_models/sampling.hpp"
#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>

namespace attn::language_models {

Repetitions draw_repetitions(const RepetitionTask& task, std::size_t n_texts,
                             random::Generator& generator)
{
    expect(task.shortest_period >= 1 && task.shortest_period <= task.longest_period &&
               task.longest_period <= task.n && task.longest_period <= task.n_tokens,
           "draw_repetitions: periods from {} to {} do not go with {} tokens of {}",
           task.shortest_period, task.longest_period, task.n, task.n_tokens);
    Repetitions drawn{{.n_texts = n_texts}, {}};
    for (std::size_t i = 0; i < n_texts; ++i) {
        const std::size_t p = task.shortest_period +
                              generator.below(task.longest_period - task.shortest_period + 1);
        const std::vector<std::size_t> symbols = generator.choice(task.n_tokens, p);
        for (std::size_t t = 0; t < task.n; ++t) {
            drawn.batch.tokens.push_back(static_cast<TokenId>(symbols[t % p]));
            drawn.batch.answers.push_back(static_cast<TokenId>(symbols[(t + 1) % p]));
        }
        drawn.periods.push_back(p);
    }
    return drawn;
}

namespace {

/// The mean over all queries q >= first(text) of the sum of a head's weights on the keys k <= q
/// for which counts(text, q, k).
template <typename First, typename Counts>
std::vector<double> mean_mass(const Array<float>& weights, First first, Counts counts)
{
    const Shape& shape = weights.shape(); // [n_texts, H, n, n]
    std::vector<double> mass(shape[1], 0.0);
    std::size_t n_queries = 0;
    for (std::size_t text = 0; text < shape[0]; ++text) {
        for (std::size_t q = first(text); q < shape[2]; ++q) {
            ++n_queries;
            for (std::size_t head = 0; head < shape[1]; ++head) {
                for (std::size_t k = 0; k <= q; ++k) {
                    mass[head] += counts(text, q, k)
                                      ? static_cast<double>(weights(text, head, q, k))
                                      : 0.0;
                }
            }
        }
    }
    for (double& one : mass) {
        one /= static_cast<double>(n_queries);
    }
    return mass;
}

} // namespace

// [induction_score]
std::vector<double> induction_scores(const Array<float>& weights,
                                     const std::vector<std::size_t>& periods)
{
    return mean_mass(
        weights, [&](std::size_t text) { return periods[text]; },
        [&](std::size_t text, std::size_t q, std::size_t k) {
            return (q + 1 - k) % periods[text] == 0;
        });
}

std::vector<double> previous_token_scores(const Array<float>& weights)
{
    return mean_mass(
        weights, [](std::size_t /*text*/) { return std::size_t{1}; },
        [](std::size_t /*text*/, std::size_t q, std::size_t k) { return k + 1 == q; });
}
// [induction_score]

RepetitionMeasures measure_repetitions(const Array<float>& logits,
                                       const Repetitions& repetitions)
{
    const std::size_t n_texts = repetitions.batch.n_texts;
    const std::size_t n = repetitions.batch.tokens.size() / n_texts;
    const std::size_t n_tokens = logits.shape()[1];
    RepetitionMeasures measures{0, 0, 0, 0};
    std::size_t n_repeated = 0;
    for (std::size_t at = 0; at < logits.shape()[0]; ++at) {
        const std::size_t p = repetitions.periods[at / n];
        const auto answer = static_cast<std::size_t>(repetitions.batch.answers[at]);
        const float* const scores = logits.data() + at * n_tokens;
        const Vector all = next_probabilities({scores, n_tokens}, {});
        const double loss = -elementary::log(all(answer));
        if (at % n < p) { // even where the first repetition begins, nobody can know it yet
            measures.loss_first += loss;
        } else {
            ++n_repeated;
            measures.loss_repeat += loss;
            measures.accuracy +=
                std::max_element(scores, scores + n_tokens) == scores + answer ? 1 : 0;
            measures.chance += 1 / static_cast<double>(p);
        }
    }
    measures.loss_first /= static_cast<double>(logits.shape()[0] - n_repeated);
    for (double* const one : {&measures.loss_repeat, &measures.accuracy, &measures.chance}) {
        *one /= static_cast<double>(n_repeated);
    }
    return measures;
}

} // namespace attn::language_models
