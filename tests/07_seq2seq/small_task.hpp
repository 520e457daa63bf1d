/// \file
/// \brief A small task of the grammar, for tests that need real sentences and little time.
/// Deliberately not the programs' own, which has 30 times as many to learn from.
#pragma once

#include "chapters/07_seq2seq/translation_task.hpp"

namespace attn::testing {

/// A small task of the grammar.
/// \returns  the same for all cases: 6000 pairs to learn from, 162 to be tested on
inline const seq2seq::TranslationTask& small_task()
{
    static const seq2seq::TranslationTask task =
        seq2seq::grammar_task(3, {.train = 6000, .validation = 54, .test = 162});
    return task;
}

} // namespace attn::testing
