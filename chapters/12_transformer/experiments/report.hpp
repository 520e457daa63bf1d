/// \file
/// \brief What the program of chapter 12 prints and keeps, one function an experiment.
/// Deliberately without formulas: the other headers have them.
#pragma once

#include "chapters/12_transformer/heads.hpp"
#include "chapters/12_transformer/readers_transformer.hpp"
#include "common/program/run.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// The program's tables and files.
namespace attn::transformer::report {

/// What a reader may ask of the trainings.
struct Settings
{
    std::optional<std::size_t> n_steps = {}; ///< batches of 32 sentences
    std::size_t n_seeds = 1;                 ///< transformers of each variant

    /// \returns steps of a training on the grammar's sentences
    std::size_t steps() const { return n_steps.value_or(chapters_steps); }

    /// \param untrained  whether that was given too
    /// \returns          which options were given
    nn::ChapterTrainings given(bool untrained) const
    {
        return {.steps = n_steps.has_value(), .seeds = n_seeds != 1, .untrained = untrained};
    }

    /// \returns whether the trainings are shorter than those of the committed numbers
    bool brief() const { return steps() < 2000; }

    /// \returns steps of the trainings that compare norms and warm-up, at most
    std::size_t norm_steps() const
    {
        return std::min<std::size_t>(steps(), brief() ? 200 : 300);
    }

    /// \returns 1 if all test sentences are judged, 5 if each fifth one, after short trainings
    std::size_t judged_every() const { return brief() ? 5 : 1; }
};

/// Sentences to learn from with --quick; every word of the test is among theirs.
inline constexpr std::size_t quick_train = 6000;

/// Prints where the parameters sit, matrix by matrix.
/// \param frame  the program's terminal
/// \param task   whose vocabularies count
void parameters(program::Frame& frame, const TranslationTask& task);

/// Prints and keeps the smoothed loss of several certainties, and its floor.
/// \param frame  the program's terminal
/// \param task   whose vocabulary counts
void smoothing(program::Frame& frame, const TranslationTask& task);

/// Prints and keeps what a word costs with keys and values kept and without, and whether both
/// ways say the same.
/// \param frame  the program's terminal and files
void decoding(program::Frame& frame);

/// Prints rows and gradients of deep untrained encoders.
/// \param frame  the program's terminal
void depth(program::Frame& frame);

/// Prints the pencil example, every intermediate by its name and shape.
/// \param frame  the program's terminal
void pencil_steps(program::Frame& frame);

/// Trains transformers that copy, and prints what came of it.
/// \param frame  the program's terminal
void copying(program::Frame& frame);

/// Trials of the same variant, one a seed.
using TrialsOfVariant = std::vector<Trial>;

/// Bahdanau's translator, trained and judged, one a seed.
using TrialsOfOther = std::vector<bahdanau::Trial>;

/// The measures of a variant in each seed.
/// \param trials  of it
/// \returns       [n_seeds]
std::vector<Measures> measures_of(const TrialsOfVariant& trials);

/// All trainings of the chapter.
struct Trials
{
    JudgedPart part;                        ///< what was judged
    JudgedPart validation;                  ///< on which heads are chosen
    std::vector<TrialsOfVariant> ablations; ///< [n_ablations][n_seeds], the whole first
    std::vector<TrialsOfVariant> norms;     ///< [n_norm_variants][n_seeds]
    TrialsOfVariant brief;                  ///< [n_seeds], the whole, from at most 15 words
    TrialsOfOther recurrent;                ///< [n_seeds], Bahdanau's additive score
    std::vector<std::vector<HeadMeasures>> heads; ///< [n_seeds], of the whole
};

/// Trains all variants, as many at a time as there are threads.
/// \param frame     with the seed, and whether to be quick
/// \param task      the chapter's
/// \param settings  how long, how often
/// \returns         the trials
Trials train_all(const program::Frame& frame, const TranslationTask& task,
                 const Settings& settings);

/// Prints and keeps the quality of the whole beside Bahdanau's model and rules without
/// learning.
/// \param frame   the program's terminal and files
/// \param task    the chapter's
/// \param trials  of train_all
void quality(program::Frame& frame, const TranslationTask& task, const Trials& trials);

/// Prints and keeps quality against the length of the sentence.
/// \param frame   the program's terminal and files
/// \param trials  of train_all
void lengths(program::Frame& frame, const Trials& trials);

/// Prints and keeps what breaks without each part.
/// \param frame   the program's terminal and files
/// \param trials  of train_all
void ablation(program::Frame& frame, const Trials& trials);

/// Prints and keeps how transformers learn with the norm before and after, with warm-up and
/// without.
/// \param frame   the program's terminal and files
/// \param trials  of train_all
void norms(program::Frame& frame, const Trials& trials);

/// Prints and keeps what each head looks at.
/// \param frame   the program's terminal and files
/// \param trials  of train_all
void heads(program::Frame& frame, const Trials& trials);

/// Prints and keeps what deleting a word does, beside its weight in each head.
/// \param frame     the program's terminal and files
/// \param task      the chapter's
/// \param trials    of train_all
/// \param settings  with those sentences
void reasons(program::Frame& frame, const TranslationTask& task, const Trials& trials,
             const Settings& settings);

/// Prints and keeps one sentence word by word and some translations, and keeps the interactive
/// figure's data.
/// \param frame   the program's terminal and files
/// \param task    the chapter's
/// \param trials  of train_all
void sentence(program::Frame& frame, const TranslationTask& task, const Trials& trials);

} // namespace attn::transformer::report
