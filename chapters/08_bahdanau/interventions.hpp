/// \file
/// \brief Is the weight the reason? A source word is deleted or replaced, and what happens to the
/// probability of each target word is compared with its weight, with gradient times input and
/// with the gold links. Deliberately under teacher forcing: the words before are the right ones.
#pragma once

#include "chapters/07_seq2seq/translator_training.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <vector>

namespace attn::bahdanau {

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

/// Intervenes at every source word.
/// \param model       trained
/// \param pair        with at least two source words and one target word
/// \param others      [n_source], what replaces each source word
/// \returns           the effects
/// \throws ContractError if the pair is too short, or there is not one other word for each
Effects effects_of(const seq2seq::TranslationModel& model, const text::NumberedPair& pair,
                   const std::vector<text::WordId>& others);

/// Which source word counts most for a target word, by one measure.
/// \param effects  one of the matrices of Effects
/// \returns        [n_target], of equal numbers the first
std::vector<std::size_t> largest_of(const Matrix& effects);

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

    /// Counts a further sentence.
    /// \param effects  of the pair
    /// \param pair     with its links
    void add(const Effects& effects, const text::SentencePair& pair);
};

} // namespace attn::bahdanau
