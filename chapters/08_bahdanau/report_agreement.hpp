/// \file
/// \brief Whether the weight is the reason, as programs print and keep it, here and in chapter 12:
/// shares, means, and trained_agreement.csv. Deliberately without models: what was found goes in.
#pragma once

#include "chapters/08_bahdanau/reasons.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/run.hpp"
#include "common/text/share.hpp"

#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

namespace attn::bahdanau::report {

/// \param part   of the words
/// \param whole  the words
/// \returns      its share, three digits behind the point
inline std::string share(std::size_t part, std::size_t whole)
{
    return program::fixed(static_cast<double>(part) / static_cast<double>(whole), 3);
}

/// \param drops  of ln p
/// \returns      their mean; nan if there are none
inline double mean_of(const std::vector<double>& drops)
{
    return text::share_of(std::accumulate(drops.begin(), drops.end(), 0.0),
                          static_cast<double>(drops.size()));
}

/// Keeps all counts and mean drops, a row for each that was intervened in.
/// \param frame  the program's files
/// \param found  by bahdanau::intervene
inline void keep_agreement(program::Frame& frame, const std::vector<Reasons>& found)
{
    program::CsvColumns csv;
    const auto column = [&](const char* name, auto number) {
        std::vector<double> numbers;
        for (const Reasons& one : found) {
            numbers.push_back(static_cast<double>(number(one.agreement)));
        }
        csv.add(name, numbers, program::fixed, 4);
    };
    column("n_words", [](const Agreement& a) { return a.n_words; });
    column("n_linked", [](const Agreement& a) { return a.n_linked; });
    column("weight", [](const Agreement& a) { return a.weight; });
    column("gradient", [](const Agreement& a) { return a.gradient; });
    column("replacement", [](const Agreement& a) { return a.replacement; });
    column("sure_weight", [](const Agreement& a) { return a.sure_weight; });
    column("sure_deletion", [](const Agreement& a) { return a.sure_deletion; });
    column("sure_gradient", [](const Agreement& a) { return a.sure_gradient; });
    column("drop_attended", [](const Agreement& a) { return mean_of(a.drops_attended); });
    column("drop_other", [](const Agreement& a) { return mean_of(a.drops_other); });
    frame.files.write_csv("trained_agreement.csv", csv);
}

} // namespace attn::bahdanau::report
