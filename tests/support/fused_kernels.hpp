/// \file
/// \brief Whether what programs compute here has the bits that are committed. Deliberately without
/// a look at the kernels themselves, so that it can be asked before anything runs.
#pragma once

#include <cstdlib>
#include <string>

namespace attn::testing {

/// Why no run can have the committed bits here: kernels without fused multiplication and addition,
/// those for SSE4.2, round products twice.
/// \returns  a sentence; empty where runs have the committed bits
inline std::string why_other_bits()
{
    const char* const variable = std::getenv("ATTN_SIMD");
    const std::string asked = variable == nullptr ? "" : variable;
    if (asked == "sse4_2") {
        return "ATTN_SIMD asks for kernels without fused multiplication and addition";
    }
#if defined(__x86_64__)
    if (asked.empty() && __builtin_cpu_supports("fma") == 0) {
        return "the processor has no fused multiplication and addition";
    }
#endif
    return "";
}

} // namespace attn::testing
