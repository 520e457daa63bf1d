/// \file
/// \brief Recurrent networks as operators: the simple one, the GRU and the LSTM, a step at a time
/// or a whole batch of sentences in one step of the tape, forwards or backwards in time, each
/// with its gradient by hand. Deliberately one layer in one direction: layers stacked and both
/// directions side by side are nn's business.
///
/// The tape knows steps of one result. A sequence has several: its states at all positions, and
/// the last one. So the one step that does the work results in the states before the first word
/// and after every word, in the order in which they were computed; outputs and final states are
/// cut out of these by steps that only copy. Whoever asks for one of the results pays for the
/// other no more than a copy.
#pragma once

#include "common/autograd/tape.hpp"

#include <cstddef>
#include <span>

namespace attn::autograd {

/// Which end of a sentence is read first.
enum class Direction
{
    forward, ///< from the first word to the last
    backward ///< from each sentence's own last word to the first
};

/// The parameters of one layer in one direction, under PyTorch's names; g is 1 for the simple
/// network, 3 for the GRU (reset, update, new) and 4 for the LSTM (input, forget, cell, output),
/// in that order side by side.
template <typename T>
struct RecurrentWeights
{
    Variable<T> weight_ih; ///< W [n_in, g * hidden]
    Variable<T> weight_hh; ///< U [hidden, g * hidden]
    Variable<T> bias_ih;   ///< b [g * hidden]
    Variable<T> bias_hh;   ///< c [g * hidden]
};

/// What a sequence leaves behind.
template <typename T>
struct Sequence
{
    Variable<T> outputs;     ///< [batch, n_steps, hidden]: the state after reading each word
    Variable<T> final_state; ///< [batch, hidden]: the state after the word that is read last
};

/// The state of an LSTM.
template <typename T>
struct LstmState
{
    Variable<T> hidden; ///< h [batch, hidden]
    Variable<T> cell;   ///< c [batch, hidden]
};

/// What a sequence leaves behind in an LSTM.
template <typename T>
struct LstmSequence
{
    Variable<T> outputs;      ///< [batch, n_steps, hidden]: h after reading each word
    LstmState<T> final_state; ///< each [batch, hidden]: after the word that is read last
};

/// One step of the simple recurrent network, \f$ h' = \tanh(a + h U + c) \f$ \cite elman1990.
/// \param projected  a [batch, hidden]: the step's input times W, plus b
/// \param state      h [batch, hidden]
/// \param weight_hh  U [hidden, hidden]
/// \param bias_hh    c [hidden]
/// \returns          h' [batch, hidden]
/// \throws ContractError if a shape does not fit the state's
template <typename T>
Variable<T> rnn_step(const Variable<T>& projected, const Variable<T>& state,
                     const Variable<T>& weight_hh, const Variable<T>& bias_hh);

/// The simple recurrent network along whole sentences \cite elman1990.
///
/// A sentence shorter than n_steps keeps its last state, its outputs beyond its length are 0,
/// and what x holds there does not matter, not even a nan. A length of 0 keeps the initial state
/// (PyTorch refuses it).
/// \param x          [batch, n_steps, n_in], n_steps at least 1
/// \param state      before the first word that is read [batch, hidden]
/// \param weights    of the layer, with one block of hidden columns
/// \param lengths    [batch], each at most n_steps; empty if all sentences have n_steps words
/// \param direction  which end is read first
/// \returns          outputs, in the order of x in both directions, and final state
/// \throws ContractError if shapes do not fit each other, or a length is above n_steps
template <typename T>
Sequence<T> rnn_sequence(const Variable<T>& x, const Variable<T>& state,
                         const RecurrentWeights<T>& weights,
                         std::span<const std::size_t> lengths = {},
                         Direction direction = Direction::forward);

/// One step of the gated recurrent unit \cite cho2014, in PyTorch's form, where the reset gate
/// multiplies after the product and the update gate keeps:
/// \f$ r = \sigma(a_r + h U_r + c_r) \f$, \f$ z = \sigma(a_z + h U_z + c_z) \f$,
/// \f$ n = \tanh(a_n + r (h U_n + c_n)) \f$, \f$ h' = (1 - z) n + z h \f$.
/// Shapes as of rnn_step, in a, U and c with three blocks of hidden columns.
template <typename T>
Variable<T> gru_step(const Variable<T>& projected, const Variable<T>& state,
                     const Variable<T>& weight_hh, const Variable<T>& bias_hh);

/// Steps of the gated recurrent unit one after another, with inputs that are known beforehand.
/// \param projected  a of every step [n_steps, batch, 3 hidden], n_steps at least 1
/// \returns          h after each step [n_steps, batch, hidden]
/// \throws ContractError if a shape does not fit the state's
template <typename T>
Variable<T> gru_steps(const Variable<T>& projected, const Variable<T>& state,
                      const Variable<T>& weight_hh, const Variable<T>& bias_hh);

/// The gated recurrent unit along whole sentences \cite cho2014, as rnn_sequence.
/// \param weights  with three blocks of hidden columns: reset, update, new
template <typename T>
Sequence<T> gru_sequence(const Variable<T>& x, const Variable<T>& state,
                         const RecurrentWeights<T>& weights,
                         std::span<const std::size_t> lengths = {},
                         Direction direction = Direction::forward);

/// One step of the long short-term memory \cite hochreiter1997 with a forget gate
/// \cite gers2000, without peepholes:
/// \f$ i, f, o = \sigma(a + h U + c) \f$ and \f$ g = \tanh(a + h U + c) \f$, each of its own
/// columns, cell \f$ k' = f k + i g \f$, and \f$ h' = o \tanh(k') \f$.
/// Shapes as of rnn_step, in a, U and c with four blocks of hidden columns.
template <typename T>
LstmState<T> lstm_step(const Variable<T>& projected, const LstmState<T>& state,
                       const Variable<T>& weight_hh, const Variable<T>& bias_hh);

/// Steps of the long short-term memory one after another, with inputs that are known beforehand.
/// \param projected  a of every step [n_steps, batch, 4 hidden], n_steps at least 1
/// \returns          h after each step [n_steps, batch, hidden]
/// \throws ContractError if a shape does not fit the state's
template <typename T>
Variable<T> lstm_steps(const Variable<T>& projected, const LstmState<T>& state,
                       const Variable<T>& weight_hh, const Variable<T>& bias_hh);

/// The long short-term memory along whole sentences \cite hochreiter1997, as rnn_sequence.
/// \param weights  with four blocks of hidden columns: input, forget, cell, output
template <typename T>
LstmSequence<T> lstm_sequence(const Variable<T>& x, const LstmState<T>& state,
                              const RecurrentWeights<T>& weights,
                              std::span<const std::size_t> lengths = {},
                              Direction direction = Direction::forward);

} // namespace attn::autograd
