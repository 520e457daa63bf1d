/// \file
/// \brief Sequences of symbols with an answer at every place, or at some: the symbol before, on
/// a line or on a ring, three looks back, the parity of all so far, and chapter 6's recall.
/// Deliberately without models.
#pragma once

#include "common/random/random.hpp"
#include "common/tensor/array.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
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
    std::string name;      ///< as programs print it
    std::size_t n_inputs;  ///< numbers at a place
    std::size_t n_classes; ///< of an answer
    std::size_t n_answers; ///< at a place
    bool causal;           ///< whether an answer depends only on what came so far

    /// Draws sequences, given how many, their length, and a generator that is advanced.
    std::function<SequenceBatch(std::size_t n_rows, std::size_t length, random::Generator&)>
        draw;
};

/// Name the symbol before, at every place but the first.
/// \param n_symbols  at least 1
/// \param causal     whether later symbols are hidden from whoever answers
/// \returns          the task
SequenceTask previous_symbol(std::size_t n_symbols, bool causal = true);

/// The same on a ring: the first symbol's predecessor is the last one. It is not causal.
/// \param n_symbols  at least 1
/// \returns          the task
SequenceTask previous_on_ring(std::size_t n_symbols);

/// Name the letter before, the one three places back, and the first one, where they exist.
/// \param n_symbols  at least 1
/// \returns          the task
SequenceTask three_looks(std::size_t n_symbols);

/// Whether the count of ones so far is odd.
/// \returns  the task
SequenceTask parity();

/// Chapter 6's recall, the key shown once at the end; the length is that of the pairs and the
/// question. Only the last place has an answer.
/// \param n_symbols  of keys and of values
/// \returns          the task; as many pairs as the length says, less one
SequenceTask recall(std::size_t n_symbols);

/// Symbols as one-hot rows.
/// \param symbols    [n], each below n_symbols
/// \param n_symbols  at least 1
/// \returns          [1, n, n_symbols]
/// \throws ContractError if a symbol is too large
Array<float> one_hot_row(const std::vector<std::size_t>& symbols, std::size_t n_symbols);

/// The weights that the places of a ring give to the place so many steps on, as a geometric
/// mean. With one matrix for queries and keys
///
/// \f[ \prod_i \alpha_{i,i-1} = \prod_i \alpha_{i,i+1} \le \prod_i \alpha_{ii} , \f]
///
/// so that the mean weight of the predecessor is at most 1/3.
/// \param weights  alpha [n, n], n at least 3, none negative
/// \param steps    -1 for the predecessor, 0 for the place itself, 1 for the successor
/// \returns        the geometric mean over the ring, 0 if one of these weights is 0
/// \throws ContractError if it is no such matrix
double mean_weight_on_ring(const Matrix& weights, int steps);

} // namespace attn::multi_head
