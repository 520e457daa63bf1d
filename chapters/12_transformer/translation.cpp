#include "chapters/12_transformer/translation.hpp"

#include "common/autograd/layout.hpp"
#include "common/translation/search.hpp"

#include <utility>

namespace attn::transformer {

TranslationModel model_of(const Transformer<float>& transformer, const HeadChoice& choice,
                          random::Generator* rng)
{
    const TransformerOptions& options = transformer.options();
    expect(choice.layer < options.n_decoder_layers &&
               choice.head.value_or(0) < options.layer.n_heads,
           "there is no head {} in layer {} of {} layers with {} heads",
           choice.head.value_or(0), choice.layer, options.n_decoder_layers,
           options.layer.n_heads);
    TranslationModel model;
    model.parameters = transformer.parameters();
    model.loss = [&transformer, rng](const text::Batch& batch) {
        return transformer.loss(batch, rng);
    };
    model.embed = [&transformer](const Sentences& sentences) {
        return transformer.embed(sentences);
    };
    model.decode_from = [&transformer, choice](const Variable<float>& embedded,
                                               const text::Batch& batch) {
        AllWeights<float> all;
        const Variable<float> rows =
            transformer.write(batch.target_input,
                              transformer.read(embedded, batch.source_lengths), nullptr, &all);
        const Variable<float> by_step = reshape(
            permute(rows, {1, 0, 2}), {batch.n_target * batch.n_pairs, rows.shape()[2]});
        const Variable<float> weights(
            translation::weights_of(choice, all.decoder[choice.layer].source));
        translation::DecoderOutput<float> written{transformer.scores(by_step), {}};
        for (std::size_t t = 0; t < batch.n_target; ++t) {
            written.weights.push_back(select(weights, 1, t));
        }
        return written;
    };
    model.translate = [&transformer](const Sentences& sentences, std::size_t max_length,
                                     const text::BeamOptions& beam) {
        const autograd::NoGradient<float> forwards;
        using Drafts = std::vector<Draft<float>>; // [n_hypotheses]
        const auto step = [&](Drafts drafts, std::span<const std::int64_t> words) {
            const Variable<float> logits(transformer.step(words, drafts));
            return translation::NextWords<float, Drafts>{logits, std::move(drafts)};
        };
        const Memory<float> memory =
            transformer.read(transformer.embed(sentences), sentences.lengths);
        return translation::search<float>(step, text::select_elements<Draft<float>>,
                                          transformer.begin(memory), sentences.batch(),
                                          max_length, beam);
    };
    if (rng != nullptr) {
        model.state.add("dropout", *rng);
    }
    return model;
}

} // namespace attn::transformer
