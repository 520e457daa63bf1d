/// \file
/// \brief The kernels of one instruction set, as pointers to functions over plain memory: what
/// crosses the border between files compiled for different processors. Nothing here has code in
/// it: of a function that two such files share, the linker keeps one copy for everybody, and it
/// might be the one that this processor cannot run.
#pragma once

#include "common/kernels/decoding_kernels.hpp"
#include "common/kernels/elementary_kernels.hpp"
#include "common/kernels/product_kernels.hpp"
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

/// What the kernels are compiled for: of these, the ones of one kind of processor.
enum class InstructionSet
{
    scalar,     ///< one lane, in plain C++, for any processor
    scalar_fma, ///< the same for processors with a fused instruction: the same bits, sooner
    sse4_2,     ///< 4 lanes, no fused multiplication and addition
    avx2,       ///< 8 lanes
    avx512,     ///< 16 lanes, 32 registers
    neon        ///< 4 lanes, 32 registers
};

/// Everything that is compiled once for each instruction set.
struct Kernels
{
    InstructionSet set; ///< that they are compiled for
    const char* name;   ///< for readers, to whom both of one lane are "scalar"
    std::size_t lanes;  ///< floats in a register
    bool fused;         ///< whether it rounds a b + c once, as the contract of bits asks
    NumberKernels<float> of_float;   ///< for float
    NumberKernels<double> of_double; ///< for double
};

/// The kernels as they are compiled for a set.
/// \tparam set  of this kind of processor: for others nothing is compiled
template <InstructionSet set>
const Kernels& kernels_for();

} // namespace attn::kernels
