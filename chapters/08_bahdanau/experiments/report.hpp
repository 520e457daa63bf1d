/// \file
/// \brief What the program of chapter 8 prints and saves, one function an experiment.
#pragma once

#include "chapters/08_bahdanau/experiments/comparison.hpp"
#include "chapters/08_bahdanau/interventions.hpp"
#include "common/program/run.hpp"
#include "common/translation/one_translator.hpp"

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
struct Trainings
{
    std::optional<std::size_t> n_steps = {}; ///< batches of 32 sentences
    std::size_t n_seeds = 1;                 ///< translators of each kind

    /// Steps of a training on the grammar's sentences.
    std::size_t steps() const { return n_steps.value_or(chapters_steps); }

    /// Which options were given, --untrained too.
    nn::ChapterTrainings given(bool untrained) const
    {
        return {.steps = n_steps.has_value(), .seeds = n_seeds != 1, .untrained = untrained};
    }

    /// 1 if all test sentences are evaluated, 2 if each second one, after short trainings.
    std::size_t evaluated_every() const { return steps() < 2000 ? 2 : 1; }
};

/// Sentences to learn from with --quick; every word of the test is among theirs.
inline constexpr std::size_t quick_train = 6000;

/// Prints how wrong the links of aligners are that learn nothing.
void aligners(program::Frame& frame, const TranslationTask& task);

/// Prints what is computed once a sentence, and what at every step.
void costs(program::Frame& frame);

/// Prints who can ask all questions in one matrix call.
void at_once(program::Frame& frame);

/// Prints who does not see what stands in the source.
void frozen_state(program::Frame& frame);

/// How many moments of a training are printed; a multiple of it is observed.
inline constexpr std::size_t n_rows_of_snapshots = 8;

/// Translators of the same kind, one a seed.
using OfKind = std::vector<TrainedTranslator>;

/// All trained translators of the chapter.
struct AllTrained
{
    EvaluationSet set;         ///< on which they were evaluated
    std::vector<OfKind> full;  ///< [n_kinds][n_seeds], in the order of alignment_kinds()
    std::vector<OfKind> brief; ///< none and additive_before, trained on at most 15 words
};

/// The translators of a kind.
/// \throws ContractError if there are none
const OfKind& of_kind(const std::vector<OfKind>& all, std::string_view short_name);

/// Trains all kinds, as many at a time as there are threads.
AllTrained train_all(const program::Frame& frame, const TranslationTask& task,
                     const Trainings& trainings);

/// Prints and saves quality and alignment of all kinds, and the 2 x 2 of query and score.
void kinds(program::Frame& frame, const AllTrained& trained);

/// Prints and saves quality against the length of the sentence, after learning from all lengths
/// and from at most 15 words.
void lengths(program::Frame& frame, const AllTrained& trained);

/// Prints and saves how alignments come about while a translator learns.
void click(program::Frame& frame, const AllTrained& trained);

/// The kinds whose words are deleted and replaced: Bahdanau's, one of Luong's, location only.
const std::vector<std::string>& asked_kinds();

/// Prints and saves what deleting and replacing a word does, beside its weight.
void reasons(program::Frame& frame, const TranslationTask& task, const AllTrained& trained,
             const Trainings& trainings);

/// Prints and saves one sentence word by word, words that agree and some translations, and saves
/// the interactive figure's data.
void sentence(program::Frame& frame, const TranslationTask& task, const AllTrained& trained);

/// What a reader wants of one translator, and of which kind it is to be.
struct Request : translation::TranslatorRequest
{
    std::string kind = "additive_before"; ///< a short name of alignment_kinds()
};

/// Trains or loads one translator, evaluates it if a corpus is given, saves it and translates. What
/// cannot be used is found out before the training.
/// \throws BadInput if a file, the corpus or the sentence cannot be used
/// \throws program::Interrupted after Ctrl-C; with --save the translator is saved as it is then
void one_translator(program::Frame& frame, const Request& request, const Trainings& trainings);

/// Prints the pencil example, every intermediate by its name and shape.
void pencil_steps(program::Frame& frame);

} // namespace attn::bahdanau::report
