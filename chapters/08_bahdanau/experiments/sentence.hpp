/// \file
/// \brief What single words attend to: one sentence word by word, and words that have to agree.
#pragma once

#include "chapters/08_bahdanau/experiments/comparison.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn::bahdanau {

/// What one word of the target language attends to, wherever it is written.
struct AttentionOfWord
{
    std::size_t n = 0;   ///< how often it stands in the right translations
    double sure = 0;     ///< weight on words with a sure link to it, summed
    double possible = 0; ///< weight on words with a possible link to it, summed
};

/// Adds up the weights of a word.
AttentionOfWord attention_of(const Evaluation& evaluation,
                             const std::vector<text::SentencePair>& pairs,
                             const std::string& word);

/// Prints and saves one sentence word by word, words that agree and some translations, and saves
/// the interactive figure's data.
void show_sentence(program::Frame& frame, const TranslationTask& task,
                   const AllTrained& trained);

} // namespace attn::bahdanau
