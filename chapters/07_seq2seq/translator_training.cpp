/// \file
/// \brief The bodies of translator_training.hpp.
#include "chapters/07_seq2seq/translator_training.hpp"

#include "common/autograd/softmax.hpp"
#include "common/nn/optimisers.hpp"
#include "common/nn/schedules.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <numeric>
#include <string>
#include <utility>

namespace attn::seq2seq {

namespace {

constexpr std::size_t judged_at_once = 64; // sentences
constexpr std::uint64_t order_stream = 71ULL << 40U;

/// The batches of all epochs: each epoch's order depends on the seed and its number alone.
class Batches
{
public:
    Batches(std::span<const text::NumberedPair> pairs, std::size_t batch_size,
            std::uint64_t seed)
        : pairs_(pairs), batch_size_(batch_size), seed_(seed)
    {
        expect(batch_size > 0 && !pairs.empty(),
               "train: no batches of {} sentences can be made of {} pairs", batch_size,
               pairs.size());
        n_an_epoch_ = (pairs.size() + batch_size - 1) / batch_size;
    }

    text::Batch at(std::size_t step)
    {
        const std::size_t epoch = step / n_an_epoch_;
        if (plan_.empty() || epoch != epoch_) {
            random::Generator order(seed_, order_stream + epoch);
            plan_ = text::training_plan(pairs_, batch_size_, order);
            epoch_ = epoch;
        }
        return text::batch_of(pairs_, plan_[step % n_an_epoch_]);
    }

private:
    std::span<const text::NumberedPair> pairs_;
    std::size_t batch_size_;
    std::uint64_t seed_;
    std::size_t n_an_epoch_ = 0;
    std::size_t epoch_ = 0;
    text::BatchPlan plan_;
};

/// Counts words, and how long they take.
class WordRate
{
public:
    /// Counts the words of a batch that are foretold.
    void add(const text::Batch& batch)
    {
        n_words_ += std::accumulate(batch.target_lengths.begin(), batch.target_lengths.end(),
                                    std::size_t{0});
    }
    /// "61000 words a second"
    std::string text() const
    {
        const std::chrono::duration<double> passed = Clock::now() - start_;
        return fmt::format("{:.0f} words a second",
                           static_cast<double>(n_words_) / std::max(passed.count(), 1e-3));
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
    std::size_t n_words_ = 0;
};

} // namespace

// [train]
std::vector<double> train(const TranslationModel& model,
                          std::span<const text::NumberedPair> pairs,
                          const TrainingOptions& options, nn::TrainingPlan plan,
                          const Observer& observe)
{
    plan.n_steps = options.n_steps;
    WordRate rate_of_words;
    plan.remark = [&] { return rate_of_words.text(); };
    Batches batches(pairs, options.batch_size, options.seed);
    nn::Parameters<float> parameters = model.parameters;
    nn::Adam<float> adam(parameters, {.learning_rate = options.peak_rate});
    const std::size_t n_warm_up = std::min(options.n_warm_up, options.n_steps);
    const nn::Schedule fall = nn::linear_decay(
        std::max<std::size_t>(options.n_steps - n_warm_up, 1), options.last_share);
    const nn::Schedule rate = n_warm_up > 0 ? nn::warm_up(n_warm_up, fall) : fall;
    nn::State<float> state = model.state;
    adam.list_state(state, "adam");
    return nn::train<float>(plan, parameters, std::move(state), [&](std::size_t step) {
        adam.learning_rate = options.peak_rate * rate(step);
        const text::Batch batch = batches.at(step);
        rate_of_words.add(batch);
        autograd::Tape<float> tape;
        const Variable<float> loss = model.loss(batch);
        backward(loss);
        nn::clip_by_global_norm(parameters, options.largest_norm);
        adam.step();
        if (observe) {
            observe(step + 1);
        }
        return static_cast<double>(loss.item());
    });
}
// [train]

namespace {

/// Counts the words of one sentence of a batch.
text::TokenScores token_scores(const Array<float>& log_p, const text::Batch& batch,
                               std::size_t row)
{
    const std::size_t n_words = log_p.shape()[1];
    text::TokenScores scores;
    for (std::size_t t = 0; t < batch.target_lengths[row]; ++t) {
        const float* const of_words = log_p.data() + (t * batch.n_pairs + row) * n_words;
        const auto answer = static_cast<std::size_t>(batch.answers[row * batch.n_target + t]);
        const auto best =
            static_cast<std::size_t>(std::max_element(of_words, of_words + n_words) - of_words);
        scores += {1, best == answer ? 1U : 0U, static_cast<double>(of_words[answer])};
    }
    return scores;
}

/// The weights of the steps that wrote one sentence's words, the end symbol left out.
text::AttentionWeights weights_of(const Written<float>& written, const text::Batch& batch,
                                  std::size_t row)
{
    text::AttentionWeights weights;
    for (std::size_t t = 0; t + 1 < batch.target_lengths[row]; ++t) {
        const Array<float>& of_step = written.weights[t].value();
        const float* const first = of_step.data() + row * of_step.shape()[1];
        weights.emplace_back(first, first + batch.source_lengths[row]);
    }
    return weights;
}

} // namespace

Judgement foretell(const TranslationModel& model, const std::vector<text::SentencePair>& pairs,
                   const std::vector<text::NumberedPair>& numbered)
{
    expect(pairs.size() == numbered.size(), "foretell: {} pairs in words and {} in numbers",
           pairs.size(), numbered.size());
    const autograd::NoGradient<float> looking;
    Judgement judgement;
    for (const auto& chosen : text::evaluation_plan(numbered.size(), judged_at_once)) {
        const text::Batch batch = text::batch_of(numbered, chosen);
        const Written<float> written = model.write(batch);
        const Variable<float> log_p = log_softmax(written.logits);
        for (std::size_t row = 0; row < batch.n_pairs; ++row) {
            const text::SentencePair& pair = pairs[batch.pairs[row]];
            judgement.translations.push_back(
                {pair.source.size(), {}, pair.target, token_scores(log_p.value(), batch, row)});
            judgement.weights.push_back(weights_of(written, batch, row));
        }
    }
    return judgement;
}

Judgement judge(const TranslationModel& model, const TranslationTask& task,
                const std::vector<text::SentencePair>& pairs,
                const std::vector<text::NumberedPair>& numbered)
{
    Judgement judgement = foretell(model, pairs, numbered);
    for (const auto& chosen : text::evaluation_plan(numbered.size(), judged_at_once)) {
        const text::Batch batch = text::batch_of(numbered, chosen);
        const Translations found =
            model.translate(sources_of(batch), task.max_length, {.width = 1});
        for (std::size_t row = 0; row < batch.n_pairs; ++row) {
            const std::vector<std::size_t>& words = found[row][0].words;
            const std::vector<text::WordId> ids(words.begin(), words.end());
            judgement.translations[batch.pairs[row]].hypothesis = task.target.decode(ids);
        }
    }
    return judgement;
}

text::TokenScores tokens_of(const Judgement& judgement)
{
    text::TokenScores sum;
    for (const text::JudgedTranslation& translation : judgement.translations) {
        sum += translation.tokens;
    }
    return sum;
}

text::AlignmentCounts alignment_of(const Judgement& judgement,
                                   const std::vector<text::SentencePair>& pairs)
{
    expect(pairs.size() == judgement.weights.size(),
           "alignment_of: {} pairs, and weights of {}", pairs.size(), judgement.weights.size());
    text::AlignmentCounts sum;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        sum += text::alignment_counts(text::links_of(judgement.weights[i]), pairs[i]);
    }
    return sum;
}

} // namespace attn::seq2seq
