#include "common/kernels/instruction_sets.hpp"

#include "common/tensor/check.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace attn::kernels {

#if defined(__x86_64__)
namespace {

/// Whether the processor has what a compiler may use for x86-64-v2. Asked for by name, as clang
/// knows these levels only from version 17 on. Of the names that belong to a level, clang 14 does
/// not know f16c, lzcnt and movbe, and neither compiler cx16 and sahf: no processor is known that
/// lacks one of them and has all that are asked for.
bool has_v2()
{
    return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("ssse3") &&
           __builtin_cpu_supports("popcnt");
}

/// The same for x86-64-v3.
bool has_v3()
{
    return has_v2() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

/// The same for x86-64-v4.
bool has_v4()
{
    return has_v3() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}

} // namespace
#endif

// [sets]
const std::vector<const Kernels*>& instruction_sets()
{
    static const std::vector<const Kernels*> list = [] {
        using enum InstructionSet;
#if defined(__x86_64__)
        __builtin_cpu_init();
        std::vector<const Kernels*> found = {has_v3() ? &kernels_for<scalar_fma>()
                                                      : &kernels_for<scalar>()};
        if (has_v2()) {
            found.push_back(&kernels_for<sse4_2>());
        }
        if (has_v3()) {
            found.push_back(&kernels_for<avx2>());
        }
        if (has_v4()) {
            found.push_back(&kernels_for<avx512>());
        }
#else
        std::vector<const Kernels*> found = {&kernels_for<scalar>()};
#if defined(__aarch64__)
        found.push_back(&kernels_for<neon>());
#endif
#endif
        return found;
    }();
    return list;
}
// [sets]

const Kernels& instruction_set(std::string_view name, std::string_view what)
{
    std::string names;
    for (const Kernels* kernels : instruction_sets()) {
        if (name == kernels->name) {
            return *kernels;
        }
        names += (names.empty() ? "" : ", ") + std::string(kernels->name);
    }
    throw ContractError(
        fmt::format("{}: '{}' is none of the instruction sets that this processor has: {}",
                    what, name, names));
}

const Kernels& default_kernels()
{
    static const Kernels& chosen = []() -> const Kernels& {
        const char* const asked = std::getenv("ATTN_SIMD");
        return asked != nullptr && *asked != '\0' ? instruction_set(asked, "ATTN_SIMD")
                                                  : *instruction_sets().back();
    }();
    return chosen;
}

// ---------------------------------------------------------------- how a thread computes

namespace {

/// What the innermost ComputeWith of this thread says; null if there is none.
constinit thread_local const Execution* innermost = nullptr;

} // namespace

const Execution& execution()
{
    static const Execution by_default;
    return innermost != nullptr ? *innermost : by_default;
}

ComputeWith::ComputeWith(const Execution& how) : how_(how), outer_(innermost)
{
    innermost = &how_;
}

ComputeWith::~ComputeWith()
{
    innermost = outer_;
}

} // namespace attn::kernels
