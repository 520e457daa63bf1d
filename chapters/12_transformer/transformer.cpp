#include "chapters/12_transformer/transformer.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/dropout.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/kernels/row_blocks.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace attn::transformer {

namespace {

constexpr std::size_t n_positions_ahead = 512; // a step need not compute them

const TransformerOptions& checked(const TransformerOptions& options)
{
    const auto& [n_source, n_target, n_encoder, n_decoder, layer, positions, smoothing] =
        options;
    expect(
        std::min({n_encoder, n_decoder, layer.d_model, layer.d_ff, n_source, n_target}) >= 1,
        "Transformer: every size must be at least 1, got {} and {} layers, d {}, d_ff {}, {} "
        "and {} words",
        n_encoder, n_decoder, layer.d_model, layer.d_ff, n_source, n_target);
    expect(positions == Positions::sinusoidal || positions == Positions::none,
           "Transformer: positions must be sinusoidal or none, got {}", name_of(positions));
    return options;
}

} // namespace

template <typename T>
Transformer<T>::Transformer(const TransformerOptions& options, random::Generator& generator)
    : options_(checked(options)),
      source_(
          nn::Embedding<T>::small(options.n_source_words, options.layer.d_model, generator)),
      target_(
          nn::Embedding<T>::small(options.n_target_words, options.layer.d_model, generator)),
      encoder_norm_(options.layer.d_model), decoder_norm_(options.layer.d_model),
      output_(options.layer.d_model, options.n_target_words, generator),
      positions_(multi_head::sinusoids<T>(n_positions_ahead, options.layer.d_model))
{
    for (std::size_t layer = 0; layer < options.n_encoder_layers; ++layer) {
        encoder_.emplace_back(options.layer, generator);
    }
    for (std::size_t layer = 0; layer < options.n_decoder_layers; ++layer) {
        decoder_.emplace_back(options.layer, generator);
    }
}

// [input]
template <typename T>
Variable<T> Transformer<T>::look_up(const nn::Embedding<T>& table,
                                    std::span<const std::int64_t> words,
                                    std::size_t batch) const
{
    expect(batch >= 1 && words.size() % batch == 0,
           "Transformer: {} words are no whole rows of {} sentences", words.size(), batch);
    const double root = std::sqrt(static_cast<double>(options_.layer.d_model));
    return root * table(words, {batch, words.size() / batch});
}

template <typename T>
Variable<T> Transformer<T>::with_positions(const Variable<T>& rows) const
{
    if (options_.positions == Positions::none) {
        return rows;
    }
    const std::size_t n = rows.shape()[1];
    const std::size_t d = rows.shape()[2];
    return rows + Variable<T>(n <= n_positions_ahead
                                  ? array_of<T>({n, d}, {positions_.data(), n * d})
                                  : multi_head::sinusoids<T>(n, d));
}
// [input]

template <typename T>
Variable<T> Transformer<T>::embed(const Sentences& sentences) const
{
    return look_up(source_, sentences.words, sentences.batch());
}

template <typename T>
ResidualStream<T> Transformer<T>::first_rows(const Variable<T>& embedded,
                                             random::Generator* rng) const
{
    const Variable<T> rows = with_positions(embedded);
    return {rng != nullptr ? dropout(rows, options_.layer.dropout, *rng) : rows, fused_rows_};
}

template <typename T>
Variable<T> Transformer<T>::last_rows(const nn::LayerNorm<T>& norm,
                                      ResidualStream<T>& rows) const
{
    return options_.layer.norm == NormPlace::before ? rows.normalised(norm) : rows.sum();
}

template <typename T>
Memory<T> Transformer<T>::encode(const Variable<T>& embedded,
                                 std::span<const std::size_t> lengths, random::Generator* rng,
                                 AllWeights<T>* weights) const
{
    const AttentionMask words{{lengths.begin(), lengths.end()}};
    ResidualStream<T> rows = first_rows(embedded, rng);
    for (const EncoderLayer<T>& layer : encoder_) {
        rows = layer(std::move(rows), words, rng,
                     weights != nullptr ? &weights->encoder.emplace_back() : nullptr);
    }
    return {last_rows(encoder_norm_, rows), words};
}

template <typename T>
Variable<T> Transformer<T>::decode(std::span<const std::int64_t> words, const Memory<T>& memory,
                                   random::Generator* rng, AllWeights<T>* weights) const
{
    ResidualStream<T> rows = first_rows(look_up(target_, words, memory.rows.shape()[0]), rng);
    for (const DecoderLayer<T>& layer : decoder_) {
        rows = layer(std::move(rows), memory.rows, memory.mask, rng,
                     weights != nullptr ? &weights->decoder.emplace_back() : nullptr);
    }
    return last_rows(decoder_norm_, rows);
}

template <typename T>
Variable<T> Transformer<T>::loss(const text::Batch& batch, random::Generator* rng) const
{
    const auto read = encode(embed(translation::sources_of(batch)), batch.source_lengths, rng);
    const Variable<T> rows = decode(batch.target_input, read, rng);
    const Variable<T> of_words =
        logits(reshape(rows, {batch.n_pairs * batch.n_target, options_.layer.d_model}));
    return cross_entropy(of_words, batch.answers,
                         {.label_smoothing = options_.label_smoothing});
}

template <typename T>
std::vector<DecodingState<T>> Transformer<T>::begin(const Memory<T>& memory) const
{
    const autograd::NoGradient<T> forwards;
    const std::size_t batch = memory.rows.shape()[0];
    const std::size_t n_source = memory.rows.shape()[1];
    multi_head::expect_fitting(memory.mask, batch, 1, n_source);
    std::vector<std::vector<KeyValueCache<T>>> of_source(batch);
    for (const DecoderLayer<T>& layer : decoder_) {
        const auto projected = layer.source.project(memory.rows, memory.rows);
        for (std::size_t b = 0; b < batch; ++b) {
            of_source[b].emplace_back(projected.keys.value(), projected.values.value(), b,
                                      memory.mask.n_attended(b, 0, 1, n_source));
        }
    }
    std::vector<DecodingState<T>> states;
    for (std::vector<KeyValueCache<T>>& of_sentence : of_source) {
        states.push_back(
            {std::make_shared<const std::vector<KeyValueCache<T>>>(std::move(of_sentence)),
             std::vector(decoder_.size(), KeyValueCache<T>(options_.layer.d_model))});
    }
    return states;
}

template <typename T>
void Transformer<T>::begin_row(std::int64_t word, std::size_t position, T* x) const
{
    const std::size_t d = options_.layer.d_model;
    const T root = static_cast<T>(std::sqrt(static_cast<double>(d)));
    const T* const from = target_.weight.value().data() + static_cast<std::size_t>(word) * d;
    std::transform(from, from + d, x, [root](T number) { return root * number; });
    const auto add = [x, d](const T* row) { std::transform(x, x + d, row, x, std::plus<T>()); };
    if (options_.positions != Positions::none && position < n_positions_ahead) {
        add(positions_.data() + position * d);
    } else if (options_.positions != Positions::none) {
        add(multi_head::sinusoids<T>(1, d, position).data());
    }
}

template <typename T>
Array<T> Transformer<T>::step(std::span<const std::int64_t> words,
                              std::vector<DecodingState<T>>& states) const
{
    expect(words.size() == states.size(), "Transformer: {} words for {} sentences",
           words.size(), states.size());
    const std::size_t n_words = options_.n_target_words;
    for (std::size_t b = 0; b < words.size(); ++b) {
        expect(words[b] >= 0 && std::cmp_less(words[b], n_words),
               "Transformer: {} is none of {} words", words[b], n_words);
        expect(states[b].own.size() == decoder_.size(), "Transformer: {} caches for {} layers",
               states[b].own.size(), decoder_.size());
    }
    Array<T> scores = uninitialised<T>({words.size(), n_words});
    const kernels::NumberKernels<T>& kernels = kernels::current<T>();
    kernels::for_each_piece_of(words.size(), 1, [&](std::size_t first, std::size_t n) {
        DecodingWorkspace<T> row(kernels, options_.layer.d_model, options_.layer.d_ff);
        for (std::size_t b = first; b < first + n; ++b) {
            begin_row(words[b], states[b].n_words++, row.x);
            for (std::size_t i = 0; i < decoder_.size(); ++i) {
                decoder_[i].step(row, states[b].own[i], (*states[b].of_source)[i]);
            }
            if (options_.layer.norm == NormPlace::before) {
                row.normalise(decoder_norm_, row.x, row.x);
            }
            row.multiply(output_, row.x, scores.data() + b * n_words);
        }
    });
    return scores;
}

template <typename T>
void Transformer<T>::set_computation(const Computation<T>& computation)
{
    fused_rows_ = computation.fused_rows;
    for (EncoderLayer<T>& layer : encoder_) {
        layer.self.attend = computation.attend;
    }
    for (DecoderLayer<T>& layer : decoder_) {
        layer.self.attend = layer.source.attend = computation.attend;
    }
}

template <typename T>
nn::Parameters<T> Transformer<T>::parameters() const
{
    nn::Parameters<T> list;
    list.add_layer("source", source_);
    list.add_layer("target", target_);
    for (std::size_t i = 0; i < encoder_.size(); ++i) {
        list.add_layer(fmt::format("encoder.layers.{}", i), encoder_[i]);
    }
    for (std::size_t i = 0; i < decoder_.size(); ++i) {
        list.add_layer(fmt::format("decoder.layers.{}", i), decoder_[i]);
    }
    if (options_.layer.norm == NormPlace::before) {
        list.add_layer("encoder.norm", encoder_norm_);
        list.add_layer("decoder.norm", decoder_norm_);
    }
    list.add_layer("output", output_);
    return list;
}

template class Transformer<float>;
template class Transformer<double>;

Transformer<float> make_transformer(const TransformerOptions& options, std::uint64_t seed)
{
    random::Generator generator(seed, random::Stream::transformer_parameters);
    return Transformer<float>(options, generator);
}

} // namespace attn::transformer
