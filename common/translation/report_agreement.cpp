#include "common/translation/report_agreement.hpp"

#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "common/text/share.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace attn::translation::report {

using program::fixed;

std::string share(std::size_t part, std::size_t whole)
{
    return fixed(static_cast<double>(part) / static_cast<double>(whole), 3);
}

double mean_of(const std::vector<double>& drops)
{
    return text::share_of(std::accumulate(drops.begin(), drops.end(), 0.0),
                          static_cast<double>(drops.size()));
}

void save_agreement(program::Frame& frame, const std::vector<Agreement>& found)
{
    program::CsvColumns csv;
    const auto column = [&](const char* name, auto number) {
        std::vector<double> numbers;
        for (const Agreement& one : found) {
            numbers.push_back(static_cast<double>(number(one)));
        }
        csv.add(name, numbers, fixed, 4);
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

void show_nouns(program::Frame& frame, const std::string& text,
                const std::vector<SwappedNouns>& found)
{
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

Matrix links_of_pair(const text::SentencePair& pair)
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

void save_links(program::Frame& frame, const text::SentencePair& pair)
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
                              .add("source", columns[0], fixed, 0)
                              .add("target", columns[1], fixed, 0)
                              .add("sure", columns[2], fixed, 0));
}

std::vector<std::size_t> shown_sentences(const std::vector<text::SentencePair>& pairs,
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

std::string top(const Matrix& numbers, std::size_t row, const text::Words& words)
{
    const std::size_t best = largest_of(numbers)[row];
    return fmt::format("« {} » {}", words[best], fixed(numbers(row, best), 2));
}

std::string linked_words(const text::SentencePair& pair, std::size_t target, bool sure)
{
    text::Words words;
    for (const text::Link& link : sure ? pair.sure : pair.possible) {
        if (link.target == target) {
            words.push_back(pair.source[link.source]);
        }
    }
    return text::text_of(words);
}

} // namespace attn::translation::report
