#include "chapters/06_recurrent_attention/experiments/experiments.hpp"

#include "common/autograd/layout.hpp"
#include "common/autograd/reductions.hpp"
#include "common/nn/initialise.hpp"
#include "common/program/number.hpp"
#include "common/tensor/check.hpp"

#include <array>
#include <string>
#include <vector>

namespace attn::recurrent_attention {

namespace {

namespace initialise = nn::initialise;

constexpr std::size_t d_hidden = 2;

/// Parameters that are 0 but for the setting.
autograd::RecurrentWeights<double> weights_of(Unit unit, double setting)
{
    const std::size_t n_blocks = unit == Unit::rnn ? 1 : unit == Unit::gru ? 3 : 4;
    Array<double> u = initialise::zeros<double>({d_hidden, n_blocks * d_hidden});
    Array<double> b = initialise::zeros<double>({n_blocks * d_hidden});
    for (std::size_t i = 0; i < d_hidden; ++i) {
        if (unit == Unit::rnn) {
            u.data()[i * d_hidden + i] = setting;
        } else {
            b.data()[d_hidden + i] = setting; // the second block: update gate, forget gate
        }
    }
    return {Variable<double>(initialise::zeros<double>({1, n_blocks * d_hidden})),
            Variable<double>(u), Variable<double>(b),
            Variable<double>(initialise::zeros<double>({n_blocks * d_hidden}))};
}

} // namespace

double gradient_through_steps(Unit unit, double setting, std::size_t n_steps)
{
    expect(n_steps > 0, "gradient_through_steps: there must be a step, got {}", n_steps);
    const auto zeros = [] { return initialise::zeros<double>({1, d_hidden}); };
    const Variable<double> first = autograd::parameter(zeros());
    const Variable<double> x(initialise::zeros<double>({1, n_steps, 1}));
    const auto weights = weights_of(unit, setting);

    const autograd::Tape<double> tape;
    Variable<double> last = first;
    if (unit == Unit::rnn) {
        last = rnn_sequence(x, first, weights).final_state;
    } else if (unit == Unit::gru) {
        last = gru_sequence(x, first, weights).final_state;
    } else {
        last = lstm_sequence(x, autograd::LstmState<double>{Variable<double>(zeros()), first},
                             weights)
                   .final_state.cell;
    }
    autograd::backward(sum(slice(last, 1, 0, 1)));
    return first.gradient().data()[0];
}

double gradient_through_context(std::size_t n)
{
    expect(n > 0, "gradient_through_context: there must be a state, got {}", n);
    const Variable<double> states =
        autograd::parameter(initialise::zeros<double>({1, n, d_hidden}));
    const Variable<double> scores(initialise::zeros<double>({1, n}));
    const autograd::Tape<double> tape;
    autograd::backward(sum(slice(read_memory(scores, states).context, 1, 0, 1)));
    return states.gradient().data()[0];
}

namespace {

constexpr std::array<std::size_t, 3> numbers_of_steps = {1, 10, 100};

program::Table empty_table()
{
    return program::Table({"through", "formula", "T = 1", "T = 10", "T = 100"});
}

/// A row of a table: the gradient through each number of steps.
template <typename Function>
std::vector<std::string> row_of(const char* name, const char* formula, Function gradient)
{
    std::vector<std::string> row = {name, formula};
    for (const std::size_t n_steps : numbers_of_steps) {
        row.push_back(program::significant(gradient(n_steps), 3));
    }
    return row;
}

std::vector<std::string> row_of(const char* name, const char* formula, Unit unit,
                                double setting)
{
    return row_of(name, formula, [&](std::size_t n_steps) {
        return gradient_through_steps(unit, setting, n_steps);
    });
}

} // namespace

void show_gradient_reach(program::Frame& frame)
{
    frame.terminal.introduce(
        "How much of a gradient is left",
        "The derivative of the last state with respect to the first, by the tape, where inputs "
        "and states are 0. I is the identity.");
    program::Table simple = empty_table();
    simple.row(row_of("RNN, U = 0.9 I", "0.9^T", Unit::rnn, 0.9));
    simple.row(row_of("RNN, U = 1.1 I", "1.1^T", Unit::rnn, 1.1));
    frame.terminal.table(simple);

    frame.terminal.introduce(
        "With gates, or through a context",
        "The derivative of the last cell (LSTM) or state (GRU) with respect to the first, when "
        "the gate named is the constant sigma(b) and all matrices are 0. Last row: that of a "
        "context of equal weights over T states, with respect to the first of them.");
    program::Table table = empty_table();
    table.row(row_of("LSTM, forget gate, b = 0", "sigma(b)^T", Unit::lstm, 0.0));
    table.row(row_of("LSTM, forget gate, b = 5", "sigma(b)^T", Unit::lstm, 5.0));
    table.row(row_of("GRU, update gate, b = 0", "sigma(b)^T", Unit::gru, 0.0));
    table.row(row_of("a context of T states", "1/T", gradient_through_context));
    frame.terminal.table(table);
}

} // namespace attn::recurrent_attention
