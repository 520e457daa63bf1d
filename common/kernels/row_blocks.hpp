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
