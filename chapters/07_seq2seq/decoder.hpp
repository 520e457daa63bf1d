/// \file
/// \brief The decoder: from its own state, the last word and a context to how probable each next
/// word is.
#pragma once

#include "chapters/07_seq2seq/context.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace attn::seq2seq {

using translation::DecoderOutput;

/// The state of a decoder.
template <typename T>
struct DecoderState
{
    Variable<T> hidden;              ///< s [batch, hidden]
    std::optional<Variable<T>> cell; ///< of an LSTM [batch, hidden]
};

/// What a step does with a context. Into the gates beside the word:
/// \f[ s_t = f_d(s_{t-1}, [y_{t-1}; c_t]) \f]
/// Joined with the word by a layer of its own:
/// \f[ s_t = f_d(s_{t-1}, x_t) , \f]
/// \f[ x_t = \mathrm{ReLU}(W_c [y_{t-1}; c_t] + b_c) \f]
/// Nowhere, but in the readout: \f[ s_t = f_d(s_{t-1}, y_{t-1}) \f]
enum class ContextInput
{
    gates,  ///< beside the word (\cite bahdanau2015)
    joined, ///< by a layer of its own (PyTorch's tutorial)
    none    ///< it enters the readout alone (\cite luong2015)
};

/// What a word is read out of. State, context and last word:
/// \f[ W_o \tanh(W_r [s_t; c_t; y_{t-1}]) \f]
/// State and context: \f[ W_o \tanh(W_r [s_t; c_t]) \f]
/// The state alone: \f[ W_o s_t \f]
enum class ReadoutInput
{
    state_context_word, ///< all that there is (\cite bahdanau2015)
    state_context,      ///< without the last word (\cite luong2015)
    state               ///< the state alone (PyTorch's tutorial)
};

/// What a decoder does with a context, once it has one.
struct DecoderArchitecture
{
    ContextInput context_input; ///< of the step
    ReadoutInput readout_input; ///< of the next word
};

/// The architecture of the decoders of chapters 7 and 8: Luong's where \f$ s_t \f$ is the query, for
/// then the context comes too late for the step, and else Bahdanau's.
DecoderArchitecture usual_architecture(QueryState query_state);

/// The architecture of the decoder of PyTorch's tutorial: joined, and read out of the state alone.
inline constexpr DecoderArchitecture tutorial_architecture = {ContextInput::joined,
                                                              ReadoutInput::state};

/// How large a decoder is, and what it is made of.
struct DecoderOptions
{
    std::size_t n_words;              ///< of the target language, special symbols included
    std::size_t d_embedding;          ///< numbers for a word
    std::size_t hidden;               ///< numbers in a state, as many as in the encoder's
    Unit unit;                        ///< what takes a step
    DecoderArchitecture architecture; ///< what is done with a context
};

/// One more word.
template <typename T>
struct NextWord
{
    Variable<T> logits;    ///< [batch, n_words]
    Variable<T> weights;   ///< [batch, n_source]
    DecoderState<T> state; ///< after it
};

/// A step and a readout in one of the forms of ContextInput and ReadoutInput, with \f$ c_t = c \f$ if
/// there is no query.
template <typename T>
class Decoder
{
public:
    /// Starts as PyTorch does.
    /// \throws ContractError if a size is 0, if the context shall enter a step that it comes too
    ///         late for, or enters nothing
    Decoder(const DecoderOptions& options, QueryState query_state,
            random::Generator& generator);

    /// The first state, \f$ s_0 = \tanh(W_s e^{(\tau)} + b_s) \f$; an LSTM's cell is 0.
    DecoderState<T> first_state(const Encoding<T>& encoding) const;

    /// Decodes with teacher forcing: each next word after the right ones so far. Where no state
    /// waits for a context, all states come from one pass, and the contexts afterwards.
    /// \param words  begin symbol and right words [batch, n_steps], row by row
    /// \param state  the first one
    /// \throws ContractError naming a word that is none, or shapes that do not fit
    DecoderOutput<T> operator()(std::span<const std::int64_t> words,
                                const DecoderState<T>& state,
                                const AttentionFunction<T>& attend) const;

    /// One more word after the last ones [batch], from the state before it.
    NextWord<T> step(std::span<const std::int64_t> words, const DecoderState<T>& state,
                     const AttentionFunction<T>& attend) const;

    /// Embedding, first, join, word, context, recurrent, readout and output, as there are.
    nn::Parameters<T> parameters() const;

private:
    DecoderOutput<T> decode_in_one_pass(const Variable<T>& embedded,
                                        const DecoderState<T>& first,
                                        const AttentionFunction<T>& attend) const;
    DecoderOutput<T> decode_step_by_step(const Variable<T>& embedded,
                                         const DecoderState<T>& first,
                                         const AttentionFunction<T>& attend) const;
    Variable<T> prepared(const Variable<T>& embedded) const;
    Variable<T> gates_of(const Variable<T>& prepared_words, const Variable<T>& context) const;
    Variable<T> all_states(const Variable<T>& projected, const DecoderState<T>& first) const;
    DecoderState<T> advance(const Variable<T>& projected, const DecoderState<T>& state) const;
    Variable<T> read_out(const Variable<T>& states, const Variable<T>& contexts,
                         const Variable<T>& embedded) const;

    DecoderOptions options_;
    QueryState query_state_;
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
