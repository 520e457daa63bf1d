/// \file
/// \brief The bodies of transformer.hpp.
#include "chapters/12_transformer/transformer.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/dropout.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace attn::transformer {

namespace {

constexpr std::size_t n_places_ahead = 512; // a step need not compute them

TransformerOptions checked(const TransformerOptions& options)
{
    expect(
        options.n_encoder_layers >= 1 && options.n_decoder_layers >= 1 &&
            options.layer.d_model >= 1 && options.layer.d_ff >= 1 &&
            options.n_source_words >= 1 && options.n_target_words >= 1,
        "Transformer: every size must be at least 1, got {} and {} layers, d {}, d_ff {}, {} "
        "and {} words",
        options.n_encoder_layers, options.n_decoder_layers, options.layer.d_model,
        options.layer.d_ff, options.n_source_words, options.n_target_words);
    expect(options.positions == Positions::sinusoidal || options.positions == Positions::none,
           "Transformer: positions must be sinusoidal or none, got {}",
           name_of(options.positions));
    return options;
}

/// Standard normal numbers over the root of d.
template <typename T>
nn::Embedding<T> small_embedding(std::size_t n_words, std::size_t d,
                                 random::Generator& generator)
{
    nn::Embedding<T> table(n_words, d, generator);
    const T factor = T(1) / std::sqrt(static_cast<T>(d));
    for (T& number : numbers_of(table.weight.value())) {
        number *= factor;
    }
    return table;
}

/// The same rows with room for more behind them.
template <typename T>
Variable<T> with_room(const Variable<T>& table, std::size_t room)
{
    const std::size_t batch = table.shape()[0];
    const std::size_t n = table.shape()[1];
    const std::size_t d = table.shape()[2];
    Array<T> larger = filled<T>({batch, room, d}, T(0));
    for (std::size_t b = 0; b < batch; ++b) {
        std::copy_n(table.value().data() + b * n * d, n * d, larger.data() + b * room * d);
    }
    return larger;
}

} // namespace

// ---------------------------------------------------------------- words and places

template <typename T>
Transformer<T>::Transformer(const TransformerOptions& options, random::Generator& generator)
    : options_(checked(options)),
      source_(small_embedding<T>(options.n_source_words, options.layer.d_model, generator)),
      target_(small_embedding<T>(options.n_target_words, options.layer.d_model, generator)),
      encoder_norm_(options.layer.d_model), decoder_norm_(options.layer.d_model),
      output_(options.layer.d_model, options.n_target_words, generator),
      places_(multi_head::sinusoids<T>(n_places_ahead, options.layer.d_model))
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
Variable<T> Transformer<T>::with_places(const Variable<T>& rows, std::size_t first) const
{
    if (options_.positions == Positions::none) {
        return rows;
    }
    const std::size_t n = rows.shape()[1];
    const std::size_t d = rows.shape()[2];
    const Array<T> further =
        first + n <= n_places_ahead ? Array<T>() : multi_head::sinusoids<T>(first + n, d);
    const Array<T>& table = first + n <= n_places_ahead ? places_ : further;
    return rows + Variable<T>(array_of<T>({n, d}, {table.data() + first * d, n * d}));
}
// [input]

template <typename T>
Variable<T> Transformer<T>::embed(const Sentences& sentences) const
{
    return look_up(source_, sentences.words, sentences.batch());
}

// ---------------------------------------------------------------- all words at once

template <typename T>
Variable<T> Transformer<T>::after_layers(const nn::LayerNorm<T>& norm,
                                         const Variable<T>& rows) const
{
    return options_.layer.norm == NormPlace::before ? norm(rows) : rows;
}

template <typename T>
Memory<T> Transformer<T>::read(const Variable<T>& embedded,
                               std::span<const std::size_t> lengths, Dropping dropping,
                               AllWeights<T>* weights) const
{
    const Visible words{{lengths.begin(), lengths.end()}};
    Variable<T> rows = with_places(embedded, 0);
    if (dropping != nullptr) {
        rows = dropout(rows, options_.layer.dropout, *dropping);
    }
    for (const EncoderLayer<T>& layer : encoder_) {
        Array<T>* const seen = weights != nullptr ? &weights->encoder.emplace_back() : nullptr;
        rows = layer(rows, words, dropping, seen);
    }
    return {after_layers(encoder_norm_, rows), words};
}

template <typename T>
Variable<T> Transformer<T>::write(std::span<const std::int64_t> words, const Memory<T>& memory,
                                  Dropping dropping, AllWeights<T>* weights) const
{
    Variable<T> rows = with_places(look_up(target_, words, memory.rows.shape()[0]), 0);
    if (dropping != nullptr) {
        rows = dropout(rows, options_.layer.dropout, *dropping);
    }
    for (const DecoderLayer<T>& layer : decoder_) {
        DecoderWeights<T>* const seen =
            weights != nullptr ? &weights->decoder.emplace_back() : nullptr;
        rows = layer(rows, memory.rows, memory.visible, dropping, seen);
    }
    return after_layers(decoder_norm_, rows);
}

template <typename T>
Variable<T> Transformer<T>::loss(const text::Batch& batch, Dropping dropping) const
{
    const Sentences sources{batch.source, batch.source_lengths, batch.n_source};
    const Memory<T> memory = read(embed(sources), batch.source_lengths, dropping);
    const Variable<T> rows = write(batch.target_input, memory, dropping);
    const Variable<T> logits =
        scores(reshape(rows, {batch.n_pairs * batch.n_target, options_.layer.d_model}));
    return cross_entropy(logits, batch.answers, {.label_smoothing = options_.label_smoothing});
}

// ---------------------------------------------------------------- word by word

template <typename T>
std::vector<LayerCache<T>> Transformer<T>::caches(const Memory<T>& memory,
                                                  std::size_t room) const
{
    const Shape shape = {memory.rows.shape()[0], std::max<std::size_t>(room, 1),
                         options_.layer.d_model};
    std::vector<LayerCache<T>> all;
    for (const DecoderLayer<T>& layer : decoder_) {
        all.push_back({{filled<T>(shape, T(0)), filled<T>(shape, T(0))},
                       layer.source.project(memory.rows, memory.rows)});
    }
    return all;
}

template <typename T>
void Transformer<T>::make_room(std::size_t n_written, std::vector<LayerCache<T>>& caches)
{
    for (LayerCache<T>& cache : caches) {
        ProjectedMemory<T>& written = cache.written;
        if (written.keys.shape()[1] == n_written) {
            written = {with_room(written.keys, 2 * n_written),
                       with_room(written.values, 2 * n_written)};
        }
    }
}

template <typename T>
Variable<T> Transformer<T>::step(std::span<const std::int64_t> words, std::size_t n_written,
                                 std::vector<LayerCache<T>>& caches, const Visible& in_memory,
                                 AllWeights<T>* weights) const
{
    expect(caches.size() == decoder_.size(), "Transformer: {} caches for {} layers",
           caches.size(), decoder_.size());
    make_room(n_written, caches);
    Variable<T> row = with_places(look_up(target_, words, words.size()), n_written);
    for (std::size_t i = 0; i < decoder_.size(); ++i) {
        DecoderWeights<T>* const seen =
            weights != nullptr ? &weights->decoder.emplace_back() : nullptr;
        row = decoder_[i].step(row, n_written, caches[i], in_memory, seen);
    }
    const Variable<T> last = after_layers(decoder_norm_, row);
    return scores(reshape(last, {words.size(), options_.layer.d_model}));
}

template <typename T>
void Transformer<T>::use_kernel(const Attend<T>& attend)
{
    for (EncoderLayer<T>& layer : encoder_) {
        layer.self.attend = attend;
    }
    for (DecoderLayer<T>& layer : decoder_) {
        layer.self.attend = layer.source.attend = attend;
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

} // namespace attn::transformer
