/// \file
/// \brief The body of ladder_kernels.hpp.
#include "chapters/14_simd_transformer/ladder_kernels.hpp"

#include "common/tensor/check.hpp"

#include <string_view>

namespace attn::simd_transformer {

const LadderKernels& ladder_kernels(const Execution& how)
{
    const std::string_view name = how.kernels->name;
    if (name == "scalar") {
#if defined(__x86_64__)
        const bool fused =
            kernels::instruction_sets().front() == &kernels::scalar_fma_kernels();
        return fused ? scalar_fma_ladder_kernels() : scalar_ladder_kernels();
#else
        return scalar_ladder_kernels();
#endif
    }
#if defined(__x86_64__)
    if (name == "sse4_2") {
        return sse4_2_ladder_kernels();
    }
    if (name == "avx2") {
        return avx2_ladder_kernels();
    }
    if (name == "avx512") {
        return avx512_ladder_kernels();
    }
#elif defined(__aarch64__)
    if (name == "neon") {
        return neon_ladder_kernels();
    }
#endif
    throw ContractError("ladder_kernels: no such instruction set");
}

} // namespace attn::simd_transformer
