/// \file
/// \brief How well links between the words of a sentence and of its translation agree with
/// those that are known to be right: the alignment error rate of Och and Ney (2003), and what
/// attention weights put on right links. Three aligners that learn nothing stand beside it, which
/// every other must beat: the best that one link for each target word can do, the guess that word
/// order is the same in both languages, and chance.
#pragma once

#include "common/text/sentence_pair.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn::text {

/// Attention weights of a sentence pair, [n_target][n_source]: row j belongs to the step that
/// produces target word j. The row of the end symbol is left out. Each row is at least 0 and
/// sums to 1, or to less where weights are left out.
using AttentionWeights = std::vector<std::vector<double>>;

/// What the alignment error rate is computed from, A being the links to be evaluated, S the sure
/// and P the possible ones of a SentencePair, none of which is in S. (Och and Ney's P contains
/// S: it is S or P here.) They are real numbers, so that they may be expectations.
struct AlignmentCounts
{
    double n_links = 0;               ///< how many links are in A
    double n_sure = 0;                ///< how many are in S
    double n_in_sure = 0;             ///< links of A that are in S
    double n_in_sure_or_possible = 0; ///< links of A that are in S or P

    /// Adds the counts of further sentences.
    AlignmentCounts& operator+=(const AlignmentCounts& other);

    /// The alignment error rate (\cite och2003), over all that was counted: links of long
    /// sentences weigh as much as those of short ones. A possible link costs nothing if it is
    /// missing, and never raises the error if it is there.
    ///
    /// \f[ 1 - \frac{|A \cap S| + |A \cap (S \cup P)|}{|A| + |S|} \f]
    ///
    /// \returns  from 0 to 1; nan if A and S are empty
    double error() const;

    /// \returns the share of the links that are right, in S or P; nan without links
    double precision() const;

    /// \returns the share of the links that are sure; nan without links
    double share_in_sure() const;
};

/// Counts for one sentence pair.
/// \param links  A, none of them twice
/// \throws ContractError if a link of A, S or P is outside of the sentences or occurs twice, or
///         is both in S and in P
AlignmentCounts alignment_counts(const std::vector<Link>& links, const SentencePair& pair);

/// The links that attention weights speak for: one for each target word, to the source word
/// with the largest weight; of several the first.
/// \param weights  [n_target][n_source]
/// \returns        [n_target], by target word
/// \throws ContractError if there are no source words, rows of different lengths, or if a
///         weight is negative or not finite
std::vector<Link> links_of(const AttentionWeights& weights);

/// How much of the attention lies on right links.
struct AttentionMass
{
    double on_sure = 0;             ///< the weights on links of S, summed
    double on_sure_or_possible = 0; ///< the weights on links of S or P, summed
    std::size_t n_target = 0;       ///< target words, each with weights that sum to 1

    /// Adds the masses of further sentences.
    AttentionMass& operator+=(const AttentionMass& other);

    /// \returns the mean over the target words of the weights on S; nan if there are none
    double share_on_sure() const;

    /// \returns the mean over the target words of the weights on S or P; nan if there are none
    double share_on_sure_or_possible() const;
};

/// The mass of one sentence pair. Target words without any link count: all of their weight is
/// wrong.
/// \param weights  [n_target][n_source]
/// \param pair     of n_source and n_target words
/// \throws ContractError if weights and pair have different lengths, if a weight is negative or
///         not finite, if a row sums to more than 1, or if links are wrong as for
///         alignment_counts
AttentionMass attention_mass(const AttentionWeights& weights, const SentencePair& pair);

/// The mass of a corpus.
/// \param weights  [n_pairs][n_target][n_source]
/// \param pairs    [n_pairs]
/// \throws ContractError if there are not as many of both, or as for one pair
AttentionMass attention_mass(const std::vector<AttentionWeights>& weights,
                             const std::vector<SentencePair>& pairs);

/// One sure link for each target word: the best that attention can do if its largest weight is
/// taken. Its error is not 0 where a target word has several sure links.
/// \returns for each target word with sure links the one with the first source word, by target
///          word; none for the others
std::vector<Link> oracle_links(const SentencePair& pair);

/// One link for each target word, to the source word at the same relative position: target word j
/// of m is linked to the source word at round(j (n - 1) / (m - 1)), j from 0; halves are
/// rounded up. A single target word, m = 1, is linked to the first source word.
/// \param n_source  n, at least 1 if there are target words
/// \param n_target  m
/// \throws ContractError if there are target words and no source words
std::vector<Link> diagonal_links(std::size_t n_source, std::size_t n_target);

/// What is to be expected of one link for each target word, to a source word drawn with equal
/// probabilities: the expected counts are |A| = m, |A and S| = |S| / n and |A and (S or P)| =
/// |S or P| / n. The error rate is linear in the last two, while |A| and |S| are the same in
/// every draw; so the error of the expected counts is the expected error, over a corpus too.
/// \param pair  of n source and m target words
/// \throws ContractError if there are target words and no source words, or links are wrong as
///         for alignment_counts
AlignmentCounts expected_uniform_counts(const SentencePair& pair);

/// An aligner and what its links count.
struct TrivialAligner
{
    std::string name;                                    ///< as programs and figures print it
    AlignmentCounts (*counts)(const SentencePair& pair); ///< as of alignment_counts
};

/// The aligners of this file.
/// \returns  oracle, diagonal, uniform
const std::vector<TrivialAligner>& trivial_aligners();

/// What an aligner's links count over a corpus.
/// \throws ContractError as the aligner
AlignmentCounts alignment_counts(const TrivialAligner& aligner,
                                 const std::vector<SentencePair>& pairs);

} // namespace attn::text
