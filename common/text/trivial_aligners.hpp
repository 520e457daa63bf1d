/// \file
/// \brief Aligners that learn nothing: what an alignment error rate has to be compared with.
/// Deliberately three: the best that one link for each target word can do, the guess that word
/// order is the same in both languages, and chance.
#pragma once

#include "common/text/alignment_error.hpp"
#include "common/text/sentence_pair.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn::text {

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
