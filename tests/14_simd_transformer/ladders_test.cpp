/// \file
/// \brief The ladders as one kind of thing: what is counted, that every rung computes what the
/// first does, and what is measured of them. How fast they are, no test asks.
#include "chapters/14_simd_transformer/experiments/attention_costs.hpp"
#include "chapters/14_simd_transformer/experiments/ladders.hpp"

#include "common/tensor/array.hpp"
#include "common/tensor/check.hpp"
#include "common/tensor/pool_allocator.hpp"
#include "common/tensor/tensor.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <stdexcept>

using namespace attn;
namespace simd = attn::simd_transformer;
using Catch::Matchers::WithinRel;

TEST_CASE("every rung of every ladder is near its first, for every instruction set", "[14]")
{
    const std::vector<simd::Ladder> ladders = simd::all_ladders({.product = {35, 29, 43},
                                                                 .softmax_rows = 7,
                                                                 .softmax_columns = 37,
                                                                 .n_heads = 3,
                                                                 .n_tokens = 37,
                                                                 .d_head = 23});
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const simd::Ladder& ladder : ladders) {
            for (std::size_t rung = 0; rung < ladder.rungs.size(); ++rung) {
                INFO(kernels->name << ", " << ladder.name << ", " << ladder.rungs[rung].name);
                CHECK(simd::largest_difference(ladder, rung, {kernels, 2}) < 1e-5);
                CHECK(ladder.rungs[rung].threaded == (rung + 1 == ladder.rungs.size()));
            }
        }
    }
}

// [claim_intensity]
TEST_CASE("without scores kept, operations a byte grow with the sentence", "[14][claim]")
{
    const auto intensity = [](std::size_t n_tokens, const std::string& name) {
        const simd::Ladder ladder = simd::attention_rungs(1, n_tokens, 64);
        for (const simd::Rung& rung : ladder.rungs) {
            if (rung.name == name) {
                return ladder.flops / rung.bytes;
            }
        }
        return 0.0;
    };
    for (const std::size_t n : {5U, 64U, 256U, 1024U}) { // 5: fewer than a block of keys
        CHECK(intensity(n, "two products") < 64 / 4.0);
        CHECK_THAT(intensity(n, "fused tiles"), WithinRel(static_cast<double>(n) / 4, 1e-12));
    }
    CHECK(intensity(1024, "two products") > 15); // and no sentence makes it more than 16
}
// [claim_intensity]

TEST_CASE("operations and bytes are counted as the page says", "[14][claim]")
{
    const simd::Ladder product = simd::product_rungs({48, 48, 48});
    CHECK(product.flops == 2.0 * 48 * 48 * 48);
    CHECK(product.flops / product.rungs.back().bytes == 48 / 6.0);
    const simd::Ladder softmax = simd::softmax_rungs(3, 40);
    CHECK(softmax.flops == 5.0 * 3 * 40);
    CHECK(softmax.rungs.front().bytes == 8.0 * 3 * 40);
    CHECK(simd::attention_rungs(2, 10, 16).flops == 4.0 * 10 * 10 * 16 * 2);
    const simd::Ladder oblong = simd::product_rungs({2, 3, 5});
    CHECK(oblong.flops == 2.0 * 2 * 3 * 5);
    CHECK(oblong.rungs.back().bytes == 4.0 * (2 * 5 + 5 * 3 + 2 * 3));
    CHECK_THROWS_AS(simd::product_rungs({3, 0, 3}), ContractError);
    CHECK_THROWS_AS(simd::softmax_rungs(3, 0), ContractError);
    CHECK_THROWS_AS(simd::attention_rungs(2, 0, 16), ContractError);
}

TEST_CASE("a rung that computes something else is seen", "[14]")
{
    simd::Ladder ladder = simd::softmax_rungs(2, 5);
    const auto result = ladder.result;
    ladder.rungs[1].run = [result](const simd::Execution&) {
        std::fill(result->begin(), result->end(), 0.2F);
    };
    CHECK(simd::largest_difference(ladder, 1, {}) > 1e-2);
    ladder.rungs[1].run = [result](const simd::Execution&) { (*result)[3] = std::nanf(""); };
    CHECK(std::isinf(simd::largest_difference(ladder, 1, {})));
    CHECK_THROWS_AS(simd::largest_difference(ladder, 99, {}), ContractError);
}

TEST_CASE("a climb measures every rung against the first and against the roof", "[14]")
{
    const simd::Ladder ladder = simd::product_rungs({40, 40, 40});
    const simd::Machine machine{.peak = 1, .copy = 2, .stream = 3};
    CHECK(machine.bandwidth() == 3);
    const std::vector<simd::Measured> all =
        simd::climb(ladder, {}, {machine, machine}, {.seconds = 0, .n_runs = 1});
    REQUIRE(all.size() == ladder.rungs.size());
    CHECK(all.front().times_first == 1);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const simd::Measured& here = all[i];
        CHECK(here.machine.bandwidth() == 3);
        CHECK(here.machine.peak != 1); // measured again
        CHECK_THAT(here.gflops, WithinRel(ladder.flops / here.seconds * 1e-9, 1e-12));
        CHECK_THAT(here.of_limit * here.limit, WithinRel(here.gflops, 1e-12));
        CHECK_THAT(here.times_first, WithinRel(all.front().seconds / here.seconds, 1e-12));
        CHECK(here.limit <= 3 * ladder.flops / ladder.rungs[i].bytes * (1 + 1e-12));
    }
}

TEST_CASE("memory is counted by what is taken, and failures come through", "[14]")
{
    const std::size_t bytes = bytes_taken([] {
        const Array<float> one = filled<float>({1000}, 0.0F);
        const Array<float> other = filled<float>({3000}, 0.0F);
    });
    CHECK(bytes >= 16000);
    CHECK(bytes < 24000);
    // What has been given back is taken again, and counts once.
    CHECK(bytes_taken([] {
              for (int i = 0; i < 10; ++i) {
                  const Array<float> again = filled<float>({1000}, 0.0F);
              }
          }) < 8000);
    CHECK_THROWS_AS(bytes_taken([] { throw std::runtime_error("no"); }), std::runtime_error);
}

TEST_CASE("plain attention takes memory by the square of the tokens, the fused one by the line",
          "[14][claim]")
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        INFO(kernels->name);
        const std::vector<simd::AttentionMemory> memory = simd::attention_memory(
            *kernels, {.n_heads = 1, .d_head = 16}, {256, 512, 1024, 2048});
        for (std::size_t i = 1; i < memory.size(); ++i) {
            const double plain =
                static_cast<double>(memory[i].plain) / static_cast<double>(memory[i - 1].plain);
            const double fused =
                static_cast<double>(memory[i].fused) / static_cast<double>(memory[i - 1].fused);
            CHECK(plain > 3.3);
            CHECK(fused < 2.3);
        }
    }
}

TEST_CASE("times of attention are there where they were asked for", "[14]")
{
    const std::vector<simd::AttentionTime> times = simd::attention_times(
        {}, {.n_heads = 2, .d_head = 16}, {5, 8192}, {.seconds = 0, .n_runs = 1});
    REQUIRE(times.size() == 2);
    for (const simd::AttentionTime& time : times) {
        CHECK(time.fused > 0);
        CHECK(time.causal > 0);
        CHECK(time.backward > 0);
        CHECK(time.peak > 0);
    }
    CHECK(times[0].plain > 0);
    CHECK(times[1].plain == 0); // 2 * 8192^2 scores are more than it may keep
}
