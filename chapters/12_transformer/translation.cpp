#include "chapters/12_transformer/translation.hpp"

#include "common/autograd/layout.hpp"
#include "common/translation/search.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace attn::transformer {

namespace {

/// The chosen weights of those of one layer: [batch, n_queries, n_keys].
Array<float> chosen(const Array<float>& weights, const HeadChoice& choice)
{
    const std::size_t batch = weights.shape()[0];
    const std::size_t n_heads = weights.shape()[1];
    const std::size_t of_head = weights.shape()[2] * weights.shape()[3];
    const std::size_t first = choice.head.value_or(0);
    const std::size_t end = choice.head ? first + 1 : n_heads;
    const float share = 1.0F / static_cast<float>(end - first);
    Array<float> result = filled<float>({batch, weights.shape()[2], weights.shape()[3]}, 0.0F);
    for (std::size_t b = 0; b < batch; ++b) {
        float* const to = result.data() + b * of_head;
        for (std::size_t h = first; h < end; ++h) {
            const float* const from = weights.data() + (b * n_heads + h) * of_head;
            for (std::size_t i = 0; i < of_head; ++i) {
                to[i] += share * from[i];
            }
        }
    }
    return result;
}

/// What was predicted, step by step.
translation::Written<float> written_by_step(const Transformer<float>& transformer,
                                            const Variable<float>& rows,
                                            const Array<float>& weights)
{
    const std::size_t batch = weights.shape()[0];
    const std::size_t n_target = weights.shape()[1];
    const std::size_t n_source = weights.shape()[2];
    const std::size_t d = rows.shape()[2];
    const Variable<float> by_step =
        reshape(permute(rows, {1, 0, 2}), Shape{n_target * batch, d});
    translation::Written<float> written{transformer.scores(by_step), {}};
    for (std::size_t t = 0; t < n_target; ++t) {
        Array<float> of_step = uninitialised<float>({batch, n_source});
        for (std::size_t b = 0; b < batch; ++b) {
            std::copy_n(weights.data() + (b * n_target + t) * n_source, n_source,
                        of_step.data() + b * n_source);
        }
        written.weights.emplace_back(std::move(of_step));
    }
    return written;
}

void expect_such(const Transformer<float>& transformer, const HeadChoice& choice)
{
    const TransformerOptions& options = transformer.options();
    expect(choice.layer < options.n_decoder_layers &&
               choice.head.value_or(0) < options.layer.n_heads,
           "there is no head {} in layer {} of {} layers with {} heads",
           choice.head.value_or(0), choice.layer, options.n_decoder_layers,
           options.layer.n_heads);
}

} // namespace

std::string name_of(const HeadChoice& choice)
{
    return choice.head ? fmt::format("head {}", *choice.head + 1) : "mean";
}

std::vector<HeadChoice> head_choices(const Transformer<float>& transformer)
{
    std::vector<HeadChoice> choices = {{}};
    for (std::size_t head = 0; head < transformer.options().layer.n_heads; ++head) {
        choices.push_back({.head = head});
    }
    return choices;
}

TranslationModel model_of(const Transformer<float>& transformer, const HeadChoice& choice,
                          random::Generator* rng)
{
    expect_such(transformer, choice);
    TranslationModel model;
    model.parameters = transformer.parameters();
    model.loss = [&transformer, rng](const text::Batch& batch) {
        return transformer.loss(batch, rng);
    };
    model.embed = [&transformer](const Sentences& sentences) {
        return transformer.embed(sentences);
    };
    model.write_from = [&transformer, choice](const Variable<float>& embedded,
                                              const text::Batch& batch) {
        AllWeights<float> weights;
        const Variable<float> rows = transformer.write(
            batch.target_input, transformer.read(embedded, batch.source_lengths), nullptr,
            &weights);
        return written_by_step(transformer, rows,
                               chosen(weights.decoder[choice.layer].source, choice));
    };
    model.translate = [&transformer, choice](const Sentences& sentences, std::size_t max_length,
                                             const text::BeamOptions& beam) {
        return translate(transformer, sentences, max_length, beam, choice);
    };
    if (rng != nullptr) {
        model.state.add("dropout", *rng);
    }
    return model;
}

Translations translate(const Transformer<float>& transformer, const Sentences& sentences,
                       std::size_t max_length, const text::BeamOptions& beam,
                       const HeadChoice& choice)
{
    expect_such(transformer, choice);
    const autograd::NoGradient<float> forwards;
    const Memory<float> memory =
        transformer.read(transformer.embed(sentences), sentences.lengths);
    using Drafts = std::vector<Draft<float>>; // [n_hypotheses]
    const auto step = [&](Drafts drafts, std::span<const std::int64_t> words) {
        AllWeights<float> weights;
        const Variable<float> logits(transformer.step(words, drafts, &weights));
        return translation::NextWords<float, Drafts>{
            logits, chosen(weights.decoder[choice.layer].source, choice), std::move(drafts)};
    };
    return translation::search<float>(step, text::select_elements<Draft<float>>,
                                      transformer.begin(memory), sentences.batch(), max_length,
                                      beam);
}

} // namespace attn::transformer
