/// \file
/// \brief The table of the kernels, compiled once for each instruction set.
#include "common/kernels/all.inl"

namespace {

template <class V>
constexpr attn::kernels::NumberKernels<NumberOf<V>> number_kernels()
{
    return {.elementary = elementary_kernels<V>(),
            .reductions = reduction_kernels<V>(),
            .products = product_kernels<V>(),
            .rows = row_kernels<V>(),
            .decoding = decoding_kernels<V>()};
}

/// By set; the two of one lane are one to the reader, who sees no difference but time.
constexpr const char* names[] = {"scalar", "scalar", "sse4_2", "avx2", "avx512", "neon"};

} // namespace

namespace attn::kernels {

template <InstructionSet set>
const Kernels& kernels_for()
{
    static constinit const Kernels kernels = {.set = set,
                                              .name = names[static_cast<int>(set)],
                                              .lanes = Lanes<VectorOf<float>>::size,
                                              .fused = set != InstructionSet::sse4_2,
                                              .of_float = number_kernels<VectorOf<float>>(),
                                              .of_double = number_kernels<VectorOf<double>>()};
    return kernels;
}

template const Kernels& kernels_for<this_set>();

} // namespace attn::kernels
