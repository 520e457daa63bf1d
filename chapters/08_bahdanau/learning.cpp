/// \file
/// \brief The bodies of learning.hpp.
#include "chapters/08_bahdanau/learning.hpp"

#include "common/kernels/elementary.hpp"
#include "common/text/share.hpp"

#include <algorithm>
#include <limits>

namespace attn::bahdanau {

using seq2seq::Judgement;

double mean_entropy(const Judgement& judgement)
{
    double sum = 0;
    double n_words = 0;
    for (const text::AttentionWeights& sentence : judgement.weights) {
        for (const std::vector<double>& row : sentence) {
            for (const double p : row) {
                sum -= p > 0 ? p * elementary::log(p) : 0.0;
            }
            n_words += 1;
        }
    }
    return text::share_of(sum, n_words);
}

Learnt learn(const AlignmentKind& kind, const TranslationTask& task,
             const LearningOptions& options)
{
    const std::size_t n_seen = std::min(options.n_looked_at, task.validation.size());
    const auto end = static_cast<std::ptrdiff_t>(n_seen);
    const std::vector<text::SentencePair> pairs(task.pairs.validation.begin(),
                                                task.pairs.validation.begin() + end);
    const std::vector<text::NumberedPair> numbered(task.validation.begin(),
                                                   task.validation.begin() + end);
    Learnt learnt{make_translator(kind, task, options.seed), {}, {}};
    const auto look = [&](std::size_t n_steps) {
        if (options.look_every == 0 || n_steps % options.look_every != 0) {
            return;
        }
        const Judgement seen = seq2seq::foretell(learnt.translator, pairs, numbered);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        learnt.looks.push_back({n_steps, seq2seq::tokens_of(seen).accuracy(),
                                kind.attends ? seq2seq::alignment_of(seen, pairs).error() : nan,
                                kind.attends ? mean_entropy(seen) : nan});
    };
    learnt.losses = seq2seq::train(
        learnt.translator, task.train,
        {.n_steps = options.n_steps, .peak_rate = kind.peak_rate, .seed = options.seed},
        {.n_steps = options.n_steps,
         .label = kind.name,
         .show_progress = options.show_progress,
         .files = options.files,
         .settings = options.settings},
        look);
    return learnt;
}

} // namespace attn::bahdanau
