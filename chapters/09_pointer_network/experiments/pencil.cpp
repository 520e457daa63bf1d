#include "chapters/09_pointer_network/experiments/pencil.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/04_backpropagation/learnt_scores.hpp"
#include "chapters/09_pointer_network/pointer_network.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrices.hpp"
#include "common/autograd/softmax.hpp"
#include "common/program/trace.hpp"

namespace attn::pointer_network {

void show_pencil_steps(program::Frame& frame)
{
    using autograd::as_matrix;
    using autograd::as_variable;
    program::Terminal& terminal = frame.terminal;
    terminal.introduce(
        "Step by step with a pencil",
        "The two queries of the example are a decoder's states at its first two steps, the three "
        "keys the elements of a list. The first step points at the third element, which the "
        "second must not point at again.");
    const auto matrix = [](const Variable<double>& one_list) {
        return as_matrix(autograd::select(one_list, 0, 0));
    };
    const Matrix d = lookup::pencil_example::queries();
    const Matrix e = lookup::pencil_example::keys();
    trace(terminal, "d", "the decoder's states", "n_steps, H", d);
    trace(terminal, "e", "the elements", "n_elements, H", e);
    const Variable<double> u = backpropagation::scaled_dot_product(
        as_variable(d, {1, 2, 2}), as_variable(e, {1, 3, 2}));
    trace(terminal, "u", "d . e / root 2", "n_steps, n_elements", matrix(u));
    trace(terminal, "p, no mask", "softmax(u): both steps point at element 3",
          "n_steps, n_elements", matrix(autograd::softmax(u)));
    const Variable<double> mask(mask_of_chosen<double>({2, 0}, 1, 3, false));
    trace(terminal, "mask", "what step 1 has chosen", "n_steps, n_elements", matrix(mask));
    trace(terminal, "p", "softmax(u + mask): a tie, of which the first is pointed at",
          "n_steps, n_elements", matrix(autograd::softmax(u + mask)));
}

} // namespace attn::pointer_network
