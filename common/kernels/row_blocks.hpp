/// \file
/// \brief Rows and columns, cut into pieces for threads: the threads of kernels::execution().
/// Deliberately for work whose results do not depend on where the cuts are.
#pragma once

#include "common/kernels/instruction_sets.hpp"
#include "common/parallel/for_each_index.hpp"

#include <algorithm>
#include <cstddef>

namespace attn::kernels {

/// Numbers of a piece: large enough that handing one to a thread costs nothing beside it, small
/// enough that two or three of them fit the second cache.
constexpr std::size_t numbers_in_piece = 32768;

/// What several threads share should be at least so many multiplications of products: a team takes
/// some microseconds to meet.
constexpr std::size_t multiplications_worth_sharing = 500'000;

/// Calls work(0), ..., work(n - 1) from the threads of execution(). Each computes by the caller's kernels,
/// and alone.
/// \param work  safe to call from several threads
template <typename Work>
void for_each_by_threads(std::size_t n, const Work& work)
{
    const Execution how = execution();
    parallel::for_each_index(n, how.n_threads, [&](std::size_t i) {
        const ComputeWith alone({how.kernels, 1});
        work(i);
    });
}

/// Calls work(first, count) for pieces of n things, which together are all of them.
/// \param n         things, may be 0
/// \param at_most   things in a piece, at least 1
/// \param work      safe to call from several threads
template <typename Work>
void for_each_piece_of(std::size_t n, std::size_t at_most, const Work& work)
{
    const std::size_t n_threads = execution().n_threads;
    const std::size_t n_pieces = n_threads == 1 ? 1 : (n + at_most - 1) / at_most;
    if (n_pieces <= 1) {
        work(std::size_t(0), n);
        return;
    }
    parallel::for_each_index(n_pieces, n_threads, [&](std::size_t piece) {
        const std::size_t first = piece * n / n_pieces;
        work(first, (piece + 1) * n / n_pieces - first);
    });
}

/// Calls work(first, count) for runs of n numbers, which together are all of them, from several
/// threads. A run is short on one thread too: what passes over it again finds it in the second cache.
/// \param work  safe to call from several threads; an entry's result must not depend on its run
template <typename Work>
void for_each_run_of_numbers(std::size_t n, const Work& work)
{
    const std::size_t n_runs = (n + numbers_in_piece - 1) / numbers_in_piece;
    const auto run = [&](std::size_t i) {
        const std::size_t first = i * numbers_in_piece;
        work(first, std::min(numbers_in_piece, n - first));
    };
    if (n_runs <= 1 || execution().n_threads == 1) {
        for (std::size_t i = 0; i < n_runs; ++i) {
            run(i);
        }
    } else {
        for_each_by_threads(n_runs, run);
    }
}

/// Calls work(first row, rows) for pieces of a matrix, from several threads.
/// \param n  numbers in a row
template <typename Work>
void for_each_block_of_rows(std::size_t n_rows, std::size_t n, const Work& work)
{
    for_each_piece_of(
        n_rows, std::max<std::size_t>(1, numbers_in_piece / std::max<std::size_t>(1, n)), work);
}

/// Calls work(first column, columns) for pieces of a matrix, from several threads: for what adds up
/// columns.
/// \param n  numbers in a row
template <typename Work>
void for_each_block_of_columns(std::size_t n_rows, std::size_t n, const Work& work)
{
    const std::size_t columns = numbers_in_piece / std::max<std::size_t>(1, n_rows) / 64 * 64;
    for_each_piece_of(n, std::max<std::size_t>(64, columns), work);
}

} // namespace attn::kernels
