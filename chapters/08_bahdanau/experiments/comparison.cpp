#include "chapters/08_bahdanau/experiments/comparison.hpp"

#include "common/kernels/elementary.hpp"
#include "common/text/share.hpp"
#include "common/translation/training.hpp"

#include <algorithm>
#include <limits>

namespace attn::bahdanau {

TrainedTranslator try_kind(const AlignmentKind& kind, const TranslationTask& task,
                           const EvaluationSet& set, const KindTraining& how)
{
    const auto end =
        static_cast<std::ptrdiff_t>(std::min(how.n_validated, task.validation.size()));
    const EvaluationSet validation = {
        {task.pairs.validation.begin(), task.pairs.validation.begin() + end},
        {task.validation.begin(), task.validation.begin() + end}};
    TrainedTranslator trained{&kind, how.seed, make_translator(kind, task, how.seed),
                              {},    {},       {}};
    const TranslationModel model = model_of(trained.translator);
    const auto observe = [&](std::size_t n_steps) {
        if (how.snapshot_every == 0 || n_steps % how.snapshot_every != 0) {
            return;
        }
        const Evaluation seen = translation::predict(model, validation);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        trained.snapshots.push_back(
            {n_steps, translation::tokens_of(seen).accuracy(),
             kind.attends ? translation::alignment_of(seen, validation.pairs).error() : nan,
             kind.attends ? mean_entropy(seen) : nan});
    };
    trained.losses = translation::train(
        model, task.train,
        {.n_steps = how.n_steps, .peak_rate = kind.peak_rate, .seed = how.seed},
        {.label = kind.name, .show_progress = false}, observe);
    trained.evaluation = translation::evaluate(model, task, set);
    return trained;
}

double mean_entropy(const Evaluation& evaluation)
{
    double sum = 0;
    double n_words = 0;
    for (const text::AttentionWeights& sentence : evaluation.weights) {
        for (const std::vector<double>& row : sentence) {
            for (const double p : row) {
                sum -= p > 0 ? p * elementary::log(p) : 0.0;
            }
            n_words += 1;
        }
    }
    return text::share_of(sum, n_words);
}

AttentionOfWord attention_of(const Evaluation& evaluation,
                             const std::vector<text::SentencePair>& pairs,
                             const std::string& word)
{
    AttentionOfWord attention;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto is_it = [&](std::size_t target) { return pairs[i].target[target] == word; };
        for (std::size_t t = 0; t < pairs[i].target.size(); ++t) {
            attention.n += is_it(t) ? 1U : 0U;
        }
        for (const text::Link& link : pairs[i].sure) {
            attention.sure +=
                is_it(link.target) ? evaluation.weights[i][link.target][link.source] : 0.0;
        }
        for (const text::Link& link : pairs[i].possible) {
            attention.possible +=
                is_it(link.target) ? evaluation.weights[i][link.target][link.source] : 0.0;
        }
    }
    return attention;
}

} // namespace attn::bahdanau
