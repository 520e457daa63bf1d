#include "chapters/12_transformer/experiments/copy_task.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace attn::transformer {

namespace {

constexpr std::uint64_t sentences_stream = 123ULL << 40U;
constexpr std::size_t n_learnt_from = 4000;
constexpr text::WordId first_symbol = text::unknown_id; // there is no unknown one

/// Symbols need no words, but what evaluates them asks for some.
std::vector<text::SentencePair> in_words(const std::vector<text::NumberedPair>& pairs)
{
    std::vector<text::SentencePair> all;
    for (const text::NumberedPair& pair : pairs) {
        text::SentencePair one;
        for (std::size_t i = 0; i < pair.source.size(); ++i) {
            one.source.push_back(std::to_string(pair.source[i]));
            one.target.push_back(one.source.back());
            one.sure.push_back({i, i});
        }
        all.push_back(std::move(one));
    }
    return all;
}

double share_copied(const Transformer<float>& transformer,
                    const std::vector<text::NumberedPair>& pairs, std::size_t length)
{
    std::size_t n_right = 0;
    std::vector<std::int64_t> words;
    for (const text::NumberedPair& pair : pairs) {
        words.insert(words.end(), pair.source.begin(), pair.source.end());
    }
    const std::vector<std::size_t> lengths(pairs.size(), length);
    const translation::Translations found =
        model_of(transformer).translate({words, lengths, length}, length + 2, {.width = 1});
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto& written = found[i][0].words;
        n_right +=
            std::equal(
                written.begin(), written.end(), pairs[i].source.begin(), pairs[i].source.end(),
                [](std::size_t a, text::WordId b) { return static_cast<text::WordId>(a) == b; })
                ? 1U
                : 0U;
    }
    return static_cast<double>(n_right) / static_cast<double>(pairs.size());
}

} // namespace

std::vector<text::NumberedPair> copies(std::size_t n_pairs, std::size_t length,
                                       std::size_t n_symbols, random::Generator& generator)
{
    std::vector<text::NumberedPair> pairs(n_pairs);
    for (text::NumberedPair& pair : pairs) {
        for (std::size_t i = 0; i < length; ++i) {
            pair.source.push_back(first_symbol +
                                  static_cast<text::WordId>(generator.below(n_symbols)));
        }
        pair.target = pair.source;
    }
    return pairs;
}

TrainedCopier try_copying(const CopyOptions& options)
{
    random::Generator generator(options.seed, sentences_stream);
    const auto learnt_from =
        copies(n_learnt_from, options.length, options.n_symbols, generator);
    const auto tested = copies(options.n_test, options.length, options.n_symbols, generator);
    const auto n_words = options.n_symbols + static_cast<std::size_t>(first_symbol);
    const Transformer<float> transformer =
        make_transformer({.n_source_words = n_words,
                          .n_target_words = n_words,
                          .layer = {.d_model = 32, .n_heads = 2, .d_ff = 64},
                          .label_smoothing = 0},
                         options.seed);
    TrainedCopier trial{};
    trial.losses =
        translation::train(model_of(transformer), learnt_from,
                           {.n_steps = options.n_steps, .n_warm_up = 50, .seed = options.seed},
                           {.show_progress = false});
    const EvaluationSet set = {in_words(tested), tested};
    const Evaluation evaluation = translation::predict(model_of(transformer), set);
    trial.words = translation::tokens_of(evaluation).accuracy();
    trial.on_place = text::attention_mass(evaluation.weights, set.pairs).share_on_sure();
    trial.exact = share_copied(transformer, tested, options.length);
    return trial;
}

} // namespace attn::transformer
