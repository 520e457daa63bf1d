/// \file
/// \brief The kernels of one instruction set, as pointers to functions over plain memory: what
/// crosses the border between files compiled for different processors. Deliberately nothing
/// with code in it: of a function that two such files share, the linker keeps one copy for
/// everybody, and it might be the one that this processor cannot run.
#pragma once

#include "common/kernels/decoding_kernels.hpp"
#include "common/kernels/elementary_kernels.hpp"
#include "common/kernels/product_kernels.hpp"
#include "common/kernels/reduction_kernels.hpp"
#include "common/kernels/row_kernels.hpp"

namespace attn::kernels {

/// The kernels for one type of number.
/// \tparam T  float or double
template <class T>
struct NumberKernels
{
    ElementaryKernels<T> elementary; ///< exp and its kin, over lists
    ReductionKernels<T> reductions;  ///< sums along a row
    ProductKernels<T> products;      ///< of matrices
    RowKernels<T> rows;              ///< softmax, normalisation, the loss
    DecodingKernels<T> decoding;     ///< one row at a time
};

/// Everything that is compiled once for each instruction set.
struct Kernels
{
    const char* name;  ///< of the instruction set: "avx2"
    std::size_t lanes; ///< floats in a register
    bool fused;        ///< whether it rounds a b + c once, as the contract of bits asks
    NumberKernels<float> of_float;   ///< for float
    NumberKernels<double> of_double; ///< for double
};

/// \returns  one lane, in plain C++, for any processor
const Kernels& scalar_kernels();
#if defined(__x86_64__)
/// \returns  the same compiled for processors with a fused instruction: the same bits, sooner
const Kernels& scalar_fma_kernels();
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

} // namespace attn::kernels
