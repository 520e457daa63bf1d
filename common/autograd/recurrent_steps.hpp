/// \file
/// \brief One step of the simple recurrent network, of the GRU and of the LSTM in the tape's
/// operators, as textbooks write them. recurrent.hpp computes the same in fewer operators.
#pragma once

#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/recurrent.hpp"
#include "common/tensor/check.hpp"

namespace attn::autograd {

namespace detail {

template <typename T>
Variable<T> block(const Variable<T>& x, std::size_t k, std::size_t hidden)
{
    return slice(x, -1, k * hidden, (k + 1) * hidden);
}

template <typename T>
std::size_t block_width(const Variable<T>& a, const Variable<T>& state, std::size_t n_blocks,
                        const char* function)
{
    expect(state.rank() == 2 && a.rank() == 2 && a.shape()[0] == state.shape()[0] &&
               a.shape()[1] == n_blocks * state.shape()[1],
           "{}: a must have {} blocks of columns as wide as the state's {}, got {}", function,
           n_blocks, state.shape(), a.shape());
    return state.shape()[1];
}

} // namespace detail

using detail::block;
using detail::block_width;

// [steps]
/// The simple network \cite elman1990; a and r [batch, hidden].
template <typename T>
Variable<T> rnn_update(const Variable<T>& a, const Variable<T>& r)
{
    return tanh(a + r);
}

/// The gated recurrent unit \cite cho2014, in PyTorch's form; a and r [batch, 3 hidden] hold the
/// columns of reset gate, update gate and proposal, h [batch, hidden].
template <typename T>
Variable<T> gru_update(const Variable<T>& a, const Variable<T>& r, const Variable<T>& h)
{
    const std::size_t d = block_width(a, h, 3, "gru_update");
    const Variable<T> reset = sigmoid(block(a, 0, d) + block(r, 0, d));
    const Variable<T> update = sigmoid(block(a, 1, d) + block(r, 1, d));
    const Variable<T> proposal = tanh(block(a, 2, d) + reset * block(r, 2, d));
    return proposal + update * (h - proposal);
}

/// The long short-term memory \cite hochreiter1997 with a forget gate \cite gers2000; a and r
/// [batch, 4 hidden] hold the columns of input gate, forget gate, proposal and output gate.
template <typename T>
LstmState<T> lstm_update(const Variable<T>& a, const Variable<T>& r, const Variable<T>& cell)
{
    const std::size_t d = block_width(a, cell, 4, "lstm_update");
    const Variable<T> sum = a + r;
    const Variable<T> input = sigmoid(block(sum, 0, d));
    const Variable<T> forget = sigmoid(block(sum, 1, d));
    const Variable<T> proposal = tanh(block(sum, 2, d));
    const Variable<T> output = sigmoid(block(sum, 3, d));
    const Variable<T> next = forget * cell + input * proposal;
    return {output * tanh(next), next};
}
// [steps]

} // namespace attn::autograd
