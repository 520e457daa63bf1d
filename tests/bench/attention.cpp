/// \file
/// \brief How fast fused attention is, forwards and backwards: by tokens, instruction sets and
/// threads, as a share of the processor's peak measured in the same run, beside attention with
/// all scores in memory and, if it is there, PyTorch's. Deliberately measures attention alone.
#include "chapters/14_simd_transformer/attention_ladder.hpp"
#include "chapters/14_simd_transformer/machine.hpp"
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "common/random/random.hpp"
#include "tests/bench/machine.hpp"

#ifdef ATTN_TORCH
#include "tests/bench/torch_attention.hpp"
#include "tests/bench/torch_peers.hpp"
#endif

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace {

using namespace attn;
using namespace attn::simd_transformer;
using program::fixed;

constexpr std::size_t n_heads = 8;
constexpr std::size_t d_head = 64;
constexpr Patience patience{.seconds = 0.3, .n_runs = 3};

AttentionSizes sizes_of(std::size_t n)
{
    return {.n_heads = n_heads, .n_queries = n, .n_keys = n, .d_k = d_head, .d_v = d_head};
}

/// Queries, keys, values, contexts and their gradients for so many tokens.
struct Numbers
{
    Array<float> queries, keys, values, context, context_gradient;
    Array<float> query_gradient, key_gradient, value_gradient;

    explicit Numbers(std::size_t n)
    {
        random::Generator generator(14);
        const Shape shape{n, n_heads * d_head};
        for (Array<float>* x : {&queries, &keys, &values, &context_gradient}) {
            *x = Array<float>(shape);
            for (float& number : *x) {
                number = static_cast<float>(generator.normal());
            }
        }
        context = query_gradient = key_gradient = value_gradient = Array<float>(shape, 0.0F);
    }
};

/// Seconds of a way of attention.
double seconds_of(const AttentionRung& rung, const Execution& how, std::size_t n, bool causal,
                  Numbers& x)
{
    const Visible visible{{}, causal};
    return best_seconds(
        [&] {
            rung.attend(how, sizes_of(n), visible, x.queries.data(), x.keys.data(),
                        x.values.data(), x.context.data());
        },
        patience);
}

/// Seconds of the way back alone.
double seconds_back(const Execution& how, std::size_t n, bool causal, Numbers& x)
{
    const Visible visible{{}, causal};
    const SavedStatistics saved =
        attend_fused(how, sizes_of(n), visible, x.queries.data(), x.keys.data(),
                     x.values.data(), x.context.data());
    return best_seconds(
        [&] {
            attend_fused_backward(how, sizes_of(n), visible, x.queries.data(), x.keys.data(),
                                  x.values.data(), x.context.data(), saved,
                                  x.context_gradient.data(),
                                  {.queries = x.query_gradient.data(),
                                   .keys = x.key_gradient.data(),
                                   .values = x.value_gradient.data()});
        },
        patience);
}

/// What one row of the tables is made of.
struct Measured
{
    std::string kernels;
    std::size_t n_threads;
    std::size_t n;
    double peak; ///< GFLOP/s, the larger of before and after
    double forward, causal, backward;
};

double giga(std::size_t n, bool causal)
{
    return attention_operations(sizes_of(n), causal) / 1e9;
}

Measured measure(const Execution& how, std::size_t n)
{
    Numbers x(n);
    const AttentionRung& fused = attention_ladder().back();
    const double before = fma_peak(how);
    const double forward = seconds_of(fused, how, n, false, x);
    const double causal = seconds_of(fused, how, n, true, x);
    const double backward = seconds_back(how, n, false, x);
    return {how.kernels->name, how.n_threads, n,       std::max(before, fma_peak(how)),
            forward,           causal,        backward};
}

std::string percent(double share)
{
    return fixed(100 * share, 0) + " %";
}

std::string fused_report()
{
    program::Table table({"kernels", "threads", "tokens", "forward: ms", "GFLOP/s", "of peak",
                          "causal / full", "backward: ms", "GFLOP/s", "of peak"});
    for (const Kernels* kernels : instruction_sets()) {
        for (const std::size_t n_threads : {1U, 2U}) {
            for (const std::size_t n : {128U, 256U, 512U, 1024U, 2048U, 4096U}) {
                if (n > 512 && kernels->lanes < 8) {
                    continue; // long, and the share is that of fewer tokens
                }
                const Measured m = measure({kernels, n_threads}, n);
                const double rate = giga(n, false) / m.forward;
                const double back = 2.5 * giga(n, false) / m.backward;
                table.row({m.kernels, std::to_string(n_threads), std::to_string(n),
                           fixed(1e3 * m.forward, 2), fixed(rate, 1), percent(rate / m.peak),
                           fixed(m.causal / m.forward, 2), fixed(1e3 * m.backward, 2),
                           fixed(back, 1), percent(back / m.peak)});
            }
        }
    }
    return table.to_string();
}

/// Attention with all scores in memory, the fused one and PyTorch's, one thread.
std::string beside_report()
{
    const Execution how{};
    const std::vector<AttentionRung>& rungs = attention_ladder();
    std::vector<std::string> header = {"tokens", "fused: ms"};
    const std::vector<std::size_t> others = {2, 3};
    for (const std::size_t i : others) {
        header.push_back(rungs[i].name);
    }
#ifdef ATTN_TORCH
    bench::torch_peer::set_threads(1);
    bench::torch_peer::keep_freed_memory();
    header.insert(header.end(), {"PyTorch's own", "its operations", "ratio", "causal: ratio",
                                 "and back: ratio"});
#endif
    program::Table table(header);
    for (const std::size_t n : {64U, 128U, 256U, 512U, 1024U, 2048U, 4096U}) {
        Numbers x(n);
        const AttentionRung& fused = rungs[rungs.size() - 2];
        const double ours = seconds_of(fused, how, n, false, x);
        std::vector<std::string> row = {std::to_string(n), fixed(1e3 * ours, 2)};
        for (const std::size_t i : others) {
            const double other = seconds_of(rungs[i], how, n, false, x);
            row.push_back(fixed(1e3 * other, 2));
        }
#ifdef ATTN_TORCH
        const double ours_causal = seconds_of(fused, how, n, true, x);
        const double ours_training = ours + seconds_back(how, n, false, x);
        double theirs = 1e300;
        double theirs_causal = 1e300;
        double theirs_training = 1e300;
        for (const auto& form :
             bench::torch_peer::attention_forms(n_heads, n, false, x.queries.data())) {
            const double seconds = best_seconds(form.forward, patience);
            row.push_back(fixed(1e3 * seconds, 2));
            theirs = std::min(theirs, seconds);
            theirs_training = std::min(theirs_training, best_seconds(form.training, patience));
        }
        for (const auto& form :
             bench::torch_peer::attention_forms(n_heads, n, true, x.queries.data())) {
            theirs_causal = std::min(theirs_causal, best_seconds(form.forward, patience));
        }
        row.insert(row.end(), {fixed(theirs / ours, 2), fixed(theirs_causal / ours_causal, 2),
                               fixed(theirs_training / ours_training, 2)});
#endif
        table.row(row);
    }
    return table.to_string();
}

} // namespace

int main(int argc, char** argv)
{
    std::string text = fmt::format("{} heads of {} numbers, float. GFLOP/s counts two products "
                                   "of tokens x tokens forwards, five backwards.\n\n",
                                   n_heads, d_head);
    text += fused_report() + "\n" + beside_report() + "\n";
#ifdef ATTN_TORCH
    text += "Second table: one thread; ratio is PyTorch's faster way over ours. " +
            bench::torch_peer::version() + ".\n";
#endif
    return bench::write_report(text, argc, argv);
}
