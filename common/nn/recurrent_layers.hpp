/// \file
/// \brief Recurrent layers: the simple network, the GRU and the LSTM, stacked, in one or both
/// directions, along whole sentences or a step at a time.
#pragma once

#include "common/autograd/recurrent.hpp"
#include "common/nn/parameters.hpp"
#include "common/random/random.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace attn::nn {

using autograd::Variable;

/// How large a recurrent layer is.
struct RecurrentSizes
{
    std::size_t n_in;           ///< numbers in a word
    std::size_t hidden;         ///< numbers in a state
    std::size_t n_layers = 1;   ///< each reads the outputs of the one below
    bool bidirectional = false; ///< whether each layer also reads from the last word on
};

/// The simple recurrent network \cite elman1990, for Recurrent.
template <typename T>
struct RnnKind
{
    using State = Variable<T>;                                   ///< h [batch, hidden]
    static constexpr std::size_t n_gates = 1;                    ///< blocks of columns
    static constexpr auto sequence = &autograd::rnn_sequence<T>; ///< along sentences
    static constexpr auto step = &autograd::rnn_step<T>;         ///< one word
};

/// The gated recurrent unit \cite cho2014, for Recurrent.
template <typename T>
struct GruKind
{
    using State = Variable<T>;                                   ///< h [batch, hidden]
    static constexpr std::size_t n_gates = 3;                    ///< reset, update, new
    static constexpr auto sequence = &autograd::gru_sequence<T>; ///< along sentences
    static constexpr auto step = &autograd::gru_step<T>;         ///< one word
};

/// The long short-term memory \cite hochreiter1997, for Recurrent.
template <typename T>
struct LstmKind
{
    using State = autograd::LstmState<T>;     ///< h and cell, each [batch, hidden]
    static constexpr std::size_t n_gates = 4; ///< input, forget, cell, output
    static constexpr auto sequence = &autograd::lstm_sequence<T>; ///< along sentences
    static constexpr auto step = &autograd::lstm_step<T>;         ///< one word
};

/// A stack of recurrent layers.
/// \tparam Kind  RnnKind, GruKind or LstmKind
template <typename T, template <typename> class Kind>
class Recurrent
{
public:
    using State = typename Kind<T>::State; ///< of one layer in one direction

    /// One a layer and direction, in PyTorch's order: the lowest layer's forward direction, its
    /// backward direction if there is one, then the next layer's.
    using States = std::vector<State>;

    /// What reading sentences leaves behind.
    struct Result
    {
        Variable<T> outputs; ///< of the highest layer [batch, n_steps, n_out()]
        States final_states; ///< after the word that each reads last
    };

    /// Starts as PyTorch does, see initialise::pytorch_recurrent, in the order of parameters().
    /// \param sizes  n_in, hidden and n_layers at least 1
    /// \throws ContractError if a size is 0
    Recurrent(const RecurrentSizes& sizes, random::Generator& generator);

    /// Reads sentences. About lengths see autograd::rnn_sequence.
    /// \param x        [batch, n_steps, n_in]
    /// \param lengths  [batch], each at most n_steps; empty if all sentences have n_steps words
    /// \param initial  one a layer and direction; none for zeros
    /// \returns        outputs and final states
    /// \throws ContractError if shapes or counts do not fit
    Result operator()(const Variable<T>& x, std::span<const std::size_t> lengths = {},
                      const States& initial = {}) const;

    /// Reads one word, for whoever decides only then what the next one is. The highest layer's
    /// state, at the back, is the output.
    /// \param x       [batch, n_in]
    /// \param states  one a layer
    /// \throws ContractError if the layer is bidirectional, or shapes or counts do not fit
    States step(const Variable<T>& x, const States& states) const;

    /// States to start from.
    /// \returns zeros, one a layer and direction
    States zero_states(std::size_t batch) const;

    /// \returns PyTorch's names, for each layer and direction weight_ih_l0, weight_hh_l0,
    ///          bias_ih_l0, bias_hh_l0, then the same with _reverse
    Parameters<T> parameters() const;

    /// \returns how large it is
    const RecurrentSizes& sizes() const { return sizes_; }
    /// \returns numbers in an output: hidden, or twice that in both directions
    std::size_t n_out() const { return n_directions() * sizes_.hidden; }
    /// \returns one a layer and direction, in the order of the states
    const std::vector<autograd::RecurrentWeights<T>>& weights() const { return weights_; }

private:
    std::size_t n_directions() const { return sizes_.bidirectional ? 2 : 1; }

    RecurrentSizes sizes_;
    std::vector<autograd::RecurrentWeights<T>> weights_;
};

/// The simple recurrent network.
template <typename T>
using Rnn = Recurrent<T, RnnKind>;

/// The gated recurrent unit.
template <typename T>
using Gru = Recurrent<T, GruKind>;

/// The long short-term memory.
template <typename T>
using Lstm = Recurrent<T, LstmKind>;

extern template class Recurrent<float, RnnKind>;
extern template class Recurrent<double, RnnKind>;
extern template class Recurrent<float, GruKind>;
extern template class Recurrent<double, GruKind>;
extern template class Recurrent<float, LstmKind>;
extern template class Recurrent<double, LstmKind>;

} // namespace attn::nn
