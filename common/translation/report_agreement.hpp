/// \file
/// \brief Whether the weight is the reason, as programs print and save it: agreement of the measures,
/// swapped nouns, and one sentence with its links.
#pragma once

#include "common/program/run.hpp"
#include "common/translation/effects.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn::translation::report {

/// A part's share of the whole, three decimals.
std::string share(std::size_t part, std::size_t whole);

/// The mean of drops of ln p; nan if there are none.
double mean_of(const std::vector<double>& drops);

/// Saves all counts and mean drops, a row for each that was intervened in, as trained_agreement.csv.
void save_agreement(program::Frame& frame, const std::vector<Agreement>& found);

/// Prints the section on nouns of another gender and saves trained_nouns.csv.
/// \param text   what its numbers are
/// \param found  an article each
void show_nouns(program::Frame& frame, const std::string& text,
                const std::vector<SwappedNouns>& found);

/// The links of a pair [n_links, 3]: source, target, 1 if sure and 0 if possible.
Matrix links_of_pair(const text::SentencePair& pair);

/// Saves the links of a pair as a table, trained_alignment_links.csv.
void save_links(program::Frame& frame, const text::SentencePair& pair);

/// The sentences of an interactive figure: the telling one, then the first of some lengths.
/// \param pairs    of the test
/// \param telling  the index of the first one
/// \returns        indices of sentences
std::vector<std::size_t> shown_sentences(const std::vector<text::SentencePair>& pairs,
                                         std::size_t telling);

/// The word with the largest number in a row, and the number.
/// \param numbers  [n_rows, n_words]
std::string top(const Matrix& numbers, std::size_t row, const text::Words& words);

/// The source words that a target word is linked to, by sure links or by possible ones.
std::string linked_words(const text::SentencePair& pair, std::size_t target, bool sure);

} // namespace attn::translation::report
