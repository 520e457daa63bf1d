/// \file
/// \brief The simple recurrent network, the gated recurrent unit and the long short-term memory: a
/// row of a step, and the row's gradient.
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

/// a becomes the gates (r, z, n), g keeps u = h U_n + c_n in its last third.
template <typename T>
struct GruCell
{
    static constexpr std::size_t n_states = 1;
    static constexpr std::size_t n_gates = 3;
    static constexpr bool two_sided = true;
    std::size_t hidden; ///< numbers in h

    /// h' = (1 - z) n + z h.
    void forward(T* a, T* g, const T* h, T* next) const
    {
        T* const z = a + hidden;
        T* const n = z + hidden;
        for (std::size_t j = 0; j < 2 * hidden; ++j) {
            a[j] += g[j];
        }
        vector_math::sigmoid<T>({a, 2 * hidden}, {a, 2 * hidden});
        for (std::size_t j = 0; j < hidden; ++j) {
            n[j] += a[j] * g[2 * hidden + j];
        }
        vector_math::tanh<T>({n, hidden}, {n, hidden});
        for (std::size_t j = 0; j < hidden; ++j) {
            next[j] = (T(1) - z[j]) * n[j] + z[j] * h[j];
        }
    }

    /// dh is that of h' before, and afterwards that of h as far as it goes through z h.
    void backward(T* a, T* g, const T* h, const T* /*next*/, T* dh) const
    {
        back_through_gates(a, a + hidden, a + 2 * hidden, g, g + hidden, g + 2 * hidden, h, dh);
    }

    void back_through_gates(T* __restrict a_r, T* __restrict a_z, T* __restrict a_n,
                            T* __restrict g_r, T* __restrict g_z, T* __restrict g_n,
                            const T* __restrict h, T* __restrict dh) const
    {
        for (std::size_t j = 0; j < hidden; ++j) {
            const T r = a_r[j];
            const T z = a_z[j];
            const T n = a_n[j];
            const T dn = dh[j] * (T(1) - z) * (T(1) - n * n);
            const T dz = dh[j] * (h[j] - n) * z * (T(1) - z);
            const T dr = dn * g_n[j] * r * (T(1) - r);
            a_r[j] = g_r[j] = dr;
            a_z[j] = g_z[j] = dz;
            a_n[j] = dn;
            g_n[j] = dn * r;
            dh[j] *= z;
        }
    }
};

/// A state is (h, k), k being the cell. a holds the sum of both sides and becomes the gates
/// (i, f, g, o).
template <typename T>
struct LstmCell
{
    static constexpr std::size_t n_states = 2;
    static constexpr std::size_t n_gates = 4;
    static constexpr bool two_sided = false;
    std::size_t hidden; ///< numbers in h
    Array<T> tanh_cell; ///< of the row on the way back

    explicit LstmCell(std::size_t hidden_)
        : hidden(hidden_), tanh_cell(uninitialised<T>({hidden_}))
    {
    }

    /// k' = f k + i g, h' = o tanh(k').
    void forward(T* a, T* /*g*/, const T* state, T* next) const
    {
        vector_math::sigmoid<T>({a, 2 * hidden}, {a, 2 * hidden});
        vector_math::tanh<T>({a + 2 * hidden, hidden}, {a + 2 * hidden, hidden});
        vector_math::sigmoid<T>({a + 3 * hidden, hidden}, {a + 3 * hidden, hidden});
        const T* const i = a;
        const T* const f = a + hidden;
        const T* const g = a + 2 * hidden;
        const T* const o = a + 3 * hidden;
        for (std::size_t j = 0; j < hidden; ++j) {
            next[hidden + j] = f[j] * state[hidden + j] + i[j] * g[j];
        }
        vector_math::tanh<T>({next + hidden, hidden}, {next, hidden});
        for (std::size_t j = 0; j < hidden; ++j) {
            next[j] *= o[j];
        }
    }

    /// dstate is that of (h', k') before, and afterwards that of (h, k) as far as it does not go
    /// through U.
    void backward(T* a, T* /*g*/, const T* state, const T* next, T* dstate)
    {
        vector_math::tanh<T>({next + hidden, hidden}, numbers_of(tanh_cell));
        back_through_gates(a, a + hidden, a + 2 * hidden, a + 3 * hidden, state + hidden,
                           tanh_cell.data(), dstate, dstate + hidden);
    }

    void back_through_gates(T* __restrict a_i, T* __restrict a_f, T* __restrict a_g,
                            T* __restrict a_o, const T* __restrict k,
                            const T* __restrict tanh_k, T* __restrict dh,
                            T* __restrict dk) const
    {
        for (std::size_t j = 0; j < hidden; ++j) {
            const T i = a_i[j];
            const T f = a_f[j];
            const T g = a_g[j];
            const T o = a_o[j];
            const T dcell = dk[j] + dh[j] * o * (T(1) - tanh_k[j] * tanh_k[j]);
            a_o[j] = dh[j] * tanh_k[j] * o * (T(1) - o);
            a_i[j] = dcell * g * i * (T(1) - i);
            a_f[j] = dcell * k[j] * f * (T(1) - f);
            a_g[j] = dcell * i * (T(1) - g * g);
            dk[j] = dcell * f;
            dh[j] = T(0);
        }
    }
};

/// One word, where a state is h alone.
template <typename T, typename Cell>
Variable<T> step_of(const Variable<T>& projected, const Variable<T>& state,
                    const Variable<T>& weight_hh, const Variable<T>& bias_hh,
                    const char* function)
{
    return select(
        recurrent::states_of_step<T, Cell>(projected, {state}, weight_hh, bias_hh, function), 0,
        1);
}

/// Sentences, where a state is h alone.
template <typename T, typename Cell>
Sequence<T>
sequence_of(const Variable<T>& x, const Variable<T>& state, const RecurrentWeights<T>& weights,
            std::span<const std::size_t> lengths, Direction direction, const char* function)
{
    const recurrent::Schedule schedule =
        recurrent::schedule_of(x.shape(), lengths, direction, function);
    const Variable<T> states =
        recurrent::states_of_sequence<T, Cell>(x, {state}, weights, schedule, function);
    return {recurrent::outputs_of(states, schedule, state.shape()[1]),
            select(states, 0, schedule.n_steps)};
}

/// h and the cell after a step, cut out of states [n_steps + 1, batch, 2 hidden].
template <typename T>
LstmState<T> state_after(const Variable<T>& states, std::size_t step)
{
    const Variable<T> both = select(states, 0, step);
    const std::size_t width = both.shape()[1];
    return {slice(both, 1, 0, width / 2), slice(both, 1, width / 2, width)};
}

} // namespace

template <typename T>
Variable<T> rnn_step(const Variable<T>& projected, const Variable<T>& state,
                     const Variable<T>& weight_hh, const Variable<T>& bias_hh)
{
    return step_of<T, RnnCell<T>>(projected, state, weight_hh, bias_hh, "rnn_step");
}

template <typename T>
Sequence<T> rnn_sequence(const Variable<T>& x, const Variable<T>& state,
                         const RecurrentWeights<T>& weights,
                         std::span<const std::size_t> lengths, Direction direction)
{
    return sequence_of<T, RnnCell<T>>(x, state, weights, lengths, direction, "rnn_sequence");
}

template <typename T>
Variable<T> gru_step(const Variable<T>& projected, const Variable<T>& state,
                     const Variable<T>& weight_hh, const Variable<T>& bias_hh)
{
    return step_of<T, GruCell<T>>(projected, state, weight_hh, bias_hh, "gru_step");
}

template <typename T>
Variable<T> gru_steps(const Variable<T>& projected, const Variable<T>& state,
                      const Variable<T>& weight_hh, const Variable<T>& bias_hh)
{
    const Variable<T> states = recurrent::states_of_steps<T, GruCell<T>>(
        projected, {state}, weight_hh, bias_hh, "gru_steps");
    return slice(states, 0, 1, states.shape()[0]);
}

template <typename T>
Sequence<T> gru_sequence(const Variable<T>& x, const Variable<T>& state,
                         const RecurrentWeights<T>& weights,
                         std::span<const std::size_t> lengths, Direction direction)
{
    return sequence_of<T, GruCell<T>>(x, state, weights, lengths, direction, "gru_sequence");
}

template <typename T>
LstmState<T> lstm_step(const Variable<T>& projected, const LstmState<T>& state,
                       const Variable<T>& weight_hh, const Variable<T>& bias_hh)
{
    const Variable<T> states = recurrent::states_of_step<T, LstmCell<T>>(
        projected, {state.hidden, state.cell}, weight_hh, bias_hh, "lstm_step");
    return state_after(states, 1);
}

template <typename T>
Variable<T> lstm_steps(const Variable<T>& projected, const LstmState<T>& state,
                       const Variable<T>& weight_hh, const Variable<T>& bias_hh)
{
    const Variable<T> states = recurrent::states_of_steps<T, LstmCell<T>>(
        projected, {state.hidden, state.cell}, weight_hh, bias_hh, "lstm_steps");
    return slice(slice(states, 0, 1, states.shape()[0]), 2, 0, state.hidden.shape()[1]);
}

template <typename T>
LstmSequence<T> lstm_sequence(const Variable<T>& x, const LstmState<T>& state,
                              const RecurrentWeights<T>& weights,
                              std::span<const std::size_t> lengths, Direction direction)
{
    const recurrent::Schedule schedule =
        recurrent::schedule_of(x.shape(), lengths, direction, "lstm_sequence");
    const Variable<T> states = recurrent::states_of_sequence<T, LstmCell<T>>(
        x, {state.hidden, state.cell}, weights, schedule, "lstm_sequence");
    return {recurrent::outputs_of(states, schedule, state.hidden.shape()[1]),
            state_after(states, schedule.n_steps)};
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> rnn_step(const Variable<T>&, const Variable<T>&, const Variable<T>&,  \
                                  const Variable<T>&);                                         \
    template Sequence<T> rnn_sequence(const Variable<T>&, const Variable<T>&,                  \
                                      const RecurrentWeights<T>&,                              \
                                      std::span<const std::size_t>, Direction);                \
    template Variable<T> gru_step(const Variable<T>&, const Variable<T>&, const Variable<T>&,  \
                                  const Variable<T>&);                                         \
    template Variable<T> gru_steps(const Variable<T>&, const Variable<T>&, const Variable<T>&, \
                                   const Variable<T>&);                                        \
    template Sequence<T> gru_sequence(const Variable<T>&, const Variable<T>&,                  \
                                      const RecurrentWeights<T>&,                              \
                                      std::span<const std::size_t>, Direction);                \
    template LstmState<T> lstm_step(const Variable<T>&, const LstmState<T>&,                   \
                                    const Variable<T>&, const Variable<T>&);                   \
    template Variable<T> lstm_steps(const Variable<T>&, const LstmState<T>&,                   \
                                    const Variable<T>&, const Variable<T>&);                   \
    template LstmSequence<T> lstm_sequence(const Variable<T>&, const LstmState<T>&,            \
                                           const RecurrentWeights<T>&,                         \
                                           std::span<const std::size_t>, Direction);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::autograd
