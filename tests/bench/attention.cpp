/// \file
/// \brief How fast fused attention is, forwards and backwards: by tokens, instruction sets and
/// threads, as a share of the processor's peak measured in the same run, beside attention with
/// all scores in memory and, if it is there, PyTorch's.
#include "chapters/14_simd_transformer/experiments/experiments.hpp"
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "common/random/random.hpp"
#include "tests/bench/report.hpp"
#include "tests/bench/turns.hpp"

#ifdef ATTN_TORCH
#include "tests/bench/torch_peers.hpp"
#endif

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace attn;
using namespace attn::simd_transformer;
using program::fixed;

constexpr std::size_t n_heads = 8;
constexpr std::size_t d_head = 64;

/// Long sentences take a second and more; short ones get enough turns to meet quiet whiles.
bench::Turns turns_for(std::size_t n)
{
    return {.n_turns = n < 2048 ? 5U : 3U, .n_samples = n < 1024 ? 3U : 1U};
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

/// A way of attention forwards.
std::function<void()> forwards(const AttentionVariant& variant, const Execution& how,
                               std::size_t n, bool causal, Numbers& x)
{
    return [&variant, how, n, causal, &x] {
        variant.attend(how, sizes_of(n), AttentionMask{{}, causal}, x.queries.data(),
                       x.keys.data(), x.values.data(), x.context.data());
    };
}

SavedStatistics save(const Execution& how, std::size_t n, Numbers& x)
{
    return attend_fused(how, sizes_of(n), AttentionMask{}, x.queries.data(), x.keys.data(),
                        x.values.data(), x.context.data());
}

/// The backward pass alone, after a forward pass that saved what it needs.
std::function<void()> backwards(const Execution& how, std::size_t n, Numbers& x,
                                const SavedStatistics& saved)
{
    return [how, n, &x, saved] {
        attend_fused_backward(how, sizes_of(n), AttentionMask{}, x.queries.data(),
                              x.keys.data(), x.values.data(), x.context.data(), saved,
                              x.context_gradient.data(),
                              {.queries = x.query_gradient.data(),
                               .keys = x.key_gradient.data(),
                               .values = x.value_gradient.data()});
    };
}

/// What one row of the tables is made of.
struct FusedTimes
{
    std::string kernels;
    std::size_t n_threads;
    std::size_t n;
    double peak;                      ///< GFLOP/s, the largest of all turns
    double forward, causal, backward; ///< milliseconds
};

double giga(std::size_t n, bool causal)
{
    return attention_operations(sizes_of(n), causal) / 1e9;
}

FusedTimes measure(const Execution& how, std::size_t n)
{
    Numbers x(n);
    double peak = 0;
    const auto find_peak = [&] {
        peak = std::max(peak, fma_peak(how, {.seconds = 0.02, .n_runs = 1}));
    };
    const AttentionVariant& fused = attention_variants().back();
    std::vector<bench::Candidate> candidates;
    const auto add = [&](const char* name, std::function<void()> run) {
        candidates.push_back({name, how.n_threads, std::move(run), find_peak});
    };
    add("forward", forwards(fused, how, n, false, x));
    add("causal", forwards(fused, how, n, true, x));
    add("backward", backwards(how, n, x, save(how, n, x)));
    bench::time_in_turns(candidates, turns_for(n));
    return {how.kernels->name,    how.n_threads,       n, peak, candidates[0].best(),
            candidates[1].best(), candidates[2].best()};
}

/// Of the fused form, with every set, on one thread and on two.
std::vector<FusedTimes> measure_fused()
{
    std::vector<FusedTimes> all;
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
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

/// GFLOP/s of the forward pass.
double forward_rate(const FusedTimes& m)
{
    return 1e3 * giga(m.n, false) / m.forward;
}

/// GFLOP/s of the backward pass: five products where forwards are two.
double backward_rate(const FusedTimes& m)
{
    return 2.5e3 * giga(m.n, false) / m.backward;
}

std::string fused_report(const std::vector<FusedTimes>& all)
{
    program::Table table({"kernels", "threads", "tokens", "forward: ms", "GFLOP/s", "of peak",
                          "causal / full", "backward: ms", "GFLOP/s", "of peak"});
    for (const FusedTimes& m : all) {
        table.row({m.kernels, std::to_string(m.n_threads), std::to_string(m.n),
                   fixed(m.forward, 2), fixed(forward_rate(m), 1),
                   percent(forward_rate(m) / m.peak), fixed(m.causal / m.forward, 2),
                   fixed(m.backward, 2), fixed(backward_rate(m), 1),
                   percent(backward_rate(m) / m.peak)});
    }
    return table.to_string();
}

constexpr const char* long_sentences = "1024 2048 4096 tokens";

/// Adds a goal for some lengths, if the list has them.
template <typename List, typename NumberOf>
void add_goal(std::vector<bench::Goal>& goals, bench::Goal goal, const List& all,
              const std::vector<std::size_t>& lengths, const NumberOf& number_of)
{
    for (const auto& one : all) {
        if (std::find(lengths.begin(), lengths.end(), one.n) != lengths.end()) {
            goal.measured.push_back(number_of(one));
        }
    }
    if (!goal.measured.empty()) {
        goals.push_back(std::move(goal));
    }
}

/// Shares of the peak on one thread, and what a causal mask saves.
std::vector<bench::Goal> fused_goals(const std::vector<FusedTimes>& all)
{
    std::vector<bench::Goal> goals;
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        if (kernels->lanes < 8) {
            continue;
        }
        std::vector<FusedTimes> list;
        std::copy_if(all.begin(), all.end(), std::back_inserter(list),
                     [&](const FusedTimes& m) {
                         return m.kernels == kernels->name && m.n_threads == 1;
                     });
        const auto share = [](const FusedTimes& m) { return 100 * forward_rate(m) / m.peak; };
        const auto goal = [&](const std::string& what, const std::string& sizes) {
            return bench::Goal{.what = fmt::format("{}; {}; threads: 1", what, kernels->name),
                               .sizes = sizes,
                               .unit = "% of the peak",
                               .bound = 80,
                               .measured = {}};
        };
        add_goal(goals, goal("attention", long_sentences), list, {1024, 2048, 4096}, share);
        bench::Goal few = goal("attention", "128 256 tokens");
        few.bound = 65;
        add_goal(goals, few, list, {128, 256}, share);
        bench::Goal causal = goal("causal attention", "4096 tokens");
        causal.unit = "of the full one's time";
        causal.bound = 0.55;
        causal.at_least = false;
        add_goal(goals, causal, list, {4096},
                 [](const FusedTimes& m) { return m.causal / m.forward; });
    }
    return goals;
}

/// How much faster two threads are than one.
bench::Goal threads_goal(const std::vector<FusedTimes>& all)
{
    bench::Goal goal{
        .what = fmt::format("attention; {}; threads: 2", kernels::default_kernels().name),
        .sizes = long_sentences,
        .unit = "times one thread",
        .bound = 1.7,
        .measured = {}};
    for (const FusedTimes& one : all) {
        for (const FusedTimes& two : all) {
            if (one.kernels == kernels::default_kernels().name && two.kernels == one.kernels &&
                one.n == two.n && one.n >= 1024 && one.n_threads == 1 && two.n_threads == 2) {
                goal.measured.push_back(one.forward / two.forward);
            }
        }
    }
    return goal;
}

// ---------------------------------------------------------------- beside others

/// Our threads are our own; whoever is called next shares OpenMP with PyTorch.
void let_us_compute()
{
#ifdef ATTN_TORCH
    bench::torch_peer::set_threads({1, 1});
#endif
}

/// The forms that keep all scores, by their place in the ladder. They compute on one thread.
const std::vector<std::size_t> with_all_scores = {2, 3};

/// What stands beside each other for so many tokens: the fused form first, then PyTorch's ways
/// under each of its settings, if it is there.
struct Beside
{
    std::size_t n_threads;
    std::size_t n;
    std::vector<bench::Candidate> forward;
    std::vector<bench::Candidate> causal;
    std::vector<bench::Candidate> training; ///< forwards and backwards

    /// PyTorch's best over ours; nothing without PyTorch.
    static std::optional<double> ratio(const std::vector<bench::Candidate>& candidates)
    {
        if (candidates.back().name.rfind("PyTorch", 0) != 0) {
            return std::nullopt;
        }
        return bench::fastest(candidates, "PyTorch").best() / candidates.front().best();
    }
};

void add_ours(Beside& beside, const Execution& how, Numbers& x)
{
    const std::vector<AttentionVariant>& variants = attention_variants();
    const std::size_t n = beside.n;
    const auto add = [&](std::vector<bench::Candidate>& list, std::string name,
                         std::function<void()> run) {
        list.push_back({std::move(name), how.n_threads, std::move(run), let_us_compute});
    };
    add(beside.forward, "fused", forwards(variants.back(), how, n, false, x));
    add(beside.causal, "fused", forwards(variants.back(), how, n, true, x));
    add(beside.training, "fused", [how, n, &x] { backwards(how, n, x, save(how, n, x))(); });
    if (how.n_threads == 1) {
        for (const std::size_t i : with_all_scores) {
            add(beside.forward, variants[i].name, forwards(variants[i], how, n, false, x));
        }
    }
}

#ifdef ATTN_TORCH
namespace torch_peer = bench::torch_peer;

/// Both sides must compute the same before they are timed.
void expect_agreement(const Execution& how, std::size_t n, bool causal, Numbers& x,
                      const torch_peer::WayOfAttention& way)
{
    forwards(attention_variants().back(), how, n, causal, x)();
    Array<float> theirs(x.context.shape());
    way.result(theirs.data());
    float largest = 0;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
        largest = std::max(largest, std::abs(theirs.data()[i] - x.context.data()[i]));
    }
    if (!(largest <= 1e-4F)) {
        fmt::print(stderr, "attention, {} tokens, causal: {}: contexts differ by {} from {}\n",
                   n, causal, largest, way.name);
        std::exit(1);
    }
}

void add_theirs(Beside& beside, const Execution& how, Numbers& x)
{
    for (const bool causal : {false, true}) {
        for (const torch_peer::WayOfAttention& way : torch_peer::ways_of_attention(
                 n_heads, beside.n, causal, x.queries.data(), x.keys.data(), x.values.data(),
                 x.context_gradient.data())) {
            expect_agreement(how, beside.n, causal, x, way);
            for (const torch_peer::Threads threads : torch_peer::settings(how.n_threads)) {
                const std::string name = fmt::format("PyTorch, {}{}", way.name, threads.text());
                const auto prepare = [threads] { torch_peer::set_threads(threads); };
                (causal ? beside.causal : beside.forward)
                    .push_back({name, how.n_threads, way.forward, prepare});
                if (!causal) {
                    beside.training.push_back({name, how.n_threads, way.training, prepare});
                }
            }
        }
    }
}
#endif

Beside measure_beside(const Execution& how, std::size_t n)
{
    Numbers x(n);
    Beside beside{how.n_threads, n, {}, {}, {}};
    add_ours(beside, how, x);
#ifdef ATTN_TORCH
    add_theirs(beside, how, x);
#endif
    for (auto* const list : {&beside.forward, &beside.causal, &beside.training}) {
        bench::time_in_turns(*list, turns_for(n));
        for (bench::Candidate& one : *list) {
            one.run = one.prepare = nullptr; // and the arrays that they hold
        }
    }
    let_us_compute();
    return beside;
}

/// On one thread by length, and long sentences on two.
std::vector<Beside> measure_beside_others()
{
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
        header.push_back(attention_variants()[i].name);
    }
    const bool peers = Beside::ratio(all.front().forward).has_value();
    if (peers) {
        header.insert(header.end(), {"PyTorch's own", "its operations", "ratio",
                                     "causal: ratio", "with backward: ratio"});
    }
    program::Table table(header);
    for (const Beside& one : all) {
        std::vector<std::string> row = {std::to_string(one.n_threads), std::to_string(one.n),
                                        fixed(one.forward.front().best(), 2)};
        for (std::size_t i = 1; i <= with_all_scores.size(); ++i) {
            row.push_back(one.n_threads == 1 ? fixed(one.forward[i].best(), 2) : "-");
        }
        if (peers) {
            for (const char* const way : {"PyTorch, its own", "PyTorch, two products"}) {
                row.push_back(fixed(bench::fastest(one.forward, way).best(), 2));
            }
            for (const auto* const list : {&one.forward, &one.causal, &one.training}) {
                row.push_back(fixed(*Beside::ratio(*list), 2));
            }
        }
        table.row(row);
    }
    return table.to_string();
}

/// How many times as fast as PyTorch, for long sentences.
std::vector<bench::Goal> beside_goals(const std::vector<Beside>& all)
{
    std::vector<bench::Goal> goals;
    if (!Beside::ratio(all.front().forward)) {
        return goals;
    }
    struct Wanted
    {
        const char* what;
        std::size_t n_threads;
        std::vector<bench::Candidate> Beside::*candidates;
        double bound;
    };
    for (const Wanted& wanted :
         {Wanted{"attention", 1, &Beside::forward, 1.3},
          Wanted{"attention", 2, &Beside::forward, 1.5},
          Wanted{"attention with the backward pass", 1, &Beside::training, 1.3},
          Wanted{"attention with the backward pass", 2, &Beside::training, 1.6}}) {
        std::vector<Beside> list;
        std::copy_if(all.begin(), all.end(), std::back_inserter(list),
                     [&](const Beside& one) { return one.n_threads == wanted.n_threads; });
        add_goal(goals,
                 {.what = fmt::format("{}; {}; threads: {}", wanted.what,
                                      kernels::default_kernels().name, wanted.n_threads),
                  .sizes = long_sentences,
                  .unit = "times PyTorch",
                  .bound = wanted.bound,
                  .measured = {}},
                 list, {1024, 2048, 4096},
                 [&](const Beside& one) { return *Beside::ratio(one.*wanted.candidates); });
    }
    return goals;
}

} // namespace

int main(int argc, char** argv)
{
#ifdef ATTN_TORCH
    torch_peer::keep_freed_memory();
#endif
    const std::vector<FusedTimes> fused = measure_fused();
    const std::vector<Beside> beside = measure_beside_others();
    std::string text = fmt::format(
        "{} heads of {} numbers, float. GFLOP/s counts two products of tokens x tokens "
        "forwards, five backwards.\nOne thread: the processor's time; two: the time that "
        "passes.\n\n{}\n{}\n",
        n_heads, d_head, fused_report(fused), beside_report(beside));
#ifdef ATTN_TORCH
    text +=
        "Second table: a ratio is PyTorch's faster way over ours; on two threads each of its "
        "ways has\nthe better of two settings, its BLAS on one thread and on both.\npeer: " +
        torch_peer::version() + "\n";
#endif
    std::vector<bench::Goal> goals = fused_goals(fused);
    goals.push_back(threads_goal(fused));
    const std::vector<bench::Goal> others = beside_goals(beside);
    goals.insert(goals.end(), others.begin(), others.end());
    return bench::write_report(text, argc, argv, goals);
}
