/// \file
/// \brief What the recurrent operators have in common: the walk along the sentences and the walk
/// back, into reading order and out of it again, the products, the gradients of the parameters.
/// What one row of one step computes is in a Cell of recurrent_cells.cpp; internal to that.
///
/// Inside, the order is time first, and steps are counted as they are taken: a slab [batch, ...]
/// for each step lies in one piece, so that the products of a step need no copies and each
/// parameter's gradient is one product over all steps.
///
/// A state is a row of width = n_states * hidden numbers: h, in the LSTM h and its cell. A cell
/// computes from
///   - a, the input side: x W + b [n_gates * hidden], which becomes the gates, and
///   - g, the recurrent side: h U + c, of the same length.
/// On the way back the cell leaves in a and g their own gradients. Where only the sum a + g
/// counts, its gradients are the same: such a cell is not two_sided, and the sum is in a.
///
/// Throughout, x is [batch, n_steps, n_in], the states to start from are each [batch, hidden] and
/// those along the steps [n_steps + 1, batch, width], weight_hh is U [hidden, n_gates * hidden],
/// bias_hh c [n_gates * hidden], projected x W + b of all steps [n_steps, batch, n_gates * hidden];
/// a function's name is for messages.
#pragma once

#include "common/autograd/affine.hpp"
#include "common/autograd/recurrent.hpp"
#include "common/autograd/rule.hpp"
#include "common/kernels/gemm.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

/// The walk that the recurrent operators share.
namespace attn::autograd::recurrent {

/// Which sentences take part in which step.
struct Schedule
{
    std::size_t n_steps;                                            ///< of the longest sentence
    std::size_t batch;                                              ///< how many sentences
    Direction direction = Direction::forward;                       ///< which end comes first
    std::vector<std::size_t, PoolAllocator<std::size_t>> lengths{}; ///< [batch]; empty: all run

    /// \returns the position in the sentence that is read in a step
    std::size_t position(std::size_t step) const
    {
        return direction == Direction::forward ? step : n_steps - 1 - step;
    }

    /// \returns whether a sentence has a word in a step
    bool has_word(std::size_t sentence, std::size_t step) const
    {
        return lengths.empty() || position(step) < lengths[sentence];
    }
};

/// The schedule of a batch, checked.
/// \throws ContractError if x has another rank or no steps, or lengths do not fit it
inline Schedule schedule_of(const Shape& x, std::span<const std::size_t> lengths,
                            Direction direction, const char* function)
{
    expect(x.size() == 3, "{}: x must be [batch, n_steps, n_in], got {}", function, x);
    const std::size_t batch = x[0];
    const std::size_t n_steps = x[1];
    expect(n_steps > 0, "{}: x must have at least one step, got {}", function, x);
    expect(lengths.empty() || lengths.size() == batch,
           "{}: there must be a length for each sentence of x, {}, got {}", function, x,
           lengths.size());
    for (std::size_t b = 0; b < lengths.size(); ++b) {
        expect(lengths[b] <= n_steps,
               "{}: the length of sentence {} must be at most the steps of x, {}, got {}",
               function, b, x, lengths[b]);
    }
    return {n_steps, batch, direction, {lengths.begin(), lengths.end()}};
}

/// Calls visit(step, sentence, row), the row counted in a batch of sentences.
template <typename Visit>
void for_each_word(const Schedule& schedule, Visit visit)
{
    for (std::size_t step = 0; step < schedule.n_steps; ++step) {
        for (std::size_t b = 0; b < schedule.batch; ++b) {
            visit(step, b, b * schedule.n_steps + schedule.position(step));
        }
    }
}

/// The words in the order in which they are read, zeros where a sentence has none.
/// \returns [n_steps, batch, n_in]
template <typename T>
Array<T> in_reading_order(const Array<T>& x, const Schedule& schedule)
{
    const std::size_t n_in = x.shape()[2];
    Array<T> words = uninitialised<T>({schedule.n_steps, schedule.batch, n_in});
    T* to = words.data();
    for_each_word(schedule, [&](std::size_t step, std::size_t b, std::size_t row) {
        if (schedule.has_word(b, step)) {
            std::copy_n(x.data() + row * n_in, n_in, to);
        } else {
            std::fill_n(to, n_in, T(0));
        }
        to += n_in;
    });
    return words;
}

/// Adds to the gradient of x what flowed into in_reading_order, zeros where a sentence has no word.
template <typename T>
void add_in_sentence_order(const Variable<T>& x, const Schedule& schedule,
                           const Array<T>& dwords)
{
    const std::size_t n_in = x.shape()[2];
    T* const dx = zeroed_gradient(x);
    const T* from = dwords.data();
    for_each_word(schedule, [&](std::size_t /*step*/, std::size_t /*b*/, std::size_t row) {
        T* const to = dx + row * n_in;
        for (std::size_t j = 0; j < n_in; ++j) {
            to[j] += from[j];
        }
        from += n_in;
    });
}

/// A sequence's outputs, cut out of its states: a step that copies.
/// \param hidden  how many numbers at the beginning of a state are h
/// \returns       [batch, n_steps, hidden], zeros where a sentence has no word
template <typename T>
Variable<T> outputs_of(const Variable<T>& states, const Schedule& schedule, std::size_t hidden)
{
    const std::size_t width = states.shape()[2];
    Array<T> outputs = uninitialised<T>({schedule.batch, schedule.n_steps, hidden});
    const T* from = states.value().data() + schedule.batch * width;
    for_each_word(schedule, [&](std::size_t step, std::size_t b, std::size_t row) {
        T* const to = outputs.data() + row * hidden;
        if (schedule.has_word(b, step)) {
            std::copy_n(from, hidden, to);
        } else {
            std::fill_n(to, hidden, T(0));
        }
        from += width;
    });

    return record(
        std::move(outputs), states.needs_gradient(),
        [states, schedule, hidden, width](const Array<T>& /*value*/, const Array<T>& gradient) {
            T* to = zeroed_gradient(states) + schedule.batch * width;
            for_each_word(schedule, [&](std::size_t step, std::size_t b, std::size_t row) {
                const T* const dy = gradient.data() + row * hidden;
                if (schedule.has_word(b, step)) {
                    for (std::size_t j = 0; j < hidden; ++j) {
                        to[j] += dy[j];
                    }
                }
                to += width;
            });
        });
}

/// The states that a cell starts from: one or, in the LSTM, two.
template <typename T, typename Cell>
using States = std::array<Variable<T>, Cell::n_states>;

/// Demands the shapes of what a step needs but for its input.
/// \throws ContractError naming both shapes if one does not fit
template <typename T, typename Cell>
void expect_recurrent_shapes(const States<T, Cell>& states, const Variable<T>& weight_hh,
                             const Variable<T>& bias_hh, std::size_t batch,
                             const char* function)
{
    expect(states[0].rank() == 2, "{}: the state must be [batch, hidden], got {}", function,
           states[0].shape());
    const std::size_t hidden = states[0].shape()[1];
    for (const Variable<T>& state : states) {
        expect_shape(state, {batch, hidden}, function, "the state");
    }
    expect_shape(weight_hh, {hidden, Cell::n_gates * hidden}, function, "weight_hh");
    expect_shape(bias_hh, {Cell::n_gates * hidden}, function, "bias_hh");
}

/// States side by side, as a cell wants them.
template <typename T, std::size_t N>
void pack(const std::array<Variable<T>, N>& states, T* packed)
{
    const std::size_t batch = states[0].shape()[0];
    const std::size_t hidden = states[0].shape()[1];
    for (std::size_t k = 0; k < N; ++k) {
        for (std::size_t b = 0; b < batch; ++b) {
            std::copy_n(states[k].value().data() + b * hidden, hidden,
                        packed + (b * N + k) * hidden);
        }
    }
}

/// Adds the gradient of packed states to those of the states.
template <typename T, std::size_t N>
void add_unpacked(const std::array<Variable<T>, N>& states, const T* dpacked)
{
    const std::size_t hidden = states[0].shape()[1];
    for (std::size_t k = 0; k < N; ++k) {
        add_to_gradient(states[k], [&](std::size_t i) {
            return dpacked[N == 1 ? i : (i / hidden * N + k) * hidden + i % hidden];
        });
    }
}

/// The walk of one cell along a batch of sentences, and what it saves for the way back.
template <typename T, typename Cell>
class Walk
{
public:
    /// Stands before the first step.
    Walk(Schedule schedule, std::size_t hidden, Array<T>&& projected)
        : schedule_(std::move(schedule)), cell_{hidden}, a_(std::move(projected)),
          g_(uninitialised<T>(Cell::two_sided ? a_.shape() : Shape{0}))
    {
    }

    /// Goes from the first state to the last.
    /// \param states     [n_steps + 1, batch, width]; the first slab given, the others written
    void forward(const Array<T>& weight_hh, const Array<T>& bias_hh, T* states)
    {
        for (std::size_t step = 0; step < schedule_.n_steps; ++step) {
            T* const state = states + step * slab();
            multiply_forward(step, weight_hh, bias_hh, state);
            for (std::size_t b = 0; b < schedule_.batch; ++b) {
                const T* const from = state + b * width();
                T* const to = state + slab() + b * width();
                if (schedule_.has_word(b, step)) {
                    cell_.forward(a_row(step, b), g_row(step, b), from, to);
                } else {
                    std::copy_n(from, width(), to);
                }
            }
        }
    }

    /// Goes back from the last state to the first. Afterwards both sides hold their gradients.
    /// \param dstates    [n_steps + 1, batch, width]: what flowed into the states from outside
    /// \returns          the gradient of the first state [batch, width]
    Array<T> backward(const Array<T>& weight_hh, const T* states, const T* dstates)
    {
        const Array<T> weight_transposed = transposed(weight_hh);
        Array<T> dstate = uninitialised<T>({schedule_.batch, width()});
        std::copy_n(dstates + schedule_.n_steps * slab(), slab(), dstate.data());
        for (std::size_t step = schedule_.n_steps; step-- > 0;) {
            back_through_cells(step, states + step * slab(), dstate.data());
            multiply_backward(step, weight_transposed, dstate.data());
            for (std::size_t i = 0; i < slab(); ++i) {
                dstate.data()[i] += dstates[step * slab() + i];
            }
        }
        return dstate;
    }

    /// dU += Hᵀ dG and dc += the sum of dG's rows, over all steps.
    void add_recurrent_gradients(const Variable<T>& weight_hh, const Variable<T>& bias_hh,
                                 const T* states) const
    {
        const T* const dg = (Cell::two_sided ? g_ : a_).data();
        add_weight_gradient(weight_hh, n_rows(), states, width(), dg);
        add_bias_gradient(bias_hh, n_rows(), dg);
    }

    /// \returns the input side; after the walk back its gradient [n_steps, batch, ...]
    const Array<T>& input_side() const { return a_; }
    /// \returns how many rows all steps have together
    std::size_t n_rows() const { return schedule_.n_steps * schedule_.batch; }

private:
    std::size_t width() const { return Cell::n_states * cell_.hidden; }
    std::size_t slab() const { return schedule_.batch * width(); }
    std::size_t n_columns() const { return Cell::n_gates * cell_.hidden; }
    T* a_row(std::size_t step, std::size_t b)
    {
        return a_.data() + (step * schedule_.batch + b) * n_columns();
    }
    T* g_row(std::size_t step, std::size_t b)
    {
        return Cell::two_sided ? g_.data() + (step * schedule_.batch + b) * n_columns()
                               : nullptr;
    }

    /// The recurrent side of a step, h U + c; added to the input side if there is but one.
    void multiply_forward(std::size_t step, const Array<T>& weight_hh, const Array<T>& bias_hh,
                          const T* state)
    {
        T* const side = Cell::two_sided ? g_row(step, 0) : a_row(step, 0);
        for (std::size_t b = 0; b < schedule_.batch; ++b) {
            T* const row = side + b * n_columns();
            for (std::size_t j = 0; j < n_columns(); ++j) {
                row[j] = (Cell::two_sided ? T(0) : row[j]) + bias_hh.data()[j];
            }
        }
        gemm(Transpose::no, Transpose::no, schedule_.batch, n_columns(), cell_.hidden, T(1),
             state, width(), weight_hh.data(), n_columns(), T(1), side, n_columns());
    }

    /// From the gradient of the next state to those of both sides, and of the state as far as it
    /// does not go through U.
    void back_through_cells(std::size_t step, const T* state, T* dstate)
    {
        for (std::size_t b = 0; b < schedule_.batch; ++b) {
            T* const a = a_row(step, b);
            T* const g = g_row(step, b);
            const T* const from = state + b * width();
            if (schedule_.has_word(b, step)) {
                cell_.backward(a, g, from, from + slab(), dstate + b * width());
            } else {
                std::fill_n(a, n_columns(), T(0));
                if (Cell::two_sided) {
                    std::fill_n(g, n_columns(), T(0));
                }
            }
        }
    }

    /// dh += dG Uᵀ.
    void multiply_backward(std::size_t step, const Array<T>& weight_transposed, T* dstate)
    {
        gemm(Transpose::no, Transpose::no, schedule_.batch, cell_.hidden, n_columns(), T(1),
             Cell::two_sided ? g_row(step, 0) : a_row(step, 0), n_columns(),
             weight_transposed.data(), cell_.hidden, T(1), dstate, width());
    }

    Schedule schedule_;
    Cell cell_;
    Array<T> a_;
    Array<T> g_;
};

/// Walks, and writes that down.
/// \param input_needs  whether what was projected needs a gradient
/// \param input_rule   called on the way back with the gradient of the projected input
template <typename T, typename Cell, typename InputRule>
Variable<T> states_along(Schedule&& schedule, Array<T>&& projected,
                         const States<T, Cell>& states, const Variable<T>& weight_hh,
                         const Variable<T>& bias_hh, bool input_needs, InputRule input_rule)
{
    const std::size_t hidden = states[0].shape()[1];
    Array<T> all =
        uninitialised<T>({schedule.n_steps + 1, schedule.batch, Cell::n_states * hidden});
    pack(states, all.data());
    Walk<T, Cell> walk(std::move(schedule), hidden, std::move(projected));
    walk.forward(weight_hh.value(), bias_hh.value(), all.data());

    const bool needs_gradient =
        input_needs || weight_hh.needs_gradient() || bias_hh.needs_gradient() ||
        std::any_of(states.begin(), states.end(),
                    [](const Variable<T>& state) { return state.needs_gradient(); });
    return record(std::move(all), needs_gradient,
                  [states, weight_hh, bias_hh, walk = std::move(walk),
                   input_rule = std::move(input_rule)](const Array<T>& value,
                                                       const Array<T>& gradient) mutable {
                      const Array<T> dstate =
                          walk.backward(weight_hh.value(), value.data(), gradient.data());
                      walk.add_recurrent_gradients(weight_hh, bias_hh, value.data());
                      add_unpacked(states, dstate.data());
                      input_rule(walk.input_side());
                  });
}

/// Walks along inputs that have been projected by somebody else, shapes being right.
template <typename T, typename Cell>
Variable<T> states_of_projected(Schedule schedule, const Variable<T>& projected,
                                const States<T, Cell>& states, const Variable<T>& weight_hh,
                                const Variable<T>& bias_hh)
{
    return states_along<T, Cell>(
        std::move(schedule), Array<T>(projected.value()), states, weight_hh, bias_hh,
        projected.needs_gradient(), [projected](const Array<T>& gradient) {
            add_to_gradient(projected, [&](std::size_t i) { return gradient.data()[i]; });
        });
}

/// The states before and after steps whose inputs have been projected.
/// \throws ContractError if shapes do not fit
template <typename T, typename Cell>
Variable<T> states_of_steps(const Variable<T>& projected, const States<T, Cell>& states,
                            const Variable<T>& weight_hh, const Variable<T>& bias_hh,
                            const char* function)
{
    expect(projected.rank() == 3 && projected.shape()[0] >= 1,
           "{}: the projected input must be [n_steps, batch, columns], got {}", function,
           projected.shape());
    const std::size_t n_steps = projected.shape()[0];
    const std::size_t batch = projected.shape()[1];
    expect_recurrent_shapes<T, Cell>(states, weight_hh, bias_hh, batch, function);
    expect_shape(projected, {n_steps, batch, weight_hh.shape()[1]}, function,
                 "the projected input");
    return states_of_projected<T, Cell>({n_steps, batch}, projected, states, weight_hh,
                                        bias_hh);
}

/// The states before and after one step.
/// \param projected  [batch, n_gates * hidden]
/// \returns          [2, batch, width]
/// \throws ContractError if shapes do not fit
template <typename T, typename Cell>
Variable<T> states_of_step(const Variable<T>& projected, const States<T, Cell>& states,
                           const Variable<T>& weight_hh, const Variable<T>& bias_hh,
                           const char* function)
{
    expect(projected.rank() == 2, "{}: the projected input must be [batch, columns], got {}",
           function, projected.shape());
    const std::size_t batch = projected.shape()[0];
    expect_recurrent_shapes<T, Cell>(states, weight_hh, bias_hh, batch, function);
    expect_shape(projected, {batch, weight_hh.shape()[1]}, function, "the projected input");
    return states_of_projected<T, Cell>({1, batch}, projected, states, weight_hh, bias_hh);
}

/// The gradients of words W + b.
/// \param words     x in reading order [n_steps, batch, n_in]
/// \param gradient  of the projected words [n_steps, batch, n_gates * hidden]
template <typename T>
void add_input_gradients(const Variable<T>& x, const Array<T>& words,
                         const RecurrentWeights<T>& weights, const Schedule& schedule,
                         const Array<T>& gradient)
{
    const std::size_t n_rows = schedule.n_steps * schedule.batch;
    const std::size_t n_in = x.shape()[2];
    add_weight_gradient(weights.weight_ih, n_rows, words.data(), n_in, gradient.data());
    add_bias_gradient(weights.bias_ih, n_rows, gradient.data());
    if (x.needs_gradient()) {
        Array<T> dwords = uninitialised<T>(words.shape());
        affine_product<T>(n_rows, n_in, weights.weight_ih.shape()[1], gradient.data(),
                          transposed(weights.weight_ih.value()).data(), nullptr, dwords.data());
        add_in_sentence_order(x, schedule, dwords);
    }
}

/// The states before and after every step along sentences.
/// \throws ContractError if shapes do not fit
template <typename T, typename Cell>
Variable<T> states_of_sequence(const Variable<T>& x, const States<T, Cell>& states,
                               const RecurrentWeights<T>& weights, Schedule schedule,
                               const char* function)
{
    const auto& [weight_ih, weight_hh, bias_ih, bias_hh] = weights;
    expect_recurrent_shapes<T, Cell>(states, weight_hh, bias_hh, schedule.batch, function);
    expect_shape(weight_ih, {x.shape()[2], weight_hh.shape()[1]}, function, "weight_ih");
    expect_shape(bias_ih, bias_hh.shape(), function, "bias_ih");

    Array<T> words = in_reading_order(x.value(), schedule);
    Array<T> projected =
        uninitialised<T>({schedule.n_steps, schedule.batch, weight_hh.shape()[1]});
    affine_product<T>(schedule.n_steps * schedule.batch, weight_ih.shape()[1],
                      weight_ih.shape()[0], words.data(), weight_ih.value().data(),
                      bias_ih.value().data(), projected.data());
    return states_along<T, Cell>(
        Schedule(schedule), std::move(projected), states, weight_hh, bias_hh,
        x.needs_gradient() || weight_ih.needs_gradient() || bias_ih.needs_gradient(),
        [x, weights, schedule, words = std::move(words)](const Array<T>& gradient) {
            add_input_gradients(x, words, weights, schedule, gradient);
        });
}

} // namespace attn::autograd::recurrent
