/// \file
/// \brief What the program of chapter 8 prints and keeps, one function an experiment.
/// Deliberately without formulas: the other headers have them.
#pragma once

#include "chapters/08_bahdanau/comparison.hpp"
#include "chapters/08_bahdanau/readers_translator.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The program's tables and files.
namespace attn::bahdanau::report {

/// Steps of each training on the grammar's sentences, unless the reader says otherwise.
inline constexpr std::size_t chapters_steps = 640;

/// What a reader may ask of the trainings.
struct Settings
{
    std::optional<std::size_t> n_steps = {}; ///< batches of 32 sentences
    std::size_t n_seeds = 1;                 ///< translators of each kind

    /// \returns steps of a training on the grammar's sentences
    std::size_t steps() const { return n_steps.value_or(chapters_steps); }

    /// \param untrained  whether that was given too
    /// \returns          which options were given
    nn::ChapterTrainings given(bool untrained) const
    {
        return {.steps = n_steps.has_value(), .seeds = n_seeds != 1, .untrained = untrained};
    }

    /// \returns 1 if all test sentences are judged, 2 if each second one, after short trainings
    std::size_t judged_every() const { return steps() < 2000 ? 2 : 1; }
};

/// Sentences to learn from with --quick; every word of the test is among theirs.
inline constexpr std::size_t quick_train = 6000;

/// Prints how wrong the links of aligners are that learn nothing.
/// \param frame  the program's terminal
/// \param task   the chapter's
void aligners(program::Frame& frame, const TranslationTask& task);

/// Prints what is computed once a sentence, and what at every step.
/// \param frame  the program's terminal
void costs(program::Frame& frame);

/// Prints who can ask all questions in one matrix call.
/// \param frame  the program's terminal
void at_once(program::Frame& frame);

/// Prints who does not see what stands in the source.
/// \param frame  the program's terminal
void frozen_state(program::Frame& frame);

/// How many moments of a training are printed; a multiple of it is looked at.
inline constexpr std::size_t n_rows_of_looks = 8;

/// Trials of the same kind, one a seed.
using TrialsOfKind = std::vector<Trial>;

/// All trainings of the chapter.
struct Trials
{
    JudgedPart part;                 ///< what was judged
    std::vector<TrialsOfKind> full;  ///< [n_kinds][n_seeds], in the order of alignment_kinds()
    TranslationTask short_task;      ///< its sources to learn from have at most 15 words
    std::vector<TrialsOfKind> brief; ///< none and additive_before, trained on it
};

/// The trials of a kind.
/// \param trials      of train_all, full or brief
/// \param short_name  of the kind
/// \returns           one a seed
/// \throws ContractError if there are none
const TrialsOfKind& of_kind(const std::vector<TrialsOfKind>& trials,
                            std::string_view short_name);

/// Trains all kinds, as many at a time as there are threads.
/// \param frame     with the seed, and whether to be quick
/// \param task      the chapter's
/// \param settings  how long, how often
/// \returns         the trials
Trials train_all(const program::Frame& frame, const TranslationTask& task,
                 const Settings& settings);

/// Prints and keeps quality and alignment of all kinds, and the 2 x 2 of query and score.
/// \param frame   the program's terminal and files
/// \param trials  of train_all
void kinds(program::Frame& frame, const Trials& trials);

/// Prints and keeps quality against the length of the sentence, after learning from all lengths
/// and from at most 15 words.
/// \param frame   the program's terminal and files
/// \param trials  of train_all
void lengths(program::Frame& frame, const Trials& trials);

/// Prints and keeps how alignments come about while a translator learns.
/// \param frame   the program's terminal and files
/// \param trials  of train_all
void click(program::Frame& frame, const Trials& trials);

/// The kinds whose words are deleted and replaced: Bahdanau's, one of Luong's, location only.
/// \returns  their short names
const std::vector<std::string>& asked_kinds();

/// Prints and keeps what deleting and replacing a word does, beside its weight.
/// \param frame     the program's terminal and files
/// \param task      the chapter's
/// \param trials    of train_all
/// \param settings  with those sentences
void reasons(program::Frame& frame, const TranslationTask& task, const Trials& trials,
             const Settings& settings);

/// Prints and keeps one sentence word by word, words that agree and some translations, and keeps
/// the interactive figure's data.
/// \param frame   the program's terminal and files
/// \param task    the chapter's
/// \param trials  of train_all
void sentence(program::Frame& frame, const TranslationTask& task, const Trials& trials);

/// What a reader wants of one translator, and of which kind it is to be.
struct Request : ReadersTranslator
{
    std::string kind = "additive_before"; ///< a short name of alignment_kinds()
};

/// Trains or loads one translator, judges it if a corpus is given, keeps it and translates. What
/// cannot be used is found out before the training.
/// \param frame     the program's terminal and files
/// \param request   what is wanted
/// \param settings  how long it is trained
/// \throws BadInput if a file, the corpus or the sentence cannot be used
/// \throws program::Interrupted after Ctrl-C; with --save the translator is kept as it is then
void one_translator(program::Frame& frame, const Request& request, const Settings& settings);

/// Prints the pencil example, every intermediate by its name and shape.
/// \param frame  the program's terminal
void pencil_steps(program::Frame& frame);

} // namespace attn::bahdanau::report
