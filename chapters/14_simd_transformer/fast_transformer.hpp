/// \file
/// \brief The transformer of chapter 12 on this chapter's kernels. It has no parameters of its
/// own: it runs and trains those of the transformer it is made from. Deliberately in float
/// alone, and without the weights of attention, which are never all there.
#pragma once

#include "chapters/12_transformer/transformer.hpp"
#include "chapters/14_simd_transformer/fast_layers.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace attn::simd_transformer {

using seq2seq::Sentences;
using transformer::Memory;
using transformer::Transformer;

/// Chapter 12's transformer, the same parameters on other kernels.
class FastTransformer
{
public:
    /// \param transformer  whose parameters it runs and trains; its sizes do not change later
    /// \param how          with which kernels, on how many threads
    /// \param fusions      what is fused
    explicit FastTransformer(const Transformer<float>& transformer, const Execution& how = {},
                             const Fusions& fusions = {});

    /// Looks words of the source up and reads them.
    /// \param sentences  of words below n_source_words
    /// \param dropping   null: nothing is dropped
    /// \returns          the encoder's rows
    /// \throws ContractError naming a word that is none, or shapes that do not fit
    Memory<float> read(const Sentences& sentences, Dropping dropping = nullptr) const;

    /// Writes with teacher forcing, as Transformer::write.
    /// \param words     begin symbol and right words [batch, n_target], row by row
    /// \param memory    of as many sentences
    /// \param dropping  null: nothing is dropped
    /// \returns         rows of the last layer [batch, n_target, d], for scores()
    /// \throws ContractError for a word that is none, or shapes that do not fit
    Variable<float> write(std::span<const std::int64_t> words, const Memory<float>& memory,
                          Dropping dropping = nullptr) const;

    /// The scores of all words of the target language.
    /// \param rows  of the last layer [..., d]
    /// \returns     [..., n_target_words]
    Variable<float> scores(const Variable<float>& rows) const;

    /// \param batch     sentences and their translations
    /// \param dropping  null: nothing is dropped
    /// \returns         the mean over the words that count of the smoothed \f$ -\log p(y_t)
    ///                  \f$, of rank 0; to be walked back from by backward()
    Variable<float> loss(const text::Batch& batch, Dropping dropping = nullptr) const;

    /// Walks back from a loss along the current tape, on the same kernels.
    /// \param loss  from loss()
    /// \throws ContractError as autograd::backward
    void backward(const Variable<float>& loss) const;

    /// \returns  what it runs
    const Transformer<float>& transformer() const { return transformer_; }
    /// \returns  as given
    const Execution& how() const { return how_; }

private:
    ResidualRows first_rows(const nn::Embedding<float>& table,
                            std::span<const std::int64_t> words, std::size_t batch,
                            Dropping dropping) const;
    Variable<float> last_rows(const nn::LayerNorm<float>& norm, ResidualRows& rows) const;

    Transformer<float> transformer_; ///< shares its parameters with the one it was made from
    Execution how_;
    Fusions fusions_;
    std::vector<FastEncoderLayer> encoder_;
    std::vector<FastDecoderLayer> decoder_;
};

} // namespace attn::simd_transformer
