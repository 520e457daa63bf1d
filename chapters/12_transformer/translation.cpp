/// \file
/// \brief The bodies of translation.hpp.
#include "chapters/12_transformer/translation.hpp"

#include "common/autograd/layout.hpp"
#include "common/autograd/softmax.hpp"
#include "common/text/search.hpp"

#include <algorithm>
#include <utility>

namespace attn::transformer {

namespace {

/// The weights that a look chooses of those of one layer: [batch, n_queries, n_keys].
Array<float> chosen(const Array<float>& weights, const Look& look)
{
    const std::size_t batch = weights.shape()[0];
    const std::size_t n_heads = weights.shape()[1];
    const std::size_t of_head = weights.shape()[2] * weights.shape()[3];
    const std::size_t first = look.head.value_or(0);
    const std::size_t end = look.head ? first + 1 : n_heads;
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

/// What was foretold, step by step, as chapter 7's decoder hands it out.
seq2seq::Written<float> written_by_step(const Transformer<float>& transformer,
                                        const Variable<float>& rows,
                                        const Array<float>& weights)
{
    const std::size_t batch = weights.shape()[0];
    const std::size_t n_target = weights.shape()[1];
    const std::size_t n_source = weights.shape()[2];
    const std::size_t d = rows.shape()[2];
    const Variable<float> by_step =
        reshape(permute(rows, {1, 0, 2}), Shape{n_target * batch, d});
    seq2seq::Written<float> written{transformer.scores(by_step), {}};
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

void expect_such(const Transformer<float>& transformer, const Look& look)
{
    const TransformerOptions& options = transformer.options();
    expect(look.layer < options.n_decoder_layers &&
               look.head.value_or(0) < options.layer.n_heads,
           "there is no head {} in layer {} of {} layers with {} heads", look.head.value_or(0),
           look.layer, options.n_decoder_layers, options.layer.n_heads);
}

} // namespace

seq2seq::TranslationModel model_of(const Transformer<float>& transformer, const Look& look,
                                   random::Generator* rng)
{
    expect_such(transformer, look);
    seq2seq::TranslationModel model;
    model.parameters = transformer.parameters();
    model.loss = [&transformer, rng](const text::Batch& batch) {
        return transformer.loss(batch, rng);
    };
    model.embed = [&transformer](const Sentences& sentences) {
        return transformer.embed(sentences);
    };
    model.write_from = [&transformer, look](const Variable<float>& embedded,
                                            const text::Batch& batch) {
        AllWeights<float> weights;
        const Variable<float> rows = transformer.write(
            batch.target_input, transformer.read(embedded, batch.source_lengths), nullptr,
            &weights);
        return written_by_step(transformer, rows,
                               chosen(weights.decoder[look.layer].source, look));
    };
    model.translate = [&transformer, look](const Sentences& sentences, std::size_t max_length,
                                           const text::BeamOptions& beam) {
        return translate(transformer, sentences, max_length, beam, look);
    };
    if (rng != nullptr) {
        model.state.add("dropout", *rng);
    }
    return model;
}

seq2seq::Translations translate(const Transformer<float>& transformer,
                                const Sentences& sentences, std::size_t max_length,
                                const text::BeamOptions& beam, const Look& look)
{
    expect_such(transformer, look);
    const autograd::NoGradient<float> looking;
    const Memory<float> memory =
        transformer.read(transformer.embed(sentences), sentences.lengths);
    using Drafts = std::vector<Draft<float>>; // [n_hypotheses]
    const text::Decoder<Drafts, seq2seq::WeightsOfStep> decoder{
        [&](Drafts drafts, const std::vector<std::size_t>& last_words) {
            const std::vector<std::int64_t> words(last_words.begin(), last_words.end());
            AllWeights<float> weights;
            const Variable<float> log_p =
                log_softmax(Variable<float>(transformer.step(words, drafts, &weights)));
            const std::span<const float> numbers = numbers_of(log_p.value());
            const Array<float> seen = chosen(weights.decoder[look.layer].source, look);
            const std::size_t n_source = seen.shape()[2];
            std::vector<seq2seq::WeightsOfStep> extras;
            for (std::size_t row = 0; row < words.size(); ++row) {
                const float* const first = seen.data() + row * n_source;
                extras.emplace_back(first, first + n_source);
            }
            return text::Step<Drafts, seq2seq::WeightsOfStep>{
                {numbers.begin(), numbers.end()}, std::move(drafts), std::move(extras)};
        },
        text::select_elements<Draft<float>>};
    constexpr auto first = static_cast<std::size_t>(text::begin_id);
    constexpr auto last = static_cast<std::size_t>(text::end_id);
    return text::batch_beam_search(decoder, transformer.begin(memory), sentences.batch(),
                                   {first, last, max_length}, beam);
}

} // namespace attn::transformer
