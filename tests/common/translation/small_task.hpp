/// \file
/// \brief A small task of the grammar, for tests that need real sentences and little time.
#pragma once

#include "common/translation/task.hpp"

namespace attn::testing {

/// A small task of the grammar.
/// \returns  the same for all cases: 6000 pairs to learn from, 162 to be tested on
inline const translation::TranslationTask& small_task()
{
    static const translation::TranslationTask task =
        translation::grammar_task(3, {.train = 6000, .validation = 54, .test = 162});
    return task;
}

} // namespace attn::testing
