#include "chapters/10_entity_network/experiments/experiments.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/10_entity_network/entity_network.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrices.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/program/trace.hpp"

#include <algorithm>

namespace attn::entity_network {

void show_pencil_steps(program::Frame& frame)
{
    using autograd::as_matrix;
    using autograd::as_variable;
    program::Terminal& terminal = frame.terminal;
    terminal.introduce("Step by step with a pencil",
                       "The three keys of the example are the keys of three slots, which start "
                       "as their keys. The "
                       "first query is a sentence, the second a question. U and V are 0, W is "
                       "the identity, phi(x) "
                       "= x, so that what may be written is the sentence itself.");
    const Matrix keys = lookup::pencil_example::keys();
    const Matrix queries = lookup::pencil_example::queries();
    const Variable<double> w = as_variable(keys, {3, 2});
    const Variable<double> h = as_variable(keys, {1, 3, 2});
    const Variable<double> s = as_variable(single_row(queries, 0), {1, 1, 2});
    const Variable<double> q = as_variable(single_row(queries, 1), {1, 1, 2});
    const Variable<double> zeros_h(filled<double>({1, 3, 2}, 0.0));
    const Variable<double> zeros_w(filled<double>({3, 2}, 0.0));
    const auto rows = [](const Variable<double>& x) {
        return as_matrix(autograd::select(x, 0, 0));
    };
    const auto vector = [](const Variable<double>& x) {
        Vector numbers = Vector::from_shape({x.size()});
        std::copy(x.value().begin(), x.value().end(), numbers.begin());
        return numbers;
    };
    trace(terminal, "w, h", "keys, and what the slots hold first", "n_slots, d", keys);
    trace(terminal, "s", "the sentence", "d", vector(s));
    const Variable<double> g = gate(s, h, w);
    trace(terminal, "g", "sigmoid(s . h + s . w): the sum need not be 1", "n_slots", vector(g));
    const Variable<double> written = update(h, g, candidate(zeros_h, zeros_w, s));
    trace(terminal, "h + g s", "written", "n_slots, d", rows(written));
    const Variable<double> kept = normalise(written);
    trace(terminal, "h", "each with length 1", "n_slots, d", rows(kept));
    trace(terminal, "q", "the question", "d", vector(q));
    const Variable<double> p = read_weights(q, kept);
    trace(terminal, "p", "softmax(q . h): the sum is 1", "n_slots", vector(p));
    trace(terminal, "u", "p h, what is read", "d", vector(matmul(p, kept)));
}

} // namespace attn::entity_network
