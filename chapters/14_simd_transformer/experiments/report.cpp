#include "chapters/14_simd_transformer/experiments/report.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/14_simd_transformer/experiments/attention_costs.hpp"
#include "chapters/14_simd_transformer/online_softmax.hpp"
#include "common/kernels/elementary.hpp"
#include "common/program/number.hpp"
#include "common/program/trace.hpp"

#include <cmath>

namespace attn::simd_transformer::report {

using program::fixed;
using program::Frame;
using program::significant;
using program::Table;

void instruction_set_names(Frame& frame)
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        frame.terminal.line(kernels->name);
    }
}

// ---------------------------------------------------------------- counted

namespace {

/// Sizes that neither a vector nor a tile divides, small enough for the first rungs.
constexpr LadderSizes awkward = {.product = {67, 53, 71},
                                 .softmax_rows = 33,
                                 .softmax_columns = 131,
                                 .n_heads = 3,
                                 .n_tokens = 131,
                                 .d_head = 61};

/// How far a rung is from the first; what is near enough is not told in digits, which depend on
/// the machine.
std::string nearness(const Ladder& ladder, std::size_t rung, const Execution& how)
{
    if (rung == 0) {
        return "-";
    }
    const double difference = largest_difference(ladder, rung, how);
    return difference < 1e-5 ? "below 1e-5" : significant(difference, 2);
}

} // namespace

void counted(Frame& frame, const Settings& settings)
{
    frame.terminal.introduce(
        "The ladders, counted",
        "Every rung computes the same, with as many operations: a multiplication and an "
        "addition are two, a power counts as one. Bytes are those that must go between "
        "processor and memory if an array of the whole size fits no cache: arguments and "
        "results once, a table of all scores four times, the softmax's matrix as often as the "
        "rung goes over all of it; copies in tiles, which a rung lays out for itself, are not "
        "counted. The last column is the largest "
        "difference from the first rung, as a share of the largest number, on sizes that no "
        "vector divides.");
    const std::vector<Ladder> all = all_ladders(settings.sizes);
    const std::vector<Ladder> small = all_ladders(awkward);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Ladder& ladder = all[i];
        frame.terminal.line(fmt::format("{}, {}: {} million operations", ladder.name,
                                        ladder.size, fixed(ladder.flops * 1e-6, 0)));
        Table table({"rung", "its idea", "MB", "operations a byte", "difference"});
        for (std::size_t rung = 0; rung < ladder.rungs.size(); ++rung) {
            const Rung& here = ladder.rungs[rung];
            table.row({here.name, here.idea, fixed(here.bytes * 1e-6, 1),
                       fixed(ladder.flops / here.bytes, 1),
                       nearness(small[i], rung, settings.how)});
        }
        frame.terminal.table(table);
    }
}

void memory(Frame& frame)
{
    const HeadCount heads{.n_heads = 2, .d_head = 64};
    frame.terminal.introduce(
        "Memory, counted",
        "What attention takes beside queries, keys and values, forwards, on one thread: its "
        "result and all that it needs on the way, {} heads of {} numbers. Plain attention is "
        "chapter 11's by operators. The fused one was counted with the kernels of one lane; "
        "wider vectors take larger blocks, by some kilobytes.",
        heads.n_heads, heads.d_head);
    Table table({"tokens", "plain: KB", "times", "fused: KB", "times"});
    std::vector<AttentionMemory> all = attention_memory(*kernels::instruction_sets().front(),
                                                        heads, {64, 128, 256, 512, 1024});
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto growth = [&](std::size_t now, std::size_t before) {
            return fixed(static_cast<double>(now) / static_cast<double>(before), 1);
        };
        const auto kilobytes = [](std::size_t bytes) {
            return fixed(static_cast<double>(bytes) / 1024, 0);
        };
        table.row({std::to_string(all[i].n_tokens), kilobytes(all[i].plain),
                   i == 0 ? "-" : growth(all[i].plain, all[i - 1].plain),
                   kilobytes(all[i].fused),
                   i == 0 ? "-" : growth(all[i].fused, all[i - 1].fused)});
    }
    frame.terminal.table(table);
}

// ---------------------------------------------------------------- the pencil

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
    RowSoFar row = nothing_seen(values.shape(1));
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
        const RowSoFar before = row;
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
    trace(terminal, "c / l", q + "'s context", "d_v", finished(row));
}

} // namespace

void pencil_steps(Frame& frame)
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

} // namespace attn::simd_transformer::report
