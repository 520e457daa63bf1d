/// \file
/// \brief How words are decoded: the pencil example's step, forced and free, greedy and with a beam.
#pragma once

#include "chapters/07_seq2seq/experiments/bottleneck.hpp"
#include "common/text/beams.hpp"
#include "common/text/search.hpp"

#include <cstddef>
#include <vector>

namespace attn::seq2seq {

/// Prints the pencil example, every intermediate by its name and shape.
void show_pencil_steps(program::Frame& frame);

// ---------------------------------------------------------------- a search that is greedy

/// Sentences that a search finds in the search example: two words, a and b, and the end, where the
/// probability of the next word depends on the last one alone.
/// \returns  [1 to width], the most probable first
std::vector<text::Hypothesis<>> search_example(std::size_t width);

/// Prints a search that goes wrong where it is greedy.
void show_greedy_search(program::Frame& frame);

// ---------------------------------------------------------------- forced and free

/// The share of sentences of which, under teacher forcing, every word was predicted right.
/// \returns  the share; nan if there are none
double all_words_right(const std::vector<text::EvaluatedTranslation>& translations);

/// The share of the references' words, ends included, at whose position a translation that was found
/// without teacher forcing has the same word.
/// \returns  the share; nan if there are none
double right_positions(const std::vector<text::EvaluatedTranslation>& translations);

/// Those of some translations whose source has a length of a bucket.
std::vector<text::EvaluatedTranslation>
of_bucket(const std::vector<text::EvaluatedTranslation>& translations,
          const text::LengthBucket& bucket);

/// Prints and saves how many words are right after the right words and after the model's own.
void show_forced_and_free(program::Frame& frame, const SeedsOfModel& trained);

// ---------------------------------------------------------------- greedy or beam

/// What a search found for all sentences of a test set.
struct SearchResult
{
    std::size_t width;              ///< of the beam; 1 is greedy
    double alpha;                   ///< of the length penalty; 0 is none
    text::TranslationCounts counts; ///< against the references
    double mean_log_probability;    ///< of what was found, a sentence
    double mean_length;             ///< of what was found, in words
};

/// The one of several hypotheses that a penalty prefers, its end symbol counted: the first of the
/// best, where those that ended by themselves go before those that were cut off.
/// \param found  at least one
const text::Hypothesis<>& preferred(const std::vector<text::Hypothesis<>>& found,
                                    const text::LengthPenalty& penalty);

/// Translates the test set of a task: greedy, and by a beam of 4 whose sentences are compared as they
/// are and under Google's length penalty with alpha = 1.
std::vector<SearchResult> compare_searches(const Translator<float>& translator,
                                           const TranslationTask& task);

/// Prints and saves what greedy and beam search find.
void show_searches(program::Frame& frame, const TranslationTask& task,
                   const SeedsOfModel& trained);

} // namespace attn::seq2seq
