/// \file
/// \brief The decoder: writes a sentence word by word, from its own state, the last word and a
/// context: how probable each next word is.
#pragma once

#include "chapters/07_seq2seq/context.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace attn::seq2seq {

using translation::Written;

/// The state of a decoder.
template <typename T>
struct DecoderState
{
    Variable<T> hidden;              ///< s [batch, hidden]
    std::optional<Variable<T>> cell; ///< of an LSTM [batch, hidden]
};

/// Where a context enters a step. Into the gates beside the word:
/// \f[ s_t = f_d(s_{t-1}, [y_{t-1}; c_t]) \f]
/// Joined with the word by a layer of its own:
/// \f[ s_t = f_d(s_{t-1}, x_t) , \f]
/// \f[ x_t = \mathrm{ReLU}(W_c [y_{t-1}; c_t] + b_c) \f]
/// Nowhere, but in the readout: \f[ s_t = f_d(s_{t-1}, y_{t-1}) \f]
enum class Enters
{
    gates,  ///< beside the word (\cite bahdanau2015)
    joined, ///< by a layer of its own (PyTorch's tutorial)
    nowhere ///< in the readout alone (\cite luong2015)
};

/// What a word is read out of. State, context and last word:
/// \f[ W_o \tanh(W_r [s_t; c_t; y_{t-1}]) \f]
/// State and context: \f[ W_o \tanh(W_r [s_t; c_t]) \f]
/// The state alone: \f[ W_o s_t \f]
enum class ReadsOut
{
    state_context_word, ///< all that there is (\cite bahdanau2015)
    state_context,      ///< without the last word (\cite luong2015)
    state               ///< the state alone (PyTorch's tutorial)
};

/// What a decoder does with a context, once it has one.
struct Wiring
{
    Enters enters;      ///< the step
    ReadsOut reads_out; ///< the next word
};

/// The wiring of the decoders of chapters 7 and 8: Luong's where \f$ s_t \f$ asks, for then the
/// context comes too late for the step, and else Bahdanau's.
Wiring usual_wiring(Asks asks);

/// The wiring of the decoder of PyTorch's tutorial: joined, and read out of the state alone.
inline constexpr Wiring tutorials_wiring = {Enters::joined, ReadsOut::state};

/// How large a decoder is, and what it is made of.
struct DecoderOptions
{
    std::size_t n_words;     ///< of the target language, special symbols included
    std::size_t d_embedding; ///< numbers for a word
    std::size_t hidden;      ///< numbers in a state, as many as in the encoder's
    Unit unit;               ///< what takes a step
    Wiring wiring;           ///< what is done with a context
};

/// One more word.
template <typename T>
struct NextWord
{
    Variable<T> logits;    ///< [batch, n_words]
    Variable<T> weights;   ///< [batch, n_source]
    DecoderState<T> state; ///< after it
};

/// A step and a readout in one of the forms of Enters and ReadsOut, with \f$ c_t = c \f$ if it never
/// asks.
template <typename T>
class Decoder
{
public:
    /// Starts as PyTorch does.
    /// \throws ContractError if a size is 0, if the context shall enter a step that it comes too
    ///         late for, or enters nothing
    Decoder(const DecoderOptions& options, Asks asks, random::Generator& generator);

    /// The first state, \f$ s_0 = \tanh(W_s e^{(\tau)} + b_s) \f$; an LSTM's cell is 0.
    DecoderState<T> first_state(const Encoding<T>& encoding) const;

    /// Writes with teacher forcing: each next word after the right ones so far. Where no state
    /// waits for a context, all states come from one walk, and the contexts afterwards.
    /// \param words  begin symbol and right words [batch, n_steps], row by row
    /// \param state  the first one
    /// \throws ContractError naming a word that is none, or shapes that do not fit
    Written<T> operator()(std::span<const std::int64_t> words, const DecoderState<T>& state,
                          const Answer<T>& answer) const;

    /// Writes one word after the last ones [batch], from the state before it.
    NextWord<T> step(std::span<const std::int64_t> words, const DecoderState<T>& state,
                     const Answer<T>& answer) const;

    /// Embedding, first, join, word, context, recurrent, readout and output, as there are.
    nn::Parameters<T> parameters() const;

private:
    Written<T> write_in_one_walk(const Variable<T>& embedded, const DecoderState<T>& first,
                                 const Answer<T>& answer) const;
    Written<T> write_step_by_step(const Variable<T>& embedded, const DecoderState<T>& first,
                                  const Answer<T>& answer) const;
    Variable<T> prepared(const Variable<T>& embedded) const;
    Variable<T> gates_of(const Variable<T>& prepared_words, const Variable<T>& context) const;
    Variable<T> walk(const Variable<T>& projected, const DecoderState<T>& first) const;
    DecoderState<T> advance(const Variable<T>& projected, const DecoderState<T>& state) const;
    Variable<T> read_out(const Variable<T>& states, const Variable<T>& contexts,
                         const Variable<T>& embedded) const;

    DecoderOptions options_;
    Asks asks_;
    nn::Embedding<T> embedding_;
    nn::Linear<T> first_;
    std::optional<nn::Linear<T>> join_;         // [y; c] to x [hidden]
    nn::Linear<T> word_;                        // y, or x, to the gates
    std::optional<Variable<T>> context_weight_; // c to the gates [hidden, g * hidden]
    Variable<T> weight_hh_;                     // s to the gates
    Variable<T> bias_hh_;
    std::optional<nn::Linear<T>> readout_; // what is seen to [hidden]
    nn::Linear<T> output_;
};

extern template class Decoder<float>;
extern template class Decoder<double>;

} // namespace attn::seq2seq
