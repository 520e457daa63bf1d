/// \file
/// \brief The bodies of fast_decoding.hpp.
#include "chapters/14_simd_transformer/fast_decoding.hpp"

#include "common/parallel/for_each_index.hpp"

#include <algorithm>
#include <cmath>

namespace attn::simd_transformer {

using transformer::DecoderLayer;
using transformer::LayerOptions;
using transformer::NormPlace;

namespace {

constexpr std::size_t room_step = 64; // the widest set scores so many keys at a time

std::size_t whole_room(std::size_t n_words)
{
    return (n_words + room_step - 1) / room_step * room_step;
}

RowCache empty_cache(std::size_t batch, std::size_t d, std::size_t n_words)
{
    const std::size_t room = whole_room(n_words);
    return {room, filled<float>({batch, d, room}, 0.0F), filled<float>({batch, room, d}, 0.0F)};
}

/// One key and one value go into their places.
void keep_word(RowCache& cache, std::size_t sentence, std::size_t place, std::size_t d,
               const float* key, const float* value)
{
    float* const keys = cache.keys.data() + sentence * d * cache.room;
    for (std::size_t k = 0; k < d; ++k) {
        keys[k * cache.room + place] = key[k];
    }
    std::copy_n(value, d, cache.values.data() + (sentence * cache.room + place) * d);
}

/// Projected keys and values as the kernels read them.
RowCache kept(const multi_head::ProjectedMemory<float>& memory)
{
    const std::size_t batch = memory.keys.shape()[0];
    const std::size_t n = memory.keys.shape()[1];
    const std::size_t d = memory.keys.shape()[2];
    RowCache cache = empty_cache(batch, d, n);
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t j = 0; j < n; ++j) {
            const std::size_t row = (b * n + j) * d;
            keep_word(cache, b, j, d, memory.keys.value().data() + row,
                      memory.values.value().data() + row);
        }
    }
    return cache;
}

/// The same words with twice the room.
RowCache with_twice_the_room(const RowCache& cache)
{
    const std::size_t batch = cache.keys.shape()[0];
    const std::size_t d = cache.keys.shape()[1];
    RowCache larger = empty_cache(batch, d, 2 * cache.room);
    for (std::size_t row = 0; row < batch * d; ++row) {
        std::copy_n(cache.keys.data() + row * cache.room, cache.room,
                    larger.keys.data() + row * larger.room);
    }
    for (std::size_t b = 0; b < batch; ++b) {
        std::copy_n(cache.values.data() + b * cache.room * d, cache.room * d,
                    larger.values.data() + b * larger.room * d);
    }
    return larger;
}

/// y = x W + b, with a rest added.
void project_row(const Kernels& kernels, const nn::Linear<float>& linear, const float* x,
                 const float* rest, bool rectified, float* y)
{
    const Shape& shape = linear.weight.shape();
    kernels.decoding.multiply_row({shape[0], shape[1], linear.weight.value().data(),
                                   linear.bias ? linear.bias->value().data() : nullptr, rest,
                                   rectified},
                                  x, y);
}

void normalise(const Kernels& kernels, const nn::LayerNorm<float>& norm, const float* x,
               float* y)
{
    float mean;
    float inverse_deviation;
    kernels.rows.normalise({1, norm.weight.size()}, x,
                           {norm.weight.value().data(), norm.bias.value().data(),
                            static_cast<float>(norm.epsilon)},
                           y, {&mean, &inverse_deviation});
}

/// Chapter 12's sublayer of one row: f(in, rest) leaves x + f(norm(x)) in x, and so on.
template <typename Function>
void sublayer_of_row(const Kernels& kernels, const LayerOptions& options,
                     const nn::LayerNorm<float>& norm, float* x, float* normed, Function f)
{
    const float* in = x;
    if (options.norm == NormPlace::before) {
        normalise(kernels, norm, x, normed);
        in = normed;
    }
    f(in, options.residual ? x : nullptr);
    if (options.norm == NormPlace::after) {
        normalise(kernels, norm, x, x);
    }
}

} // namespace

/// Room for the rows of one sentence.
struct WordByWord::Rows
{
    Array<float> memory;
    float* x;       ///< [d], what the layers add to
    float* normed;  ///< [d]
    float* query;   ///< [d]
    float* key;     ///< [d]
    float* value;   ///< [d]
    float* context; ///< [d]
    float* hidden;  ///< [d_ff]
    float* weights; ///< [room]

    Rows(const LayerOptions& options, std::size_t room)
        : memory(uninitialised<float>({6 * options.d_model + options.d_ff + room})),
          x(memory.data()), normed(x + options.d_model), query(normed + options.d_model),
          key(query + options.d_model), value(key + options.d_model),
          context(value + options.d_model), hidden(context + options.d_model),
          weights(hidden + options.d_ff)
    {
    }
};

WordByWord::WordByWord(const Transformer<float>& transformer, const Memory<float>& memory,
                       std::size_t room, const Execution& how)
    : transformer_(transformer), how_(how)
{
    const std::size_t d = transformer_.options().layer.d_model;
    expect(memory.rows.rank() == 3 && memory.rows.shape()[2] == d,
           "WordByWord: memory must be [batch, n_source, {}], got {}", d, memory.rows.shape());
    const std::size_t batch = memory.rows.shape()[0];
    const std::size_t n_source = memory.rows.shape()[1];
    multi_head::expect_fitting(memory.visible, batch, 1, n_source);
    source_lengths_ = memory.visible.key_lengths.empty()
                          ? std::vector<std::size_t>(batch, n_source)
                          : memory.visible.key_lengths;
    const autograd::NoGradient<float> looking;
    for (const DecoderLayer<float>& layer : transformer_.decoder()) {
        layers_.push_back({empty_cache(batch, d, std::max<std::size_t>(room, 1)),
                           kept(layer.source.project(memory.rows, memory.rows))});
    }
    if (transformer_.options().positions != multi_head::Positions::none) {
        places_ = multi_head::sinusoids<float>(layers_[0].written.room, d);
    }
    scores_ = uninitialised<float>({batch, transformer_.options().n_target_words});
}

void WordByWord::make_room()
{
    if (n_written_ < layers_[0].written.room) {
        return;
    }
    for (LayerRowCaches& layer : layers_) {
        layer.written = with_twice_the_room(layer.written);
    }
    if (transformer_.options().positions != multi_head::Positions::none) {
        places_ = multi_head::sinusoids<float>(layers_[0].written.room,
                                               transformer_.options().layer.d_model);
    }
}

void WordByWord::begin_row(std::int64_t word, float* x) const
{
    const std::size_t d = transformer_.options().layer.d_model;
    const float root = static_cast<float>(std::sqrt(static_cast<double>(d)));
    const float* const row =
        transformer_.target_words().weight.value().data() + static_cast<std::size_t>(word) * d;
    const bool placed = transformer_.options().positions != multi_head::Positions::none;
    const float* const place = placed ? places_.data() + n_written_ * d : nullptr;
    for (std::size_t k = 0; k < d; ++k) {
        x[k] = root * row[k] + (placed ? place[k] : 0.0F);
    }
}

namespace {

/// One row asks a cache.
void attend_to(const Kernels& kernels, const RowCache& cache, std::size_t sentence,
               std::size_t n_seen, std::size_t n_heads, const float* query, float* weights,
               float* context)
{
    const std::size_t d = cache.keys.shape()[1];
    const double root = std::sqrt(static_cast<double>(d / n_heads));
    const double log2_e = 1.4426950408889634;
    kernels.decoding.attend_row({n_heads, d, n_seen, cache.room,
                                 cache.keys.data() + sentence * d * cache.room,
                                 cache.values.data() + sentence * d * cache.room},
                                query, static_cast<float>(log2_e / root), weights, context);
}

} // namespace

void WordByWord::own_past(const DecoderLayer<float>& layer, RowCache& cache,
                          std::size_t sentence, const Rows& rows) const
{
    const Kernels& kernels = *how_.kernels;
    const auto f = [&](const float* in, const float* rest) {
        project_row(kernels, layer.self.W_q, in, nullptr, false, rows.query);
        project_row(kernels, layer.self.W_k, in, nullptr, false, rows.key);
        project_row(kernels, layer.self.W_v, in, nullptr, false, rows.value);
        keep_word(cache, sentence, n_written_, layer.options.d_model, rows.key, rows.value);
        attend_to(kernels, cache, sentence, n_written_ + 1, layer.self.n_heads, rows.query,
                  rows.weights, rows.context);
        project_row(kernels, layer.self.W_o, rows.context, rest, false, rows.x);
    };
    sublayer_of_row(kernels, layer.options, layer.norm_self, rows.x, rows.normed, f);
}

void WordByWord::look_at_source(const DecoderLayer<float>& layer, const RowCache& cache,
                                std::size_t sentence, const Rows& rows) const
{
    const Kernels& kernels = *how_.kernels;
    const auto f = [&](const float* in, const float* rest) {
        project_row(kernels, layer.source.W_q, in, nullptr, false, rows.query);
        attend_to(kernels, cache, sentence, source_lengths_[sentence], layer.source.n_heads,
                  rows.query, rows.weights, rows.context);
        project_row(kernels, layer.source.W_o, rows.context, rest, false, rows.x);
    };
    sublayer_of_row(kernels, layer.options, layer.norm_source, rows.x, rows.normed, f);
}

void WordByWord::dense(const DecoderLayer<float>& layer, const Rows& rows) const
{
    const Kernels& kernels = *how_.kernels;
    const auto f = [&](const float* in, const float* rest) {
        project_row(kernels, layer.feed_forward.W_1, in, nullptr, true, rows.hidden);
        project_row(kernels, layer.feed_forward.W_2, rows.hidden, rest, false, rows.x);
    };
    sublayer_of_row(kernels, layer.options, layer.norm_forward, rows.x, rows.normed, f);
}

void WordByWord::write_sentence(std::int64_t word, std::size_t sentence)
{
    const Kernels& kernels = *how_.kernels;
    const LayerOptions& options = transformer_.options().layer;
    const Rows rows(options, std::max(layers_[0].written.room, layers_[0].source.room));
    begin_row(word, rows.x);
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const DecoderLayer<float>& layer = transformer_.decoder()[i];
        if (options.own_past) {
            own_past(layer, layers_[i].written, sentence, rows);
        }
        look_at_source(layer, layers_[i].source, sentence, rows);
        if (options.feed_forward) {
            dense(layer, rows);
        }
    }
    if (options.norm == NormPlace::before) {
        normalise(kernels, transformer_.decoder_norm(), rows.x, rows.x);
    }
    project_row(kernels, transformer_.output(), rows.x, nullptr, false,
                scores_.data() + sentence * scores_.shape()[1]);
}

const Array<float>& WordByWord::step(std::span<const std::int64_t> words)
{
    const std::size_t batch = source_lengths_.size();
    const auto n_words = static_cast<std::int64_t>(transformer_.options().n_target_words);
    expect(words.size() == batch, "WordByWord: {} words for {} sentences", words.size(), batch);
    for (const std::int64_t word : words) {
        expect(word >= 0 && word < n_words, "WordByWord: {} is none of {} words", word,
               n_words);
    }
    make_room();
    if (batch == 1) {
        write_sentence(words[0], 0);
    } else {
        parallel::for_each_index(batch, how_.n_threads, [&](std::size_t sentence) {
            write_sentence(words[sentence], sentence);
        });
    }
    ++n_written_;
    return scores_;
}

} // namespace attn::simd_transformer
