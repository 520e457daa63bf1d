/// \file
/// \brief What each source word means to each target word, by several measures, how often these name
/// the same word, and how programs print and save it. Chapter 8 measures the effects by interventions.
#pragma once

#include "common/program/run.hpp"
#include "common/tensor/tensor.hpp"
#include "common/text/sentence_pair.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace attn::translation {

/// What each source word means to each target word of one sentence pair, the end symbol left
/// out. A drop is \f$ \ln p(y_t \mid x) - \ln p(y_t \mid x') \f$: above 0 if the word was of
/// use.
struct Effects
{
    Matrix weights;     ///< [n_target, n_source], attention
    Matrix deletion;    ///< [n_target, n_source], the drop if the word is not there
    Matrix replacement; ///< [n_target, n_source], the drop if another word stands there
    Matrix gradient; ///< [n_target, n_source], \f$ x_j \cdot \partial \ln p / \partial x_j \f$
};

/// Which source word counts most for each target word, by one of the matrices of Effects; of equal
/// numbers the first.
std::vector<std::size_t> largest_of(const Matrix& effects);

/// The upper bounds of the classes of weights, each class from the bound before it on.
inline constexpr std::array<double, 6> weight_bounds = {0.01, 0.1, 0.3, 0.6, 0.9, 1.0};

/// The class of a weight from 0 to 1, up to rounding.
std::size_t class_of(double weight);

/// The drops of pairs of a target and a source word whose weight is of one class.
struct DropsOfClass
{
    std::vector<double> linked;   ///< drops where the two have a sure link
    std::vector<double> unlinked; ///< drops where they have neither a sure nor a possible one
};

/// How often the measures name the same source word, over target words.
struct Agreement
{
    std::size_t n_words = 0;            ///< target words
    std::size_t weight = 0;             ///< weight and deletion name the same word
    std::size_t gradient = 0;           ///< gradient times input and deletion do
    std::size_t replacement = 0;        ///< replacement and deletion do
    std::size_t n_linked = 0;           ///< target words with a sure link
    std::size_t sure_deletion = 0;      ///< among these: deletion names a word of a sure link
    std::size_t sure_weight = 0;        ///< the weight does
    std::size_t sure_gradient = 0;      ///< gradient times input does
    std::vector<double> drops_attended; ///< deletion's, of the word with the largest weight
    std::vector<double> drops_other;    ///< deletion's, the mean of all other words
    std::array<DropsOfClass, weight_bounds.size()>
        classes; ///< drops by the class of the weight

    /// Counts a further sentence.
    void add(const Effects& effects, const text::SentencePair& pair);
};

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

} // namespace attn::translation

namespace attn::translation::report {

/// A part's share of the whole, three decimals.
std::string share(std::size_t part, std::size_t whole);

/// The mean of drops of ln p; nan if there are none.
double mean_of(const std::vector<double>& drops);

/// Saves all counts and mean drops, a row for each that was intervened in, as trained_agreement.csv.
/// \param key    the column of their keys
/// \param names  [n_found]
void save_agreement(program::Frame& frame, const std::string& key,
                    const std::vector<std::string>& names, const std::vector<Agreement>& found);

/// Prints the section on nouns of another gender and saves trained_nouns.csv.
/// \param text   what its numbers are
/// \param found  an article each
void show_nouns(program::Frame& frame, const std::string& text,
                const std::vector<SwappedNouns>& found);

/// The links of a pair [n_links, 3]: source, target, 1 if sure and 0 if possible.
Matrix links_of_pair(const text::SentencePair& pair);

/// Saves the links of a pair as a table, trained_alignment_links.csv.
void save_links(program::Frame& frame, const text::SentencePair& pair);

/// The sentences of an interactive figure: the example one, then the first of some lengths.
/// \param pairs    of the test
/// \param example  the index of the first one
/// \returns        indices of sentences
std::vector<std::size_t> shown_sentences(const std::vector<text::SentencePair>& pairs,
                                         std::size_t example);

/// The word with the largest number in a row, and the number.
/// \param numbers  [n_rows, n_words]
std::string top(const Matrix& numbers, std::size_t row, const text::Words& words);

/// The source words that a target word is linked to, by sure links or by possible ones.
std::string linked_words(const text::SentencePair& pair, std::size_t target, bool sure);

} // namespace attn::translation::report
