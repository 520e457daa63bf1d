/// \file
/// \brief The bodies of layers.hpp.
#include "chapters/12_transformer/layers.hpp"

#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/dropout.hpp"

#include <algorithm>

namespace attn::transformer {

std::string name_of(NormPlace place)
{
    switch (place) {
    case NormPlace::before:
        return "pre-norm";
    case NormPlace::after:
        return "post-norm";
    case NormPlace::nowhere:
        return "no norm";
    }
    throw ContractError("name_of: no such place");
}

namespace {

multi_head::MultiHeadSizes attention_sizes(const LayerOptions& options)
{
    return {.d_model = options.d_model, .n_heads = options.n_heads};
}

// [sublayer]
/// f with what stands around it: x + f(norm(x)), or norm(x + f(x)).
template <typename T, typename Function>
Variable<T> sublayer(const LayerOptions& options, const nn::LayerNorm<T>& norm,
                     const Variable<T>& x, Dropping dropping, Function f)
{
    Variable<T> y = f(options.norm == NormPlace::before ? norm(x) : x);
    if (dropping != nullptr) {
        y = dropout(y, options.dropout, *dropping);
    }
    if (options.residual) {
        y = x + y;
    }
    return options.norm == NormPlace::after ? norm(y) : y;
}
// [sublayer]

template <typename T>
Variable<T> dense(const LayerOptions& options, const FeedForward<T>& feed_forward,
                  const nn::LayerNorm<T>& norm, const Variable<T>& x, Dropping dropping)
{
    return options.feed_forward ? sublayer(options, norm, x, dropping, feed_forward) : x;
}

/// Adds a layer's parameters to a list, if it is in use.
template <typename T, typename Layer>
void add_if(bool used, nn::Parameters<T>& list, const char* name, const Layer& layer)
{
    if (used) {
        list.add_layer(name, layer);
    }
}

/// Row `place` of each sentence's table becomes the sentence's one row.
template <typename T>
void write_row(const Variable<T>& row, std::size_t place, Variable<T>& table)
{
    const std::size_t d = row.shape()[2];
    expect(table.rank() == 3 && table.shape()[0] == row.shape()[0] && table.shape()[2] == d,
           "DecoderLayer: rows {} do not go into a cache {}", row.shape(), table.shape());
    const std::size_t room = table.shape()[1];
    expect(place < room, "DecoderLayer: word {} does not go into a cache {}", place,
           table.shape());
    for (std::size_t b = 0; b < row.shape()[0]; ++b) {
        std::copy_n(row.value().data() + b * d, d,
                    table.value().data() + (b * room + place) * d);
    }
}

} // namespace

template <typename T>
FeedForward<T>::FeedForward(std::size_t d, std::size_t d_ff, random::Generator& generator)
    : W_1(d, d_ff, generator), W_2(d_ff, d, generator)
{
}

template <typename T>
Variable<T> FeedForward<T>::operator()(const Variable<T>& x) const
{
    return W_2(relu(W_1(x)));
}

// [encoder_layer]
template <typename T>
EncoderLayer<T>::EncoderLayer(const LayerOptions& options_, random::Generator& generator)
    : options(options_), self(attention_sizes(options), generator),
      feed_forward(options.d_model, options.d_ff, generator), norm_self(options.d_model),
      norm_forward(options.d_model)
{
}

template <typename T>
Variable<T> EncoderLayer<T>::operator()(const Variable<T>& x, const Visible& visible,
                                        Dropping dropping, Array<T>* weights) const
{
    const Variable<T> informed =
        sublayer(options, norm_self, x, dropping, [&](const Variable<T>& rows) {
            return self.look(rows, self.project(rows, rows), visible, weights);
        });
    return dense(options, feed_forward, norm_forward, informed, dropping);
}
// [encoder_layer]

template <typename T>
nn::Parameters<T> EncoderLayer<T>::parameters() const
{
    const bool normed = options.norm != NormPlace::nowhere;
    nn::Parameters<T> list;
    list.add_layer("self_attn", self);
    add_if(options.feed_forward, list, "linear1", feed_forward.W_1);
    add_if(options.feed_forward, list, "linear2", feed_forward.W_2);
    add_if(normed, list, "norm1", norm_self);
    add_if(normed && options.feed_forward, list, "norm2", norm_forward);
    return list;
}

// [decoder_layer]
template <typename T>
DecoderLayer<T>::DecoderLayer(const LayerOptions& options_, random::Generator& generator)
    : options(options_), self(attention_sizes(options), generator),
      source(attention_sizes(options), generator),
      feed_forward(options.d_model, options.d_ff, generator), norm_self(options.d_model),
      norm_source(options.d_model), norm_forward(options.d_model)
{
}

template <typename T>
Variable<T> DecoderLayer<T>::operator()(const Variable<T>& x, const Variable<T>& memory,
                                        const Visible& in_memory, Dropping dropping,
                                        DecoderWeights<T>* weights) const
{
    const Visible no_later_word{.causal = true};
    const Variable<T> with_own =
        !options.own_past
            ? x
            : sublayer(options, norm_self, x, dropping, [&](const Variable<T>& rows) {
                  return self.look(rows, self.project(rows, rows), no_later_word,
                                   weights != nullptr ? &weights->self : nullptr);
              });
    const Variable<T> with_source =
        sublayer(options, norm_source, with_own, dropping, [&](const Variable<T>& rows) {
            return source.look(rows, source.project(memory, memory), in_memory,
                               weights != nullptr ? &weights->source : nullptr);
        });
    return dense(options, feed_forward, norm_forward, with_source, dropping);
}
// [decoder_layer]

// [cached_step]
template <typename T>
Variable<T> DecoderLayer<T>::step(const Variable<T>& x, std::size_t n_written,
                                  LayerCache<T>& cache, const Visible& in_memory,
                                  DecoderWeights<T>* weights) const
{
    const Variable<T> with_own =
        !options.own_past
            ? x
            : sublayer(options, norm_self, x, nullptr, [&](const Variable<T>& row) {
                  const ProjectedMemory<T> one = self.project(row, row);
                  write_row(one.keys, n_written, cache.written.keys);
                  write_row(one.values, n_written, cache.written.values);
                  const Visible so_far{std::vector<std::size_t>(row.shape()[0], n_written + 1)};
                  return self.look(row, cache.written, so_far,
                                   weights != nullptr ? &weights->self : nullptr);
              });
    const Variable<T> with_source =
        sublayer(options, norm_source, with_own, nullptr, [&](const Variable<T>& row) {
            return source.look(row, cache.source, in_memory,
                               weights != nullptr ? &weights->source : nullptr);
        });
    return dense(options, feed_forward, norm_forward, with_source, nullptr);
}
// [cached_step]

template <typename T>
nn::Parameters<T> DecoderLayer<T>::parameters() const
{
    const bool normed = options.norm != NormPlace::nowhere;
    nn::Parameters<T> list;
    add_if(options.own_past, list, "self_attn", self);
    list.add_layer("multihead_attn", source);
    add_if(options.feed_forward, list, "linear1", feed_forward.W_1);
    add_if(options.feed_forward, list, "linear2", feed_forward.W_2);
    add_if(normed && options.own_past, list, "norm1", norm_self);
    add_if(normed, list, "norm2", norm_source);
    add_if(normed && options.feed_forward, list, "norm3", norm_forward);
    return list;
}

template struct FeedForward<float>;
template struct FeedForward<double>;
template struct EncoderLayer<float>;
template struct EncoderLayer<double>;
template struct DecoderLayer<float>;
template struct DecoderLayer<double>;

} // namespace attn::transformer
