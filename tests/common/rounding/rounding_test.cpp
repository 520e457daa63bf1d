/// \file
/// \brief Whether a compiler fused what the code rounds one by one, in any library of ours. The
/// probes and their list are made by the build.
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#define ATTN_ROUNDING_PROBE(set, name) float name(float);
namespace attn::rounding {
#include "rounding_probes.hpp"
} // namespace attn::rounding
#undef ATTN_ROUNDING_PROBE

namespace {

/// A library's way to compute (1 + e) (1 - e) - 1.
struct Probe
{
    std::string_view set; ///< an instruction set; empty: any processor can run it
    std::string_view library;
    float (*value)(float);
};

constexpr Probe probes[] = {
#define ATTN_ROUNDING_PROBE(set, name) {set, #name, attn::rounding::name},
#include "rounding_probes.hpp"
#undef ATTN_ROUNDING_PROBE
};

/// Whether this processor can run what was compiled for an instruction set.
bool runs([[maybe_unused]] std::string_view set)
{
#if defined(__x86_64__)
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi2");
    if (set == "sse4_2") {
        return __builtin_cpu_supports("sse4.2");
    }
    if (set == "avx2" || set == "scalar_fma") {
        return v3;
    }
    if (set == "avx512") {
        return v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
    }
#endif
    return true;
}

/// Small enough: its square is a quarter of the step from 1 to the float below. Read while the
/// program runs, so that nothing is computed by the compiler.
volatile float e = 0x1p-13F;

} // namespace

TEST_CASE("no library fuses what its code rounds one by one", "[rounding]")
{
    const auto some = [](const auto& condition) {
        return std::any_of(std::begin(probes), std::end(probes), condition);
    };
    for (const std::string_view library :
         {"attn_tensor", "attn_autograd", "attn_nn", "chapter_01_lookup",
          "chapter_14_simd_transformer", "common_rounding_tests"}) {
        CAPTURE(library);
        REQUIRE(some([&](const Probe& probe) { return probe.library == library; }));
    }
    REQUIRE(some([](const Probe& probe) { return std::string_view(probe.set) == "scalar"; }));
    REQUIRE(std::fma(1 + e, 1 - e, -1.0F) == -0x1p-26F); // what a probe would see
    for (const Probe& probe : probes) {
        CAPTURE(probe.library);
        if (runs(probe.set)) {
            CHECK(probe.value(e) == 0);
        }
    }
}
