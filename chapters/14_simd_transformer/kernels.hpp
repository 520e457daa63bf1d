/// \file
/// \brief What this chapter compiles once for each instruction set beside the book's own kernels:
/// the lower rungs of its ladders, attention in one pass, and the limits of the machine; as pointers
/// to functions over plain memory, for the reason that common/kernels/kernels.hpp gives.
#pragma once

#include "chapters/14_simd_transformer/kernels/attention.hpp"
#include "chapters/14_simd_transformer/kernels/machine.hpp"
#include "chapters/14_simd_transformer/kernels/plain_products.hpp"
#include "chapters/14_simd_transformer/kernels/softmax.hpp"

namespace attn::simd_transformer {

/// What this chapter compiles once for each instruction set.
struct LadderKernels
{
    std::size_t lanes;          ///< floats in a register
    MachineKernels machine;     ///< the machine's limits
    PlainProducts products;     ///< 14a
    SoftmaxKernels softmax;     ///< 14b
    AttentionKernels attention; ///< 14b
};

/// \returns  one lane, in plain C++, for any processor
const LadderKernels& scalar_ladder_kernels();
#if defined(__x86_64__)
/// \returns  the same compiled for processors with a fused instruction
const LadderKernels& scalar_fma_ladder_kernels();
/// \returns  4 lanes, no fused multiplication and addition
const LadderKernels& sse4_2_ladder_kernels();
/// \returns  8 lanes
const LadderKernels& avx2_ladder_kernels();
/// \returns  16 lanes, 32 registers
const LadderKernels& avx512_ladder_kernels();
#endif
#if defined(__aarch64__)
/// \returns  4 lanes, 32 registers
const LadderKernels& neon_ladder_kernels();
#endif

} // namespace attn::simd_transformer
