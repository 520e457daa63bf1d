/// \file
/// \brief Your turn: write chapter 8's additive scores, and the context of a step.
///
/// Replace the two bodies, then ask
///
///     cmake --build build && ctest --test-dir build -L your_turn -R 08 --output-on-failure
///
/// The tests judge properties, not digits, and their messages say what is wrong. Until a
/// body is written ctest reports its tests as skipped; no other test looks here, and no program. A
/// score of your own that a translator is trained with begins in alignment.hpp.
#pragma once

#include "common/tensor/tensor.hpp"
#include "common/your_turn/not_written_yet.hpp"

#include <cstddef>

/// What the reader writes in chapter 8.
namespace attn::bahdanau::your_turn {

/// The additive scores of one question: w . tanh(query + keys_j), where the query is W_q s and
/// the keys are W_k e_j, both computed already.
/// \param query  [d]
/// \param keys   [n_source, d], one a source word
/// \param w      [d]
/// \returns      [n_source]
inline Vector additive_scores([[maybe_unused]] const Vector& query,
                              [[maybe_unused]] const Matrix& keys,
                              [[maybe_unused]] const Vector& w)
{
    throw attn::your_turn::NotWrittenYet("chapters/08_bahdanau/your_turn.hpp: additive_scores");
}

/// The context of a step: the mean of the annotations under the softmax of the scores. Only the
/// first n_words rows are words; the others fill up the batch, and hold anything.
/// \param scores       [n_rows]
/// \param annotations  [n_rows, d]
/// \param n_words      at least 1, at most n_rows
/// \returns            [d]
inline Vector context([[maybe_unused]] const Vector& scores,
                      [[maybe_unused]] const Matrix& annotations,
                      [[maybe_unused]] std::size_t n_words)
{
    throw attn::your_turn::NotWrittenYet("chapters/08_bahdanau/your_turn.hpp: context");
}

} // namespace attn::bahdanau::your_turn
