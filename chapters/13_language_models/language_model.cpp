#include "chapters/13_language_models/language_model.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/nn/initialise.hpp"
#include "common/random/streams.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace attn::language_models {

namespace {

const LanguageModelOptions& checked(const LanguageModelOptions& options)
{
    expect(options.n_tokens >= 1 && options.n_positions >= 1 && options.n_layers >= 1 &&
               options.layer.d_model >= 1 && options.layer.d_ff >= 1,
           "LanguageModel: every size must be at least 1, got {} tokens, {} positions, {} "
           "layers, d {}, d_ff {}",
           options.n_tokens, options.n_positions, options.n_layers, options.layer.d_model,
           options.layer.d_ff);
    return options;
}

bool ends_with(std::string_view name, std::string_view end)
{
    return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
}

// [initialise]
/// Biases 0, norms as they are; matrices normal, the smaller the more of them write into one sum.
template <typename T>
void initialise_as_gpt2(nn::Parameters<T> parameters, std::size_t n_layers,
                        random::Generator& generator)
{
    constexpr double deviation = 0.02;
    const double of_summand = deviation / std::sqrt(2.0 * static_cast<double>(n_layers));
    for (const nn::NamedParameter<T>& parameter : parameters) {
        Variable<T> variable = parameter.variable;
        if (variable.shape().size() == 2) {
            const bool summand = ends_with(parameter.name, "out_proj.weight") ||
                                 ends_with(parameter.name, "linear2.weight");
            variable.value() = nn::initialise::normal<T>(
                variable.shape(), 0.0, summand ? of_summand : deviation, generator);
        } else if (ends_with(parameter.name, ".bias")) {
            variable.value().fill(T(0));
        }
    }
}
// [initialise]

} // namespace

template <typename T>
LanguageModel<T>::LanguageModel(const LanguageModelOptions& options,
                                random::Generator& generator, Start start)
    : options_(checked(options)), tokens_(options.n_tokens, options.layer.d_model, generator),
      positions_(options.n_positions, options.layer.d_model, generator),
      last_norm_(options.layer.d_model)
{
    for (std::size_t i = 0; i < options.n_layers; ++i) {
        layers_.emplace_back(options.layer, generator);
    }
    if (!options.tied) {
        output_.emplace(options.layer.d_model, options.n_tokens, generator, nn::Bias::none);
    }
    if (start == Start::as_gpt2) {
        initialise_as_gpt2(parameters(), options.n_layers, generator);
    }
}

template <typename T>
void LanguageModel<T>::expect_text(std::size_t n_before, std::size_t n) const
{
    expect(n >= 1 && n_before + n <= options_.n_positions,
           "LanguageModel: a text of {} tokens, where there are 1 to {} positions",
           n_before + n, options_.n_positions);
}

// ---------------------------------------------------------------- all tokens at once

template <typename T>
Variable<T> LanguageModel<T>::embed(std::span<const TokenId> tokens, std::size_t n_texts) const
{
    expect(n_texts >= 1 && tokens.size() % n_texts == 0,
           "LanguageModel: {} tokens are no whole rows of {} texts", tokens.size(), n_texts);
    const std::size_t n = tokens.size() / n_texts;
    expect_text(0, n);
    return tokens_(tokens, {n_texts, n}) +
           autograd::slice(positions_.weight, 0, 0, n); // the same for every text
}

// [rows]
template <typename T>
Variable<T> LanguageModel<T>::rows(const TokenBatch& batch,
                                   std::vector<Array<T>>* weights) const
{
    transformer::ResidualStream<T> x(embed(batch.tokens, batch.n_texts));
    for (const EncoderLayer<T>& layer : layers_) {
        x = layer(std::move(x), {batch.lengths, options_.causal}, nullptr,
                  weights != nullptr ? &weights->emplace_back() : nullptr);
    }
    return x.normalised(last_norm_);
}

template <typename T>
Variable<T> LanguageModel<T>::logits(const Variable<T>& rows) const
{
    return output_ ? (*output_)(rows)
                   : matmul(rows, tokens_.weight, Transpose::no, Transpose::yes);
}
// [rows]

template <typename T>
Variable<T> LanguageModel<T>::loss(const TokenBatch& batch) const
{
    const Variable<T> all = rows(batch);
    return cross_entropy(logits(reshape(all, {batch.tokens.size(), options_.layer.d_model})),
                         batch.answers, {.ignored = not_asked});
}

// ---------------------------------------------------------------- token by token

template <typename T>
Array<T> LanguageModel<T>::read(std::span<const TokenId> tokens, TextState<T>& state) const
{
    expect(options_.causal && state.n_tokens == 0,
           "LanguageModel: a text is read at its beginning, by a causal model");
    const autograd::NoGradient<T> forwards;
    const std::size_t d = options_.layer.d_model;
    transformer::ResidualStream<T> x(embed(tokens, 1));
    state.layers.assign(layers_.size(), KeyValueCache<T>(d));
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        x = layers_[i](std::move(x), {.causal = true}, nullptr, nullptr, &state.layers[i]);
    }
    state.n_tokens = tokens.size();
    const Variable<T> last =
        autograd::slice(x.normalised(last_norm_), 1, tokens.size() - 1, tokens.size());
    return scores(reshape(last, {1, d}));
}

template <typename T>
Array<T> LanguageModel<T>::step(TokenId token, TextState<T>& state) const
{
    if (state.n_tokens == 0) {
        return read({&token, 1}, state);
    }
    expect(token >= 0 && std::cmp_less(token, options_.n_tokens),
           "LanguageModel: {} is none of {} tokens", token, options_.n_tokens);
    expect(state.layers.size() == layers_.size(), "LanguageModel: {} caches for {} layers",
           state.layers.size(), layers_.size());
    expect_text(state.n_tokens, 1);
    const autograd::NoGradient<T> forwards;
    const std::size_t d = options_.layer.d_model;
    transformer::DecodingWorkspace<T> row(kernels::current<T>(), d, options_.layer.d_ff);
    const T* const embedding =
        tokens_.weight.value().data() + static_cast<std::size_t>(token) * d;
    const T* const position = positions_.weight.value().data() + state.n_tokens++ * d;
    std::transform(embedding, embedding + d, position, row.x, std::plus<T>());
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        layers_[i].step(row, state.layers[i]);
    }
    row.normalise(last_norm_, row.x, row.x);
    return scores(Variable<T>(array_of<T>({1, d}, {row.x, d})));
}

// The product with one row goes E x, so that the large matrix is read once, where it lies: on the
// right of a product it would first be laid out anew. The bits are the same.
template <typename T>
Array<T> LanguageModel<T>::scores(const Variable<T>& row) const
{
    return (output_ ? (*output_)(row)
                    : matmul(tokens_.weight, row, Transpose::no, Transpose::yes))
        .value()
        .reshape({options_.n_tokens});
}

template <typename T>
nn::Parameters<T> LanguageModel<T>::parameters() const
{
    nn::Parameters<T> list;
    list.add_layer("tokens", tokens_);
    list.add_layer("positions", positions_);
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        list.add_layer(fmt::format("layers.{}", i), layers_[i]);
    }
    list.add_layer("norm", last_norm_);
    if (output_) {
        list.add_layer("output", *output_);
    }
    return list;
}

template class LanguageModel<float>;
template class LanguageModel<double>;

LanguageModel<float> make_language_model(const LanguageModelOptions& options,
                                         std::uint64_t seed)
{
    random::Generator generator(seed, random::Stream::language_model_parameters);
    return {options, generator};
}

} // namespace attn::language_models
