/// \file
/// \brief A recurrent layer that attends: at every step its last state is the query to a memory,
/// and the context enters the step. The unit, the memory and where the context goes are options.
#pragma once

#include "chapters/06_recurrent_attention/memory_attention.hpp"
#include "common/autograd/recurrent.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace attn::recurrent_attention {

/// What takes a step.
enum class Unit
{
    rnn, ///< the simple network
    gru, ///< the gated recurrent unit
    lstm ///< the long short-term memory
};

/// What is attended at step t.
enum class Memory
{
    none,        ///< nothing: an ordinary recurrent layer
    inputs,      ///< \f$ x_1 \dots x_t \f$
    own_states,  ///< \f$ h_0 \dots h_{t-2} \f$: all states before the last one
    states_below ///< \f$ g_1 \dots g_t \f$, states of a layer of the same kind below this one
};

/// What the context is concatenated with.
enum class ContextTo
{
    input, ///< \f$ [x; c] \f$
    state  ///< \f$ [h; c] \f$
};

/// How a cell is put together.
struct CellOptions
{
    Unit unit = Unit::rnn;                   ///< what takes a step
    Memory memory = Memory::own_states;      ///< what is attended
    ContextTo context_to = ContextTo::state; ///< where the context goes
    Score score = Score::sum;                ///< how the last state is compared
};

/// What a layer makes of a sequence.
template <typename T>
struct CellOutputs
{
    Variable<T> outputs;              ///< [batch, n_steps, hidden]: the state after each step
    std::vector<Variable<T>> weights; ///< [n_attended_steps], each [batch, n_attended], the
                                      ///< last step at the back
};

/// A recurrent layer that attends to a memory.
/// \tparam T  float or double
template <typename T>
class AttentionCell
{
public:
    /// Matrices start as in \cite glorot2010, where [U; V] counts as one; biases as 0.
    /// \param n_in    numbers in an input, at least 1
    /// \param hidden  numbers in a state, at least 1
    /// \throws ContractError if a size is 0
    AttentionCell(const CellOptions& options, std::size_t n_in, std::size_t hidden,
                  random::Generator& generator);

    /// Reads sequences x [batch, n_steps, n_in], n_steps at least 1, from the state 0.
    /// \throws ContractError naming the shape if it does not fit
    CellOutputs<T> operator()(const Variable<T>& x) const;

    /// \returns W, U, b, b_h of this layer, "context_weight" V if there is a memory, "below." and
    ///          "attention." and their own names
    nn::Parameters<T> parameters() const;

private:
    Variable<T> run_fused(const Variable<T>& x,
                          const autograd::RecurrentWeights<T>& weights) const;
    autograd::LstmState<T> step(const Variable<T>& projected,
                                const autograd::LstmState<T>& state,
                                const std::optional<Variable<T>>& context) const;

    CellOptions options_;
    std::size_t n_in_;
    std::size_t hidden_;
    std::optional<autograd::RecurrentWeights<T>> below_;
    autograd::RecurrentWeights<T> weights_;
    std::optional<Variable<T>> context_weight_; // V [d_memory, g * hidden]
    std::optional<MemoryAttention<T>> attention_;
};

extern template class AttentionCell<float>;
extern template class AttentionCell<double>;

} // namespace attn::recurrent_attention
