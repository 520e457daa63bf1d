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
constexpr Patience patience{.seconds = 0.1, .n_runs = 1};

/// What is compared is timed in turns, so that a slow while of the machine is shared.
constexpr int n_rounds = 3;

void keep_least(double& least, double seconds)
{
    least = std::min(least, seconds);
}

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
    double peak; ///< GFLOP/s, the largest of all rounds
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
    Measured best{how.kernels->name, how.n_threads, n, 0, 1e300, 1e300, 1e300};
    for (int round = 0; round < n_rounds; ++round) {
        best.peak = std::max(best.peak, fma_peak(how, patience));
        keep_least(best.forward, seconds_of(fused, how, n, false, x));
        keep_least(best.causal, seconds_of(fused, how, n, true, x));
        keep_least(best.backward, seconds_back(how, n, false, x));
    }
    return best;
}

std::string percent(double share)
{
    return fixed(100 * share, 0) + " %";
}

/// Of the fused form, with every set, on one thread and on two.
std::vector<Measured> measure_fused()
{
    std::vector<Measured> all;
    for (const Kernels* kernels : instruction_sets()) {
        for (const std::size_t n_threads : {1U, 2U}) {
            for (const std::size_t n : {128U, 256U, 512U, 1024U, 2048U, 4096U}) {
                if (n > 512 && kernels->lanes < 8) {
                    continue; // long, and the share is that of fewer tokens
                }
                all.push_back(measure({kernels, n_threads}, n));
            }
        }
    }
    return all;
}

/// GFLOP/s of the way forward.
double forward_rate(const Measured& m)
{
    return giga(m.n, false) / m.forward;
}

/// GFLOP/s of the way back: five products where forwards are two.
double backward_rate(const Measured& m)
{
    return 2.5 * giga(m.n, false) / m.backward;
}

std::string fused_report(const std::vector<Measured>& all)
{
    program::Table table({"kernels", "threads", "tokens", "forward: ms", "GFLOP/s", "of peak",
                          "causal / full", "backward: ms", "GFLOP/s", "of peak"});
    for (const Measured& m : all) {
        table.row({m.kernels, std::to_string(m.n_threads), std::to_string(m.n),
                   fixed(1e3 * m.forward, 2), fixed(forward_rate(m), 1),
                   percent(forward_rate(m) / m.peak), fixed(m.causal / m.forward, 2),
                   fixed(1e3 * m.backward, 2), fixed(backward_rate(m), 1),
                   percent(backward_rate(m) / m.peak)});
    }
    return table.to_string();
}

constexpr const char* long_sentences = "1024 2048 4096 tokens";

/// Shares of the peak at long sentences, forwards and back, and what a causal mask spares.
std::vector<bench::Goal> fused_goals(const std::vector<Measured>& all)
{
    std::vector<bench::Goal> goals;
    for (const Kernels* kernels : instruction_sets()) {
        for (const std::size_t n_threads : {1U, 2U}) {
            const std::string how = fmt::format("{}; threads: {}", kernels->name, n_threads);
            bench::Goal forward{.what = "attention; " + how,
                                .sizes = long_sentences,
                                .unit = "% of the peak",
                                .bound = 70,
                                .measured = {}};
            bench::Goal backward{.what = "attention backwards; " + how,
                                 .sizes = long_sentences,
                                 .unit = "% of the peak",
                                 .bound = 50,
                                 .measured = {}};
            bench::Goal causal{.what = "causal attention; " + how,
                               .sizes = "4096 tokens",
                               .unit = "of the full one's time",
                               .bound = 0.55,
                               .at_least = false,
                               .measured = {}};
            for (const Measured& m : all) {
                if (m.kernels != kernels->name || m.n_threads != n_threads || m.n < 1024) {
                    continue;
                }
                forward.measured.push_back(100 * forward_rate(m) / m.peak);
                backward.measured.push_back(100 * backward_rate(m) / m.peak);
                if (m.n == 4096) {
                    causal.measured.push_back(m.causal / m.forward);
                }
            }
            if (!forward.measured.empty()) {
                goals.insert(goals.end(), {forward, backward, causal});
            }
        }
    }
    return goals;
}

/// How much faster two threads are than one.
bench::Goal threads_goal(const std::vector<Measured>& all)
{
    bench::Goal goal{.what = fmt::format("attention; {}; threads: 2", default_kernels().name),
                     .sizes = long_sentences,
                     .unit = "times one thread",
                     .bound = 1.7,
                     .measured = {}};
    for (const Measured& one : all) {
        for (const Measured& two : all) {
            if (one.kernels == default_kernels().name && two.kernels == one.kernels &&
                one.n == two.n && one.n >= 1024 && one.n_threads == 1 && two.n_threads == 2) {
                goal.measured.push_back(one.forward / two.forward);
            }
        }
    }
    return goal;
}

// ---------------------------------------------------------------- beside others

/// Seconds of the fused form and of those that keep all scores; of PyTorch's none without it.
struct Beside
{
    std::size_t n_threads;
    std::size_t n;
    double fused = 1e300;
    double causal = 1e300;
    double back = 1e300;
    std::vector<double> others;
    std::vector<double> theirs;
    double their_causal = 1e300;
    double their_training = 1e300;

    double training() const { return fused + back; }
    double their_best() const { return *std::min_element(theirs.begin(), theirs.end()); }
};

/// The forms that keep all scores, by their place in the ladder.
const std::vector<std::size_t> with_all_scores = {2, 3};

void time_ours(Beside& best, const Execution& how, Numbers& x)
{
    const std::vector<AttentionRung>& rungs = attention_ladder();
    keep_least(best.fused, seconds_of(rungs.back(), how, best.n, false, x));
    keep_least(best.causal, seconds_of(rungs.back(), how, best.n, true, x));
    keep_least(best.back, seconds_back(how, best.n, false, x));
    best.others.resize(with_all_scores.size(), 1e300);
    for (std::size_t i = 0; i < with_all_scores.size(); ++i) {
        keep_least(best.others[i],
                   seconds_of(rungs[with_all_scores[i]], how, best.n, false, x));
    }
}

void time_theirs([[maybe_unused]] Beside& best, [[maybe_unused]] const Numbers& x)
{
#ifdef ATTN_TORCH
    namespace torch_peer = bench::torch_peer;
    torch_peer::set_threads(static_cast<int>(best.n_threads));
    const auto forms = [&](bool causal) {
        return torch_peer::attention_forms(n_heads, best.n, causal, x.queries.data());
    };
    const std::vector<torch_peer::AttentionForm> full = forms(false);
    best.theirs.resize(full.size(), 1e300);
    for (std::size_t i = 0; i < full.size(); ++i) {
        keep_least(best.theirs[i], best_seconds(full[i].forward, patience));
        keep_least(best.their_training, best_seconds(full[i].training, patience));
    }
    for (const torch_peer::AttentionForm& form : forms(true)) {
        keep_least(best.their_causal, best_seconds(form.forward, patience));
    }
    torch_peer::set_threads(1);
#endif
}

Beside measure_beside(const Execution& how, std::size_t n)
{
    Numbers x(n);
    Beside best{.n_threads = how.n_threads, .n = n, .others = {}, .theirs = {}};
    for (int round = 0; round < n_rounds; ++round) {
        time_ours(best, how, x);
        time_theirs(best, x);
    }
    return best;
}

/// On one thread by length, and long sentences on two.
std::vector<Beside> measure_beside_others()
{
#ifdef ATTN_TORCH
    bench::torch_peer::keep_freed_memory();
#endif
    std::vector<Beside> all;
    for (const std::size_t n : {64U, 128U, 256U, 512U, 1024U, 2048U, 4096U}) {
        all.push_back(measure_beside({}, n));
    }
    for (const std::size_t n : {1024U, 2048U, 4096U}) {
        all.push_back(measure_beside({.n_threads = 2}, n));
    }
    return all;
}

std::string beside_report(const std::vector<Beside>& all)
{
    std::vector<std::string> header = {"threads", "tokens", "fused: ms"};
    for (const std::size_t i : with_all_scores) {
        header.push_back(attention_ladder()[i].name);
    }
    const bool peers = !all.front().theirs.empty();
    if (peers) {
        header.insert(header.end(), {"PyTorch's own", "its operations", "ratio",
                                     "causal: ratio", "and back: ratio"});
    }
    program::Table table(header);
    for (const Beside& one : all) {
        std::vector<std::string> row = {std::to_string(one.n_threads), std::to_string(one.n),
                                        fixed(1e3 * one.fused, 2)};
        for (const auto* const list : {&one.others, &one.theirs}) {
            for (const double seconds : *list) {
                row.push_back(fixed(1e3 * seconds, 2));
            }
        }
        if (peers) {
            row.insert(row.end(), {fixed(one.their_best() / one.fused, 2),
                                   fixed(one.their_causal / one.causal, 2),
                                   fixed(one.their_training / one.training(), 2)});
        }
        table.row(row);
    }
    return table.to_string();
}

/// How many times as fast as PyTorch, at long sentences.
std::vector<bench::Goal> beside_goals(const std::vector<Beside>& all)
{
    std::vector<bench::Goal> goals;
    for (const std::size_t n_threads : {1U, 2U}) {
        bench::Goal goal{.what = fmt::format("attention; {}; threads: {}",
                                             default_kernels().name, n_threads),
                         .sizes = long_sentences,
                         .unit = "times PyTorch",
                         .bound = 3,
                         .measured = {}};
        for (const Beside& one : all) {
            if (one.n_threads == n_threads && one.n >= 1024 && !one.theirs.empty()) {
                goal.measured.push_back(one.their_best() / one.fused);
            }
        }
        if (!goal.measured.empty()) {
            goals.push_back(goal);
        }
    }
    return goals;
}

} // namespace

int main(int argc, char** argv)
{
    const std::vector<Measured> fused = measure_fused();
    const std::vector<Beside> beside = measure_beside_others();
    std::string text = fmt::format("{} heads of {} numbers, float. GFLOP/s counts two products "
                                   "of tokens x tokens forwards, five backwards.\n\n",
                                   n_heads, d_head);
    text += fused_report(fused) + "\n" + beside_report(beside) + "\n";
#ifdef ATTN_TORCH
    text += "Second table: ratio is PyTorch's faster way over ours. " +
            bench::torch_peer::version() + ".\n";
#endif
    std::vector<bench::Goal> goals = fused_goals(fused);
    goals.push_back(threads_goal(fused));
    const std::vector<bench::Goal> others = beside_goals(beside);
    goals.insert(goals.end(), others.begin(), others.end());
    return bench::write_report(text, argc, argv, goals);
}
