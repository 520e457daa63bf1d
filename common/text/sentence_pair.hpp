/// \file
/// \brief A sentence in two languages, word by word, and which word comes from which; and which
/// pairs are for training, which for choosing among settings and which for the last evaluation.
/// That is decided by the source sentence alone, so that a corpus may grow or be read in another
/// order and no pair changes sides.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
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

/// A part of a corpus.
enum class CorpusPart
{
    train,      ///< to learn from
    validation, ///< to choose settings by
    test        ///< to be looked at once
};

/// A number that depends on a sentence's words only, on every machine: FNV-1a with 64 bits
/// (Fowler, Noll and Vo) over the words with a blank between each two, then mixed by
/// SplitMix64, since FNV's high bits hardly change with the last letters of a text.
std::uint64_t hash_of(const Words& words);

/// The part that a source sentence belongs to: of a hundred values of the hash modulo 100, 80 are
/// for training, then 10 for validation, then 10 for the test. All its translations belong to the
/// same part. (Another source with the same translation may not.)
CorpusPart part_of(const Words& source);

/// Shares a corpus out. A part of a small corpus may be empty.
CorpusParts split_by_source(std::vector<SentencePair> pairs);

} // namespace attn::text
