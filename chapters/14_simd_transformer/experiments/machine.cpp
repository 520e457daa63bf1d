#include "chapters/14_simd_transformer/experiments/experiments.hpp"

#include "common/parallel/for_each_index.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <new>

namespace attn::simd_transformer {

namespace {

/// Floats of one array of a copy: more than caches hold.
constexpr std::size_t n_copied = std::size_t{1} << 25;

/// Kept from one run to the next, so that no run waits for the system to hand out memory.
using CopiedFloats = std::unique_ptr<float[], void (*)(float*)>;

/// At a multiple of 64 bytes, as stores around the cache ask for. Not written yet: the thread
/// that writes first to a page decides near which memory it lies.
CopiedFloats copied_floats()
{
    constexpr std::align_val_t alignment{64};
    auto* const memory =
        static_cast<float*>(::operator new(n_copied * sizeof(float), alignment));
    return {memory, [](float* floats) { ::operator delete(floats, alignment); }};
}

using CopyKernel = void (*)(const float*, float*, std::size_t);

double bandwidth_of(CopyKernel copy, const Execution& how, Repetitions repetitions)
{
    expect(how.n_threads > 0, "bandwidth: at least one thread is needed");
    const CopiedFloats from = copied_floats();
    const CopiedFloats to = copied_floats();
    // Cut at multiples of 16 floats, a line of the cache.
    constexpr std::size_t line = 16;
    const auto border = [&](std::size_t thread) {
        return n_copied / line * thread / how.n_threads * line;
    };
    const auto on_threads = [&](const std::function<void(std::size_t, std::size_t)>& work) {
        parallel::for_each_index(how.n_threads, how.n_threads, [&](std::size_t thread) {
            work(border(thread), border(thread + 1) - border(thread));
        });
    };
    on_threads([&](std::size_t first, std::size_t n) {
        std::fill_n(from.get() + first, n, 1.0F);
        std::fill_n(to.get() + first, n, 0.0F);
    });
    const double seconds = best_seconds(
        [&] {
            on_threads([&](std::size_t first, std::size_t n) {
                copy(from.get() + first, to.get() + first, n);
            });
        },
        repetitions);
    return 2.0 * static_cast<double>(n_copied * sizeof(float)) / seconds * 1e-9;
}

} // namespace

double best_seconds(const std::function<void()>& run, Repetitions repetitions)
{
    expect(repetitions.n_runs > 0, "best_seconds: at least one run is needed");
    using Clock = std::chrono::steady_clock;
    const auto seconds_of_run = [&] {
        const Clock::time_point start = Clock::now();
        run();
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    double best = std::numeric_limits<double>::infinity();
    double all = 0;
    std::size_t n_runs = 0;
    const auto count = [&](double seconds) {
        best = std::min(best, seconds);
        all += seconds;
        ++n_runs;
    };
    // The first run finds the caches empty: it counts only where that hardly matters.
    const double first = seconds_of_run();
    if (repetitions.seconds > 0 && first > repetitions.seconds) {
        count(first);
    }
    while (n_runs < repetitions.n_runs || all < repetitions.seconds) {
        count(seconds_of_run());
    }
    return best;
}

double fma_peak(const Execution& how, Repetitions repetitions)
{
    expect(how.n_threads > 0, "fma_peak: at least one thread is needed");
    constexpr std::size_t n_rounds = 800000; // some milliseconds
    constexpr std::size_t apart = 16;        // no two threads write to one line of the cache
    std::vector<float> sinks(how.n_threads * apart);
    double operations = 0;
    const double seconds = best_seconds(
        [&] {
            parallel::for_each_index(how.n_threads, how.n_threads, [&](std::size_t thread) {
                const double done =
                    ladder_kernels(how).machine.multiply_add(n_rounds, &sinks[thread * apart]);
                if (thread == 0) {
                    operations = done;
                }
            });
        },
        repetitions);
    return operations * static_cast<double>(how.n_threads) / seconds * 1e-9;
}

double copy_bandwidth(const Execution& how, Repetitions repetitions)
{
    return bandwidth_of(ladder_kernels(how).machine.copy, how, repetitions);
}

double stream_bandwidth(const Execution& how, Repetitions repetitions)
{
    return bandwidth_of(ladder_kernels(how).machine.stream, how, repetitions);
}

Limits measure_limits(const Execution& how, Repetitions repetitions)
{
    const auto on = [&](std::size_t n_threads) {
        const Execution here{.kernels = how.kernels, .n_threads = n_threads};
        return Machine{.peak = fma_peak(here, repetitions),
                       .copy = copy_bandwidth(here, repetitions),
                       .stream = stream_bandwidth(here, repetitions)};
    };
    const Machine one = on(1);
    return {.one = one, .all = how.n_threads == 1 ? one : on(how.n_threads)};
}

} // namespace attn::simd_transformer
