/// \file
/// \brief Translations as a program prints them. Deliberately in quotation marks: the tests then
/// take the words for what a model wrote, and do not compare them.
#pragma once

#include "chapters/07_seq2seq/translator_training.hpp"
#include "common/program/run.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace attn::seq2seq::report {

/// Prints the first sentence of each of some lengths, its reference and its translation.
/// \param frame      the program's terminal
/// \param pairs      that were judged
/// \param judgement  of them, with translations
/// \param lengths    of the sources, in words; those that no sentence has are left out
inline void show_translations(program::Frame& frame,
                              const std::vector<text::SentencePair>& pairs,
                              const Judgement& judgement,
                              const std::vector<std::size_t>& lengths)
{
    bool first = true;
    for (const std::size_t length : lengths) {
        const auto found =
            std::find_if(pairs.begin(), pairs.end(), [&](const text::SentencePair& pair) {
                return pair.source.size() == length;
            });
        if (found == pairs.end()) {
            continue;
        }
        if (!first) {
            frame.terminal.line();
        }
        first = false;
        const auto index = static_cast<std::size_t>(found - pairs.begin());
        const text::JudgedTranslation& translation = judgement.translations[index];
        const auto quoted = [](const text::Words& words) {
            return "« " + text::text_of(words) + " »";
        };
        frame.terminal.paragraph("source " + quoted(found->source));
        frame.terminal.paragraph("reference " + quoted(translation.reference));
        frame.terminal.paragraph("translation " + quoted(translation.hypothesis));
    }
}

} // namespace attn::seq2seq::report
