#include "common/translation/effects.hpp"

#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/results.hpp"
#include "common/text/share.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <numeric>

namespace attn::translation {

std::vector<std::size_t> largest_of(const Matrix& effects)
{
    std::vector<std::size_t> largest;
    for (std::size_t t = 0; t < effects.shape(0); ++t) {
        const double* const row = effects.data() + t * effects.shape(1);
        largest.push_back(
            static_cast<std::size_t>(std::max_element(row, row + effects.shape(1)) - row));
    }
    return largest;
}

std::size_t class_of(double weight)
{
    const auto last = weight_bounds.end() - 1;
    return static_cast<std::size_t>(std::distance(
        weight_bounds.begin(), std::upper_bound(weight_bounds.begin(), last, weight)));
}

namespace {

bool holds(const std::vector<text::Link>& links, const text::Link& link)
{
    return std::find(links.begin(), links.end(), link) != links.end();
}

} // namespace

void Agreement::add(const Effects& effects, const text::SentencePair& pair)
{
    const std::vector<std::size_t> by_weight = largest_of(effects.weights);
    const std::vector<std::size_t> by_deletion = largest_of(effects.deletion);
    const std::vector<std::size_t> by_replacement = largest_of(effects.replacement);
    const std::vector<std::size_t> by_gradient = largest_of(effects.gradient);
    const std::size_t n_source = pair.source.size();
    for (std::size_t t = 0; t < pair.target.size(); ++t) {
        const std::size_t attended = by_weight[t];
        const auto is_sure = [&](std::size_t source) {
            return holds(pair.sure, {source, t}) ? 1U : 0U;
        };
        n_words += 1;
        weight += attended == by_deletion[t] ? 1U : 0U;
        gradient += by_gradient[t] == by_deletion[t] ? 1U : 0U;
        replacement += by_replacement[t] == by_deletion[t] ? 1U : 0U;
        if (std::any_of(pair.sure.begin(), pair.sure.end(),
                        [t](const text::Link& link) { return link.target == t; })) {
            n_linked += 1;
            sure_deletion += is_sure(by_deletion[t]);
            sure_weight += is_sure(attended);
            sure_gradient += is_sure(by_gradient[t]);
        }
        double rest = 0;
        for (std::size_t j = 0; j < n_source; ++j) {
            const double drop = effects.deletion(t, j);
            rest += j == attended ? 0.0 : drop;
            DropsOfClass& drops = classes[class_of(effects.weights(t, j))];
            if (holds(pair.sure, {j, t})) {
                drops.linked.push_back(drop);
            } else if (!holds(pair.possible, {j, t})) {
                drops.unlinked.push_back(drop);
            }
        }
        drops_attended.push_back(effects.deletion(t, attended));
        drops_other.push_back(rest / static_cast<double>(n_source - 1));
    }
}

} // namespace attn::translation

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

void save_agreement(program::Frame& frame, const std::string& key,
                    const std::vector<std::string>& names, const std::vector<Agreement>& found)
{
    program::CsvColumns csv;
    csv.add(key, names);
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
    program::Results results({"article"}, {{"times", fixed, 0},
                                           {"weight_own", fixed, 4},
                                           {"weight_noun", fixed, 4},
                                           {"drop_same", fixed, 4},
                                           {"drop_opposite", fixed, 4}});
    for (const SwappedNouns& one : found) {
        results.add({one.article}, {static_cast<double>(one.n), one.weight_own, one.weight_noun,
                                    one.drop_same, one.drop_opposite});
    }
    frame.terminal.table(results.table({"article",
                                        {{"times", "times", 0},
                                         {"on its own", "weight_own", 2},
                                         {"on the noun", "weight_noun", 2},
                                         {"same gender", "drop_same", 2},
                                         {"other gender", "drop_opposite", 2}}}));
    frame.files.write_csv("trained_nouns.csv", results.columns());
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
    frame.files.write_csv("trained_alignment_links.csv",
                          program::CsvColumns().add_each({"source", "target", "sure"},
                                                         links_of_pair(pair), fixed, 0));
}

std::vector<std::size_t> shown_sentences(const std::vector<text::SentencePair>& pairs,
                                         std::size_t example)
{
    std::vector<std::size_t> shown = {example};
    for (const std::size_t length : {4U, 5U, 6U, 7U, 8U, 9U, 10U, 11U, 12U, 13U, 14U, 16U}) {
        const auto found =
            std::find_if(pairs.begin(), pairs.end(), [&](const text::SentencePair& pair) {
                return pair.source.size() == length && !pair.possible.empty();
            });
        const auto index = static_cast<std::size_t>(found - pairs.begin());
        if (found != pairs.end() && index != example) {
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
