/// \file
/// \brief Sequences of symbols with an answer at every position, or at some: the symbol before, on
/// a line or on a ring, three earlier letters, the parity of all so far, and chapter 6's recall.
#pragma once

#include "common/random/random.hpp"
#include "common/tensor/array.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace attn::multi_head {

/// What an answer is where there is none.
inline constexpr std::int64_t no_answer = -100;

/// Sequences of one length.
struct SequenceBatch
{
    Array<float> inputs;               ///< [batch, n, n_inputs], one-hot
    std::vector<std::int64_t> answers; ///< [batch, n, n_answers], or no_answer
};

/// A task.
struct SequenceTask
{
    std::size_t n_inputs;  ///< numbers at a position
    std::size_t n_classes; ///< of an answer
    std::size_t n_answers; ///< at a position
    bool causal;           ///< whether an answer depends only on what came so far

    /// Draws sequences, given how many, their length, and a generator that is advanced.
    std::function<SequenceBatch(std::size_t n_rows, std::size_t length, random::Generator&)>
        draw;
};

/// Name the symbol before, at every position but the first.
/// \param causal  whether later symbols are masked
SequenceTask previous_symbol(std::size_t n_symbols, bool causal = true);

/// The same on a ring: the first symbol's predecessor is the last one. It is not causal.
SequenceTask previous_on_ring(std::size_t n_symbols);

/// Name the letter before, the one three positions back, and the first one, where they exist.
SequenceTask three_earlier(std::size_t n_symbols);

/// Whether the count of ones so far is odd.
SequenceTask parity();

/// Chapter 6's recall, the key shown once at the end, with as many pairs as the length says, less
/// one. Only the last position has an answer.
/// \param n_symbols  of keys and of values
SequenceTask recall(std::size_t n_symbols);

/// Symbols [n] as one-hot rows [1, n, n_symbols].
/// \throws ContractError if a symbol is too large
Array<float> one_hot_row(const std::vector<std::size_t>& symbols, std::size_t n_symbols);

/// The weights that the positions of a ring give to the position so many steps on, as a geometric
/// mean. With one matrix for queries and keys
///
/// \f[ \prod_i \alpha_{i,i-1} = \prod_i \alpha_{i,i+1} \le \prod_i \alpha_{ii} , \f]
///
/// so that the mean weight of the predecessor is at most 1/3.
/// \param weights  alpha [n, n], n at least 3, none negative
/// \param steps    -1 for the predecessor, 0 for the position itself, 1 for the successor
/// \returns        the geometric mean over the ring, 0 if one of these weights is 0
/// \throws ContractError if it is no such matrix
double mean_weight_on_ring(const Matrix& weights, int steps);

} // namespace attn::multi_head
