/// \file
/// \brief Rows, cut into blocks for threads. Deliberately without looking at how many threads
/// there are: where the cuts are decides the bits of a result.
#pragma once

#include "chapters/14_simd_transformer/instruction_sets.hpp"
#include "common/parallel/for_each_index.hpp"

#include <algorithm>
#include <cstddef>

namespace attn::simd_transformer {

/// Rows, cut into blocks that are nearly as large as each other.
class RowBlocks
{
public:
    /// \param n_rows    all of them, may be 0
    /// \param at_most   rows in a block, at least 1
    RowBlocks(std::size_t n_rows, std::size_t at_most)
        : n_rows_(n_rows), n_blocks_((n_rows + at_most - 1) / at_most)
    {
    }

    /// \returns how many blocks there are
    std::size_t count() const { return n_blocks_; }
    /// \param block  up to count()
    /// \returns      its first row; behind the last block, the number of rows
    std::size_t first(std::size_t block) const { return block * n_rows_ / n_blocks_; }

    /// Calls work(block, first row, number of rows) for each block, on several threads.
    /// \param how   how many threads
    /// \param work  safe to call from several threads
    template <typename Work>
    void for_each(const Execution& how, const Work& work) const
    {
        const auto one = [&](std::size_t block) {
            work(block, first(block), first(block + 1) - first(block));
        };
        if (n_blocks_ == 1) {
            one(0);
        } else {
            parallel::for_each_index(n_blocks_, how.n_threads, one);
        }
    }

private:
    std::size_t n_rows_;
    std::size_t n_blocks_;
};

/// Blocks for loops that do little with each number: large enough that handing one to a thread
/// costs nothing beside it, small enough that two or three of them fit the second cache.
/// \param n_rows  all of them
/// \param n       numbers in a row
/// \returns       blocks of at most 32768 numbers, or of one row
inline RowBlocks blocks_of_rows(std::size_t n_rows, std::size_t n)
{
    return {n_rows, std::max<std::size_t>(1, 32768 / std::max<std::size_t>(1, n))};
}

} // namespace attn::simd_transformer
