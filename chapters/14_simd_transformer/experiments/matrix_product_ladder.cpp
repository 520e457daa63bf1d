/// \file
/// \brief The rungs as named objects. The plain loops stand in
/// matrix_product/plain_products.inl: there no compiler makes vectors of them unless it is
/// asked to.
#include "chapters/14_simd_transformer/experiments/matrix_product_ladder.hpp"

#include "common/kernels/gemm.hpp"

namespace attn::simd_transformer {

namespace {

/// One of the plain loops, one lane at a time.
template <PlainProduct PlainProducts::*loops>
void multiply_lane_by_lane(const Execution&, std::size_t m, std::size_t n, std::size_t k,
                           const float* a, const float* b, float* c)
{
    (ladder_kernels({kernels::instruction_sets().front()}).products.*loops)(m, n, k, a, b, c);
}

/// One of the plain loops, as compiled for the instruction set.
template <PlainProduct PlainProducts::*loops>
void multiply_as_compiled(const Execution& how, std::size_t m, std::size_t n, std::size_t k,
                          const float* a, const float* b, float* c)
{
    (ladder_kernels(how).products.*loops)(m, n, k, a, b, c);
}

void multiply_on_threads(const Execution& how, std::size_t m, std::size_t n, std::size_t k,
                         const float* a, const float* b, float* c)
{
    const kernels::ComputeWith these(how);
    gemm(Transpose::no, Transpose::no, m, n, k, 1.0F, a, k, b, n, 0.0F, c, n);
}

void multiply_on_one_thread(const Execution& how, std::size_t m, std::size_t n, std::size_t k,
                            const float* a, const float* b, float* c)
{
    multiply_on_threads({how.kernels, 1}, m, n, k, a, b, c);
}

} // namespace

const std::vector<MatrixProductRung>& matrix_product_ladder()
{
    using Loops = PlainProducts;
    static const std::vector<MatrixProductRung> rungs = {
        {"plain loops, double", "row times column, each sum in double precision",
         multiply_lane_by_lane<&Loops::by_columns>},
        {"loop order", "the innermost loop goes along rows of B and C",
         multiply_lane_by_lane<&Loops::by_rows>},
        {"blocks", "16 by 256 numbers of B at a time, which stay in the first cache",
         multiply_lane_by_lane<&Loops::blocked>},
        {"packed blocks", "each block of B is copied together first",
         multiply_lane_by_lane<&Loops::packed>},
        {"left to the compiler", "the loop order's rung, the compiler may make vectors of it",
         multiply_as_compiled<&Loops::by_rows>},
        {"vectors", "the packed blocks, the innermost loop written in vectors",
         multiply_as_compiled<&Loops::vectors>},
        {"register tile", "a tile of sums stays in registers while the depth goes by",
         multiply_on_one_thread},
        {"threads", "rows of C are handed to all threads", multiply_on_threads}};
    return rungs;
}

} // namespace attn::simd_transformer
