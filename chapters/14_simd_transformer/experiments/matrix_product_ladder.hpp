/// \file
/// \brief Ways to multiply two matrices, from plain loops to register tiles on several threads,
/// as named objects: what the program, the benchmarks, the figures and the tests iterate over.
#pragma once

#include "chapters/14_simd_transformer/kernels.hpp"
#include "common/kernels/instruction_sets.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn::simd_transformer {

/// One way to compute C = A B.
struct MatrixProductRung
{
    std::string name; ///< as programs and legends print it
    std::string idea; ///< what is new in it, in a line
    /// C [m, n] = A [m, k] B [k, n], all of them row by row without gaps. Only the last rung
    /// uses more than one thread.
    void (*multiply)(const Execution& how, std::size_t m, std::size_t n, std::size_t k,
                     const float* a, const float* b, float* c);
};

/// All of them, the way up: "left to the compiler" is "loop order" once more, with vectors, the
/// others go on from the one before. The first adds up in double and is what the others are
/// compared with. The rungs in plain loops are the same for every instruction set.
const std::vector<MatrixProductRung>& matrix_product_ladder();

} // namespace attn::simd_transformer
