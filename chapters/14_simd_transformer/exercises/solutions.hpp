/// \file
/// \brief Solutions of the exercises of chapter 14 that are functions.
#pragma once

#include "chapters/14_simd_transformer/online_softmax.hpp"

#include <cstddef>

/// Solutions of the exercises of chapter 14.
namespace attn::simd_transformer::solutions {

/// Exercise 14.1: a register tile's shape.
struct TileShape
{
    std::size_t rows;    ///< numbers of A that are loaded into all lanes, one after the other
    std::size_t vectors; ///< vectors of a row of B that are loaded
};

/// Exercise 14.1: loads for each multiplication and addition of vectors,
/// \f$ (r + v) / (r v) \f$.
/// \throws ContractError if a side is 0
double loads_per_fma(const TileShape& tile);

/// Exercise 14.1: the tile of fewest loads whose sums, vectors of a row and number in all lanes
/// fit the registers, \f$ r v + v + 1 \f$, and whose sums keep the units busy,
/// \f$ r v \ge \text{latency} \cdot \text{units} \f$. Of several, the one with more rows.
/// \param n_registers  16 or 32, say
/// \param latency      cycles from one addition to the next of the same sum
/// \param n_units      multiplications and additions that begin in a cycle
/// \throws ContractError if there is none
TileShape best_tile(std::size_t n_registers, std::size_t latency, std::size_t n_units);

/// Exercise 14.2: what a query remembers of two sets of keys that were met apart from each
/// other, on two threads, say. The order of the two does not matter.
/// \throws ContractError if the contexts differ in size
OnlineSoftmaxState merged(const OnlineSoftmaxState& one, const OnlineSoftmaxState& other);

/// Exercise 14.3: from how many tokens on the roofline lets a computation of this intensity use
/// all of the processor. Fused attention, whose n queries, keys, values and contexts of float
/// numbers are moved once, does \f$ 4 n^2 d / (16 n d) \f$ operations a byte.
/// \param peak       GFLOP/s
/// \param bandwidth  GB/s
/// \returns          the smallest n with \f$ n / 4 \cdot \text{bandwidth} \ge \text{peak} \f$
/// \throws ContractError if a number is not positive
std::size_t tokens_at_the_ridge(double peak, double bandwidth);

/// Exercise 14.6: up to how many texts at a time the roofline lets a step take the time of one
/// text. Each text does 2 operations with a weight, whose bytes are read once for all.
/// \param peak             GFLOP/s
/// \param bandwidth        GB/s
/// \param bytes_of_weight  4, 2 or 1
/// \returns                the largest b with \f$ 2 b / \text{bytes} \cdot \text{bandwidth} \le \text{peak} \f$
/// \throws ContractError if a number is not positive
std::size_t texts_at_the_ridge(double peak, double bandwidth, std::size_t bytes_of_weight);

} // namespace attn::simd_transformer::solutions
