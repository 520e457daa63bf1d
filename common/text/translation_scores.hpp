/// \file
/// \brief How well sentences are translated: words predicted one by one, and whole translations,
/// in all and by the length of the source. Whether a model forgets what long sentences say is
/// seen there, and not in a mean.
#pragma once

#include "common/text/bleu.hpp"
#include "common/text/sentence_pair.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn::text {

/// Sums over the words of translations, their end symbols among them if the caller counts them.
struct TokenScores
{
    std::size_t n_tokens = 0;   ///< words that were predicted
    std::size_t n_right = 0;    ///< those among them that the model found most probable
    double log_probability = 0; ///< of all true words, summed; natural logarithms

    /// Adds the sums of further translations.
    TokenScores& operator+=(const TokenScores& other);

    /// \returns the share of words that the model found most probable; nan if there are none
    double accuracy() const;

    /// \returns the mean of -log p of a true word, in nats; nan if there are none
    double cross_entropy() const;

    /// \returns exp(cross_entropy()): how many equally probable words would leave as much doubt
    double perplexity() const;
};

/// Lengths of sources that are counted together.
struct LengthBucket
{
    std::size_t shortest; ///< in words
    std::size_t longest;  ///< in words, included

    /// \returns whether a sentence of that many words belongs here
    bool holds(std::size_t length) const { return shortest <= length && length <= longest; }

    /// \returns for instance "3-6"
    std::string name() const;
};

/// Buckets of equal width.
/// \param longest  of the last bucket, which is cut off there
/// \returns        3-6, 7-10, ..., 27-30 if nothing else is asked for
/// \throws ContractError if width is 0 or longest is below shortest
std::vector<LengthBucket> length_buckets(std::size_t shortest = 3, std::size_t width = 4,
                                         std::size_t longest = 30);

/// One translation, ready to be evaluated.
struct EvaluatedTranslation
{
    std::size_t source_length; ///< in words
    Words hypothesis;          ///< what the search has found, without the end symbol
    Words reference;           ///< what it should be
    TokenScores tokens; ///< of the reference under teacher forcing; zeros if not measured
};

/// Counts over translations, and the measures that they give.
struct TranslationCounts
{
    std::size_t n_sentences = 0;    ///< translations
    std::size_t n_exact = 0;        ///< those whose words are the reference's, all and in order
    TokenScores tokens;             ///< sums of theirs
    BleuCounts runs = BleuCounts(); ///< for BLEU-4

    /// Counts a further translation.
    void add(const EvaluatedTranslation& translation);

    /// \returns the share of translations that equal their reference; nan if there are none
    double exact_match() const;

    /// \returns the share of words predicted right under teacher forcing; nan if there are none
    double token_accuracy() const { return tokens.accuracy(); }

    /// \returns BLEU-4 of these translations as a corpus, from 0 to 1; nan if there are none
    double bleu() const;
};

/// The counts of a bucket.
struct BucketCounts
{
    LengthBucket bucket;      ///< which lengths
    TranslationCounts counts; ///< of translations whose source has such a length
};

/// Counts by the length of the source.
struct CountsByLength
{
    std::vector<BucketCounts> buckets; ///< in the order of the buckets, empty ones among them
    TranslationCounts all;             ///< of all translations, outside of all buckets too
};

/// Counts translations by the length of their source.
/// \param buckets  by length, none of them overlapping
/// \throws ContractError if a bucket is empty by its bounds, or not above the one before it
CountsByLength counts_by_length(const std::vector<EvaluatedTranslation>& translations,
                                const std::vector<LengthBucket>& buckets = length_buckets());

} // namespace attn::text
