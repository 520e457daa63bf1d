#include "chapters/14_simd_transformer/decoding/decoder.hpp"

#include "chapters/14_simd_transformer/fused_attention/fused_attention.hpp"
#include "common/autograd/activations.hpp"
#include "common/kernels/row_blocks.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace attn::simd_transformer {

using language_models::LanguageModelOptions;

namespace {

/// Rows of hidden numbers do not lie a multiple of 4096 bytes apart: a cache would keep the
/// same columns of all of them in one place.
constexpr std::size_t gap = 16;

LanguageModelOptions checked(const LanguageModelOptions& options, std::size_t n_key_heads)
{
    const transformer::LayerOptions& layer = options.layer;
    expect(options.causal && options.tied && layer.residual && layer.feed_forward &&
               layer.norm == transformer::NormPlace::before,
           "Decoder: the model must be causal, tied and pre-norm, with residuals and dense "
           "layers{}",
           "");
    expect(layer.n_heads % n_key_heads == 0,
           "Decoder: {} heads of keys do not divide {} heads of queries", n_key_heads,
           layer.n_heads);
    return options;
}

const Array<float>& value_of(const nn::Parameters<float>& parameters, const std::string& name)
{
    return parameters.at(name).variable.value();
}

/// Copies columns, neighbouring heads that share keys replaced by their mean.
/// \param from  [n_rows, n_heads d_head]
/// \param to    receives [n_rows, n_heads / n_shared d_head], its rows `step` numbers apart
void copy_shared(const Array<float>& from, std::size_t n_rows, std::size_t d_head,
                 std::size_t n_shared, float* to, std::size_t step)
{
    const std::size_t row = from.size() / n_rows;
    for (std::size_t i = 0; i < n_rows; ++i) {
        for (std::size_t j = 0; j < row / n_shared; ++j) {
            const float* const first =
                from.data() + i * row + j / d_head * n_shared * d_head + j % d_head;
            float sum = 0;
            for (std::size_t head = 0; head < n_shared; ++head) {
                sum += first[head * d_head];
            }
            to[i * step + j] = sum / static_cast<float>(n_shared);
        }
    }
}

} // namespace

/// Rows on their way, and memory for what is computed from them.
struct Decoder::Rows
{
    std::size_t n;
    std::size_t d;
    std::size_t d_projected; // of queries, keys and values together
    std::size_t d_hidden;    // from one row of hidden numbers to the next
    Array<float> x = uninitialised<float>({n, d});
    Array<float> normed = uninitialised<float>({n, d});
    Array<float> projected = uninitialised<float>({n, d_projected});
    Array<float> context = uninitialised<float>({n, d});
    Array<float> hidden = uninitialised<float>({n, d_hidden});
    Array<float> sum = uninitialised<float>({n, d}); // what is added to x

    void normalise(const Norm& norm)
    {
        const kernels::RowKernels<float>& by = kernels::current<float>().rows;
        kernels::for_each_block_of_rows(n, d, [&](std::size_t first, std::size_t count) {
            std::vector<float> moments(2 * count);
            by.normalise({count, d, d}, x.data() + first * d,
                         {norm.gain.data(), norm.bias.data(), norm.epsilon},
                         normed.data() + first * d, {moments.data(), moments.data() + count});
        });
    }
    void add_sum()
    {
        std::transform(x.begin(), x.end(), sum.begin(), x.begin(), std::plus<>());
    }
};

Decoder::Layer Decoder::layer_of(const nn::Parameters<float>& parameters, std::size_t i) const
{
    const std::string name = fmt::format("layers.{}.", i);
    const auto value = [&](const std::string& own) -> const Array<float>& {
        return value_of(parameters, name + own);
    };
    const auto norm = [&](const std::string& own) {
        return Norm{value(own + ".weight"), value(own + ".bias"), 1e-5F};
    };
    const auto packed = [&](const std::string& own) {
        return PackedMatrix(value(own + ".weight"), &value(own + ".bias"), kept_.format, false,
                            kept_.scales);
    };
    const std::size_t d = options_.layer.d_model;
    const std::size_t n_shared = options_.layer.n_heads / kept_.n_key_heads;
    const std::size_t row = d + 2 * d_keys_;
    Array<float> weight = uninitialised<float>({d, row});
    Array<float> bias = uninitialised<float>({row});
    std::size_t column = 0;
    for (const char* own : {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}) {
        const std::size_t shared = column == 0 ? 1 : n_shared;
        copy_shared(value(std::string(own) + ".weight"), d, d_head_, shared,
                    weight.data() + column, row);
        copy_shared(value(std::string(own) + ".bias"), 1, d_head_, shared, bias.data() + column,
                    row);
        column += d / shared;
    }
    return {norm("norm1"),
            norm("norm2"),
            PackedMatrix(weight, &bias, kept_.format, false, kept_.scales),
            packed("self_attn.out_proj"),
            packed("linear1"),
            packed("linear2")};
}

Decoder::Decoder(const LanguageModel<float>& model, const DecoderOptions& options)
    : options_(checked(model.options(), options.n_key_heads == 0 ? 1 : options.n_key_heads)),
      kept_(options), d_head_(options_.layer.d_model / options_.layer.n_heads), d_keys_(0),
      positions_(value_of(model.parameters(), "positions.weight")),
      output_(value_of(model.parameters(), "tokens.weight"), nullptr, options.format, true,
              options.scales),
      last_norm_{model.last_norm().weight.value(), model.last_norm().bias.value(),
                 static_cast<float>(model.last_norm().epsilon)}
{
    if (kept_.n_key_heads == 0) {
        kept_.n_key_heads = options_.layer.n_heads;
    }
    d_keys_ = kept_.n_key_heads * d_head_;
    const nn::Parameters<float> parameters = model.parameters();
    for (std::size_t i = 0; i < options_.n_layers; ++i) {
        layers_.push_back(layer_of(parameters, i));
    }
}

std::size_t Decoder::weight_bytes() const
{
    std::size_t bytes = output_.bytes();
    for (const Layer& layer : layers_) {
        bytes += layer.queries_keys_values.bytes() + layer.out.bytes() + layer.up.bytes() +
                 layer.down.bytes();
    }
    return bytes;
}

std::size_t Decoder::cache_bytes(std::size_t n) const
{
    return 2 * n * d_keys_ * options_.n_layers * sizeof(float);
}

void Decoder::embed(TokenId token, std::size_t position, float* x) const
{
    expect(token >= 0 && std::cmp_less(token, options_.n_tokens),
           "Decoder: {} is none of {} tokens", token, options_.n_tokens);
    expect(position < options_.n_positions,
           "Decoder: a text of {} tokens, where there are {} positions", position + 1,
           options_.n_positions);
    const std::size_t d = options_.layer.d_model;
    output_.weights_of(static_cast<std::size_t>(token), x);
    const float* const place = positions_.data() + position * d;
    std::transform(x, x + d, place, x, std::plus<>());
}

// [decoder_layer]
void Decoder::add_layer(const Layer& layer, Rows& rows,
                        const std::function<void()>& attend) const
{
    rows.normalise(layer.norm_self);
    layer.queries_keys_values.multiply(rows.n, rows.normed.data(), rows.d,
                                       rows.projected.data(), rows.d_projected);
    attend();
    layer.out.multiply(rows.n, rows.context.data(), rows.d, rows.sum.data(), rows.d);
    rows.add_sum();
    rows.normalise(layer.norm_forward);
    layer.up.multiply(rows.n, rows.normed.data(), rows.d, rows.hidden.data(), rows.d_hidden);
    activate(rows);
    layer.down.multiply(rows.n, rows.hidden.data(), rows.d_hidden, rows.sum.data(), rows.d);
    rows.add_sum();
}
// [decoder_layer]

void Decoder::activate(Rows& rows) const
{
    const Execution alone{.kernels = kernels::execution().kernels, .n_threads = 1};
    const std::size_t d_ff = options_.layer.d_ff;
    kernels::for_each_block_of_rows(rows.n, d_ff, [&](std::size_t first, std::size_t count) {
        const kernels::ComputeWith these(alone);
        const autograd::NoGradient<float> forwards;
        for (std::size_t row = first; row < first + count; ++row) {
            float* const hidden = rows.hidden.data() + row * rows.d_hidden;
            const autograd::Variable<float> x(array_of<float>({d_ff}, {hidden, d_ff}));
            const transformer::HiddenActivation how = options_.layer.activation;
            const autograd::Variable<float> y =
                how == transformer::HiddenActivation::relu   ? relu(x)
                : how == transformer::HiddenActivation::gelu ? gelu(x)
                                                             : gelu_tanh(x);
            std::copy_n(y.value().data(), d_ff, hidden);
        }
    });
}

Array<float> Decoder::scores(const float* x, std::size_t n) const
{
    const std::size_t d = options_.layer.d_model;
    Rows rows{.n = n, .d = d, .d_projected = 0, .d_hidden = 0};
    std::copy_n(x, n * d, rows.x.data());
    rows.normalise(last_norm_);
    Array<float> all = uninitialised<float>({n, options_.n_tokens});
    output_.multiply(n, rows.normed.data(), d, all.data(), options_.n_tokens);
    return all;
}

// ---------------------------------------------------------------- one pass

Array<float> Decoder::read(std::span<const TokenId> tokens, WrittenText& text,
                           ScoresOf which) const
{
    expect(!tokens.empty(), "Decoder: a text begins with at least one token{}", "");
    const std::size_t d = options_.layer.d_model;
    Rows rows{tokens.size(), d, d + 2 * d_keys_, options_.layer.d_ff + gap};
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        embed(tokens[t], t, rows.x.data() + t * d);
    }
    text = {.heads = std::vector(options_.n_layers * kept_.n_key_heads,
                                 transformer::KeyValueCache<float>(d_head_)),
            .n_tokens = tokens.size()};
    for (std::size_t i = 0; i < options_.n_layers; ++i) {
        add_layer(layers_[i], rows, [&] {
            attend_in_one_pass(
                rows, std::span(text.heads).subspan(i * kept_.n_key_heads, kept_.n_key_heads));
        });
    }
    return which == ScoresOf::all ? scores(rows.x.data(), rows.n)
                                  : scores(rows.x.data() + (rows.n - 1) * d, 1);
}

void Decoder::attend_in_one_pass(Rows& rows,
                                 std::span<transformer::KeyValueCache<float>> heads) const
{
    const Execution& how = kernels::execution();
    const std::size_t n_heads = options_.layer.n_heads;
    const std::size_t n_shared = n_heads / heads.size();
    // Take the three apart, and give every head of queries its own copy of keys and values.
    Array<float> queries = uninitialised<float>({rows.n, rows.d});
    Array<float> keys = uninitialised<float>({rows.n, rows.d});
    Array<float> values = uninitialised<float>({rows.n, rows.d});
    for (std::size_t t = 0; t < rows.n; ++t) {
        const float* const row = rows.projected.data() + t * rows.d_projected;
        std::copy_n(row, rows.d, queries.data() + t * rows.d);
        for (std::size_t head = 0; head < n_heads; ++head) {
            const float* const key = row + rows.d + head / n_shared * d_head_;
            std::copy_n(key, d_head_, keys.data() + t * rows.d + head * d_head_);
            std::copy_n(key + d_keys_, d_head_, values.data() + t * rows.d + head * d_head_);
        }
    }
    attend_fused(how,
                 {.n_heads = n_heads,
                  .n_queries = rows.n,
                  .n_keys = rows.n,
                  .d_k = d_head_,
                  .d_v = d_head_},
                 {.causal = true}, queries.data(), keys.data(), values.data(),
                 rows.context.data());
    parallel::for_each_index(heads.size(), how.n_threads, [&](std::size_t head) {
        for (std::size_t t = 0; t < rows.n; ++t) {
            const float* const key =
                rows.projected.data() + t * rows.d_projected + rows.d + head * d_head_;
            heads[head].append(key, key + d_keys_);
        }
    });
}

// ---------------------------------------------------------------- token by token

// [step]
Array<float> Decoder::step(std::span<const TokenId> tokens, std::span<WrittenText> texts) const
{
    expect(!texts.empty() && tokens.size() == texts.size(),
           "Decoder: {} tokens for {} texts, of which there must be at least one",
           tokens.size(), texts.size());
    const std::size_t d = options_.layer.d_model;
    Rows rows{texts.size(), d, d + 2 * d_keys_, options_.layer.d_ff + gap};
    for (std::size_t b = 0; b < texts.size(); ++b) {
        expect(texts[b].heads.size() == options_.n_layers * kept_.n_key_heads,
               "Decoder: text {} has {} caches, where {} layers have {} heads of keys each", b,
               texts[b].heads.size(), options_.n_layers, kept_.n_key_heads);
        embed(tokens[b], texts[b].n_tokens, rows.x.data() + b * d);
    }
    for (std::size_t i = 0; i < options_.n_layers; ++i) {
        add_layer(layers_[i], rows, [&] { attend_saved(rows, i, texts); });
    }
    for (WrittenText& text : texts) {
        ++text.n_tokens;
    }
    return scores(rows.x.data(), rows.n);
}
// [step]

// [shared_keys]
/// Each head of keys of each text takes its row's key and value, then answers the queries that
/// share it: the first of them brings the keys from memory, the others find them in a cache.
void Decoder::attend_saved(Rows& rows, std::size_t layer, std::span<WrittenText> texts) const
{
    const kernels::Execution& how = kernels::execution();
    const auto& by = kernels::of_type<float>(*how.kernels).decoding;
    const std::size_t n_shared = options_.layer.n_heads / kept_.n_key_heads;
    const float scale = 1.0F / std::sqrt(static_cast<float>(d_head_));
    const auto attend = [&](std::size_t index) {
        const std::size_t b = index / kept_.n_key_heads;
        const std::size_t head = index % kept_.n_key_heads;
        const float* const row = rows.projected.data() + b * rows.d_projected;
        const float* const key = row + rows.d + head * d_head_;
        transformer::KeyValueCache<float>& own =
            texts[b].heads[layer * kept_.n_key_heads + head];
        own.append(key, key + d_keys_);
        const kernels::RowMemory<float> memory = own.rows(1);
        std::vector<float> weights(memory.room);
        for (std::size_t q = head * n_shared; q < (head + 1) * n_shared; ++q) {
            by.attend_row(memory, row + q * d_head_, scale, weights.data(),
                          rows.context.data() + b * rows.d + q * d_head_);
        }
    };
    std::size_t n_keys = 0;
    for (const WrittenText& text : texts) {
        n_keys += text.n_tokens;
    }
    const bool alone = n_keys * d_keys_ < kernels::numbers_in_piece;
    parallel::for_each_index(texts.size() * kept_.n_key_heads, alone ? 1 : how.n_threads,
                             attend);
}
// [shared_keys]

} // namespace attn::simd_transformer
