#include "chapters/06_recurrent_attention/experiments/gradient_reach.hpp"

#include "common/autograd/layout.hpp"
#include "common/autograd/reductions.hpp"
#include "common/nn/initialise.hpp"
#include "common/program/number.hpp"
#include "common/tensor/check.hpp"

#include <array>

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

void show_gradient_reach(program::Frame& frame)
{
    frame.terminal.introduce(
        "How much of a gradient is left",
        "The derivative of the last state with respect to the first, by the tape, where inputs "
        "and states are 0. The simple network has U = u times the identity; the gates see a "
        "bias b and nothing else. Last row: a context of equal weights over T states, with "
        "respect to the first of them.");
    struct Row
    {
        const char* name;
        Unit unit;
        double setting;
        const char* formula;
    };
    constexpr std::array<Row, 6> rows = {{
        {"RNN, u = 0.9", Unit::rnn, 0.9, "u^T"},
        {"RNN, u = 1.1", Unit::rnn, 1.1, "u^T"},
        {"GRU, update gate b = 0", Unit::gru, 0.0, "sigmoid(b)^T"},
        {"LSTM, forget gate b = 0", Unit::lstm, 0.0, "sigmoid(b)^T"},
        {"LSTM, forget gate b = 1", Unit::lstm, 1.0, "sigmoid(b)^T"},
        {"LSTM, forget gate b = 5", Unit::lstm, 5.0, "sigmoid(b)^T"},
    }};
    program::Table table({"through", "formula", "T = 1", "T = 10", "T = 100"});
    for (const Row& row : rows) {
        const auto cell = [&](std::size_t n_steps) {
            return program::significant(gradient_through_steps(row.unit, row.setting, n_steps),
                                        3);
        };
        table.row({row.name, row.formula, cell(1), cell(10), cell(100)});
    }
    const auto cell = [](std::size_t n) {
        return program::significant(gradient_through_context(n), 3);
    };
    table.row({"a context of T states", "1/T", cell(1), cell(10), cell(100)});
    frame.terminal.table(table);
}

} // namespace attn::recurrent_attention
