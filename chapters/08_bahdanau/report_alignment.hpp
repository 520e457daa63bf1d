/// \file
/// \brief One sentence and its links as programs print and keep them, here and in chapter 12.
/// Deliberately without models.
#pragma once

#include "chapters/08_bahdanau/interventions.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/run.hpp"
#include "common/text/sentence_pair.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace attn::bahdanau::report {

/// \param pair  with links
/// \returns     [n_links, 3]: source, target, 1 if sure and 0 if possible
inline Matrix links_of_pair(const text::SentencePair& pair)
{
    Matrix links = Matrix::from_shape({pair.sure.size() + pair.possible.size(), 3});
    std::size_t row = 0;
    for (const bool sure : {true, false}) {
        for (const text::Link& link : sure ? pair.sure : pair.possible) {
            links(row, 0) = static_cast<double>(link.source);
            links(row, 1) = static_cast<double>(link.target);
            links(row, 2) = sure ? 1 : 0;
            ++row;
        }
    }
    return links;
}

/// Keeps the links of a pair as a table, trained_alignment_links.csv.
/// \param frame  the program's files
/// \param pair   with links
inline void keep_links(program::Frame& frame, const text::SentencePair& pair)
{
    const Matrix links = links_of_pair(pair);
    std::vector<std::vector<double>> columns(3);
    for (std::size_t i = 0; i < links.shape(0); ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            columns[c].push_back(links(i, c));
        }
    }
    frame.files.write_csv("trained_alignment_links.csv",
                          program::CsvColumns()
                              .add("source", columns[0], program::fixed, 0)
                              .add("target", columns[1], program::fixed, 0)
                              .add("sure", columns[2], program::fixed, 0));
}

/// The sentences of an interactive figure: the telling one, then the first of some lengths.
/// \param pairs    of the test
/// \param telling  the number of the first one
/// \returns        numbers of sentences
inline std::vector<std::size_t> shown_sentences(const std::vector<text::SentencePair>& pairs,
                                                std::size_t telling)
{
    std::vector<std::size_t> shown = {telling};
    for (const std::size_t length : {4U, 5U, 6U, 7U, 8U, 9U, 10U, 11U, 12U, 13U, 14U, 16U}) {
        const auto found =
            std::find_if(pairs.begin(), pairs.end(), [&](const text::SentencePair& pair) {
                return pair.source.size() == length && !pair.possible.empty();
            });
        const auto index = static_cast<std::size_t>(found - pairs.begin());
        if (found != pairs.end() && index != telling) {
            shown.push_back(index);
        }
    }
    return shown;
}

/// \param numbers  [n_rows, n_words]
/// \param row      one of them
/// \param words    [n_words]
/// \returns        the word with the largest number in a row, and the number
inline std::string top(const Matrix& numbers, std::size_t row, const text::Words& words)
{
    const std::size_t best = largest_of(numbers)[row];
    return fmt::format("« {} » {}", words[best], program::fixed(numbers(row, best), 2));
}

/// \param pair    with links
/// \param target  the number of a target word
/// \param sure    by sure links or by possible ones
/// \returns       the source words that it is linked to
inline std::string linked_words(const text::SentencePair& pair, std::size_t target, bool sure)
{
    text::Words words;
    for (const text::Link& link : sure ? pair.sure : pair.possible) {
        if (link.target == target) {
            words.push_back(pair.source[link.source]);
        }
    }
    return text::text_of(words);
}

} // namespace attn::bahdanau::report
