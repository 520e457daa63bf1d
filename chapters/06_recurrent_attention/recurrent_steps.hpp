/// \file
/// \brief One step of the simple recurrent network, of the GRU and of the LSTM, written with
/// the tape's operators, as the page writes them. Deliberately plain: whole sequences are read
/// by the fused operators of common/autograd, and tests hold the two to each other.
#pragma once

#include "common/autograd/recurrent.hpp"

/// Attention in a recurrent network: remembering and forecasting.
namespace attn::recurrent_attention {

using autograd::Variable;

/// The simple network \cite elman1990, \f$ h' = \tanh(a + r) \f$.
/// \param a  [batch, hidden]: what comes from the input, \f$ W x + b \f$
/// \param r  [batch, hidden]: what comes back from the state, \f$ U h + b_h \f$
/// \returns  h' [batch, hidden]
/// \throws ContractError if the shapes do not go together
template <typename T>
Variable<T> rnn_update(const Variable<T>& a, const Variable<T>& r);

/// The gated recurrent unit \cite cho2014, in PyTorch's form. The columns of a and r are the
/// reset gate's, the update gate's and those of the proposal, hidden of each.
/// \param a  [batch, 3 hidden]: what comes from the input
/// \param r  [batch, 3 hidden]: what comes back from the state
/// \param h  [batch, hidden]: the state
/// \returns  h' [batch, hidden]
/// \throws ContractError if the shapes do not go together
template <typename T>
Variable<T> gru_update(const Variable<T>& a, const Variable<T>& r, const Variable<T>& h);

/// The long short-term memory \cite hochreiter1997 with a forget gate \cite gers2000. The
/// columns of a and r are the input gate's, the forget gate's, those of the proposal and the
/// output gate's, hidden of each.
/// \param a     [batch, 4 hidden]: what comes from the input
/// \param r     [batch, 4 hidden]: what comes back from the state
/// \param cell  [batch, hidden]
/// \returns     h' and the new cell, each [batch, hidden]
/// \throws ContractError if the shapes do not go together
template <typename T>
autograd::LstmState<T> lstm_update(const Variable<T>& a, const Variable<T>& r,
                                   const Variable<T>& cell);

} // namespace attn::recurrent_attention
