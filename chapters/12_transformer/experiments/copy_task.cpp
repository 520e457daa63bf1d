#include "chapters/12_transformer/experiments/experiments.hpp"

#include "chapters/12_transformer/training/translation.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/csv_columns.hpp"
#include "common/random/streams.hpp"
#include "common/text/alignment_error.hpp"
#include "common/translation/evaluation.hpp"
#include "common/translation/training.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace attn::transformer {

using program::fixed;
using program::Frame;
using program::significant;

namespace {

constexpr std::size_t n_learnt_from = 4000;
constexpr text::WordId first_symbol = text::unknown_id; // there is no unknown one

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

namespace {

/// How large the task is.
struct CopyOptions
{
    std::size_t n_symbols = 10; ///< besides the special ones
    std::size_t length = 10;    ///< of each sentence
    std::size_t n_steps = 300;  ///< of the training, batches of 32
    std::size_t n_test = 200;   ///< sentences that were not learnt from
    std::uint64_t seed = 1;     ///< of everything
};

/// What a copying transformer came to.
struct TrainedCopier
{
    std::vector<double> losses; ///< [n_steps]
    double words;               ///< share of symbols predicted right, end symbols included
    double exact;               ///< share of sentences copied without a mistake
    double on_place;            ///< mean weight, over the heads, on the symbol that is copied
};

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
        const auto& found_words = found[i][0].words;
        const std::vector<text::WordId>& source = pairs[i].source;
        n_right +=
            std::equal(found_words.begin(), found_words.end(), source.begin(), source.end(),
                       [](std::size_t a, text::WordId b) { return std::cmp_equal(a, b); })
                ? 1U
                : 0U;
    }
    return static_cast<double>(n_right) / static_cast<double>(pairs.size());
}

/// Trains a small transformer to copy, and lets it copy new sentences.
TrainedCopier train_copier(const CopyOptions& options)
{
    random::Generator generator(options.seed, random::Stream::copied_sentences);
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
    TrainedCopier copier{};
    copier.losses =
        translation::train(model_of(transformer), learnt_from,
                           {.n_steps = options.n_steps, .n_warm_up = 50, .seed = options.seed},
                           {.show_progress = false});
    const translation::EvaluationSet set = {in_words(tested), tested};
    const translation::Evaluation evaluation = translation::predict(model_of(transformer), set);
    copier.words = translation::tokens_of(evaluation).accuracy();
    copier.on_place = text::attention_mass(evaluation.weights, set.pairs).share_on_sure();
    copier.exact = share_copied(transformer, tested, options.length);
    return copier;
}

} // namespace

void show_copying(Frame& frame)
{
    frame.terminal.introduce(
        "A first sign of life",
        "Sentences of ten random symbols out of ten are to be copied, by one layer each of 32 "
        "numbers and two heads. Symbols right, sentences copied without a mistake, and the "
        "mean weight of both heads on the symbol that is copied, on 200 new sentences. By "
        "chance one symbol in ten is right.");
    const std::vector<std::size_t> steps = frame.options.quick
                                               ? std::vector<std::size_t>{1, 2, 4, 8}
                                               : std::vector<std::size_t>{50, 100, 200, 400};
    std::vector<TrainedCopier> copiers(steps.size());
    parallel::for_each_index(steps.size(), frame.options.threads, [&](std::size_t i) {
        copiers[i] = train_copier({.n_steps = steps[i], .seed = frame.options.seed});
    });
    program::Table table({"steps", "last loss", "symbols right", "copied", "on its place"});
    program::CsvRows csv({{"steps", significant, 6},
                          {"words", fixed, 4},
                          {"exact", fixed, 4},
                          {"on_place", fixed, 4}});
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const TrainedCopier& copier = copiers[i];
        table.row({std::to_string(steps[i]), fixed(copier.losses.back(), 3),
                   fixed(copier.words, 3), fixed(copier.exact, 3), fixed(copier.on_place, 2)});
        csv.add({static_cast<double>(steps[i]), copier.words, copier.exact, copier.on_place});
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_copying.csv", csv.columns());
}

} // namespace attn::transformer
