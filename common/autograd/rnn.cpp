/// \file
/// \brief The simple recurrent network: a row of a step, and the row's gradient.
#include "common/autograd/layout.hpp"
#include "common/autograd/recurrent_walk.hpp"
#include "common/kernels/vector_math.hpp"

namespace attn::autograd {

namespace {

/// a holds the sum of both sides; what becomes of it is the state itself.
template <typename T>
struct RnnCell
{
    static constexpr std::size_t n_states = 1;
    static constexpr std::size_t n_gates = 1;
    static constexpr bool two_sided = false;
    std::size_t hidden; ///< numbers in h

    /// h' = tanh(a).
    void forward(T* a, T* /*g*/, const T* /*h*/, T* next) const
    {
        vector_math::tanh<T>({a, hidden}, {next, hidden});
    }

    /// dh is that of h' before, and afterwards that of h as far as it does not go through U.
    void backward(T* a, T* /*g*/, const T* /*h*/, const T* next, T* dh) const
    {
        for (std::size_t j = 0; j < hidden; ++j) {
            a[j] = dh[j] * (T(1) - next[j] * next[j]);
            dh[j] = T(0);
        }
    }
};

} // namespace

template <typename T>
Variable<T> rnn_step(const Variable<T>& projected, const Variable<T>& state,
                     const Variable<T>& weight_hh, const Variable<T>& bias_hh)
{
    const Variable<T> states = recurrent::states_of_step<T, RnnCell<T>>(
        projected, {state}, weight_hh, bias_hh, "rnn_step");
    return select(states, 0, 1);
}

template <typename T>
Sequence<T> rnn_sequence(const Variable<T>& x, const Variable<T>& state,
                         const RecurrentWeights<T>& weights,
                         std::span<const std::size_t> lengths, Direction direction)
{
    const recurrent::Schedule schedule =
        recurrent::schedule_of(x.shape(), lengths, direction, "rnn_sequence");
    const Variable<T> states = recurrent::states_of_sequence<T, RnnCell<T>>(
        x, {state}, weights, schedule, "rnn_sequence");
    return {recurrent::outputs_of(states, schedule, state.shape()[1]),
            select(states, 0, schedule.n_steps)};
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> rnn_step(const Variable<T>&, const Variable<T>&, const Variable<T>&,  \
                                  const Variable<T>&);                                         \
    template Sequence<T> rnn_sequence(const Variable<T>&, const Variable<T>&,                  \
                                      const RecurrentWeights<T>&,                              \
                                      std::span<const std::size_t>, Direction);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::autograd
