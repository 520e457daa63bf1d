#include "chapters/12_transformer/experiments/experiments.hpp"

#include "common/program/csv_columns.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace attn::transformer {

using program::fixed;
using program::significant;

namespace {

/// The rows of one word through a layer's matrices.
std::size_t of_row(const DecodingSizes& sizes)
{
    return 6 * sizes.d_model * sizes.d_model + 2 * sizes.d_model * sizes.d_ff;
}

std::vector<std::int64_t> random_words(std::size_t n, std::size_t n_words,
                                       random::Generator& generator)
{
    std::vector<std::int64_t> words;
    for (std::size_t i = 0; i < n; ++i) {
        words.push_back(static_cast<std::int64_t>(generator.below(n_words)));
    }
    return words;
}

} // namespace

std::size_t cached_cost(const DecodingSizes& sizes, std::size_t n)
{
    const std::size_t attending = 2 * (n + sizes.n_source) * sizes.d_model;
    return sizes.n_layers * (of_row(sizes) + attending) + sizes.d_model * sizes.n_target;
}

std::size_t uncached_cost(const DecodingSizes& sizes, std::size_t n)
{
    const std::size_t own = n * (n + 1) * sizes.d_model;
    const std::size_t of_source = 2 * n * sizes.n_source * sizes.d_model;
    return sizes.n_layers * (n * of_row(sizes) + own + of_source) + source_cost(sizes) +
           sizes.d_model * sizes.n_target;
}

std::size_t source_cost(const DecodingSizes& sizes)
{
    return sizes.n_layers * 2 * sizes.n_source * sizes.d_model * sizes.d_model;
}

template <typename T>
DecodingDifference compare_decoding(const LayerOptions& layer, std::size_t n_layers,
                                    std::size_t n_words, std::uint64_t seed)
{
    constexpr std::size_t vocabulary = 23;
    constexpr std::size_t batch = 2;
    constexpr std::size_t n_source = 5;
    const autograd::NoGradient<T> forwards;
    random::Generator generator(seed, random::Stream::cached_decoding);
    const Transformer<T> transformer({.n_source_words = vocabulary,
                                      .n_target_words = vocabulary,
                                      .n_encoder_layers = n_layers,
                                      .n_decoder_layers = n_layers,
                                      .layer = layer},
                                     generator);
    const auto source = random_words(batch * n_source, vocabulary, generator);
    const auto target = random_words(batch * n_words, vocabulary, generator);
    const std::vector<std::size_t> lengths = {n_source, n_source - 2};
    const Memory<T> memory =
        transformer.encode(transformer.embed({source, lengths, n_source}), lengths);

    const Variable<T> at_once = transformer.logits(transformer.decode(target, memory));
    std::vector<DecodingState<T>> states = transformer.begin(memory);
    DecodingDifference difference{0, 0};
    for (std::size_t t = 0; t < n_words; ++t) {
        const std::vector<std::int64_t> words = {target[t], target[n_words + t]};
        const Array<T> scores = transformer.step(words, states);
        for (std::size_t b = 0; b < batch; ++b) {
            const T* const whole = at_once.value().data() + (b * n_words + t) * vocabulary;
            const T* const one = scores.data() + b * vocabulary;
            for (std::size_t w = 0; w < vocabulary; ++w) {
                const auto apart = static_cast<double>(std::abs(whole[w] - one[w]));
                difference.largest = apart <= difference.largest ? difference.largest : apart;
                ++difference.n_numbers;
            }
        }
    }
    return difference;
}

template DecodingDifference compare_decoding<float>(const LayerOptions&, std::size_t,
                                                    std::size_t, std::uint64_t);
template DecodingDifference compare_decoding<double>(const LayerOptions&, std::size_t,
                                                     std::size_t, std::uint64_t);

// ---------------------------------------------------------------- printed

void show_decoding(program::Frame& frame)
{
    constexpr DecodingSizes sizes;
    frame.terminal.introduce(
        "Word by word",
        "Scores of every next word from an untrained decoder in double: all at once under a "
        "causal mask, and word by word with the keys and values of earlier words kept.");
    program::Table equal({"layers", "norm", "scores", "largest difference"});
    for (const NormPlace norm : {NormPlace::before, NormPlace::after}) {
        for (const std::size_t n_layers : {std::size_t{1}, std::size_t{2}}) {
            const DecodingDifference found =
                compare_decoding<double>({.d_model = 8, .n_heads = 2, .d_ff = 12, .norm = norm},
                                         n_layers, 20, frame.options.seed);
            equal.row({std::to_string(n_layers), name_of(norm), std::to_string(found.n_numbers),
                       found.largest == 0 ? "none" : significant(found.largest, 2)});
        }
    }
    frame.terminal.table(equal);
    frame.terminal.line();
    frame.terminal.paragraph(fmt::format(
        "Multiplications for word n: one layer, d = {}, d_ff = {}, a source of {} words, {} "
        "French words. Kept are the keys and values of both attentions; those of the source "
        "cost {} once.",
        sizes.d_model, sizes.d_ff, sizes.n_source, sizes.n_target, source_cost(sizes)));
    frame.terminal.line();
    program::Table table({"n", "kept", "computed anew", "ratio"});
    program::CsvRows csv(
        {{"n", significant, 6}, {"cached", significant, 10}, {"uncached", significant, 10}});
    for (const std::size_t n : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 128U, 256U}) {
        const std::size_t kept = cached_cost(sizes, n);
        const std::size_t anew = uncached_cost(sizes, n);
        table.row({std::to_string(n), std::to_string(kept), std::to_string(anew),
                   fixed(static_cast<double>(anew) / static_cast<double>(kept), 1)});
        csv.add({static_cast<double>(n), static_cast<double>(kept), static_cast<double>(anew)});
    }
    frame.terminal.table(table);
    frame.files.write_csv("cost.csv", csv.columns());
}

} // namespace attn::transformer
