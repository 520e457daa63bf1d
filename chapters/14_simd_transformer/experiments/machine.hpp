/// \file
/// \brief What this machine can do at most, measured: multiplications and additions a second,
/// and bytes a second from and to memory. Everything fast in this chapter is reported as a
/// share of one of the two. No data sheet tells: clocks change, and neighbours share the
/// memory.
#pragma once

#include "chapters/14_simd_transformer/kernels.hpp"
#include "common/kernels/instruction_sets.hpp"

#include <cstddef>
#include <functional>

namespace attn::simd_transformer {

/// How long a measurement goes on.
struct Repetitions
{
    double seconds = 0.05;  ///< in all, at least
    std::size_t n_runs = 3; ///< at least 1
};

/// The shortest of several runs: what disturbs a measurement makes it longer, never shorter.
/// The first run, which finds caches and threads cold, is not counted if it takes less than the time.
/// \returns  seconds
/// \throws ContractError if there is to be no run
double best_seconds(const std::function<void()>& run, Repetitions repetitions = {});

/// The most floating point operations a second: fused multiplications and additions in
/// registers alone, in enough independent chains that none waits, on all threads at once.
/// \returns  GFLOP/s of all threads together, two operations a multiplication and addition
/// \throws ContractError if there is no thread
double fma_peak(const Execution& how, Repetitions repetitions = {});

/// What a copy moves between processor and memory if its stores go through the cache. Bytes
/// read and bytes written are counted; that a store first fetches the line it writes to is not.
/// The parts of the arrays are first written by as many threads as copy them; which thread
/// takes which part is decided anew each time, so where each processor has a memory of its own,
/// less may come out than with threads that stay with their part.
/// \returns  GB/s of all threads together, over arrays of 128 MiB each
/// \throws ContractError if there is no thread
double copy_bandwidth(const Execution& how, Repetitions repetitions = {});

/// The same with stores that go around the cache.
double stream_bandwidth(const Execution& how, Repetitions repetitions = {});

/// What the machine can do at most.
struct Machine
{
    double peak = 0;   ///< GFLOP/s of all threads together
    double copy = 0;   ///< GB/s of all threads together, with stores through the cache
    double stream = 0; ///< GB/s of all threads together, with stores around it

    /// \returns the faster of the two copies
    double bandwidth() const { return copy < stream ? stream : copy; }
};

/// What the machine can do at most, on one thread and on several.
struct Limits
{
    Machine one; ///< on one thread
    Machine all; ///< on all that are used
};

/// Measures them.
Limits measure_limits(const Execution& how, Repetitions repetitions = {});

} // namespace attn::simd_transformer
