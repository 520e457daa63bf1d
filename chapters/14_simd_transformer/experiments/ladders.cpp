#include "chapters/14_simd_transformer/experiments/ladders.hpp"

#include "chapters/14_simd_transformer/experiments/attention_ladder.hpp"
#include "chapters/14_simd_transformer/experiments/matrix_product_ladder.hpp"
#include "chapters/14_simd_transformer/experiments/softmax_ladder.hpp"
#include "chapters/14_simd_transformer/roofline.hpp"
#include "common/random/random.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace attn::simd_transformer {

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

/// The same kernels on one thread if a rung knows no more.
Execution threads_of(const Rung& rung, const Execution& how)
{
    return {.kernels = how.kernels, .n_threads = rung.threaded ? how.n_threads : 1};
}

} // namespace

// ---------------------------------------------------------------- the ladders

Ladder product_rungs(const ProductSize& size)
{
    const auto [m, n, k] = size;
    expect(m > 0 && n > 0 && k > 0, "product_rungs: no product of [{}, {}] and [{}, {}]", m, k,
           k, n);
    Ladder ladder{.name = "matrix product",
                  .size = fmt::format("{} x {} x {}", m, n, k),
                  .flops = 2 * number(m) * number(n) * number(k),
                  .rungs = {},
                  .result = std::make_shared<std::vector<float>>(m * n)};
    const SharedFloats a = normal_floats(m * k, 1);
    const SharedFloats b = normal_floats(k * n, 2);
    for (const MatrixProductRung& rung : matrix_product_ladder()) {
        ladder.rungs.push_back(
            {.name = rung.name,
             .idea = rung.idea,
             .bytes = number(m * k + k * n + m * n) * bytes_of_float,
             .threaded = &rung == &matrix_product_ladder().back(),
             .run = [=, multiply = rung.multiply, c = ladder.result](const Execution& how) {
                 multiply(how, size.m, size.n, size.k, a->data(), b->data(), c->data());
             }});
    }
    return ladder;
}

Ladder softmax_rungs(std::size_t n_rows, std::size_t n_columns)
{
    expect(n_rows > 0 && n_columns > 0, "softmax_rungs: no numbers in [{}, {}]", n_rows,
           n_columns);
    const double n_numbers = number(n_rows) * number(n_columns);
    Ladder ladder{.name = "softmax",
                  .size = fmt::format("{} rows of {}", n_rows, n_columns),
                  .flops = 5 * n_numbers,
                  .rungs = {},
                  .result = std::make_shared<std::vector<float>>(n_rows * n_columns)};
    const SharedFloats scores = normal_floats(n_rows * n_columns, 3);
    for (const SoftmaxRung& rung : softmax_ladder()) {
        ladder.rungs.push_back(
            {.name = rung.name,
             .idea = rung.idea,
             .bytes = rung.n_passes * n_numbers * bytes_of_float,
             .threaded = &rung == &softmax_ladder().back(),
             .run = [=, run = rung.run, weights = ladder.result](const Execution& how) {
                 run(how, {n_rows, n_columns}, scores->data(), weights->data());
             }});
    }
    return ladder;
}

Ladder attention_rungs(std::size_t n_heads, std::size_t n_tokens, std::size_t d_head)
{
    expect(n_heads > 0 && n_tokens > 0 && d_head > 0,
           "attention_rungs: no attention of {} heads, {} tokens and {} numbers", n_heads,
           n_tokens, d_head);
    const std::size_t n_numbers = n_tokens * n_heads * d_head;
    const double n_scores = number(n_heads) * number(n_tokens) * number(n_tokens);
    Ladder ladder{.name = "attention",
                  .size = fmt::format("{} heads of {}, {} tokens", n_heads, d_head, n_tokens),
                  .flops = 0,
                  .rungs = {},
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
    for (const AttentionRung& rung : attention_ladder()) {
        // A table of all scores goes through memory four times: out of the first product, into
        // the softmax and out of it, into the second product. Less than that stays in a cache.
        const double n_moved =
            4 * number(n_numbers) + (rung.keeps_all_scores ? 4 * n_scores : 0);
        ladder.rungs.push_back(
            {.name = rung.name,
             .idea = rung.idea,
             .bytes = n_moved * bytes_of_float,
             .threaded = &rung == &attention_ladder().back(),
             .run = [=, attend = rung.attend, context = ladder.result](const Execution& how) {
                 attend(how, sizes, {}, queries->data(), keys->data(), values->data(),
                        context->data());
             }});
    }
    return ladder;
}

std::vector<Ladder> all_ladders(const LadderSizes& sizes)
{
    return {product_rungs(sizes.product),
            softmax_rungs(sizes.softmax_rows, sizes.softmax_columns),
            attention_rungs(sizes.n_heads, sizes.n_tokens, sizes.d_head)};
}

double largest_difference(const Ladder& ladder, std::size_t rung, const Execution& how)
{
    expect(rung < ladder.rungs.size(), "largest_difference: rung {} of {}", rung,
           ladder.rungs.size());
    ladder.rungs.front().run(how);
    const std::vector<float> wanted = *ladder.result;
    std::fill(ladder.result->begin(), ladder.result->end(), 0.0F);
    ladder.rungs[rung].run(how);
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

Limits measure_limits(const Execution& how, Patience patience)
{
    const auto on = [&](std::size_t n_threads) {
        const Execution here{.kernels = how.kernels, .n_threads = n_threads};
        return Machine{.peak = fma_peak(here, patience),
                       .copy = copy_bandwidth(here, patience),
                       .stream = stream_bandwidth(here, patience)};
    };
    const Machine one = on(1);
    return {.one = one, .all = how.n_threads == 1 ? one : on(how.n_threads)};
}

std::vector<Measured> climb(const Ladder& ladder, const Execution& how, const Limits& limits,
                            Patience patience)
{
    const Patience short_time{.seconds = 0.02, .n_runs = 3};
    std::vector<Measured> measured;
    for (const Rung& rung : ladder.rungs) {
        const Execution here = threads_of(rung, how);
        // Clocks change with time and neighbours: the peak is the one beside the rung.
        Machine machine = rung.threaded ? limits.all : limits.one;
        machine.peak = fma_peak(here, short_time);
        const double seconds = best_seconds([&] { rung.run(here); }, patience);
        machine.peak = std::max(machine.peak, fma_peak(here, short_time));
        const double gflops = ladder.flops / seconds * 1e-9;
        const double limit =
            roofline(machine.peak, machine.bandwidth(), ladder.flops / rung.bytes);
        const double first = measured.empty() ? seconds : measured.front().seconds;
        measured.push_back({.seconds = seconds,
                            .gflops = gflops,
                            .gigabytes = rung.bytes / seconds * 1e-9,
                            .machine = machine,
                            .limit = limit,
                            .of_peak = gflops / machine.peak,
                            .of_limit = gflops / limit,
                            .times_first = first / seconds});
    }
    return measured;
}

} // namespace attn::simd_transformer
