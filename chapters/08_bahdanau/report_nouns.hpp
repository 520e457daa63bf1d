/// \file
/// \brief What becomes of an article whose noun is another one, as programs print and keep it,
/// here and in chapter 12. Deliberately without models: what was found goes in.
#pragma once

#include "chapters/08_bahdanau/reasons.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/run.hpp"
#include "common/program/table.hpp"
#include "common/program/trained.hpp"

#include <string>
#include <vector>

namespace attn::bahdanau::report {

/// Prints the section and keeps trained_nouns.csv.
/// \param frame  of the program
/// \param text   what its numbers are
/// \param found  an article each
inline void show_nouns(program::Frame& frame, const std::string& text,
                       const std::vector<SwappedNouns>& found)
{
    using program::fixed;
    program::begin_trained(frame, "Another noun, and its article", text);
    program::Table table(
        {"article", "times", "on its own", "on the noun", "same gender", "other gender"});
    std::vector<std::vector<double>> columns(5);
    for (const SwappedNouns& one : found) {
        table.row({one.article, std::to_string(one.n), fixed(one.weight_own, 2),
                   fixed(one.weight_noun, 2), fixed(one.drop_same, 2),
                   fixed(one.drop_opposite, 2)});
        const std::vector<double> row = {static_cast<double>(one.n), one.weight_own,
                                         one.weight_noun, one.drop_same, one.drop_opposite};
        for (std::size_t c = 0; c < row.size(); ++c) {
            columns[c].push_back(row[c]);
        }
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_nouns.csv", program::CsvColumns()
                                                   .add("times", columns[0], fixed, 0)
                                                   .add("weight_own", columns[1], fixed, 4)
                                                   .add("weight_noun", columns[2], fixed, 4)
                                                   .add("drop_same", columns[3], fixed, 4)
                                                   .add("drop_opposite", columns[4], fixed, 4));
}

} // namespace attn::bahdanau::report
