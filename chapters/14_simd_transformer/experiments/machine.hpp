/// \file
/// \brief What this machine can do at most, measured: multiplications and additions a second,
/// and bytes a second from and to memory. Everything fast in this chapter is reported as a share
/// of one of the two. Deliberately not read off a data sheet: clocks change, and neighbours share
/// the memory.
#pragma once

#include "chapters/14_simd_transformer/ladder_kernels.hpp"

#include <cstddef>
#include <functional>

namespace attn::simd_transformer {

/// How long a measurement goes on.
struct Patience
{
    double seconds = 0.05;  ///< in all, at least
    std::size_t n_runs = 3; ///< at least 1
};

/// The shortest of several runs: what disturbs a measurement makes it longer, never shorter. The
/// first run, which finds caches and threads cold, is not counted.
/// \param run       what to measure
/// \param patience  how long to go on
/// \returns         seconds of the shortest run
/// \throws ContractError if there is to be no run
double best_seconds(const std::function<void()>& run, Patience patience = {});

/// The most floating point operations a second: fused multiplications and additions in registers
/// alone, in enough independent chains that none waits, on all threads at once.
/// \param how       the kernels and the threads
/// \param patience  how long to go on
/// \returns         GFLOP/s of all threads together, two operations a multiplication and addition
/// \throws ContractError if there is no thread
double fma_peak(const Execution& how, Patience patience = {});

/// What a copy moves between processor and memory if its stores go through the cache. Bytes read
/// and bytes written are counted; that a store first fetches the line it writes to is not. The
/// parts of the arrays are first written by as many threads as copy them; which thread takes which
/// part is decided anew each time, so where each processor has a memory of its own, less may come
/// out than with threads that stay with their part.
/// \param how       the kernels and the threads
/// \param patience  how long to go on
/// \returns         GB/s of all threads together, over arrays of 128 MiB each
/// \throws ContractError if there is no thread
double copy_bandwidth(const Execution& how, Patience patience = {});

/// The same with stores that go around the cache.
/// \param how       the kernels and the threads
/// \param patience  how long to go on
/// \returns         GB/s of all threads together, over arrays of 128 MiB each
/// \throws ContractError if there is no thread
double stream_bandwidth(const Execution& how, Patience patience = {});

/// The most that a computation can do on a machine, by its roofline.
/// \param peak       GFLOP/s that the processor can do
/// \param bandwidth  GB/s that memory can move
/// \param intensity  floating point operations for each byte that is moved, at least 0
/// \returns          GFLOP/s, min(peak, intensity * bandwidth)
/// \throws ContractError if a number is negative
/// \cite williams2009
double roofline(double peak, double bandwidth, double intensity);

} // namespace attn::simd_transformer
