#include "chapters/14_simd_transformer/experiments/experiments.hpp"

#include "chapters/14_simd_transformer/roofline.hpp"
#include "common/program/number.hpp"
#include "common/program/processor.hpp"
#include "common/random/random.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace attn::simd_transformer {

using program::fixed;
using program::Frame;
using program::significant;
using program::Table;

namespace {

constexpr double bytes_of_float = sizeof(float);

using SharedFloats = std::shared_ptr<std::vector<float>>;

SharedFloats normal_floats(std::size_t n, std::uint64_t seed)
{
    random::Generator generator(seed);
    auto floats = std::make_shared<std::vector<float>>(n);
    for (float& x : *floats) {
        x = static_cast<float>(generator.normal());
    }
    return floats;
}

double number(std::size_t n)
{
    return static_cast<double>(n);
}

/// The same kernels on one thread if a variant knows no more.
Execution threads_of(const Variant& variant, const Execution& how)
{
    return {.kernels = how.kernels, .n_threads = variant.threaded ? how.n_threads : 1};
}

} // namespace

// ---------------------------------------------------------------- the ladders

Ladder product_ladder(const ProductSize& size)
{
    const auto [m, n, k] = size;
    expect(m > 0 && n > 0 && k > 0, "product_rungs: no product of [{}, {}] and [{}, {}]", m, k,
           k, n);
    Ladder ladder{.name = "matrix product",
                  .size = fmt::format("{} x {} x {}", m, n, k),
                  .flops = 2 * number(m) * number(n) * number(k),
                  .variants = {},
                  .result = std::make_shared<std::vector<float>>(m * n)};
    const SharedFloats a = normal_floats(m * k, 1);
    const SharedFloats b = normal_floats(k * n, 2);
    for (const MatrixProductVariant& variant : matrix_product_variants()) {
        ladder.variants.push_back(
            {.name = variant.name,
             .idea = variant.idea,
             .bytes = number(m * k + k * n + m * n) * bytes_of_float,
             .threaded = &variant == &matrix_product_variants().back(),
             .run = [=, multiply = variant.multiply, c = ladder.result](const Execution& how) {
                 multiply(how, size.m, size.n, size.k, a->data(), b->data(), c->data());
             }});
    }
    return ladder;
}

Ladder softmax_ladder(std::size_t n_rows, std::size_t n_columns)
{
    expect(n_rows > 0 && n_columns > 0, "softmax_rungs: no numbers in [{}, {}]", n_rows,
           n_columns);
    const double n_numbers = number(n_rows) * number(n_columns);
    Ladder ladder{.name = "softmax",
                  .size = fmt::format("{} rows of {}", n_rows, n_columns),
                  .flops = 5 * n_numbers,
                  .variants = {},
                  .result = std::make_shared<std::vector<float>>(n_rows * n_columns)};
    const SharedFloats scores = normal_floats(n_rows * n_columns, 3);
    for (const SoftmaxVariant& variant : softmax_variants()) {
        ladder.variants.push_back(
            {.name = variant.name,
             .idea = variant.idea,
             .bytes = variant.n_passes * n_numbers * bytes_of_float,
             .threaded = &variant == &softmax_variants().back(),
             .run = [=, run = variant.run, weights = ladder.result](const Execution& how) {
                 run(how, {n_rows, n_columns}, scores->data(), weights->data());
             }});
    }
    return ladder;
}

Ladder attention_ladder(std::size_t n_heads, std::size_t n_tokens, std::size_t d_head)
{
    expect(n_heads > 0 && n_tokens > 0 && d_head > 0,
           "attention_rungs: no attention of {} heads, {} tokens and {} numbers", n_heads,
           n_tokens, d_head);
    const std::size_t n_numbers = n_tokens * n_heads * d_head;
    const double n_scores = number(n_heads) * number(n_tokens) * number(n_tokens);
    Ladder ladder{.name = "attention",
                  .size = fmt::format("{} heads of {}, {} tokens", n_heads, d_head, n_tokens),
                  .flops = 0,
                  .variants = {},
                  .result = std::make_shared<std::vector<float>>(n_numbers)};
    const SharedFloats queries = normal_floats(n_numbers, 4);
    const SharedFloats keys = normal_floats(n_numbers, 5);
    const SharedFloats values = normal_floats(n_numbers, 6);
    const AttentionSizes sizes{.n_heads = n_heads,
                               .n_queries = n_tokens,
                               .n_keys = n_tokens,
                               .d_k = d_head,
                               .d_v = d_head};
    ladder.flops = attention_operations(sizes, false);
    for (const AttentionVariant& variant : attention_variants()) {
        // A table of all scores goes through memory four times: out of the first product, into
        // the softmax and out of it, into the second product. Less than that stays in a cache.
        const double n_moved =
            4 * number(n_numbers) + (variant.keeps_all_scores ? 4 * n_scores : 0);
        ladder.variants.push_back({.name = variant.name,
                                   .idea = variant.idea,
                                   .bytes = n_moved * bytes_of_float,
                                   .threaded = &variant == &attention_variants().back(),
                                   .run = [=, attend = variant.attend,
                                           context = ladder.result](const Execution& how) {
                                       attend(how, sizes, {}, queries->data(), keys->data(),
                                              values->data(), context->data());
                                   }});
    }
    return ladder;
}

std::vector<Ladder> all_ladders(const LadderSizes& sizes)
{
    return {product_ladder(sizes.product),
            softmax_ladder(sizes.softmax_rows, sizes.softmax_columns),
            attention_ladder(sizes.n_heads, sizes.n_tokens, sizes.d_head)};
}

double largest_difference(const Ladder& ladder, std::size_t variant, const Execution& how)
{
    expect(variant < ladder.variants.size(), "largest_difference: rung {} of {}", variant,
           ladder.variants.size());
    ladder.variants.front().run(how);
    const std::vector<float> wanted = *ladder.result;
    std::fill(ladder.result->begin(), ladder.result->end(), 0.0F);
    ladder.variants[variant].run(how);
    double difference = 0;
    double largest = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double x = (*ladder.result)[i];
        if (!std::isfinite(x)) {
            return std::numeric_limits<double>::infinity();
        }
        difference = std::max(difference, std::abs(x - static_cast<double>(wanted[i])));
        largest = std::max(largest, std::abs(static_cast<double>(wanted[i])));
    }
    return difference / largest;
}

// ---------------------------------------------------------------- measured

std::vector<Measured> measure_variants(const Ladder& ladder, const Execution& how,
                                       const Limits& limits, Repetitions repetitions)
{
    const Repetitions short_time{.seconds = 0.02, .n_runs = 3};
    std::vector<Measured> measured;
    for (const Variant& variant : ladder.variants) {
        const Execution here = threads_of(variant, how);
        // Clocks change with time and neighbours: the peak is the one beside the variant.
        Machine machine = variant.threaded ? limits.all : limits.one;
        machine.peak = fma_peak(here, short_time);
        const double seconds = best_seconds([&] { variant.run(here); }, repetitions);
        machine.peak = std::max(machine.peak, fma_peak(here, short_time));
        const double gflops = ladder.flops / seconds * 1e-9;
        const double limit =
            roofline(machine.peak, machine.bandwidth(), ladder.flops / variant.bytes);
        const double first = measured.empty() ? seconds : measured.front().seconds;
        measured.push_back({.seconds = seconds,
                            .gflops = gflops,
                            .gigabytes = variant.bytes / seconds * 1e-9,
                            .machine = machine,
                            .limit = limit,
                            .times_first = first / seconds});
    }
    return measured;
}

// ---------------------------------------------------------------- printed

Repetitions repetitions_of(const Frame& frame)
{
    return frame.options.quick ? Repetitions{.seconds = 0.01, .n_runs = 1}
                               : Repetitions{.seconds = 0.2, .n_runs = 2};
}

std::string percent(double share)
{
    return fixed(100 * share, 0) + " %";
}

std::string threads_text(std::size_t n)
{
    return n == 1 ? "one thread" : fmt::format("{} threads", n);
}

std::string four_digits(double number)
{
    return significant(number, 4);
}

void save_rows(Frame& frame, const std::string& file,
               const std::vector<std::vector<std::string>>& rows)
{
    std::vector<std::vector<std::string>> columns(rows.front().size());
    for (std::size_t row = 1; row < rows.size(); ++row) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            columns[c].push_back(rows[row].at(c));
        }
    }
    frame.files.write_csv(file, rows.front(), columns);
}

namespace {

/// Sizes that neither a vector nor a tile divides, small enough for the first variants.
constexpr LadderSizes awkward = {.product = {67, 53, 71},
                                 .softmax_rows = 33,
                                 .softmax_columns = 131,
                                 .n_heads = 3,
                                 .n_tokens = 131,
                                 .d_head = 61};

/// How far a variant is from the first; what is near enough is not told in digits, which depend
/// on the machine.
std::string nearness(const Ladder& ladder, std::size_t variant, const Execution& how)
{
    if (variant == 0) {
        return "-";
    }
    const double difference = largest_difference(ladder, variant, how);
    return difference < 1e-5 ? "below 1e-5" : significant(difference, 2);
}

} // namespace

void show_counted_ladders(Frame& frame, const Settings& settings)
{
    frame.terminal.introduce(
        "The ladders, counted",
        "Every rung computes the same, with as many operations: a multiplication and an "
        "addition are two, an exponential counts as one. Bytes are those that must go between "
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
        for (std::size_t variant = 0; variant < ladder.variants.size(); ++variant) {
            const Variant& here = ladder.variants[variant];
            table.row({here.name, here.idea, fixed(here.bytes * 1e-6, 1),
                       fixed(ladder.flops / here.bytes, 1),
                       nearness(small[i], variant, settings.how)});
        }
        frame.terminal.table(table);
    }
}

namespace {

Limits show_machine(Frame& frame, const Settings& settings)
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

/// Three digits or more, never with an exponent.
std::string milliseconds(double seconds)
{
    const double ms = seconds * 1e3;
    return ms < 1000 ? significant(ms, 3) : fixed(10 * std::round(ms / 10), 0);
}

/// "matrix product" as a part of a file's name.
std::string file_of(const Ladder& ladder)
{
    std::string name = "simd_ladder_" + ladder.name + ".csv";
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
}

void keep_ladder(Frame& frame, const Ladder& ladder, const std::vector<Measured>& all)
{
    std::vector<std::vector<std::string>> rows = {
        {"place", "rung", "gflops", "peak", "limit", "intensity", "gigabytes", "times_first"}};
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::string name = ladder.variants[i].name; // gnuplot cuts a label at a comma
        name.erase(std::remove(name.begin(), name.end(), ','), name.end());
        rows.push_back({std::to_string(i), name, four_digits(all[i].gflops),
                        four_digits(all[i].machine.peak), four_digits(all[i].limit),
                        four_digits(ladder.flops / ladder.variants[i].bytes),
                        four_digits(all[i].gigabytes), four_digits(all[i].times_first)});
    }
    save_rows(frame, file_of(ladder), rows);
}

void keep_roofline(Frame& frame, const Limits& limits)
{
    std::vector<double> intensities = {limits.one.peak / limits.one.bandwidth(),
                                       limits.all.peak / limits.all.bandwidth()};
    for (double intensity = 0.25; intensity < 1500; intensity *= std::sqrt(2.0)) {
        intensities.push_back(intensity);
    }
    std::sort(intensities.begin(), intensities.end());
    std::vector<std::vector<std::string>> rows = {{"intensity", "one", "all"}};
    for (const double intensity : intensities) {
        const auto roof = [&](const Machine& here) {
            return four_digits(roofline(here.peak, here.bandwidth(), intensity));
        };
        rows.push_back({four_digits(intensity), roof(limits.one), roof(limits.all)});
    }
    save_rows(frame, "simd_roofline.csv", rows);
}

} // namespace

void show_measured_ladders(Frame& frame, const Settings& settings)
{
    const Limits limits = show_machine(frame, settings);
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
            measure_variants(ladder, settings.how, limits, repetitions_of(frame));
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Measured& here = all[i];
            table.row({ladder.variants[i].name, milliseconds(here.seconds),
                       significant(here.gflops, 3), percent(here.gflops / here.machine.peak),
                       fixed(here.limit, 1), percent(here.gflops / here.limit),
                       fixed(here.times_first, 1)});
        }
        frame.terminal.table(table);
        frame.terminal.line();
        keep_ladder(frame, ladder, all);
    }
    keep_roofline(frame, limits);
}

} // namespace attn::simd_transformer
