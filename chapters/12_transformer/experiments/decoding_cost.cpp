#include "chapters/12_transformer/experiments/decoding_cost.hpp"

#include "common/autograd/layout.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn::transformer {

namespace {

constexpr std::uint64_t decoding_stream = 124ULL << 40U;

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
    random::Generator generator(seed, decoding_stream);
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
        transformer.read(transformer.embed({source, lengths, n_source}), lengths);

    const Variable<T> at_once = transformer.scores(transformer.write(target, memory));
    std::vector<Draft<T>> drafts = transformer.begin(memory);
    DecodingDifference difference{0, 0};
    for (std::size_t t = 0; t < n_words; ++t) {
        const std::vector<std::int64_t> words = {target[t], target[n_words + t]};
        const Array<T> scores = transformer.step(words, drafts);
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

} // namespace attn::transformer
