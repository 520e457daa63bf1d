/// \file
/// \brief Loops that do nothing but keep one part of the processor busy: what the other kernels
/// are measured against.
#pragma once

#include <cstddef>

namespace attn::simd_transformer {

/// The limits of the machine, as loops.
struct MachineKernels
{
    /// Multiplies and adds in registers alone, in independent chains: 16 where there are 32
    /// registers, otherwise 12. None waits as long as units times latency is no more than that,
    /// as with two units of five cycles, or four of four and 32 registers.
    /// \param rounds  how often each chain goes on by one
    /// \param sink    receives one number, so that the work is not left out
    /// \returns       floating point operations done, two a multiplication and addition
    double (*multiply_add)(std::size_t rounds, float* sink);
    /// Copies by vectors, with stores that go through the cache.
    void (*copy)(const float* from, float* to, std::size_t n);
    /// Copies by vectors, with stores that go around the cache.
    /// \param to  at a multiple of the vector's size
    void (*stream)(const float* from, float* to, std::size_t n);
};

} // namespace attn::simd_transformer
