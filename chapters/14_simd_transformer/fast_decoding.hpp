/// \file
/// \brief Writing word by word on this chapter's kernels: keys and values of the words so far
/// are kept as the kernels read them, and a step touches nothing but parameters, caches and a
/// few rows. Deliberately without a tape: nobody walks back from a translation.
#pragma once

#include "chapters/12_transformer/transformer.hpp"
#include "chapters/14_simd_transformer/ladder_kernels.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace attn::simd_transformer {

using transformer::Memory;
using transformer::Transformer;

/// Keys and values that one attention of one layer asks, of all sentences.
struct RowCache
{
    std::size_t room = 0; ///< for so many words, a multiple of 64
    Array<float> keys;    ///< [batch, d, room], zeros where there is no word yet
    Array<float> values;  ///< [batch, room, d]
};

/// What both attentions of one layer of the decoder ask.
struct LayerRowCaches
{
    RowCache written; ///< the words so far
    RowCache source;  ///< the words of the source
};

/// Translations that grow by a word at a time. A copy of it goes its own way from there.
class WordByWord
{
public:
    /// \param transformer  whose parameters are used, as they are at each step
    /// \param memory       the encoder's rows of the sentences that are translated
    /// \param room         for so many words at first, made larger until 64 divide it; 0 counts as
    ///                     1
    /// \param how          with which kernels, and how many sentences at a time
    /// \throws ContractError if memory is not of this transformer's size
    WordByWord(const Transformer<float>& transformer, const Memory<float>& memory,
               std::size_t room = 64, const Execution& how = {});

    /// Writes one word a sentence.
    /// \param words  the last ones [batch]
    /// \returns      scores of the next word [batch, n_target_words], until the next step
    /// \throws ContractError for a word that is none, or another number of them
    const Array<float>& step(std::span<const std::int64_t> words);

    /// \returns  words of each sentence so far
    std::size_t n_written() const { return n_written_; }

private:
    struct Rows;

    void begin_row(std::int64_t word, float* x) const;
    void own_past(const transformer::DecoderLayer<float>& layer, RowCache& cache,
                  std::size_t sentence, const Rows& rows) const;
    void look_at_source(const transformer::DecoderLayer<float>& layer, const RowCache& cache,
                        std::size_t sentence, const Rows& rows) const;
    void dense(const transformer::DecoderLayer<float>& layer, const Rows& rows) const;
    void write_sentence(std::int64_t word, std::size_t sentence);
    void make_room();

    Transformer<float> transformer_; ///< shares its parameters
    Execution how_;
    std::vector<std::size_t> source_lengths_; ///< [batch]
    std::vector<LayerRowCaches> layers_;      ///< [n_decoder_layers]
    Array<float> places_;                     ///< [room, d], empty without positions
    Array<float> scores_;                     ///< [batch, n_target_words]
    std::size_t n_written_ = 0;
};

} // namespace attn::simd_transformer
