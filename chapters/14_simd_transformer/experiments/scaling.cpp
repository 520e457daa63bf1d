#include "chapters/14_simd_transformer/experiments/experiments.hpp"

#include "chapters/14_simd_transformer/whole_model/whole_model.hpp"
#include "common/autograd/tape.hpp"
#include "common/program/number.hpp"
#include "common/random/random.hpp"
#include "common/tensor/pool_allocator.hpp"

#include <algorithm>

namespace attn::simd_transformer {

using program::fixed;
using program::Frame;
using program::significant;
using program::Table;

namespace {

/// Queries, keys and values of one sentence, [1, n, H d] each.
struct AttentionInputs
{
    Variable<float> queries;
    Variable<float> keys;
    Variable<float> values;
};

Variable<float> normal_rows(std::size_t n, std::size_t width, std::uint64_t seed)
{
    random::Generator generator(seed);
    Array<float> numbers = uninitialised<float>({1, n, width});
    for (float& x : numbers_of(numbers)) {
        x = static_cast<float>(generator.normal());
    }
    return Variable<float>(std::move(numbers));
}

AttentionSizes sizes_of(const HeadCount& heads, std::size_t n)
{
    return {.n_heads = heads.n_heads,
            .n_queries = n,
            .n_keys = n,
            .d_k = heads.d_head,
            .d_v = heads.d_head};
}

AttentionInputs inputs_of(const HeadCount& heads, std::size_t n)
{
    const std::size_t width = heads.n_heads * heads.d_head;
    return {normal_rows(n, width, 1), normal_rows(n, width, 2), normal_rows(n, width, 3)};
}

void plain_attention(const AttentionInputs& in, std::size_t n_heads)
{
    const autograd::NoGradient<float> forwards;
    multi_head::attend_by_operators<float>(in.queries, in.keys, in.values, n_heads, {});
}

void fused_attention(const Execution& how, const AttentionInputs& in, std::size_t n_heads,
                     bool causal)
{
    const autograd::NoGradient<float> forwards;
    flash_attention(how, in.queries, in.keys, in.values, n_heads, {.causal = causal});
}

/// Seconds of the backward pass alone.
double time_backward(const Execution& how, const HeadCount& heads, const AttentionInputs& in,
                     std::size_t n, Repetitions repetitions)
{
    const AttentionSizes sizes = sizes_of(heads, n);
    const std::size_t n_numbers = in.queries.size();
    const float* const q = in.queries.value().data();
    const float* const k = in.keys.value().data();
    const float* const v = in.values.value().data();
    std::vector<float> context(n_numbers);
    const std::vector<float> context_gradient(n_numbers, 1.0F);
    std::vector<float> gradients(3 * n_numbers);
    const SavedStatistics saved = attend_fused(how, sizes, {}, q, k, v, context.data());
    return best_seconds(
        [&] {
            attend_fused_backward(how, sizes, {}, q, k, v, context.data(), saved,
                                  context_gradient.data(),
                                  {.queries = gradients.data(),
                                   .keys = gradients.data() + n_numbers,
                                   .values = gradients.data() + 2 * n_numbers});
        },
        repetitions);
}

} // namespace

std::vector<AttentionMemory> attention_memory(const kernels::Kernels& kernels,
                                              const HeadCount& heads,
                                              const std::vector<std::size_t>& lengths)
{
    const Execution how{.kernels = &kernels, .n_threads = 1};
    std::vector<AttentionMemory> memory;
    for (const std::size_t n : lengths) {
        const AttentionInputs in = inputs_of(heads, n);
        memory.push_back(
            {.n_tokens = n,
             .plain = bytes_taken([&] { plain_attention(in, heads.n_heads); }),
             .fused = bytes_taken([&] { fused_attention(how, in, heads.n_heads, false); })});
    }
    return memory;
}

std::vector<AttentionTime> attention_times(const Execution& how, const HeadCount& heads,
                                           const std::vector<std::size_t>& lengths,
                                           Repetitions repetitions)
{
    constexpr std::size_t most_scores = std::size_t{1} << 26; // 256 MiB
    const Repetitions short_time{.seconds = 0.02, .n_runs = 3};
    std::vector<AttentionTime> times;
    for (const std::size_t n : lengths) {
        const AttentionInputs in = inputs_of(heads, n);
        const double before = fma_peak(how, short_time);
        AttentionTime time{
            .n_tokens = n, .plain = 0, .fused = 0, .causal = 0, .backward = 0, .peak = 0};
        if (heads.n_heads * n * n <= most_scores) {
            time.plain = best_seconds([&] { plain_attention(in, heads.n_heads); }, repetitions);
        }
        const auto fused = [&](bool causal) {
            return best_seconds([&] { fused_attention(how, in, heads.n_heads, causal); },
                                repetitions);
        };
        time.fused = fused(false);
        time.causal = fused(true);
        time.backward = time_backward(how, heads, in, n, repetitions);
        time.peak = std::max(before, fma_peak(how, short_time));
        times.push_back(time);
    }
    return times;
}

// ---------------------------------------------------------------- printed

void show_attention_memory(Frame& frame)
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

void show_attention_lengths(Frame& frame, const Settings& settings)
{
    const HeadCount heads{.n_heads = settings.sizes.n_heads, .d_head = settings.sizes.d_head};
    std::vector<std::size_t> tokens = {64, 128, 256, 512};
    if (!frame.options.quick) {
        tokens.insert(tokens.end(), {1024, 2048, 4096});
    }
    frame.terminal.introduce(
        "Plain and fused attention by length",
        "One sentence, {} heads of {} numbers, in milliseconds. Plain attention is chapter "
        "11's "
        "by operators, on one thread; it is left out where its scores alone would take more "
        "than 256 MiB. The fused one runs on {}: forwards, forwards with a causal mask, and "
        "backwards. Shares are of the machine's peak.",
        heads.n_heads, heads.d_head, threads_text(settings.how.n_threads));
    const std::vector<AttentionTime> times =
        attention_times(settings.how, heads, tokens, repetitions_of(frame));
    Table table({"tokens", "plain", "fused", "of peak", "causal", "causal / full", "backward",
                 "of peak"});
    std::vector<std::vector<std::string>> kept = {
        {"tokens", "plain_ms", "fused_ms", "causal_ms", "backward_ms"}};
    for (const AttentionTime& time : times) {
        const double forwards = attention_operations(sizes_of(heads, time.n_tokens), false);
        const auto ms = [](double seconds) {
            return seconds == 0 ? std::string("-") : significant(seconds * 1e3, 3);
        };
        const auto share = [&](double operations, double seconds) {
            return percent(operations / seconds * 1e-9 / time.peak);
        };
        table.row({std::to_string(time.n_tokens), ms(time.plain), ms(time.fused),
                   share(forwards, time.fused), ms(time.causal),
                   fixed(time.causal / time.fused, 2), ms(time.backward),
                   share(2.5 * forwards, time.backward)});
        kept.push_back({std::to_string(time.n_tokens),
                        time.plain == 0 ? "nan" : four_digits(time.plain * 1e3),
                        four_digits(time.fused * 1e3), four_digits(time.causal * 1e3),
                        four_digits(time.backward * 1e3)});
    }
    frame.terminal.table(table);
    frame.terminal.line();

    // Where memory is, on the same lengths as far as plain attention goes.
    tokens.resize(std::min<std::size_t>(tokens.size(), 6));
    std::vector<std::vector<std::string>> kept_memory = {{"tokens", "plain_mb", "fused_mb"}};
    for (const AttentionMemory& memory :
         attention_memory(*settings.how.kernels, heads, tokens)) {
        kept_memory.push_back({std::to_string(memory.n_tokens),
                               four_digits(static_cast<double>(memory.plain) * 1e-6),
                               four_digits(static_cast<double>(memory.fused) * 1e-6)});
    }
    save_rows(frame, "simd_lengths.csv", kept);
    save_rows(frame, "simd_memory.csv", kept_memory);
}

// ---------------------------------------------------------------- instruction sets and threads

namespace {

double time_of(const Variant& variant, const Execution& how, const Frame& frame)
{
    return best_seconds([&] { variant.run(how); }, repetitions_of(frame));
}

} // namespace

void show_instruction_sets(Frame& frame, const Settings& settings)
{
    LadderSizes sizes = settings.sizes;
    sizes.softmax_rows = std::min<std::size_t>(sizes.softmax_rows, 512);
    const double softmax_mib =
        static_cast<double>(sizes.softmax_rows * sizes.softmax_columns * sizeof(float)) /
        (1 << 20);
    frame.terminal.introduce(
        "By instruction set",
        "The last rung of each ladder on one thread: GFLOP/s, and the share of the peak of the "
        "same instructions. One body of source, compiled once for each. The softmax is of {} "
        "rows only, {} MiB that a large cache holds: here it is not memory that bounds it.",
        sizes.softmax_rows, fixed(softmax_mib, 0));
    std::vector<std::string> header = {"instructions", "lanes", "peak"};
    std::vector<std::vector<std::string>> kept = {header};
    const std::vector<Ladder> all = all_ladders(sizes);
    for (const Ladder& ladder : all) {
        header.insert(header.end(), {ladder.name, "of peak"});
        kept.front().push_back(ladder.name);
    }
    Table table(header);
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        const Execution how{.kernels = kernels, .n_threads = 1};
        const double peak = fma_peak(how);
        std::vector<std::string> row = {kernels->name, std::to_string(kernels->lanes),
                                        fixed(peak, 1)};
        std::vector<std::string> kept_row = {kernels->name, std::to_string(kernels->lanes),
                                             four_digits(peak)};
        for (std::size_t i = 0; i < all.size(); ++i) {
            const double gflops =
                all[i].flops * 1e-9 / time_of(all[i].variants.back(), how, frame);
            row.insert(row.end(), {fixed(gflops, 1), percent(gflops / peak)});
            kept_row.push_back(four_digits(gflops));
        }
        table.row(row);
        kept.push_back(kept_row);
    }
    frame.terminal.table(table);
    save_rows(frame, "simd_instruction_sets.csv", kept);
}

namespace {

/// 1, 2, 4 and so on, and the last.
std::vector<std::size_t> doubled_up_to(std::size_t last)
{
    std::vector<std::size_t> all;
    for (std::size_t n = 1; n < last; n *= 2) {
        all.push_back(n);
    }
    all.push_back(last);
    return all;
}

} // namespace

void show_threads(Frame& frame, const Settings& settings)
{
    frame.terminal.introduce(
        "By number of threads",
        "How many times as fast as on one thread the last rung of each ladder is. What bounds "
        "it says how much to hope for: the peak is each thread's own, memory is shared.");
    const std::vector<Ladder> all = all_ladders(settings.sizes);
    std::vector<std::string> header = {"threads", "peak"};
    for (const Ladder& ladder : all) {
        header.push_back(ladder.name);
    }
    // One number of threads after the other, and once more: a slow while of the machine is
    // shared.
    const std::vector<std::size_t> counts = doubled_up_to(settings.how.n_threads);
    std::vector<std::vector<double>> speeds(counts.size(),
                                            std::vector<double>(all.size() + 1, 0.0));
    for (std::size_t run = 0; run < 2 * counts.size(); ++run) {
        std::vector<double>& best = speeds[run % counts.size()];
        const Execution how{.kernels = settings.how.kernels,
                            .n_threads = counts[run % counts.size()]};
        best[0] = std::max(best[0], fma_peak(how));
        for (std::size_t i = 0; i < all.size(); ++i) {
            best[i + 1] =
                std::max(best[i + 1], 1 / time_of(all[i].variants.back(), how, frame));
        }
    }
    Table table(header);
    std::vector<std::vector<std::string>> kept = {header};
    for (std::size_t n = 0; n < counts.size(); ++n) {
        std::vector<std::string> row = {std::to_string(counts[n])};
        for (std::size_t i = 0; i < speeds[n].size(); ++i) {
            row.push_back(fixed(speeds[n][i] / speeds[0][i], 2));
        }
        table.row(row);
        kept.push_back(row);
    }
    frame.terminal.table(table);
    save_rows(frame, "simd_threads.csv", kept);
}

} // namespace attn::simd_transformer
