/// \file
/// \brief All kernel bodies, and the type of vector that they are compiled for: what the source
/// that is compiled once for each instruction set includes (common/cmake/AttnKernels.cmake). Of
/// standard headers the bodies name only those without code; xsimd brings others with it, of
/// which the bodies call nothing, see kernels.hpp.
#include "common/kernels/kernels.hpp"

#include "common/kernels/vector.inl"

#include "common/kernels/along_row.inl"
#include "common/kernels/elementary.inl"
#include "common/kernels/tile.inl"
#include "common/kernels/transpose.inl"

#include "common/kernels/product.inl"
#include "common/kernels/rows.inl"

#include "common/kernels/decoding.inl"

namespace {

/// The vector of each instruction set.
template <class T>
struct Vectors
{
    using scalar = OneLane<T>;
    using scalar_fma = OneLane<T>;
    using sse4_2 = xsimd::batch<T, xsimd::sse4_2>;
    using avx2 = xsimd::batch<T, xsimd::fma3<xsimd::avx2>>;
    using avx512 = xsimd::batch<T, xsimd::avx512bw>;
    using neon = xsimd::batch<T, xsimd::neon64>;
};

/// The set that this is compiled for, and its vector.
constexpr auto this_set = attn::kernels::InstructionSet::ATTN_INSTRUCTION_SET;
template <class T>
using VectorOf = typename Vectors<T>::ATTN_INSTRUCTION_SET;

} // namespace
