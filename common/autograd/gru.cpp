/// \file
/// \brief The gated recurrent unit: a row of a step, and the row's gradient.
#include "common/autograd/layout.hpp"
#include "common/autograd/recurrent_walk.hpp"
#include "common/kernels/vector_math.hpp"

namespace attn::autograd {

namespace {

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

} // namespace

template <typename T>
Variable<T> gru_step(const Variable<T>& projected, const Variable<T>& state,
                     const Variable<T>& weight_hh, const Variable<T>& bias_hh)
{
    const Variable<T> states = recurrent::states_of_step<T, GruCell<T>>(
        projected, {state}, weight_hh, bias_hh, "gru_step");
    return select(states, 0, 1);
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
    const recurrent::Schedule schedule =
        recurrent::schedule_of(x.shape(), lengths, direction, "gru_sequence");
    const Variable<T> states = recurrent::states_of_sequence<T, GruCell<T>>(
        x, {state}, weights, schedule, "gru_sequence");
    return {recurrent::outputs_of(states, schedule, state.shape()[1]),
            select(states, 0, schedule.n_steps)};
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> gru_step(const Variable<T>&, const Variable<T>&, const Variable<T>&,  \
                                  const Variable<T>&);                                         \
    template Variable<T> gru_steps(const Variable<T>&, const Variable<T>&, const Variable<T>&, \
                                   const Variable<T>&);                                        \
    template Sequence<T> gru_sequence(const Variable<T>&, const Variable<T>&,                  \
                                      const RecurrentWeights<T>&,                              \
                                      std::span<const std::size_t>, Direction);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::autograd
