#include "common/translation/trivial_rules.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>

namespace attn::translation {

namespace {

/// Calls what is given with each word of the targets, ends included, and the word before it.
template <typename Visit>
void for_each_word(std::span<const text::NumberedPair> pairs, Visit visit)
{
    for (const text::NumberedPair& pair : pairs) {
        text::WordId last = text::begin_id;
        for (const text::WordId word : pair.target) {
            visit(last, word);
            last = word;
        }
        visit(last, text::end_id);
    }
}

/// A word's index in a list of n_words numbers.
std::size_t index_of(text::WordId word, std::size_t n_words)
{
    expect(word >= 0 && static_cast<std::size_t>(word) < n_words,
           "trivial rule: there is no word {} among {}", word, n_words);
    return static_cast<std::size_t>(word);
}

/// The probabilities of frequent_words.
std::vector<double> frequencies(std::span<const text::NumberedPair> learnt, std::size_t n_words)
{
    std::vector<double> counts(n_words, 1.0);
    double sum = static_cast<double>(n_words);
    for_each_word(learnt, [&](text::WordId, text::WordId word) {
        counts[index_of(word, n_words)] += 1;
        sum += 1;
    });
    for (double& count : counts) {
        count /= sum;
    }
    return counts;
}

} // namespace

Rule equal_words(std::size_t n_words)
{
    expect(n_words > 0, "equal_words: there must be at least one word");
    const std::vector<double> equal(n_words, 1.0 / static_cast<double>(n_words));
    return {"all words alike", [equal](text::WordId) { return equal; }};
}

Rule frequent_words(std::span<const text::NumberedPair> learnt, std::size_t n_words)
{
    const std::vector<double> p = frequencies(learnt, n_words);
    return {"words counted", [p](text::WordId) { return p; }};
}

Rule frequent_pairs(std::span<const text::NumberedPair> learnt, std::size_t n_words)
{
    const std::vector<double> p = frequencies(learnt, n_words);
    std::vector<std::vector<double>> rows(n_words, p); // [last][word]
    std::vector<double> sums(n_words, 1.0);
    for_each_word(learnt, [&](text::WordId last, text::WordId word) {
        rows[index_of(last, n_words)][index_of(word, n_words)] += 1;
        sums[index_of(last, n_words)] += 1;
    });
    for (std::size_t last = 0; last < n_words; ++last) {
        for (double& count : rows[last]) {
            count /= sums[last];
        }
    }
    return {"pairs of words counted",
            [rows](text::WordId last) { return rows.at(static_cast<std::size_t>(last)); }};
}

std::vector<Rule> trivial_rules(std::span<const text::NumberedPair> learnt, std::size_t n_words)
{
    return {equal_words(n_words), frequent_words(learnt, n_words),
            frequent_pairs(learnt, n_words)};
}

text::TokenScores scores_of(const Rule& rule, std::span<const text::NumberedPair> pairs)
{
    text::TokenScores scores;
    for_each_word(pairs, [&](text::WordId last, text::WordId word) {
        const std::vector<double> p = rule.predict(last);
        const auto best = std::max_element(p.begin(), p.end()) - p.begin();
        scores +=
            {1, best == word ? 1U : 0U, elementary::log(p.at(static_cast<std::size_t>(word)))};
    });
    return scores;
}

} // namespace attn::translation
