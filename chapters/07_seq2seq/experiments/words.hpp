/// \file
/// \brief Words, and what is predicted of them without reading the source: an embedding as the
/// one-hot lookup of chapter 1, the sentences of the chapter, and rules that count words.
#pragma once

#include "common/program/run.hpp"
#include "common/tensor/tensor.hpp"
#include "common/translation/task.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::seq2seq {

/// An embedding taken in two ways.
struct EmbeddingComparison
{
    Matrix gathered;           ///< rows of the table by their numbers [n, d]
    Matrix looked_up;          ///< chapter 1's attention with one-hot queries and keys [n, d]
    Matrix gradient;           ///< of the table, by the tape [n_words, d]
    Matrix scattered;          ///< one-hot columns times the rows' gradients [n_words, d]
    double largest_difference; ///< between the first two
    double difference_of_gradients; ///< the largest between the last two
};

/// Takes rows of a random table by their numbers, and by chapter 1's lookup.
/// \param n_words rows of the table
/// \param words   numbers of rows, below n_words
/// \param d       numbers in a row
EmbeddingComparison compare_embedding(std::uint64_t seed, std::size_t n_words,
                                      const std::vector<std::int64_t>& words, std::size_t d);

/// Prints that an embedding is chapter 1's lookup.
void show_embedding(program::Frame& frame);

/// The sentences of the chapter; a smaller corpus with --quick.
translation::TranslationTask sentences(const program::Frame& frame);

/// Prints what the corpus is.
void show_corpus(program::Frame& frame, const translation::TranslationTask& task);

/// Prints and saves how well rules predict words that do not read the source.
void show_rules(program::Frame& frame, const translation::TranslationTask& task);

} // namespace attn::seq2seq
