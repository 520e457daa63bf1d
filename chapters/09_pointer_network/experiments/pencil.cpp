#include "chapters/09_pointer_network/experiments/experiments.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/04_backpropagation/learnt_scores.hpp"
#include "chapters/09_pointer_network/pointer_network.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrices.hpp"
#include "common/autograd/softmax.hpp"
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "common/program/trace.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::pointer_network {

namespace {

/// One number of each column, or how a table shows that it is masked.
void add_cells(std::vector<std::string>& cells, const Array<double>& rows, std::size_t row,
               int digits)
{
    for (std::size_t j = 0; j < rows.shape()[2]; ++j) {
        const double x = rows(0, row, j);
        cells.push_back(std::isinf(x) ? "masked" : program::fixed(x, digits));
    }
}

} // namespace

void show_three_numbers(program::Frame& frame)
{
    const std::vector<double> elements = {7, 2, 5};
    const std::size_t n = elements.size();
    frame.terminal.introduce(
        "Three numbers in order",
        "The list 7, 2, 5. The score of an element is minus its squared distance from the "
        "number that was read last, divided by 10. What has been chosen is masked.");
    program::Table table(
        {"step", "reads", "u of 7", "of 2", "of 5", "p of 7", "of 2", "of 5", "points at"});
    std::vector<std::int64_t> chosen;
    double read = 0; // before the first step
    for (std::size_t step = 0; step < n; ++step) {
        std::vector<std::int64_t> targets = chosen;
        targets.resize(n, not_asked);
        Array<double> u = mask_of_chosen<double>(targets, 1, n, false);
        for (std::size_t j = 0; j < n; ++j) {
            u(0, step, j) -= (elements[j] - read) * (elements[j] - read) / 10;
        }
        const Array<double> p = autograd::softmax(Variable<double>(u)).value();
        std::size_t best = 0;
        for (std::size_t j = 1; j < n; ++j) {
            best = p(0, step, j) > p(0, step, best) ? j : best;
        }
        std::vector<std::string> cells = {std::to_string(step + 1), program::fixed(read, 0)};
        add_cells(cells, u, step, 1);
        add_cells(cells, p, step, 3);
        cells.push_back("element " + std::to_string(best + 1));
        table.row(cells);
        read = elements[best];
        chosen.push_back(static_cast<std::int64_t>(best));
    }
    frame.terminal.table(table);
}

void show_pencil_steps(program::Frame& frame)
{
    using autograd::as_matrix;
    using autograd::as_variable;
    program::Terminal& terminal = frame.terminal;
    terminal.introduce(
        "Step by step with a pencil",
        "The two queries of the example are a decoder's states at its first two steps, the "
        "three "
        "keys the elements of a list. The first step points at the third element, which the "
        "second must not point at again.");
    const auto matrix = [](const Variable<double>& one_list) {
        return as_matrix(autograd::select(one_list, 0, 0));
    };
    const Matrix d = lookup::pencil_example::queries();
    const Matrix e = lookup::pencil_example::keys();
    trace(terminal, "d", "the decoder's states", "n_steps, H", d);
    trace(terminal, "e", "the elements", "n_elements, H", e);
    const Variable<double> u = backpropagation::scaled_dot_product(as_variable(d, {1, 2, 2}),
                                                                   as_variable(e, {1, 3, 2}));
    trace(terminal, "u", "d . e / root 2", "n_steps, n_elements", matrix(u));
    trace(terminal, "p, no mask", "softmax(u): both steps point at element 3",
          "n_steps, n_elements", matrix(autograd::softmax(u)));
    const Variable<double> mask(mask_of_chosen<double>({2, 0}, 1, 3, false));
    trace(terminal, "mask", "what step 1 has chosen", "n_steps, n_elements", matrix(mask));
    trace(terminal, "p", "softmax(u + mask): a tie, of which the first is pointed at",
          "n_steps, n_elements", matrix(autograd::softmax(u + mask)));
}

} // namespace attn::pointer_network
