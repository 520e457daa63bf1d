/// \file
/// \brief The encoder: reads a sentence and leaves a state for every word. Deliberately without a
/// context: what a decoder gets to see of the states is context.hpp's business.
#pragma once

#include "common/nn/layers.hpp"
#include "common/nn/recurrent_layers.hpp"
#include "common/translation/model.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

/// Sentences translated by way of one vector.
namespace attn::seq2seq {

using autograd::Variable;
using translation::Sentences;

/// What takes a step.
enum class Unit
{
    gru, ///< the gated recurrent unit
    lstm ///< the long short-term memory
};

/// \param unit  any
/// \returns     "GRU" or "LSTM"
std::string name_of(Unit unit);

/// What reading leaves behind.
/// \tparam T  float or double
template <typename T>
struct Encoding
{
    Variable<T> states;               ///< e^(1) ... e^(tau) [batch, n_steps, hidden]
    Variable<T> last;                 ///< after the word that each direction reads last
                                      ///< [batch, hidden]
    std::vector<std::size_t> lengths; ///< [batch]: states behind the end are 0 and mean nothing
};

/// How large an encoder is, and what it is made of.
struct EncoderOptions
{
    std::size_t n_words;       ///< of the source language, special symbols included
    std::size_t d_embedding;   ///< numbers for a word
    std::size_t hidden;        ///< numbers in a state, those of both directions together
    Unit unit = Unit::gru;     ///< what takes a step
    bool bidirectional = true; ///< half of the numbers read from the last word on
};

/// \f$ e^{(t)} = f_e(e^{(t-1)}, x^{(t)}) \f$, in one direction or in both.
/// \tparam T  float or double
template <typename T>
class Encoder
{
public:
    /// Starts as PyTorch does.
    /// \param options    sizes at least 1, hidden even if both directions are read
    /// \param generator  advanced
    /// \throws ContractError if a size is not as stated
    Encoder(const EncoderOptions& options, random::Generator& generator);

    /// Reads sentences.
    /// \param sentences  of words below n_words
    /// \returns          a state for every word, and the last ones
    /// \throws ContractError naming a word that is none, or shapes that do not fit
    Encoding<T> operator()(const Sentences& sentences) const;

    /// Looks words up, without reading them yet.
    /// \param sentences  of words below n_words
    /// \returns          [batch, n_steps, d_embedding]
    /// \throws ContractError naming a word that is none, or shapes that do not fit
    Variable<T> embed(const Sentences& sentences) const;

    /// Reads words that have been looked up.
    /// \param embedded  [batch, n_steps, d_embedding]
    /// \param lengths   [batch], each from 1 to n_steps
    /// \returns         a state for every word, and the last ones
    /// \throws ContractError naming shapes that do not fit
    Encoding<T> read(const Variable<T>& embedded, std::span<const std::size_t> lengths) const;

    /// \returns "embedding." and "recurrent." parameters
    nn::Parameters<T> parameters() const;

private:
    nn::Embedding<T> embedding_;
    std::variant<nn::Gru<T>, nn::Lstm<T>> recurrent_;
};

extern template class Encoder<float>;
extern template class Encoder<double>;

} // namespace attn::seq2seq
