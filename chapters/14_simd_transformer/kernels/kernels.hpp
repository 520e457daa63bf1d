/// \file
/// \brief The kernels of one instruction set, as pointers to functions over plain memory: what
/// crosses the border between files compiled for different processors. Deliberately nothing
/// with code in it: of a function that two such files share, the linker keeps one copy for
/// everybody, and it might be the one that this processor cannot run.
#pragma once

#include "chapters/14_simd_transformer/kernels/attention.hpp"
#include "chapters/14_simd_transformer/kernels/decoding.hpp"
#include "chapters/14_simd_transformer/kernels/machine.hpp"
#include "chapters/14_simd_transformer/kernels/matrix_product.hpp"
#include "chapters/14_simd_transformer/kernels/rows.hpp"
#include "chapters/14_simd_transformer/kernels/softmax.hpp"

namespace attn::simd_transformer {

/// Everything that is compiled once for each instruction set.
struct Kernels
{
    const char* name;                    ///< of the instruction set: "avx2"
    std::size_t lanes;                   ///< floats in a register
    MachineKernels machine;              ///< the machine's limits
    MatrixProductKernels matrix_product; ///< 14a
    SoftmaxKernels softmax;              ///< 14b
    AttentionKernels attention;          ///< 14b
    RowKernels rows;                     ///< 14c
    DecodingKernels decoding;            ///< 14c
};

/// \returns  one lane, in plain C++
const Kernels& scalar_kernels();
#if defined(__x86_64__)
/// \returns  4 lanes, no fused multiplication and addition
const Kernels& sse4_2_kernels();
/// \returns  8 lanes
const Kernels& avx2_kernels();
/// \returns  16 lanes, 32 registers
const Kernels& avx512_kernels();
#endif
#if defined(__aarch64__)
/// \returns  4 lanes, 32 registers
const Kernels& neon_kernels();
#endif

} // namespace attn::simd_transformer
