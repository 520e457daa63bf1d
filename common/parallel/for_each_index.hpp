/// \file
/// \brief Independent runs side by side: one model, seed or draw of the noise an index.
#pragma once

#include <cstddef>
#include <functional>

/// Independent runs side by side.
namespace attn::parallel {

/// How many threads a program takes that nobody told: OpenMP's own answer, all cores unless
/// OMP_NUM_THREADS says otherwise. Without OpenMP all cores, at least 1.
std::size_t threads_by_default();

/// Calls work(0), ..., work(n - 1), up to n_threads at a time. The result does not depend
/// on n_threads if every call writes to a place of its own and draws from a random stream
/// of its own.
/// \param n_threads  how many at a time, at least 1
/// \param work       what to do for an index; safe to call from several threads
/// \throws what the call with the lowest failing index threw, after all have ended
void for_each_index(std::size_t n, std::size_t n_threads,
                    const std::function<void(std::size_t)>& work);

} // namespace attn::parallel
