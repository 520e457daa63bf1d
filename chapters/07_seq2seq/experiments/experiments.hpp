/// \file
/// \brief What the program of chapter 7 computes without training: an embedding as the one-hot
/// lookup of chapter 1, and a search that goes wrong where it is greedy.
#pragma once

#include "common/tensor/tensor.hpp"
#include "common/text/search.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace attn::seq2seq {

/// An embedding taken in two ways.
struct EmbeddingComparison
{
    Matrix gathered;           ///< rows of the table by their numbers [n, d]
    Matrix looked_up;          ///< chapter 1's attention with one-hot queries and keys [n, d]
    Matrix gradient;           ///< of the table, walked back on the tape [n_words, d]
    Matrix scattered;          ///< one-hot columns times what flowed back [n_words, d]
    double largest_difference; ///< between the first two
    double difference_of_gradients; ///< the largest between the last two
};

/// Takes rows of a random table by their numbers, and by chapter 1's lookup.
/// \param n_words rows of the table
/// \param words   numbers of rows, below n_words
/// \param d       numbers in a row
EmbeddingComparison compare_embedding(std::uint64_t seed, std::size_t n_words,
                                      const std::vector<std::int64_t>& words, std::size_t d);

/// The words of the search example by their numbers: start, end, and two words.
inline constexpr std::array<std::string_view, 4> search_words = {"<s>", "</s>", "a", "b"};

/// The search example: p(next | last) [4, 4], rows and columns as search_words.
/// \returns  the table; the row of `</s>` is zero
Matrix search_table();

/// Sentences that a search finds in the search example.
/// \returns      [1 to width], the most probable first
std::vector<text::Hypothesis<>> search_example(std::size_t width);

} // namespace attn::seq2seq
