/// \file
/// \brief What becomes of an article whose noun is another one, as programs print and keep it,
/// here and in chapter 12. Deliberately without models: what was found goes in.
#pragma once

#include "chapters/08_bahdanau/reasons.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/run.hpp"
#include "common/program/table.hpp"

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
    frame.terminal.introduce("Another noun, and its article", "{}", text);
    program::Table table(
        {"article", "times", "on its own", "on the noun", "same gender", "other gender"});
    program::CsvRows csv({{"times", fixed, 0},
                          {"weight_own", fixed, 4},
                          {"weight_noun", fixed, 4},
                          {"drop_same", fixed, 4},
                          {"drop_opposite", fixed, 4}});
    for (const SwappedNouns& one : found) {
        table.row({one.article, std::to_string(one.n), fixed(one.weight_own, 2),
                   fixed(one.weight_noun, 2), fixed(one.drop_same, 2),
                   fixed(one.drop_opposite, 2)});
        csv.add({static_cast<double>(one.n), one.weight_own, one.weight_noun, one.drop_same,
                 one.drop_opposite});
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_nouns.csv", csv.columns());
}

} // namespace attn::bahdanau::report
