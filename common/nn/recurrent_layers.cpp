#include "common/nn/recurrent_layers.hpp"

#include "common/autograd/layout.hpp"
#include "common/autograd/linear.hpp"
#include "common/nn/initialise.hpp"
#include "common/tensor/check.hpp"

#include <fmt/format.h>

namespace attn::nn {

namespace {

using autograd::Direction;
using autograd::LstmState;
using autograd::RecurrentWeights;
using Lengths = std::span<const std::size_t>;

template <typename T>
const Variable<T>& output_of(const Variable<T>& state)
{
    return state;
}

template <typename T>
const Variable<T>& output_of(const LstmState<T>& state)
{
    return state.hidden;
}

template <typename T>
RecurrentWeights<T> initial_weights(std::size_t n_in, std::size_t hidden, std::size_t columns,
                                    random::Generator& generator)
{
    const auto drawn = [&](const Shape& shape) {
        return autograd::parameter(initialise::pytorch_recurrent<T>(shape, hidden, generator));
    };
    // Braces evaluate from left to right.
    return RecurrentWeights<T>{drawn({n_in, columns}), drawn({hidden, columns}),
                               drawn({columns}), drawn({columns})};
}

} // namespace

template <typename T, template <typename> class Kind>
Recurrent<T, Kind>::Recurrent(const RecurrentSizes& sizes, random::Generator& generator)
    : sizes_(sizes)
{
    expect(sizes.n_in > 0 && sizes.hidden > 0 && sizes.n_layers > 0,
           "Recurrent: sizes must be above 0, got {} inputs, {} hidden, {} layers", sizes.n_in,
           sizes.hidden, sizes.n_layers);
    for (std::size_t layer = 0; layer < sizes.n_layers; ++layer) {
        for (std::size_t direction = 0; direction < n_directions(); ++direction) {
            weights_.push_back(initial_weights<T>(layer == 0 ? sizes.n_in : n_out(),
                                                  sizes.hidden, Kind<T>::n_gates * sizes.hidden,
                                                  generator));
        }
    }
}

template <typename T, template <typename> class Kind>
auto Recurrent<T, Kind>::operator()(const Variable<T>& x, Lengths lengths,
                                    const States& initial) const -> Result
{
    expect(x.rank() == 3, "Recurrent: x must be [batch, n_steps, n_in], got {}", x.shape());
    expect(initial.empty() || initial.size() == weights_.size(),
           "Recurrent: there must be {} initial states or none, got {}", weights_.size(),
           initial.size());
    const States from = initial.empty() ? zero_states(x.shape()[0]) : initial;

    Result result{x, {}};
    for (std::size_t layer = 0; layer < sizes_.n_layers; ++layer) {
        std::vector<Variable<T>> outputs;
        for (std::size_t direction = 0; direction < n_directions(); ++direction) {
            const std::size_t k = layer * n_directions() + direction;
            auto sequence =
                Kind<T>::sequence(result.outputs, from[k], weights_[k], lengths,
                                  direction == 0 ? Direction::forward : Direction::backward);
            outputs.push_back(sequence.outputs);
            result.final_states.push_back(sequence.final_state);
        }
        result.outputs =
            outputs.size() == 1 ? outputs.front() : autograd::concatenate(outputs, 2);
    }
    return result;
}

template <typename T, template <typename> class Kind>
auto Recurrent<T, Kind>::step(const Variable<T>& x, const States& states) const -> States
{
    expect(!sizes_.bidirectional,
           "Recurrent: a step is possible in one direction only, for a word of shape {}",
           x.shape());
    expect(states.size() == weights_.size(), "Recurrent: there must be {} states, got {}",
           weights_.size(), states.size());
    States next;
    Variable<T> below = x;
    for (std::size_t layer = 0; layer < weights_.size(); ++layer) {
        const RecurrentWeights<T>& weights = weights_[layer];
        const Variable<T> projected =
            autograd::linear(below, weights.weight_ih, weights.bias_ih);
        next.push_back(
            Kind<T>::step(projected, states[layer], weights.weight_hh, weights.bias_hh));
        below = output_of(next.back());
    }
    return next;
}

template <typename T, template <typename> class Kind>
auto Recurrent<T, Kind>::zero_states(std::size_t batch) const -> States
{
    const auto zeros = [&] {
        return Variable<T>(initialise::zeros<T>({batch, sizes_.hidden}));
    };
    States states;
    while (states.size() < weights_.size()) {
        if constexpr (std::is_same_v<State, LstmState<T>>) {
            states.push_back({zeros(), zeros()});
        } else {
            states.push_back(zeros());
        }
    }
    return states;
}

template <typename T, template <typename> class Kind>
Parameters<T> Recurrent<T, Kind>::parameters() const
{
    Parameters<T> list;
    for (std::size_t k = 0; k < weights_.size(); ++k) {
        const std::string suffix = fmt::format("_l{}{}", k / n_directions(),
                                               k % n_directions() == 0 ? "" : "_reverse");
        const RecurrentWeights<T>& weights = weights_[k];
        list.add("weight_ih" + suffix, weights.weight_ih, FileLayout::transposed);
        list.add("weight_hh" + suffix, weights.weight_hh, FileLayout::transposed);
        list.add("bias_ih" + suffix, weights.bias_ih);
        list.add("bias_hh" + suffix, weights.bias_hh);
    }
    return list;
}

template class Recurrent<float, RnnKind>;
template class Recurrent<double, RnnKind>;
template class Recurrent<float, GruKind>;
template class Recurrent<double, GruKind>;
template class Recurrent<float, LstmKind>;
template class Recurrent<double, LstmKind>;

} // namespace attn::nn
