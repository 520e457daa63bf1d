/// \file
/// \brief What a masked model and a causal one of the same size can do with gaps: the form of a
/// verb behind another noun, two gaps that must agree, whole sentences from nothing but gaps, and
/// a gap that a causal model fills. A reader's gaps.
#pragma once

#include "chapters/13_language_models/experiments/french_models.hpp"
#include "common/grammar/lexicon.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace attn::language_models {

/// What stands between a noun and its verb.
enum class Between
{
    nothing,     ///< les voitures ... ici .
    same_number, ///< les voitures des rois ... ici .
    other_number ///< les voitures du roi ... ici .
};

/// How many members Between has.
inline constexpr std::size_t n_between = 3;

/// A sentence whose verb must agree with its first noun.
struct VerbProbe
{
    text::Words words;        ///< with the right verb
    std::size_t verb = 0;     ///< which word is the verb
    std::string right = {};   ///< est or sont
    std::string wrong = {};   ///< the other one
};

/// Sentences of every thing, and every owner if one stands between, both singular and plural.
std::vector<VerbProbe> verb_probes(Between between);

/// How often the right form is more probable than the wrong one. A masked model sees what stands on
/// both sides of the verb, a causal one what stands before it.
double share_right(const LanguageModel<float>& model, const FrenchSentences& sentences,
                   const std::vector<VerbProbe>& probes);

/// How words are put into a sentence.
enum class Writer
{
    masked_at_once,    ///< all gaps from the same probabilities
    masked_one_by_one, ///< from the first gap to the last
    masked_again,      ///< that, then each word hidden and drawn once more, three times over
    causal             ///< word after word
};

/// How many members Writer has.
inline constexpr std::size_t n_writers = 4;

/// What the words are like that a model writes, drawn at temperature 1.
struct Written
{
    double agreeing = 0;  ///< share of two gaps, filled with a determiner and a noun that agree
    double clashing = 0;  ///< share filled with a determiner and a noun that do not
    double new_pairs = 0; ///< share of the pairs of neighbours in whole sentences that none of the
                          ///< learnt sentences has
    std::vector<std::string> examples = {}; ///< the first two whole sentences
};

/// Hides a determiner and the noun behind it in each tested sentence that has both, then all words
/// of each.
/// \param model  causal or masked, as the writer
Written measure_writing(const LanguageModel<float>& model, const FrenchSentences& sentences,
                        Writer writer, std::uint64_t seed);

/// How often the word of one gap is named: by a masked model; by a causal one from what stands
/// before; and by a causal one that compares the probability of the whole sentence with each word
/// in the gap.
struct Named
{
    double masked = 0;       ///< one pass
    double causal_left = 0;  ///< one pass
    double causal_whole = 0; ///< a pass a word of the vocabulary
};

/// Hides one word in each of some tested sentences.
Named measure_naming(const LanguageModel<float>& masked, const LanguageModel<float>& causal,
                     const FrenchSentences& sentences, std::size_t n_sentences);

/// Prints and saves the sections on what each model can do with gaps.
void show_filling(program::Frame& frame, const FrenchSentences& sentences,
                  const FrenchModels& models);

/// Trains a masked model, fills a reader's gaps and prints the most probable words of each.
/// \param text  words of the grammar, each gap written as [MASK]
/// \throws BadInput if there is no gap, a word is not in the vocabulary, or the text is too long
void fill_readers_gaps(program::Frame& frame, const std::string& text);

} // namespace attn::language_models
