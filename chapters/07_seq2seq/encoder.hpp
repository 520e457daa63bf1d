/// \file
/// \brief The encoder: from a sentence to a state for every word.
#pragma once

#include "common/nn/layers.hpp"
#include "common/nn/recurrent_layers.hpp"
#include "common/translation/model.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

/// Sentences translated by way of one vector. T is float or double throughout.
namespace attn::seq2seq {

using autograd::Variable;
using translation::Sentences;

/// What takes a step.
enum class Unit
{
    gru, ///< the gated recurrent unit
    lstm ///< the long short-term memory
};

/// What the encoder makes of sentences.
template <typename T>
struct Encoding
{
    Variable<T> states;               ///< e^(1) ... e^(tau) [batch, n_steps, hidden]
    Variable<T> last;                 ///< after the word that each direction reads last
                                      ///< [batch, hidden]
    std::vector<std::size_t> lengths; ///< [batch]: states after the end are 0 and mean nothing
};

/// How large an encoder is, and what it is made of.
struct EncoderOptions
{
    std::size_t n_words;     ///< of the source language, special symbols included
    std::size_t d_embedding; ///< numbers for a word
    std::size_t hidden;      ///< numbers in a state: half of them read from the last word on
    Unit unit = Unit::gru;   ///< what takes a step
};

/// \f$ e^{(t)} = f_e(e^{(t-1)}, x^{(t)}) \f$, in both directions.
template <typename T>
class Encoder
{
public:
    /// Starts as PyTorch does.
    /// \throws ContractError if a size is 0, or hidden odd
    Encoder(const EncoderOptions& options, random::Generator& generator);

    /// Encodes sentences. All functions throw ContractError naming a word that is none, or shapes that
    /// do not fit.
    Encoding<T> operator()(const Sentences& sentences) const;

    /// Embeds words, without encoding them yet: [batch, n_steps, d_embedding].
    Variable<T> embed(const Sentences& sentences) const;

    /// Encodes embedded words of sentences of some lengths [batch], each from 1 to n_steps.
    Encoding<T> encode(const Variable<T>& embedded, std::span<const std::size_t> lengths) const;

    /// "embedding." and "recurrent." parameters.
    nn::Parameters<T> parameters() const;

private:
    nn::Embedding<T> embedding_;
    std::variant<nn::Gru<T>, nn::Lstm<T>> recurrent_;
};

extern template class Encoder<float>;
extern template class Encoder<double>;

} // namespace attn::seq2seq
