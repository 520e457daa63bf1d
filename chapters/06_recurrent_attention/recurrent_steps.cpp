/// \file
/// \brief The bodies of recurrent_steps.hpp.
#include "chapters/06_recurrent_attention/recurrent_steps.hpp"

#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/tensor/check.hpp"

namespace attn::recurrent_attention {

namespace {

/// Block k of columns.
template <typename T>
Variable<T> block(const Variable<T>& x, std::size_t k, std::size_t hidden)
{
    return slice(x, -1, k * hidden, (k + 1) * hidden);
}

/// How wide a block is.
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

} // namespace

// [steps]
template <typename T>
Variable<T> rnn_update(const Variable<T>& a, const Variable<T>& r)
{
    return tanh(a + r);
}

template <typename T>
Variable<T> gru_update(const Variable<T>& a, const Variable<T>& r, const Variable<T>& h)
{
    const std::size_t d = block_width(a, h, 3, "gru_update");
    const Variable<T> reset = sigmoid(block(a, 0, d) + block(r, 0, d));
    const Variable<T> keep = sigmoid(block(a, 1, d) + block(r, 1, d));
    const Variable<T> proposal = tanh(block(a, 2, d) + reset * block(r, 2, d));
    return proposal + keep * (h - proposal);
}

template <typename T>
autograd::LstmState<T> lstm_update(const Variable<T>& a, const Variable<T>& r,
                                   const Variable<T>& cell)
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

/// \cond
template Variable<float> rnn_update(const Variable<float>&, const Variable<float>&);
template Variable<double> rnn_update(const Variable<double>&, const Variable<double>&);
template Variable<float> gru_update(const Variable<float>&, const Variable<float>&,
                                    const Variable<float>&);
template Variable<double> gru_update(const Variable<double>&, const Variable<double>&,
                                     const Variable<double>&);
template autograd::LstmState<float> lstm_update(const Variable<float>&, const Variable<float>&,
                                                const Variable<float>&);
template autograd::LstmState<double>
lstm_update(const Variable<double>&, const Variable<double>&, const Variable<double>&);
/// \endcond

} // namespace attn::recurrent_attention
