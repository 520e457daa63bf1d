/// \file
/// \brief What the reports on chapter 7's trained models have in common: numbers of trials, and the
/// second half of what is printed of them. Deliberately without numbers of their own.
#pragma once

#include "chapters/07_seq2seq/bottleneck.hpp"
#include "common/program/run.hpp"
#include "common/program/spread.hpp"

#include <cstddef>
#include <vector>

namespace attn::seq2seq::report {

/// One number of each trial of a model.
/// \param trials  [n_seeds]
/// \param number  what to take of one
/// \returns       their spread
template <typename Number>
program::Spread of(const std::vector<Trial>& trials, Number number)
{
    return program::spread(trials, number);
}

/// The counts of a trial in a bucket.
/// \param trial   any
/// \param bucket  its number
/// \returns       a reference into the trial
inline const text::TranslationCounts& counts_of(const Trial& trial, std::size_t bucket)
{
    return trial.counts.buckets[bucket].counts;
}

/// The counts of a trial, of all lengths.
/// \param trial  any
/// \returns      a reference into the trial
inline const text::TranslationCounts& all_of(const Trial& trial)
{
    return trial.counts.all;
}

/// \param counts  any
/// \returns       the share of exact translations
inline double exact_of(const text::TranslationCounts& counts)
{
    return counts.exact_match();
}

/// \param counts  any
/// \returns       BLEU, from 0 to 100
inline double bleu_of(const text::TranslationCounts& counts)
{
    return 100 * counts.bleu();
}

/// Prints and keeps how often words are right with the right words before them, and with the
/// model's own.
/// \param frame   the program's terminal and files
/// \param trials  of the GRU with the last state
void forced_and_free(program::Frame& frame, const std::vector<Trial>& trials);

/// Prints and keeps what greedy and beam search find.
/// \param frame   the program's terminal and files
/// \param trials  of the GRU with the last state
void searches(program::Frame& frame, const std::vector<Trial>& trials);

} // namespace attn::seq2seq::report
