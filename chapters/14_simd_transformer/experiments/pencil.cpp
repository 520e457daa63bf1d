#include "chapters/14_simd_transformer/experiments/experiments.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/14_simd_transformer/online_softmax.hpp"
#include "common/kernels/elementary.hpp"
#include "common/program/number.hpp"
#include "common/program/trace.hpp"

#include <cmath>
#include <fmt/format.h>

namespace attn::simd_transformer {

using program::fixed;

namespace {

void trace_number(program::Terminal& terminal, const char* name, const char* meaning, double x)
{
    terminal.line(fmt::format("{} [one number]: {}\n  {}", name, meaning, fixed(x, 4)));
}

/// One query, its keys in tiles that end where they are told to.
void trace_query(program::Terminal& terminal, std::size_t query,
                 const std::vector<std::size_t>& ends)
{
    const Matrix queries = lookup::pencil_example::queries();
    const Matrix keys = lookup::pencil_example::keys();
    const Matrix values = lookup::pencil_example::values();
    const std::string q = "q_" + std::to_string(query + 1);
    OnlineSoftmaxState row = empty_state(values.shape(1));
    std::size_t first = 0;
    for (const std::size_t last : ends) {
        const std::size_t n = last - first;
        Vector scores = Vector::from_shape({n});
        Matrix tile = Matrix::from_shape({n, values.shape(1)});
        for (std::size_t j = 0; j < n; ++j) {
            scores(j) = (queries(query, 0) * keys(first + j, 0) +
                         queries(query, 1) * keys(first + j, 1)) /
                        std::sqrt(2.0);
            tile(j, 0) = values(first + j, 0);
            tile(j, 1) = values(first + j, 1);
        }
        const OnlineSoftmaxState before = row;
        add_tile(row, scores, tile);
        const std::string which = n == 1 ? fmt::format("key {}", last)
                                         : fmt::format("keys {} to {}", first + 1, last);
        terminal.line();
        terminal.line(fmt::format("{} meets {}", q, which));
        trace(terminal, "s", q + " . k / root 2", "n_tile", scores);
        trace_number(terminal, "m", "the largest score so far", row.largest);
        trace_number(terminal, "shrink",
                     "exp(old m - m), the part that what was added up keeps",
                     elementary::exp(before.largest - row.largest));
        Vector weights = scores;
        for (double& weight : weights) {
            weight = elementary::exp(weight - row.largest);
        }
        trace(terminal, "w", "exp(s - m)", "n_tile", weights);
        trace_number(terminal, "l", "shrink l + the sum of w", row.total);
        trace(terminal, "c", "shrink c + the sum of w v", "d_v", row.context);
        first = last;
    }
    terminal.line();
    trace(terminal, "c / l", q + "'s context", "d_v", context_of(row));
}

} // namespace

void show_pencil_steps(program::Frame& frame)
{
    program::Terminal& terminal = frame.terminal;
    terminal.introduce(
        "Step by step with a pencil",
        "The online softmax: each query meets the first key alone, then the other two. It "
        "remembers m, the largest score, l, the sum of the weights before they are divided, "
        "and c, the sum of weight times value: m = -inf, l = 0 and c = 0 before it has met "
        "any. The scores are divided by the root of d = 2.");
    trace_inputs(terminal, lookup::pencil_example::queries(), lookup::pencil_example::keys(),
                 lookup::pencil_example::values());
    trace_query(terminal, 0, {1, 3});
    trace_query(terminal, 1, {1, 3});
}

} // namespace attn::simd_transformer
