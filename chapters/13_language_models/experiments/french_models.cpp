#include "chapters/13_language_models/experiments/experiments.hpp"

#include "chapters/13_language_models/masked_words/masked_words.hpp"
#include "chapters/13_language_models/training.hpp"
#include "common/program/seeds.hpp"
#include "common/random/streams.hpp"
#include "common/text/batches.hpp"

#include <utility>

namespace attn::language_models {

FrenchSentences french_sentences(std::uint64_t seed, bool quick)
{
    text::CorpusSizes sizes;
    sizes.train = quick ? 6000 : sizes.train; // every word of the test is among theirs
    FrenchSentences sentences{translation::grammar_task(seed, sizes), 0, {}};
    sentences.mask = static_cast<TokenId>(sentences.task.target.size());
    const std::size_t every = quick ? 60 : 5;
    for (std::size_t i = 0; i < sentences.task.pairs.test.size(); i += every) {
        sentences.tested.push_back(sentences.task.pairs.test[i].target);
    }
    return sentences;
}

MaskedTraining french_training(bool quick)
{
    MaskedTraining training;
    training.n_steps = quick ? 10 : training.n_steps;
    return training;
}

LanguageModelOptions small_options(const FrenchSentences& sentences, bool causal)
{
    return {.n_tokens = static_cast<std::size_t>(sentences.mask) + 1,
            .n_positions = text::longest_target + 2, // the begin and the end symbol
            .n_layers = 2,
            .layer = {.d_model = 64, .n_heads = 4, .d_ff = 128},
            .causal = causal};
}

namespace {

/// The words of some sentences, some of them hidden.
TokenBatch masked_batch(const FrenchSentences& sentences,
                        const std::vector<std::size_t>& chosen, double share,
                        random::Generator& generator)
{
    std::vector<std::vector<TokenId>> texts;
    for (const std::size_t i : chosen) {
        texts.push_back(sentences.task.train[i].target);
    }
    return mask_tokens(
        side_by_side(texts),
        {.mask = sentences.mask, .first_random = text::end_id + 1, .share = share}, generator);
}

/// The words of some sentences after the begin symbol, and those that follow each of them.
TokenBatch causal_batch(const FrenchSentences& sentences,
                        const std::vector<std::size_t>& chosen)
{
    text::Batch batch = text::batch_of(sentences.task.train, chosen);
    return {batch.n_pairs, std::move(batch.target_input), std::move(batch.answers),
            std::move(batch.target_lengths)};
}

/// Each epoch's sentences in another order, those of similar length side by side.
BatchOfStep batches_of(const FrenchSentences& sentences, bool causal,
                       const MaskedTraining& training, std::uint64_t seed)
{
    text::ShuffledBatches batches(sentences.task.train, training.batch_size, seed,
                                  random::Stream::french_order);
    return [=, &sentences, share = training.share](std::size_t step) mutable {
        const std::vector<std::size_t>& chosen = batches.of_step(step);
        random::Generator generator(seed, random::Stream::masked_words, step);
        return causal ? causal_batch(sentences, chosen)
                      : masked_batch(sentences, chosen, share, generator);
    };
}

} // namespace

LanguageModel<float> train_on_french(const FrenchSentences& sentences, bool causal,
                                     const MaskedTraining& training, std::uint64_t seed,
                                     nn::TrainingPlan plan)
{
    LanguageModel<float> model = make_language_model(small_options(sentences, causal), seed);
    train(model, batches_of(sentences, causal, training, seed),
          {.n_steps = training.n_steps,
           .peak_rate = training.peak_rate,
           .n_warm_up = training.n_warm_up},
          std::move(plan));
    return model;
}

FrenchModels train_french_models(const program::Frame& frame, const FrenchSentences& sentences,
                                 const MaskedTraining& training)
{
    auto trained = program::run_rows_with_seeds(
        frame, "masked and causal models", 2, program::seeds_of(frame),
        [&](std::size_t row, std::uint64_t seed) {
            return train_on_french(sentences, row == 1, training, seed,
                                   {.label = "words", .show_progress = false});
        });
    return {std::move(trained[0]), std::move(trained[1])};
}

} // namespace attn::language_models
