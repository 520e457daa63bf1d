/// \file
/// \brief A language model of chapter 13, ready to write: its matrices in four, two or one bytes a
/// weight, keys and values of each text saved, and any number of texts at a time. Deliberately
/// for writing alone, and for models of GPT-2's kind.
#pragma once

#include "chapters/12_transformer/training/key_value_cache.hpp"
#include "chapters/13_language_models/language_model.hpp"
#include "chapters/14_simd_transformer/decoding/packed_matrix.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace attn::simd_transformer {

using language_models::LanguageModel;
using language_models::TokenId;

/// How a model is kept for writing.
struct DecoderOptions
{
    WeightFormat format = WeightFormat::float32; ///< of its matrices; the rest is floats
    std::size_t n_key_heads = 0;            ///< of keys and values; 0: as many as of queries
    Scales scales = Scales::of_each_output; ///< of int8
};

/// A text that is being written. A copy goes its own way.
struct WrittenText
{
    std::vector<transformer::KeyValueCache<float>> heads = {}; ///< [n_layers, n_key_heads]
    std::size_t n_tokens = 0;                                  ///< read so far
};

/// Of which tokens of a text the scores are wanted.
enum class ScoresOf
{
    last, ///< the last one: what is to be written next
    all   ///< every one: for a loss
};

/// Computes by the kernels and threads of kernels::execution(). Functions that read tokens throw
/// ContractError for a number that is no token and for texts longer than the positions.
class Decoder
{
public:
    /// Copies a model. With fewer heads of keys than of queries, neighbouring heads share one: the
    /// mean of theirs (\cite ainslie2023, section 2.1).
    /// \throws ContractError if the model is not causal, pre-norm, tied and complete, or the
    ///         heads of keys do not divide those of queries
    Decoder(const LanguageModel<float>& model, const DecoderOptions& options);

    /// Reads the beginning of a text in one pass: every matrix comes from memory once.
    /// \param tokens  at least one
    /// \param text    replaced
    /// \returns       the scores of the next token [1, n_tokens], or of all [n, n_tokens]
    Array<float> read(std::span<const TokenId> tokens, WrittenText& text,
                      ScoresOf which = ScoresOf::last) const;

    /// Reads one token more of each text, all texts in one pass over the weights. A text has the
    /// bits that it has alone.
    /// \param tokens  [texts.size()], one at least
    /// \param texts   each read before; grow
    /// \returns       the scores of each text's next token [texts.size(), n_tokens]
    Array<float> step(std::span<const TokenId> tokens, std::span<WrittenText> texts) const;

    /// What a token reads whatever the length of its text.
    /// \returns  bytes of all matrices
    std::size_t weight_bytes() const;

    /// What a token reads beside that.
    /// \returns  bytes of keys and values of a text of n tokens
    std::size_t cache_bytes(std::size_t n) const;

    /// What it is a copy of.
    const language_models::LanguageModelOptions& options() const { return options_; }

private:
    /// \cond
    /// What a row is normalised with.
    struct Norm
    {
        Array<float> gain;
        Array<float> bias;
        float epsilon;
    };
    /// One layer.
    struct Layer
    {
        Norm norm_self;
        Norm norm_forward;
        PackedMatrix queries_keys_values; // [d, d + 2 d_keys]
        PackedMatrix out;                 // [d, d]
        PackedMatrix up;                  // [d, d_ff]
        PackedMatrix down;                // [d_ff, d]
    };
    struct Rows;
    /// \endcond

    Layer layer_of(const nn::Parameters<float>& parameters, std::size_t i) const;
    void embed(TokenId token, std::size_t position, float* x) const;
    void add_layer(const Layer& layer, Rows& rows, const std::function<void()>& attend) const;
    void attend_in_one_pass(Rows& rows,
                            std::span<transformer::KeyValueCache<float>> heads) const;
    void attend_saved(Rows& rows, std::size_t layer, std::span<WrittenText> texts) const;
    void activate(Rows& rows) const;
    Array<float> scores(const float* x, std::size_t n) const;

    language_models::LanguageModelOptions options_;
    DecoderOptions kept_;
    std::size_t d_head_; // numbers of a query in one head
    std::size_t d_keys_; // of all heads of keys together
    Array<float> positions_;
    PackedMatrix output_; // [d, n_tokens]; its columns are the embedding
    std::vector<Layer> layers_;
    Norm last_norm_;
};

} // namespace attn::simd_transformer
