/// \file
/// \brief The translators of the table, trained and judged on sentences of all lengths: what the
/// program of chapter 8 measures. Deliberately nothing printed.
#pragma once

#include "chapters/08_bahdanau/learning.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace attn::bahdanau {

using seq2seq::Judgement;

/// Sentence pairs to be judged on, in words and in numbers.
struct JudgedPart
{
    std::vector<text::SentencePair> pairs;    ///< [n]
    std::vector<text::NumberedPair> numbered; ///< [n], the same
};

/// Some of a part, evenly taken.
/// \param pairs     in words
/// \param numbered  the same in numbers
/// \param every     1 for all of them, 10 for each tenth
/// \returns         the first one, and so on
/// \throws ContractError if every is 0 or the two differ in length
JudgedPart every_nth(const std::vector<text::SentencePair>& pairs,
                     const std::vector<text::NumberedPair>& numbered, std::size_t every);

/// The first pair of each of some lengths.
/// \param pairs     in words
/// \param numbered  the same in numbers
/// \param lengths   of the sources, in words
/// \returns         at most one a length; those that no source has are left out
/// \throws ContractError if the two differ in length
JudgedPart first_of_lengths(const std::vector<text::SentencePair>& pairs,
                            const std::vector<text::NumberedPair>& numbered,
                            const std::vector<std::size_t>& lengths);

/// A translator of the table, trained and judged.
struct Trial
{
    const AlignmentKind* kind; ///< of alignment_kinds()
    std::uint64_t seed;        ///< of its first numbers and of the order of the sentences
    Learnt learnt;             ///< the translator, and how it came about
    Judgement judgement;       ///< of the part
};

/// Trains a translator and judges it.
/// \param kind     of the table
/// \param task     to learn from its training part
/// \param part     to be judged on
/// \param options  of the training
/// \returns        what came of it
Trial try_kind(const AlignmentKind& kind, const TranslationTask& task, const JudgedPart& part,
               const LearningOptions& options);

/// What a judgement comes to.
struct Measures
{
    double tokens;          ///< share of words foretold right
    double exact;           ///< share of sentences translated word by word as the reference
    double bleu;            ///< from 0 to 1
    double alignment_error; ///< of the largest weights; nan without attention
    double on_sure;         ///< mean weight on sure links; nan without attention
    double
        on_sure_or_possible; ///< mean weight on sure or possible links; nan without attention
};

/// The measures of a judgement.
/// \param judgement  of a translator
/// \param pairs      that were judged
/// \param attends    whether its weights mean anything
/// \returns          the measures
Measures measures_of(const Judgement& judgement, const std::vector<text::SentencePair>& pairs,
                     bool attends);

/// Where the weights of one word of the target language lie, wherever it is written.
struct LooksOfWord
{
    std::size_t n = 0;   ///< how often it stands in the right translations
    double sure = 0;     ///< weight on words with a sure link to it, summed
    double possible = 0; ///< weight on words with a possible link to it, summed
};

/// Adds up the weights of a word.
/// \param judgement  of a translator with attention
/// \param pairs      that were judged
/// \param word       of the target language
/// \returns          the sums
LooksOfWord looks_of(const Judgement& judgement, const std::vector<text::SentencePair>& pairs,
                     const std::string& word);

/// The test sentence that the page draws: the first one of 8 to 11 words with a possessive, two
/// neighbours that change places (an adjective and its noun), and a possible link.
/// \param pairs  in words, with links
/// \returns      its number
/// \throws ContractError if there is none
std::size_t telling_sentence(std::span<const text::SentencePair> pairs);

} // namespace attn::bahdanau
