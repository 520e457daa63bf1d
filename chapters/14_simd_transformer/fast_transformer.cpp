/// \file
/// \brief The bodies of fast_transformer.hpp.
#include "chapters/14_simd_transformer/fast_transformer.hpp"

#include "chapters/14_simd_transformer/fused.hpp"
#include "common/autograd/dropout.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"

namespace attn::simd_transformer {

FastTransformer::FastTransformer(const Transformer<float>& transformer, const Execution& how,
                                 const Fusions& fusions)
    : transformer_(transformer), how_(how), fusions_(fusions)
{
    for (const EncoderLayer<float>& layer : transformer_.encoder()) {
        encoder_.emplace_back(layer, how, fusions);
    }
    for (const DecoderLayer<float>& layer : transformer_.decoder()) {
        decoder_.emplace_back(layer, how, fusions);
    }
}

ResidualRows FastTransformer::first_rows(const nn::Embedding<float>& table,
                                         std::span<const std::int64_t> words, std::size_t batch,
                                         Dropping dropping) const
{
    Variable<float> rows =
        transformer_.with_places(transformer_.look_up(table, words, batch), 0);
    if (dropping != nullptr) {
        rows = dropout(rows, transformer_.options().layer.dropout, *dropping);
    }
    return {std::move(rows), how_, fusions_};
}

Variable<float> FastTransformer::last_rows(const nn::LayerNorm<float>& norm,
                                           ResidualRows& rows) const
{
    const bool before = transformer_.options().layer.norm == transformer::NormPlace::before;
    return before ? rows.normalised(norm) : Variable<float>(rows.sum());
}

Memory<float> FastTransformer::read(const Sentences& sentences, Dropping dropping) const
{
    const Products products(how_, fusions_);
    const Visible words{{sentences.lengths.begin(), sentences.lengths.end()}};
    ResidualRows rows =
        first_rows(transformer_.source_words(), sentences.words, sentences.batch(), dropping);
    for (const FastEncoderLayer& layer : encoder_) {
        layer(rows, words, dropping);
    }
    return {last_rows(transformer_.encoder_norm(), rows), words};
}

Variable<float> FastTransformer::write(std::span<const std::int64_t> words,
                                       const Memory<float>& memory, Dropping dropping) const
{
    const Products products(how_, fusions_);
    ResidualRows rows =
        first_rows(transformer_.target_words(), words, memory.rows.shape()[0], dropping);
    for (const FastDecoderLayer& layer : decoder_) {
        layer(rows, memory.rows, memory.visible, dropping);
    }
    return last_rows(transformer_.decoder_norm(), rows);
}

Variable<float> FastTransformer::scores(const Variable<float>& rows) const
{
    const Products products(how_, fusions_);
    return transformer_.scores(rows);
}

Variable<float> FastTransformer::loss(const text::Batch& batch, Dropping dropping) const
{
    const Memory<float> memory =
        read({batch.source, batch.source_lengths, batch.n_source}, dropping);
    const Variable<float> rows = write(batch.target_input, memory, dropping);
    const transformer::TransformerOptions& options = transformer_.options();
    const Variable<float> logits =
        scores(reshape(rows, {batch.n_pairs * batch.n_target, options.layer.d_model}));
    const autograd::CrossEntropy how_to_count{.label_smoothing = options.label_smoothing};
    return fusions_.loss ? cross_entropy(how_, logits, batch.answers, how_to_count)
                         : autograd::cross_entropy(logits, batch.answers, how_to_count);
}

void FastTransformer::backward(const Variable<float>& loss) const
{
    const Products products(how_, fusions_);
    autograd::backward(loss);
}

} // namespace attn::simd_transformer
