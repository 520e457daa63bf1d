/// \file
/// \brief What can be predicted of a translation without reading the source: rules that count
/// words, which a network has to be compared with.
#pragma once

#include "common/text/batches.hpp"
#include "common/text/translation_scores.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace attn::translation {

/// A rule that predicts the next word from the one before it.
struct Rule
{
    std::string name; ///< as programs, figures and tests print it
    /// The number of the last word, `<s>` at first -> the probability of each word [n_words]
    std::function<std::vector<double>(text::WordId last)> predict;
};

/// All words are as probable: a perplexity of n_words.
/// \param n_words  of the target language, special symbols included, at least 1
Rule equal_words(std::size_t n_words);

/// Each word is as probable as it is frequent, \f$ p(y) = (n_y + 1) / (n + V) \f$, where n counts
/// words and end symbols.
/// \param learnt   pairs whose targets are counted
/// \param n_words  V, of the target language, special symbols included
/// \throws ContractError if a target holds a number that is no word
Rule frequent_words(std::span<const text::NumberedPair> learnt, std::size_t n_words);

/// Each word is as probable as it is frequent after the last one,
/// \f$ p(y \mid x) = (n_{xy} + p(y)) / (n_x + 1) \f$: after a word that was never seen, p(y) of
/// frequent_words is left.
/// \param learnt   pairs whose targets are counted
/// \param n_words  of the target language, special symbols included
/// \throws ContractError if a target holds a number that is no word
Rule frequent_pairs(std::span<const text::NumberedPair> learnt, std::size_t n_words);

/// The three rules above, in this order.
std::vector<Rule> trivial_rules(std::span<const text::NumberedPair> learnt,
                                std::size_t n_words);

/// How well a rule predicts the words of translations and their end symbols, each after the right
/// one before it, summed over all pairs. Of equally probable words that with the lowest number counts
/// as the most probable one.
text::TokenScores scores_of(const Rule& rule, std::span<const text::NumberedPair> pairs);

} // namespace attn::translation
