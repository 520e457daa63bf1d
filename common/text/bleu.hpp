/// \file
/// \brief BLEU: how many runs of words a translation shares with translations made by people.
/// The measure of a corpus as Papineni et al. (2002) define it. Nothing is smoothed and nothing
/// tokenised: sentences come as words, and case matters.
#pragma once

#include "common/text/sentence_pair.hpp"

#include <cstddef>
#include <vector>

namespace attn::text {

/// The longest runs of words that BLEU-4 counts.
inline constexpr std::size_t bleu_4 = 4;

/// What BLEU is computed from. Counts of sentences are added, precisions are not averaged: that
/// is what makes BLEU a measure of a corpus.
struct BleuCounts
{
    /// Nothing counted yet.
    /// \param max_n  the longest runs of words, at least 1
    /// \throws ContractError if max_n is 0
    explicit BleuCounts(std::size_t max_n = bleu_4);

    /// For n = 1, ..., max_n: the runs of n words in the hypotheses that stand in a reference
    /// too, each at most as often as in the reference that has it most often (clipped).
    std::vector<std::size_t> matches;

    std::vector<std::size_t> totals;   ///< for n = 1, ..., max_n: all runs of n words
    std::size_t hypothesis_length = 0; ///< words of the hypotheses
    std::size_t reference_length = 0;  ///< words of the references closest in length

    /// Adds the counts of further sentences.
    /// \throws ContractError if max_n differs
    BleuCounts& operator+=(const BleuCounts& other);
};

/// BLEU and what it is made of.
struct Bleu
{
    std::vector<double> precisions; ///< [max_n], matches / totals; 0 if there are no such runs
    double brevity_penalty;         ///< 1 if the hypotheses are not too short, else below
    std::size_t hypothesis_length;  ///< words of the hypotheses
    std::size_t reference_length;   ///< words of the references closest in length
    double value;                   ///< from 0 to 1; papers print 100 times that
};

/// Counts for one sentence.
/// \param hypothesis  [n_words], may be empty
/// \param references  [n_references][n_words], at least one. The one whose length is closest to
///                    the hypothesis' counts for the length, of two equally close the shorter
///                    one (the paper leaves that open).
/// \throws ContractError if there is no reference or max_n is 0
BleuCounts bleu_counts(const Words& hypothesis, const std::vector<Words>& references,
                       std::size_t max_n = bleu_4);

/// BLEU from counts (\cite papineni2002, section 2.3): the geometric mean of the precisions
/// with equal weights, times the brevity penalty, which is 1 if the hypotheses have at least as
/// many words as the references, and exp(1 - reference_length / hypothesis_length) otherwise.
/// If one of the precisions is 0, so is the mean: nothing is smoothed. So it is where the
/// hypotheses are so short that they have no run of max_n words.
/// \returns BLEU; 0 if nothing was counted
Bleu bleu_of(const BleuCounts& counts);

} // namespace attn::text
