/// \file
/// \brief Interventions over many sentences: what a word's weight says of the harm that its
/// deletion does. Deliberately nothing printed; one sentence is interventions.hpp's subject.
#pragma once

#include "chapters/08_bahdanau/comparison.hpp"
#include "chapters/08_bahdanau/interventions.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::bahdanau {

/// The upper bounds of the classes of weights, each class from the bound before it on.
inline constexpr std::array<double, 6> weight_bounds = {0.01, 0.1, 0.3, 0.6, 0.9, 1.0};

/// The drops of pairs of a target and a source word whose weight is of one class.
struct DropsOfClass
{
    std::vector<double> linked;   ///< drops where the two have a sure link
    std::vector<double> unlinked; ///< drops where they have neither a sure nor a possible one
};

/// What came of intervening at every word of some sentences.
struct Reasons
{
    Agreement agreement;                                      ///< which word counts most
    std::array<DropsOfClass, weight_bounds.size()> by_weight; ///< by the class of the weight
};

/// Another word for each source word, drawn from all words of the source language.
/// \param source      a sentence in numbers
/// \param vocabulary  of its language
/// \param generator   advanced
/// \returns           [n_source], none of them the word that stands there
std::vector<text::WordId> other_words(const std::vector<text::WordId>& source,
                                      const text::Vocabulary& vocabulary,
                                      random::Generator& generator);

/// Intervenes in sentences.
/// \param model       trained, with attention
/// \param task        whose vocabulary has the other words
/// \param part        the sentences
/// \param seed        of the other words
/// \returns           what came of it
Reasons intervene(const TranslationModel& model, const TranslationTask& task,
                  const JudgedPart& part, std::uint64_t seed);

/// An article, and what becomes of its probability if its noun is another one.
struct SwappedNouns
{
    std::string article;      ///< "le", "la", "un" or "une"
    std::size_t n = 0;        ///< how often it was tried
    double weight_own = 0;    ///< mean weight on the article that it translates
    double weight_noun = 0;   ///< mean weight on its noun
    double drop_same = 0;     ///< mean drop of ln p for another noun of the same gender
    double drop_opposite = 0; ///< the same for a noun of the other gender
};

/// Swaps the nouns of French singular articles. Which noun has which gender is read off the
/// training part: its possible links tell.
/// \param model       trained, with attention
/// \param task        with links
/// \param part        the sentences
/// \param seed        of the other nouns
/// \returns           of le, la, un and une
std::vector<SwappedNouns> swap_nouns(const TranslationModel& model, const TranslationTask& task,
                                     const JudgedPart& part, std::uint64_t seed);

/// The class of a weight.
/// \param weight  from 0 to 1, up to rounding
/// \returns       a number below weight_bounds.size()
std::size_t class_of(double weight);

} // namespace attn::bahdanau
