/// \file
/// \brief How far a gradient comes, and the pencil example: what trains nothing.
#include "chapters/06_recurrent_attention/experiments/report.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/06_recurrent_attention/experiments/distance.hpp"
#include "chapters/06_recurrent_attention/experiments/recall_training.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/matrices.hpp"
#include "common/autograd/recurrent_steps.hpp"
#include "common/program/number.hpp"
#include "common/program/trace.hpp"

#include <algorithm>
#include <array>

namespace attn::recurrent_attention::report {

using autograd::as_matrix;
using autograd::as_variable;
using program::Frame;
using program::significant;
using program::Terminal;

void distances(Frame& frame)
{
    frame.terminal.introduce(
        "How much of a gradient is left",
        "The slope of the last state with respect to the first, walked back on the tape, where "
        "inputs and states are 0. The simple network has U = u times the identity; the gates "
        "have a bias b and nothing else. The last row is a context of equal weights over all "
        "states. Below 1e-3 nothing is learnt from so far back, above 1e3 a step goes astray.");
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
            return significant(gradient_through_steps(row.unit, row.setting, n_steps), 3);
        };
        table.row({row.name, row.formula, cell(1), cell(10), cell(100)});
    }
    const auto cell = [](std::size_t n) { return significant(gradient_through_context(n), 3); };
    table.row({"a context of T states", "1/T", cell(1), cell(10), cell(100)});
    frame.terminal.table(table);
}

void pencil_steps(Frame& frame)
{
    Terminal& terminal = frame.terminal;
    terminal.introduce(
        "Step by step with a pencil",
        "Two networks have been in the same three states, h_0, h_1 and h_2, and are now in "
        "different ones. Each asks with its last state; the states are keys and values. The "
        "weights are shown for three scores, and the context of the sum goes on: it is joined "
        "to the state, and the simple network takes a step from both, with U = V = I/2 and no "
        "input.");
    const Matrix queries = lookup::pencil_example::queries();
    const Matrix keys = lookup::pencil_example::keys();
    trace(terminal, "u", "the last states, one a network", "batch, d", queries);
    trace(terminal, "v", "what both remember", "n_states, d", keys);

    // The same memory for both networks.
    Matrix twice = Matrix::from_shape({2 * keys.shape(0), keys.shape(1)});
    xt::view(twice, xt::range(0, 3), xt::all()) = keys;
    xt::view(twice, xt::range(3, 6), xt::all()) = keys;
    const Variable<double> u = as_variable(queries, {2, 2});
    const Variable<double> v = as_variable(twice, {2, 3, 2});
    for (const Score score : {Score::mean, Score::root, Score::sum}) {
        const Variable<double> scores = memory_scores(score, u, v);
        trace(terminal, "scores", name_of(score), "batch, n_states", as_matrix(scores));
        trace(terminal, "p", "softmax of the scores", "batch, n_states",
              as_matrix(read_memory(scores, v).weights));
    }
    const Variable<double> c = read_memory(memory_scores(Score::sum, u, v), v).context;
    trace(terminal, "c", "p v, with the sum's weights", "batch, d", as_matrix(c));
    const Variable<double> r = 0.5 * u + 0.5 * c;
    trace(terminal, "r", "[u; c] [U; V] = u U + c V", "batch, d", as_matrix(r));
    trace(terminal, "h'", "tanh(r), the next states", "batch, d",
          as_matrix(rnn_update(Variable<double>(filled<double>({2, 2}, 0.0)), r)));
}

} // namespace attn::recurrent_attention::report
