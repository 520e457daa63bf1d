/// \file
/// \brief What can be said of measurements without measuring well: copies are copies, work is
/// counted, the best run is kept. How fast this machine is, no test asks.
#include "chapters/14_simd_transformer/experiments/experiments.hpp"

#include "chapters/14_simd_transformer/roofline.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

#include <chrono>
#include <cstring>
#include <limits>
#include <string>
#include <thread>

using namespace attn;
namespace simd = attn::simd_transformer;

TEST_CASE("the best of several runs is the shortest, and the first is not counted", "[14]")
{
    // The first run takes no time, the others some: were it counted, it would be the best.
    std::size_t n_runs = 0;
    const double best = simd::best_seconds(
        [&] {
            if (n_runs++ != 0) {
                std::this_thread::sleep_for(std::chrono::milliseconds(n_runs == 3 ? 2 : 50));
            }
        },
        {.seconds = 0, .n_runs = 4});
    CHECK(n_runs == 5);
    CHECK(best >= 0.002);
    CHECK(best < 0.05);
    CHECK_THROWS_AS(simd::best_seconds([] {}, {.seconds = 1, .n_runs = 0}), ContractError);
}

TEST_CASE("a first run that takes longer than the time is counted", "[14]")
{
    std::size_t n_runs = 0;
    const auto run = [&] {
        ++n_runs;
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
    };
    // Longer than the best of the case above may be: no constant passes both.
    CHECK(simd::best_seconds(run, {.seconds = 0.001, .n_runs = 2}) >= 0.06);
    CHECK(n_runs == 2);
}

TEST_CASE("a measurement goes on for as long as it is asked to", "[14]")
{
    std::size_t n_runs = 0;
    const auto run = [&] {
        ++n_runs;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    simd::best_seconds(run, {.seconds = 0.3, .n_runs = 1}); // long beside what a busy machine takes
    CHECK(n_runs > 2);
    CHECK(n_runs <= 301);
}

TEST_CASE("multiplications and additions are counted with their lanes", "[14]")
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        INFO(kernels->name);
        float sink = 0;
        const double once = simd::ladder_kernels({kernels}).machine.multiply_add(100, &sink);
        CHECK(simd::ladder_kernels({kernels}).machine.multiply_add(300, &sink) == 3 * once);
        // With AVX-512 and on every ARM processor there are 32 registers.
        const bool many_registers =
            std::string(kernels->name) == "avx512" ||
            std::string(kernels::instruction_sets().back()->name) == "neon";
        const int n_chains = many_registers ? 16 : 12;
        CHECK(once == 200.0 * n_chains * static_cast<double>(kernels->lanes));
    }
}

TEST_CASE("every chain goes on by one each round", "[14]")
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        INFO(kernels->name);
        float after_even = 0;
        float after_odd = 0;
        const simd::MachineKernels& machine = simd::ladder_kernels({kernels}).machine;
        const double operations = machine.multiply_add(100, &after_even);
        machine.multiply_add(101, &after_odd);
        // The chains begin at 1, 2, ..., and each round changes their signs.
        const double n = operations / (200.0 * static_cast<double>(kernels->lanes));
        CHECK(after_even == static_cast<float>(n * (n + 1) / 2));
        CHECK(after_odd == -after_even);
    }
}

TEST_CASE("copies copy every number and none beside, of any length", "[14]")
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const std::size_t n : {0U, 1U, 3U, 15U, 16U, 17U, 63U, 64U, 65U, 200U}) {
            INFO(kernels->name << ", " << n << " numbers");
            std::vector<float> from(n + 1);
            for (std::size_t i = 0; i <= n; ++i) {
                from[i] = static_cast<float>(i) + 0.5F;
            }
            alignas(64) float to[256];
            const simd::MachineKernels& machine = simd::ladder_kernels({kernels}).machine;
            for (const auto copy : {machine.copy, machine.stream}) {
                std::fill(to, to + 256, -1.0F);
                copy(from.data() + 1, to, n);
                CHECK(std::memcmp(to, from.data() + 1, n * sizeof(float)) == 0);
                CHECK(to[n] == -1.0F);
            }
        }
    }
}

TEST_CASE("peak and bandwidth are numbers of this world, on one thread and on three", "[14]")
{
    const simd::Repetitions short_time{.seconds = 0, .n_runs = 1};
    for (const std::size_t n_threads : {1U, 3U}) {
        const simd::Execution how{.n_threads = n_threads};
        for (const double x :
             {simd::fma_peak(how, short_time), simd::copy_bandwidth(how, short_time),
              simd::stream_bandwidth(how, short_time)}) {
            CHECK(x > 1e-3);
            CHECK(x < 1e6);
        }
    }
    const simd::Execution none{.n_threads = 0};
    CHECK_THROWS_AS(simd::fma_peak(none), ContractError);
    CHECK_THROWS_AS(simd::copy_bandwidth(none), ContractError);
    CHECK_THROWS_AS(simd::stream_bandwidth(none), ContractError);
}

TEST_CASE("the roof rises with the intensity up to the ridge, and is level behind it", "[14]")
{
    CHECK(simd::roofline(100, 10, 0) == 0);
    CHECK(simd::roofline(100, 10, 2) == 20);
    CHECK(simd::roofline(100, 10, 10) == 100);
    CHECK(simd::roofline(100, 10, 1e9) == 100);
    CHECK_THROWS_AS(simd::roofline(100, -1, 1), ContractError);
}
