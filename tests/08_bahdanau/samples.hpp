/// \file
/// \brief What the tests of chapter 8 are written with: alignment models of every kind in double,
/// an encoding of random numbers, and committed tables. Deliberately without the grammar.
#pragma once

#include "chapters/08_bahdanau/alignment.hpp"
#include "common/program/atomic_file.hpp"
#include "common/program/csv.hpp"
#include "tests/common/autograd/samples.hpp"

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace attn::testing {

/// A committed table of chapter 8.
/// \param file  its name
/// \returns     the table, without the rows that hold no number
inline program::NumericTable committed_of_8(const std::string& file)
{
    const std::filesystem::path folder =
        std::filesystem::path(ATTN_SOURCE_DIR) / "chapters/08_bahdanau/expected";
    std::istringstream lines(program::read_file(folder / file));
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
        for (std::size_t at = 0; (at = line.find("nan", at)) != std::string::npos;) {
            line.replace(at, 3, "-1"); // no number: below all that is asked for
        }
        kept += line + "\n";
    }
    return program::parse_numeric_csv(kept, file);
}

/// An encoding of random numbers.
/// \param lengths  of the sentences, at least one
/// \param hidden   numbers in a state
/// \returns        with rows of random numbers behind the ends too
inline seq2seq::Encoding<double> random_encoding(const std::vector<std::size_t>& lengths,
                                                 std::size_t hidden)
{
    std::size_t n = 0;
    for (const std::size_t length : lengths) {
        n = std::max(n, length);
    }
    return {Variable<double>(random_array({lengths.size(), n, hidden}, 1)),
            Variable<double>(random_array({lengths.size(), hidden}, 2)), lengths};
}

/// All scores.
inline const std::vector<bahdanau::Score> all_scores = {
    bahdanau::Score::additive, bahdanau::Score::concat, bahdanau::Score::dot,
    bahdanau::Score::general};

} // namespace attn::testing
