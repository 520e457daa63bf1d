#include "chapters/14_simd_transformer/kernels.hpp"

#include "common/kernels/instruction_sets.hpp"

namespace attn::simd_transformer {

const LadderKernels& ladder_kernels(const Execution& how)
{
    using enum kernels::InstructionSet;
    switch (how.kernels->set) {
#if defined(__x86_64__)
    case scalar_fma:
        return ladder_kernels_for<scalar_fma>();
    case sse4_2:
        return ladder_kernels_for<sse4_2>();
    case avx2:
        return ladder_kernels_for<avx2>();
    case avx512:
        return ladder_kernels_for<avx512>();
#elif defined(__aarch64__)
    case neon:
        return ladder_kernels_for<neon>();
#endif
    default:
        return ladder_kernels_for<scalar>();
    }
}

} // namespace attn::simd_transformer
