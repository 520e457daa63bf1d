/// \file
/// \brief Your turn: write chapter 7's context that is the mean of the states, and perplexity.
///
/// Replace the two bodies, then ask
///
///     cmake --build build && ctest --test-dir build -L your_turn -R 07 --output-on-failure
///
/// The tests judge properties, not digits, and their messages say what is wrong. Until a
/// body is written ctest reports its tests as skipped; no other test looks here.
#pragma once

#include "common/tensor/tensor.hpp"
#include "common/your_turn/not_written_yet.hpp"

#include <cstddef>
#include <vector>

/// What the reader writes in chapter 7.
namespace attn::seq2seq::your_turn {

/// The mean of the states of the words that are there. A sentence in a batch is filled up at its
/// end; states there are of no word.
/// \param states  [n_steps, d], the first word's first
/// \param length  words of the sentence, from 1 to n_steps
/// \returns       [d]
inline Vector mean_context([[maybe_unused]] const Matrix& states,
                           [[maybe_unused]] std::size_t length)
{
    throw attn::your_turn::NotWrittenYet("chapters/07_seq2seq/your_turn.hpp: mean_context");
}

/// The perplexity of answers, \f$ \exp(-\frac 1 n \sum \log p) \f$ over those that count.
/// \param log_p   [n_answers], natural logarithms of the right answers' probabilities
/// \param counts  [n_answers], false where an answer only fills a row up; at least one is true
/// \returns       at least 1
inline double perplexity([[maybe_unused]] const Vector& log_p,
                         [[maybe_unused]] const std::vector<bool>& counts)
{
    throw attn::your_turn::NotWrittenYet("chapters/07_seq2seq/your_turn.hpp: perplexity");
}

} // namespace attn::seq2seq::your_turn
