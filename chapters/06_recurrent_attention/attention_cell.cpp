#include "chapters/06_recurrent_attention/attention_cell.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/linear.hpp"
#include "common/autograd/recurrent_steps.hpp"
#include "common/nn/initialise.hpp"
#include "common/tensor/check.hpp"

#include <cmath>

namespace attn::recurrent_attention {

using autograd::LstmState;
using autograd::RecurrentWeights;

namespace {

/// How many blocks of columns a unit's matrices have.
std::size_t n_blocks(Unit unit)
{
    return unit == Unit::rnn ? 1 : unit == Unit::gru ? 3 : 4;
}

/// A matrix of g blocks of columns, each drawn as a matrix between that many numbers.
template <typename T>
Variable<T> drawn(std::size_t n_rows, std::size_t n_columns, std::size_t n_between,
                  random::Generator& generator)
{
    const double bound = std::sqrt(6.0 / static_cast<double>(n_between));
    return autograd::parameter(
        nn::initialise::uniform<T>({n_rows, n_columns}, -bound, bound, generator));
}

template <typename T>
RecurrentWeights<T> drawn_weights(Unit unit, std::size_t n_in, std::size_t hidden,
                                  std::size_t d_memory, random::Generator& generator)
{
    const std::size_t columns = n_blocks(unit) * hidden;
    const auto zeros = [&] { return autograd::parameter(nn::initialise::zeros<T>({columns})); };
    return RecurrentWeights<T>{drawn<T>(n_in, columns, n_in + hidden, generator),
                               drawn<T>(hidden, columns, hidden + d_memory + hidden, generator),
                               zeros(), zeros()};
}

template <typename T>
void add_weights(nn::Parameters<T>& list, const std::string& prefix,
                 const RecurrentWeights<T>& weights)
{
    list.add(prefix + "weight_ih", weights.weight_ih, nn::FileLayout::transposed);
    list.add(prefix + "weight_hh", weights.weight_hh, nn::FileLayout::transposed);
    list.add(prefix + "bias_ih", weights.bias_ih);
    list.add(prefix + "bias_hh", weights.bias_hh);
}

template <typename T>
Variable<T> zeros_of(std::size_t batch, std::size_t hidden)
{
    return Variable<T>(nn::initialise::zeros<T>({batch, hidden}));
}

} // namespace

template <typename T>
AttentionCell<T>::AttentionCell(const CellOptions& options, std::size_t n_in,
                                std::size_t hidden, random::Generator& generator)
    : options_(options), n_in_(n_in), hidden_(hidden),
      below_(options.memory == Memory::states_below
                 ? std::optional(drawn_weights<T>(options.unit, n_in, hidden, 0, generator))
                 : std::nullopt),
      weights_(drawn_weights<T>(options.unit, below_ ? hidden : n_in, hidden,
                                options.memory == Memory::none     ? 0
                                : options.memory == Memory::inputs ? n_in
                                                                   : hidden,
                                generator))
{
    expect(n_in > 0 && hidden > 0,
           "AttentionCell: sizes must be above 0, got {} inputs and {} in the state", n_in,
           hidden);
    if (options.memory == Memory::none) {
        return;
    }
    const std::size_t d_memory = options.memory == Memory::inputs ? n_in : hidden;
    context_weight_ =
        drawn<T>(d_memory, n_blocks(options.unit) * hidden, 2 * hidden + d_memory, generator);
    attention_.emplace(options.score, hidden, d_memory, generator,
                       options.memory == Memory::own_states ? Lookup::itself : Lookup::learnt);
}

/// All steps at once, for a layer without attention.
template <typename T>
Variable<T> AttentionCell<T>::run_fused(const Variable<T>& x,
                                        const RecurrentWeights<T>& weights) const
{
    const Variable<T> zeros = zeros_of<T>(x.shape()[0], hidden_);
    switch (options_.unit) {
    case Unit::rnn:
        return rnn_sequence(x, zeros, weights).outputs;
    case Unit::gru:
        return gru_sequence(x, zeros, weights).outputs;
    default:
        return lstm_sequence(x, LstmState<T>{zeros, zeros}, weights).outputs;
    }
}

/// One step; the cell is that of an LSTM, and of no account for the other units.
template <typename T>
LstmState<T> AttentionCell<T>::step(const Variable<T>& projected, const LstmState<T>& state,
                                    const std::optional<Variable<T>>& context) const
{
    const Variable<T>& U = weights_.weight_hh;
    const Variable<T>& b = weights_.bias_hh;
    Variable<T> a = projected;
    if (context) {
        // [x; c] [W; V] is x W + c V, and [h; c] [U; V] is h U + c V.
        const Variable<T> from_context = linear(*context, *context_weight_);
        if (options_.unit == Unit::gru && options_.context_to == ContextTo::state) {
            const Variable<T> r = linear(state.hidden, U, b) + from_context;
            return {gru_update(a, r, state.hidden), state.cell};
        }
        a = a + from_context; // the other two add up what comes from both
    }
    switch (options_.unit) {
    case Unit::rnn:
        return {rnn_step(a, state.hidden, U, b), state.cell};
    case Unit::gru:
        return {gru_step(a, state.hidden, U, b), state.cell};
    default:
        return lstm_step(a, state, U, b);
    }
}

template <typename T>
CellOutputs<T> AttentionCell<T>::operator()(const Variable<T>& x) const
{
    expect(x.rank() == 3 && x.shape()[1] > 0 && x.shape()[2] == n_in_,
           "AttentionCell: x must be [batch, n_steps, {}] with a step at least, got {}", n_in_,
           x.shape());
    const Variable<T> inputs = below_ ? run_fused(x, *below_) : x;
    if (options_.memory == Memory::none) {
        return {run_fused(inputs, weights_), {}};
    }
    const std::size_t batch = x.shape()[0];
    const std::size_t n_steps = x.shape()[1];
    const Variable<T> projected = linear(inputs, weights_.weight_ih, weights_.bias_ih);

    // [cell]
    LstmState<T> state{zeros_of<T>(batch, hidden_), zeros_of<T>(batch, hidden_)};
    std::vector<Variable<T>> states; // h_0 and all later ones but the last
    std::vector<Variable<T>> outputs;
    std::vector<Variable<T>> weights;
    for (std::size_t t = 0; t < n_steps; ++t) {
        std::optional<Variable<T>> context;
        if (options_.memory != Memory::own_states || !states.empty()) {
            const Variable<T> memory = options_.memory == Memory::own_states
                                           ? stack(states, 1)
                                           : slice(inputs, 1, 0, t + 1);
            const Attended<T> attended = (*attention_)(state.hidden, memory);
            context = attended.context;
            weights.push_back(attended.weights);
        }
        states.push_back(state.hidden);
        state = step(select(projected, 1, t), state, context);
        outputs.push_back(state.hidden);
    }
    return {stack(outputs, 1), weights};
    // [cell]
}

template <typename T>
nn::Parameters<T> AttentionCell<T>::parameters() const
{
    nn::Parameters<T> list;
    if (below_) {
        add_weights(list, "below.", *below_);
    }
    add_weights(list, "", weights_);
    if (context_weight_) {
        list.add("context_weight", *context_weight_, nn::FileLayout::transposed);
        list.add_layer("attention", *attention_);
    }
    return list;
}

template class AttentionCell<float>;
template class AttentionCell<double>;

} // namespace attn::recurrent_attention
