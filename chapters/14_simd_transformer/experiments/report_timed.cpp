#include "chapters/14_simd_transformer/experiments/attention_costs.hpp"
#include "chapters/14_simd_transformer/experiments/attention_ladder.hpp"
#include "chapters/14_simd_transformer/experiments/report.hpp"
#include "chapters/14_simd_transformer/roofline.hpp"
#include "common/program/number.hpp"
#include "common/program/processor.hpp"

#include <algorithm>
#include <cmath>

namespace attn::simd_transformer::report {

using program::fixed;
using program::Frame;
using program::significant;
using program::Table;

namespace {

/// Short measurements for --quick.
Patience patience_of(const Frame& frame)
{
    return frame.options.quick ? Patience{.seconds = 0.01, .n_runs = 1}
                               : Patience{.seconds = 0.3, .n_runs = 2};
}

double time_of(const Rung& rung, const Execution& how, const Frame& frame)
{
    return best_seconds([&] { rung.run(how); }, patience_of(frame));
}

std::string percent(double share)
{
    return fixed(100 * share, 0) + " %";
}

std::string threads_text(std::size_t n)
{
    return n == 1 ? "one thread" : fmt::format("{} threads", n);
}

/// Rows that are kept for a figure.
class KeptRows
{
public:
    explicit KeptRows(std::vector<std::string> header)
        : header_(std::move(header)), columns_(header_.size())
    {
    }
    void add(const std::vector<std::string>& row)
    {
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            columns_[c].push_back(row.at(c));
        }
    }
    void write(Frame& frame, const std::string& file) const
    {
        frame.files.write_csv(file, header_, columns_);
    }

private:
    std::vector<std::string> header_;
    std::vector<std::vector<std::string>> columns_;
};

/// For a figure.
std::string four_digits(double number)
{
    return significant(number, 4);
}

} // namespace

Limits machine(Frame& frame, const Settings& settings)
{
    frame.terminal.introduce(
        "This machine",
        "{}, with the kernels for {} of {} lanes. Multiplications and additions in registers "
        "alone, and copies of 128 MiB, with stores through the cache and around it; bytes read "
        "and bytes written are counted. Where a computation does fewer operations a byte than "
        "the last column, memory bounds it; where it does more, arithmetic.",
        program::processor(), settings.how.kernels->name, settings.how.kernels->lanes);
    Table table(
        {"threads", "GFLOP/s", "copy: GB/s", "around the cache: GB/s", "operations a byte"});
    const Limits limits = measure_limits(settings.how);
    const auto row = [&](std::size_t n_threads, const Machine& here) {
        table.row({std::to_string(n_threads), fixed(here.peak, 1), fixed(here.copy, 1),
                   fixed(here.stream, 1), fixed(here.peak / here.bandwidth(), 1)});
    };
    row(1, limits.one);
    if (settings.how.n_threads > 1) {
        row(settings.how.n_threads, limits.all);
    }
    frame.terminal.table(table);
    return limits;
}

namespace {

/// "matrix product" as a part of a file's name.
std::string file_of(const Ladder& ladder)
{
    std::string name = "simd_ladder_" + ladder.name + ".csv";
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
}

void keep_ladder(Frame& frame, const Ladder& ladder, const std::vector<Measured>& all)
{
    KeptRows rows(
        {"place", "rung", "gflops", "peak", "limit", "intensity", "gigabytes", "times_first"});
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::string name = ladder.rungs[i].name; // gnuplot cuts a label at a comma
        name.erase(std::remove(name.begin(), name.end(), ','), name.end());
        rows.add({std::to_string(i), name, four_digits(all[i].gflops),
                  four_digits(all[i].machine.peak), four_digits(all[i].limit),
                  four_digits(ladder.flops / ladder.rungs[i].bytes),
                  four_digits(all[i].gigabytes), four_digits(all[i].times_first)});
    }
    rows.write(frame, file_of(ladder));
}

void keep_roofline(Frame& frame, const Limits& limits)
{
    std::vector<double> intensities = {limits.one.peak / limits.one.bandwidth(),
                                       limits.all.peak / limits.all.bandwidth()};
    for (double intensity = 0.25; intensity < 1500; intensity *= std::sqrt(2.0)) {
        intensities.push_back(intensity);
    }
    std::sort(intensities.begin(), intensities.end());
    KeptRows rows({"intensity", "one", "all"});
    for (const double intensity : intensities) {
        const auto roof = [&](const Machine& here) {
            return four_digits(roofline(here.peak, here.bandwidth(), intensity));
        };
        rows.add({four_digits(intensity), roof(limits.one), roof(limits.all)});
    }
    rows.write(frame, "simd_roofline.csv");
}

} // namespace

void ladders(Frame& frame, const Settings& settings, const Limits& limits)
{
    frame.terminal.introduce(
        "The ladders, measured",
        "The limit is the roofline's: the peak, or what memory could feed if it had to bring "
        "every counted byte. A rung with more than the limit has its numbers in a cache. "
        "The last rung of each ladder runs on {}, the others on one; peak and limit are for as "
        "many.",
        threads_text(settings.how.n_threads));
    for (const Ladder& ladder : all_ladders(settings.sizes)) {
        frame.terminal.line(ladder.name + ", " + ladder.size);
        Table table(
            {"rung", "ms", "GFLOP/s", "of peak", "limit", "of limit", "times the first"});
        const std::vector<Measured> all =
            climb(ladder, settings.how, limits, patience_of(frame));
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Measured& here = all[i];
            table.row({ladder.rungs[i].name, significant(here.seconds * 1e3, 3),
                       significant(here.gflops, 3), percent(here.of_peak), fixed(here.limit, 1),
                       percent(here.of_limit), fixed(here.times_first, 1)});
        }
        frame.terminal.table(table);
        frame.terminal.line();
        keep_ladder(frame, ladder, all);
    }
    keep_roofline(frame, limits);
}

void lengths(Frame& frame, const Settings& settings)
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
        attention_times(settings.how, heads, tokens, patience_of(frame));
    Table table({"tokens", "plain", "fused", "of peak", "causal", "causal / full", "backward",
                 "of peak"});
    KeptRows kept({"tokens", "plain_ms", "fused_ms", "causal_ms", "backward_ms"});
    for (const AttentionTime& time : times) {
        const AttentionSizes sizes{.n_heads = heads.n_heads,
                                   .n_queries = time.n_tokens,
                                   .n_keys = time.n_tokens,
                                   .d_k = heads.d_head,
                                   .d_v = heads.d_head};
        const double forwards = attention_operations(sizes, false);
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
        kept.add({std::to_string(time.n_tokens),
                  time.plain == 0 ? "nan" : four_digits(time.plain * 1e3),
                  four_digits(time.fused * 1e3), four_digits(time.causal * 1e3),
                  four_digits(time.backward * 1e3)});
    }
    frame.terminal.table(table);
    frame.terminal.line();

    // Where memory is, on the same lengths as far as plain attention goes.
    tokens.resize(std::min<std::size_t>(tokens.size(), 6));
    KeptRows kept_memory({"tokens", "plain_mb", "fused_mb"});
    for (const AttentionMemory& memory :
         attention_memory(*settings.how.kernels, heads, tokens)) {
        kept_memory.add({std::to_string(memory.n_tokens),
                         four_digits(static_cast<double>(memory.plain) * 1e-6),
                         four_digits(static_cast<double>(memory.fused) * 1e-6)});
    }
    kept.write(frame, "simd_lengths.csv");
    kept_memory.write(frame, "simd_memory.csv");
}

void by_instruction_set(Frame& frame, const Settings& settings)
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
    std::vector<std::string> kept_header = header;
    const std::vector<Ladder> all = all_ladders(sizes);
    for (const Ladder& ladder : all) {
        header.insert(header.end(), {ladder.name, "of peak"});
        kept_header.push_back(ladder.name);
    }
    Table table(header);
    KeptRows kept(kept_header);
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        const Execution how{.kernels = kernels, .n_threads = 1};
        const double peak = fma_peak(how);
        std::vector<std::string> row = {kernels->name, std::to_string(kernels->lanes),
                                        fixed(peak, 1)};
        std::vector<std::string> kept_row = {kernels->name, std::to_string(kernels->lanes),
                                             four_digits(peak)};
        for (std::size_t i = 0; i < all.size(); ++i) {
            const double gflops =
                all[i].flops * 1e-9 / time_of(all[i].rungs.back(), how, frame);
            row.insert(row.end(), {fixed(gflops, 1), percent(gflops / peak)});
            kept_row.push_back(four_digits(gflops));
        }
        table.row(row);
        kept.add(kept_row);
    }
    frame.terminal.table(table);
    kept.write(frame, "simd_instruction_sets.csv");
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

void by_threads(Frame& frame, const Settings& settings)
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
    // One number of threads after the other, and once more: a slow while of the machine is shared.
    const std::vector<std::size_t> counts = doubled_up_to(settings.how.n_threads);
    std::vector<std::vector<double>> speeds(counts.size(),
                                            std::vector<double>(all.size() + 1, 0.0));
    for (std::size_t run = 0; run < 2 * counts.size(); ++run) {
        std::vector<double>& best = speeds[run % counts.size()];
        const Execution how{.kernels = settings.how.kernels,
                            .n_threads = counts[run % counts.size()]};
        best[0] = std::max(best[0], fma_peak(how));
        for (std::size_t i = 0; i < all.size(); ++i) {
            best[i + 1] = std::max(best[i + 1], 1 / time_of(all[i].rungs.back(), how, frame));
        }
    }
    Table table(header);
    KeptRows kept(header);
    for (std::size_t n = 0; n < counts.size(); ++n) {
        std::vector<std::string> row = {std::to_string(counts[n])};
        for (std::size_t i = 0; i < speeds[n].size(); ++i) {
            row.push_back(fixed(speeds[n][i] / speeds[0][i], 2));
        }
        table.row(row);
        kept.add(row);
    }
    frame.terminal.table(table);
    kept.write(frame, "simd_threads.csv");
}

} // namespace attn::simd_transformer::report
