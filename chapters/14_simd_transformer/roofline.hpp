/// \file
/// \brief The roofline: what a machine's two limits leave to a computation.
#pragma once

#include "common/tensor/check.hpp"

#include <algorithm>

namespace attn::simd_transformer {

/// The most that a computation can do on a machine.
/// \param peak       GFLOP/s that the processor can do
/// \param bandwidth  GB/s that memory can move
/// \param intensity  floating point operations for each byte that is moved
/// \returns          GFLOP/s
/// \throws ContractError if a number is negative
/// \cite williams2009
inline double roofline(double peak, double bandwidth, double intensity)
{
    expect(peak >= 0 && bandwidth >= 0 && intensity >= 0,
           "roofline: no number may be negative, got {}, {} and {}", peak, bandwidth,
           intensity);
    return std::min(peak, intensity * bandwidth);
}

} // namespace attn::simd_transformer
