/// \file
/// \brief One stack of chapter 12's layers over one text. With a causal mask it is a decoder
/// without a source, GPT's kind, and predicts the next token; without the mask it is an encoder
/// alone, BERT's kind, and fills in tokens that were hidden.
#pragma once

#include "chapters/12_transformer/layers.hpp"
#include "common/nn/layers.hpp"
#include "common/random/random.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Language models: the transformer's two halves, each alone. T is float or double throughout.
namespace attn::language_models {

using autograd::Variable;
using multi_head::Attend;
using multi_head::AttentionMask;
using transformer::EncoderLayer;
using transformer::KeyValueCache;
using transformer::LayerOptions;

/// The number of a token: a word, a character or a piece of one.
using TokenId = std::int64_t;

/// What an answer is that is not asked for: the loss does not count it.
inline constexpr TokenId not_asked = -100;

/// Texts, one a row, and what is to be predicted at each place.
struct TokenBatch
{
    std::size_t n_texts = 0;               ///< rows
    std::vector<TokenId> tokens = {};      ///< [n_texts, n], row by row, any after a text's end
    std::vector<TokenId> answers = {};     ///< [n_texts, n]; not_asked where nothing is
    std::vector<std::size_t> lengths = {}; ///< [n_texts]; empty: all n
};

/// How large a language model is, and what it is made of.
struct LanguageModelOptions
{
    std::size_t n_tokens;    ///< different ones, special ones included
    std::size_t n_positions; ///< tokens of the longest text
    std::size_t n_layers;    ///< at least 1
    LayerOptions layer = {}; ///< of each of them
    bool causal = true;      ///< whether a token attends to itself and those before it alone
    bool tied = true;        ///< whether the output matrix is the embedding, transposed
};

/// Which numbers a model starts with.
enum class Start
{
    as_gpt2,     ///< those from which GPT-2 was trained
    to_be_loaded ///< any: a file has others
};

/// A text that is being continued: keys and values of its tokens in every layer. A copy goes its
/// own way.
template <typename T>
struct TextState
{
    std::vector<KeyValueCache<T>> layers; ///< [n_layers]
    std::size_t n_tokens = 0;             ///< read so far
};

/// \f$ p(y_t \mid y_1 \dots y_{t-1}) \f$, or without the mask \f$ p(y_t \mid y) \f$ of a text y
/// with gaps. Functions that read tokens throw ContractError for a number that is no token, for
/// rows of different lengths, and for texts longer than the positions.
template <typename T>
class LanguageModel
{
public:
    /// Starts as GPT-2 does: matrices and embeddings normal with deviation .02, those that write
    /// into the residual stream divided by the root of their number \f$ 2 N \f$, biases 0
    /// (\cite radford2019, section 2.3).
    /// \throws ContractError if a size is 0
    LanguageModel(const LanguageModelOptions& options, random::Generator& generator,
                  Start start = Start::as_gpt2);

    /// The rows that enter the first layer: a token's embedding plus its position's
    /// [n_texts, n, d].
    Variable<T> embed(std::span<const TokenId> tokens, std::size_t n_texts) const;

    /// The rows after the last layer and its norm [n_texts, n, d]. The answers are not read.
    /// \param weights  if not null, receives those of each layer, [n_texts, H, n, n]
    Variable<T> rows(const TokenBatch& batch, std::vector<Array<T>>* weights = nullptr) const;

    /// The score of every token [..., n_tokens], from such rows [..., d].
    Variable<T> logits(const Variable<T>& rows) const;

    /// The mean over the places that are asked for of \f$ -\ln p \f$ of the answer, of rank 0.
    Variable<T> loss(const TokenBatch& batch) const;

    /// Reads the beginning of a text in one pass.
    /// \param tokens  at least one
    /// \param state   receives the keys and values of all of them
    /// \returns       the scores of the next token [n_tokens]
    Array<T> read(std::span<const TokenId> tokens, TextState<T>& state) const;

    /// Reads one token more, with the keys and values of those before it.
    /// \param state   grows
    /// \returns       the scores of the next token [n_tokens]; with fused kernels the bits of all
    ///                tokens at once
    Array<T> step(TokenId token, TextState<T>& state) const;

    /// All that is learnt.
    nn::Parameters<T> parameters() const;

    /// Its layers: an experiment gives one another attention.
    std::vector<EncoderLayer<T>>& layers() { return layers_; }
    /// Its layers.
    const std::vector<EncoderLayer<T>>& layers() const { return layers_; }
    /// The norm after the last layer, if there are norms.
    const nn::LayerNorm<T>& last_norm() const { return last_norm_; }
    const LanguageModelOptions& options() const { return options_; } ///< as given

private:
    void expect_text(std::size_t n_before, std::size_t n) const;
    Array<T> scores(const Variable<T>& row) const; // the logits of one row [1, d]

    LanguageModelOptions options_;
    nn::Embedding<T> tokens_;
    nn::Embedding<T> positions_;
    std::vector<EncoderLayer<T>> layers_;
    nn::LayerNorm<T> last_norm_;
    std::optional<nn::Linear<T>> output_; // none if tied
};

extern template class LanguageModel<float>;
extern template class LanguageModel<double>;

/// A language model, untrained.
LanguageModel<float> make_language_model(const LanguageModelOptions& options,
                                         std::uint64_t seed);

} // namespace attn::language_models
