#include "chapters/12_transformer/layers.hpp"

#include "common/autograd/dropout.hpp"

#include <utility>

namespace attn::transformer {

std::string name_of(NormPlace place)
{
    return norm_names.at(static_cast<std::size_t>(place));
}

namespace {

// [sublayer]
/// f with what stands around it: x + f(norm(x)), or norm(x + f(x)).
template <typename T, typename Function>
void sublayer(const LayerOptions& options, const nn::LayerNorm<T>& norm, ResidualStream<T>& x,
              random::Generator* rng, Function f)
{
    Variable<T> y = f(options.norm == NormPlace::before ? x.normalised(norm) : x.sum());
    if (rng != nullptr) {
        y = dropout(y, options.dropout, *rng);
    }
    if (options.residual) {
        x.add(y);
    } else {
        x.replace(std::move(y));
    }
    if (options.norm == NormPlace::after) {
        x.replace(x.normalised(norm));
    }
}
// [sublayer]

template <typename T>
void dense(const LayerOptions& options, const FeedForward<T>& feed_forward,
           const nn::LayerNorm<T>& norm, ResidualStream<T>& x, random::Generator* rng)
{
    if (options.feed_forward) {
        sublayer(options, norm, x, rng,
                 [&](const Variable<T>& rows) { return feed_forward(rows, x.fused()); });
    }
}

/// The same around one row: f(x, residual) adds the residual, if it is one, to what it makes of
/// x, and leaves the sum in the row.
template <typename T, typename Function>
void sublayer_of_row(const LayerOptions& options, const nn::LayerNorm<T>& norm,
                     DecodingWorkspace<T>& row, Function f)
{
    if (options.norm == NormPlace::before) {
        row.normalise(norm, row.x, row.normed);
    }
    f(options.norm == NormPlace::before ? row.normed : row.x,
      options.residual ? row.x : nullptr);
    if (options.norm == NormPlace::after) {
        row.normalise(norm, row.x, row.x);
    }
}

/// Adds a layer's parameters to a list, if it is in use.
template <typename T, typename Layer>
void add_if(bool used, nn::Parameters<T>& list, const char* name, const Layer& layer)
{
    if (used) {
        list.add_layer(name, layer);
    }
}

} // namespace

// [encoder_layer]
template <typename T>
EncoderLayer<T>::EncoderLayer(const LayerOptions& options_, random::Generator& generator)
    : options(options_), self({options.d_model, options.n_heads}, generator),
      feed_forward(options.d_model, options.d_ff, generator, options.activation),
      norm_self(options.d_model), norm_forward(options.d_model)
{
    options.residual = options.residual && options.encoder_residual;
}

template <typename T>
ResidualStream<T> EncoderLayer<T>::operator()(ResidualStream<T> x, const AttentionMask& mask,
                                              random::Generator* rng, Array<T>* weights,
                                              KeyValueCache<T>* own) const
{
    if (options.encoder_attention) {
        sublayer(options, norm_self, x, rng, [&](const Variable<T>& rows) {
            const auto projected = self.project(rows, rows);
            if (own != nullptr) {
                *own = KeyValueCache<T>(projected.keys.value(), projected.values.value(), 0,
                                        rows.shape()[1]);
            }
            return self.attend_to(rows, projected, mask, weights);
        });
    }
    dense(options, feed_forward, norm_forward, x, rng);
    return x;
}
// [encoder_layer]

template <typename T>
nn::Parameters<T> EncoderLayer<T>::parameters() const
{
    const bool normed = options.norm != NormPlace::nowhere;
    nn::Parameters<T> list;
    add_if(options.encoder_attention, list, "self_attn", self);
    add_if(options.feed_forward, list, "linear1", feed_forward.W_1);
    add_if(options.feed_forward, list, "linear2", feed_forward.W_2);
    add_if(normed && options.encoder_attention, list, "norm1", norm_self);
    add_if(normed && options.feed_forward, list, "norm2", norm_forward);
    return list;
}

// [decoder_layer]
template <typename T>
DecoderLayer<T>::DecoderLayer(const LayerOptions& options_, random::Generator& generator)
    : options(options_), self({options.d_model, options.n_heads}, generator),
      source({options.d_model, options.n_heads}, generator),
      feed_forward(options.d_model, options.d_ff, generator, options.activation),
      norm_self(options.d_model), norm_source(options.d_model), norm_forward(options.d_model)
{
    options.residual = options.residual && options.decoder_residual;
}

template <typename T>
ResidualStream<T> DecoderLayer<T>::operator()(ResidualStream<T> x, const Variable<T>& memory,
                                              const AttentionMask& in_memory,
                                              random::Generator* rng,
                                              DecoderWeights<T>* weights) const
{
    const AttentionMask no_later_word{.causal = true};
    if (options.self_attention) {
        sublayer(options, norm_self, x, rng, [&](const Variable<T>& rows) {
            return self.attend_to(rows, self.project(rows, rows), no_later_word,
                                  weights != nullptr ? &weights->self : nullptr);
        });
    }
    sublayer(options, norm_source, x, rng, [&](const Variable<T>& rows) {
        return source.attend_to(rows, source.project(memory, memory), in_memory,
                                weights != nullptr ? &weights->source : nullptr);
    });
    dense(options, feed_forward, norm_forward, x, rng);
    return x;
}
// [decoder_layer]

namespace {

template <typename T>
void dense_of_row(const LayerOptions& options, const FeedForward<T>& feed_forward,
                  const nn::LayerNorm<T>& norm, DecodingWorkspace<T>& row)
{
    if (options.feed_forward) {
        sublayer_of_row(options, norm, row, [&](const T* x, const T* residual) {
            row.feed_forward(feed_forward, x, row.x, residual);
        });
    }
}

// [cached_step]
/// The row's key and value join those before it, and it attends to all of them.
template <typename T>
void attend_to_own(const LayerOptions& options, const MultiHeadAttention<T>& self,
                   const nn::LayerNorm<T>& norm, DecodingWorkspace<T>& row,
                   KeyValueCache<T>& own)
{
    sublayer_of_row(options, norm, row, [&](const T* x, const T* residual) {
        row.multiply(self.W_q, x, row.query);
        row.multiply(self.W_k, x, row.key);
        row.multiply(self.W_v, x, row.value);
        own.append(row.key, row.value);
        row.attend(own, self.n_heads);
        row.multiply(self.W_o, row.context, row.x, residual);
    });
}

} // namespace

template <typename T>
void EncoderLayer<T>::step(DecodingWorkspace<T>& row, KeyValueCache<T>& own) const
{
    if (options.encoder_attention) {
        attend_to_own(options, self, norm_self, row, own);
    }
    dense_of_row(options, feed_forward, norm_forward, row);
}

template <typename T>
void DecoderLayer<T>::step(DecodingWorkspace<T>& row, KeyValueCache<T>& own,
                           const KeyValueCache<T>& of_source) const
{
    if (options.self_attention) {
        attend_to_own(options, self, norm_self, row, own);
    }
    sublayer_of_row(options, norm_source, row, [&](const T* x, const T* residual) {
        row.multiply(source.W_q, x, row.query);
        row.attend(of_source, source.n_heads);
        row.multiply(source.W_o, row.context, row.x, residual);
    });
    dense_of_row(options, feed_forward, norm_forward, row);
}
// [cached_step]

template <typename T>
nn::Parameters<T> DecoderLayer<T>::parameters() const
{
    const bool normed = options.norm != NormPlace::nowhere;
    nn::Parameters<T> list;
    add_if(options.self_attention, list, "self_attn", self);
    list.add_layer("multihead_attn", source);
    add_if(options.feed_forward, list, "linear1", feed_forward.W_1);
    add_if(options.feed_forward, list, "linear2", feed_forward.W_2);
    add_if(normed && options.self_attention, list, "norm1", norm_self);
    add_if(normed, list, "norm2", norm_source);
    add_if(normed && options.feed_forward, list, "norm3", norm_forward);
    return list;
}

template struct EncoderLayer<float>;
template struct EncoderLayer<double>;
template struct DecoderLayer<float>;
template struct DecoderLayer<double>;

} // namespace attn::transformer
