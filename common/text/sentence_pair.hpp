/// \file
/// \brief A sentence in two languages, word by word, and which word comes from which.
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Sentences, corpora, and how translations are found and evaluated.
namespace attn::text {

/// A sentence: its words, punctuation among them, in order.
using Words = std::vector<std::string>;

/// A word of the source that a word of the target comes from.
struct Link
{
    std::size_t source; ///< the number of the source word, from 0
    std::size_t target; ///< the number of the target word, from 0

    /// \returns the order by source, then by target
    friend auto operator<=>(const Link&, const Link&) = default;
};

/// A sentence and its translation. Where nobody has aligned them, both lists are empty.
struct SentencePair
{
    Words source;               ///< [n_source]
    Words target;               ///< [n_target]
    std::vector<Link> sure;     ///< links that an aligner must find
    std::vector<Link> possible; ///< further links that it may find; none of them is sure
};

/// A corpus in three parts. No source sentence is in two of them.
struct CorpusParts
{
    std::vector<SentencePair> train;      ///< to learn from
    std::vector<SentencePair> validation; ///< to choose settings by
    std::vector<SentencePair> test;       ///< to be looked at once
};

/// The words of a text.
/// \param text  any; words are separated by blanks, tabs or line breaks
Words words_of(std::string_view text);

/// The text of a sentence.
/// \returns the words with a blank between each two
std::string text_of(const Words& words);

} // namespace attn::text
