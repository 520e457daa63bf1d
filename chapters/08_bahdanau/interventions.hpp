/// \file
/// \brief Is the weight the reason? A source word is deleted or replaced, and what happens to the
/// probability of each target word is compared with its weight, with gradient times input and
/// with the gold links. Under teacher forcing: the words before are the right ones.
#pragma once

#include "chapters/07_seq2seq/translator.hpp"
#include "common/translation/effects.hpp"
#include "common/translation/evaluation.hpp"

#include <cstdint>
#include <vector>

namespace attn::bahdanau {

using translation::Agreement;
using translation::Effects;
using translation::EvaluationSet;
using translation::SwappedNouns;
using translation::TranslationModel;
using translation::TranslationTask;

/// Intervenes at every source word of one sentence.
/// \param pair    with at least two source words and one target word
/// \param others  [n_source], what replaces each source word
/// \throws ContractError if the pair is too short, or there is not one other word for each
Effects effects_of(const TranslationModel& model, const text::NumberedPair& pair,
                   const std::vector<text::WordId>& others);

/// The weight of each source word at the step that writes each target word.
/// \returns  [n_target, n_source]
Matrix attention_weights(const TranslationModel& model, const text::NumberedPair& pair);

/// The drop of ln p of each target word if a source word is not there.
/// \returns  [n_target, n_source]; empty without two source words and one target word
Matrix deletion_drops(const TranslationModel& model, const text::NumberedPair& pair);

/// The drop of ln p of each target word if one annotation is replaced by the mean of the others.
/// The encoder has read the whole sentence, and the decoder's first state is as it was: what is
/// taken away is what attention can read in that position.
/// \param pair  with at least two source words and one target word
/// \returns     [n_target, n_source]
/// \throws ContractError if the source is shorter
Matrix knockout_drops(const seq2seq::Translator<float>& translator,
                      const text::NumberedPair& pair);

/// Another word for each source word, drawn from all words of the source language.
/// \returns  [n_source], none of them the word that stands there
std::vector<text::WordId> other_words(const std::vector<text::WordId>& source,
                                      const text::Vocabulary& vocabulary,
                                      random::Generator& generator);

/// Intervenes in sentences.
/// \param model  trained, with attention
/// \param task   whose vocabulary has the other words
/// \param seed   of the other words
Agreement intervene(const TranslationModel& model, const TranslationTask& task,
                    const EvaluationSet& set, std::uint64_t seed);

/// Swaps the nouns of French singular articles. Which noun has which gender is read off the
/// training part: its possible links tell.
/// \param model  trained, with attention
/// \param task   with links
/// \param seed   of the other nouns
/// \returns      of le, la, un and une
std::vector<SwappedNouns> swap_nouns(const TranslationModel& model, const TranslationTask& task,
                                     const EvaluationSet& set, std::uint64_t seed);

} // namespace attn::bahdanau
