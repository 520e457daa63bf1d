/// \file
/// \brief What can be foretold of a translation without reading the source: rules that count
/// words. Deliberately no networks: these are the numbers that a network has to be compared with.
#pragma once

#include "common/text/batches.hpp"
#include "common/text/token_scores.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace attn::seq2seq {

/// A rule that foretells the next word from the one before it.
struct Rule
{
    std::string name; ///< as programs, figures and tests print it
    /// The number of the last word, `<s>` at first -> the probability of each word [n_words]
    std::function<std::vector<double>(text::WordId last)> foretell;
};

/// All words are as probable: a perplexity of n_words.
/// \param n_words  of the target language, special symbols included, at least 1
/// \returns        the rule
Rule equal_words(std::size_t n_words);

/// Each word is as probable as it is frequent, \f$ p(y) = (n_y + 1) / (n + V) \f$, where n counts
/// words and end symbols.
/// \param learnt   pairs whose targets are counted
/// \param n_words  V, of the target language, special symbols included
/// \returns        the rule
/// \throws ContractError if a target holds a number that is no word
Rule frequent_words(std::span<const text::NumberedPair> learnt, std::size_t n_words);

/// Each word is as probable as it is frequent behind the last one,
/// \f$ p(y \mid x) = (n_{xy} + p(y)) / (n_x + 1) \f$: behind a word that was never seen, p(y) of
/// frequent_words is left.
/// \param learnt   pairs whose targets are counted
/// \param n_words  of the target language, special symbols included
/// \returns        the rule
/// \throws ContractError if a target holds a number that is no word
Rule frequent_pairs(std::span<const text::NumberedPair> learnt, std::size_t n_words);

/// The three rules above, for whoever iterates over them.
/// \param learnt   pairs whose targets are counted
/// \param n_words  of the target language, special symbols included
/// \returns        equal words, frequent words, frequent pairs
std::vector<Rule> trivial_rules(std::span<const text::NumberedPair> learnt,
                                std::size_t n_words);

/// How well a rule foretells the words of translations and their end symbols, each after the right
/// one before it.
/// \param rule   any
/// \param pairs  whose targets are foretold
/// \returns      sums over all of them; of equally probable words that with the lowest number
///               counts as the most probable one
text::TokenScores scores_of(const Rule& rule, std::span<const text::NumberedPair> pairs);

} // namespace attn::seq2seq
