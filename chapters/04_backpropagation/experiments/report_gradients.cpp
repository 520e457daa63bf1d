#include "chapters/04_backpropagation/experiments/report.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/04_backpropagation/experiments/gradients.hpp"
#include "common/program/number.hpp"
#include "common/program/trace.hpp"

#include <fmt/format.h>

namespace attn::backpropagation::report {

using program::fixed;
using program::Frame;
using program::significant;

namespace {

/// The largest difference of two matrices in words, since its digits are those of rounding.
std::string difference(const Matrix& a, const Matrix& b, double bound, const char* in_words)
{
    const double largest = xt::amax(xt::abs(a - b))();
    return largest < bound ? in_words : significant(largest, 2);
}

} // namespace

void gradients(Frame& frame)
{
    frame.terminal.heading("Gradients by hand, by the tape, by differences");
    frame.terminal.paragraph(
        "3 random queries of 4 numbers, 5 keys, values of 2 numbers, 6 hidden units in the "
        "additive score. The mask hides some keys from the first two queries and all from the "
        "third. The last columns: the largest difference of an entry.");
    frame.terminal.line();
    program::Table table(
        {"back through", "gradient", "shape", "hand - tape", "hand - differences"});
    for (const ThreeGradients& three : three_gradients(frame.options.seed)) {
        table.row({three.operation, three.name, shape_of(three.by_hand),
                   difference(three.by_hand, three.by_tape, 1e-12, "below 1e-12"),
                   difference(three.by_hand, three.by_differences, 1e-9, "below 1e-9")});
    }
    frame.terminal.table(table);
}

void covariance(Frame& frame)
{
    namespace pencil = lookup::pencil_example;
    const Vector query = xt::view(pencil::queries(), 1, xt::all());
    frame.terminal.heading("How a context answers to its query");
    frame.terminal.paragraph(
        "The second query of the pencil example, q = (1, 1): d c / d q as the covariance of "
        "the "
        "values with the slopes of the scores, and how far central differences are from it.");
    frame.terminal.line();
    program::Table table(
        {"score", "its slope", "dc1/dq1", "dc1/dq2", "dc2/dq1", "dc2/dq2", "differences"});
    for (const ContextJacobian& one :
         context_jacobians(query, pencil::keys(), pencil::values(), pencil_scores())) {
        table.row({one.score, one.formula, fixed(one.by_covariance(0, 0), 4),
                   fixed(one.by_covariance(0, 1), 4), fixed(one.by_covariance(1, 0), 4),
                   fixed(one.by_covariance(1, 1), 4),
                   difference(one.by_covariance, one.by_differences, 1e-9, "below 1e-9")});
    }
    frame.terminal.table(table);
}

void pencil_steps(Frame& frame)
{
    namespace pencil = lookup::pencil_example;
    const PencilPasses passes = pencil_passes();
    const auto trace = [&](const char* name, const char* meaning, const char* dims,
                           const Matrix& values) {
        program::trace(frame.terminal, name, meaning, dims, values);
    };
    frame.terminal.heading("forwards");
    trace("Q", "the queries", "n_queries, d", pencil::queries());
    trace("K", "the keys", "n_keys, d", pencil::keys());
    trace("V", "the values", "n_keys, d_v", pencil::values());
    trace("S", "the scores Q K^T", "n_queries, n_keys", passes.forward.scores);
    trace("A", "the weights, softmax of S", "n_queries, n_keys", passes.forward.weights);
    trace("C", "the contexts A V", "n_queries, d_v", passes.forward.context);
    trace("Y", "what the contexts should be", "n_queries, d_v", passes.targets);
    frame.terminal.line("L: the loss, half the sum of the squares of C - Y");
    frame.terminal.line("  " + fixed(passes.loss, 4));

    frame.terminal.heading("backwards");
    trace("dC", "C - Y", "n_queries, d_v", passes.dcontext);
    trace("dV", "A^T dC", "n_keys, d_v", passes.gradients.dvalues);
    trace("dA", "dC V^T", "n_queries, n_keys", passes.gradients.dweights);
    trace("dS", "A (dA - the mean of dA under A)", "n_queries, n_keys",
          passes.gradients.dscores);
    trace("dQ", "dS K", "n_queries, d", passes.gradients.dqueries);
    trace("dK", "dS^T Q", "n_keys, d", passes.gradients.dkeys);

    frame.terminal.heading("the same dQ, by the covariance");
    for (std::size_t i = 0; i < passes.covariances.size(); ++i) {
        trace(fmt::format("Cov{}", i + 1).c_str(),
              fmt::format("of values and keys under the weights of query {}: dc{}/dq{}", i + 1,
                          i + 1, i + 1)
                  .c_str(),
              "d_v, d", passes.covariances[i]);
    }
    trace("dQ", "each row dC times its Cov", "n_queries, d", passes.dqueries);
    frame.terminal.line(fmt::format("Queries 0.1 dQ downhill: the loss falls from {} to {}.",
                                    fixed(passes.loss, 4), fixed(passes.loss_after, 4)));
}

} // namespace attn::backpropagation::report
