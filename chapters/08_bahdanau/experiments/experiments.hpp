/// \file
/// \brief The experiments of chapter 8, in the order of its program: what each kind of alignment costs
/// and brings to a translator, how alignments come about, and whether weights say what mattered.
#pragma once

#include "chapters/08_bahdanau/alignment.hpp"
#include "chapters/08_bahdanau/alignment_kinds.hpp"
#include "common/nn/one_model.hpp"
#include "common/program/run.hpp"
#include "common/translation/evaluation.hpp"
#include "common/translation/one_translator.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::bahdanau {

using translation::Evaluation;
using translation::EvaluationSet;
using translation::Languages;
using translation::Translation;

// ---------------- the sentences, and aligners that learn nothing

/// The grammar's sentences; fewer to learn from with --quick.
TranslationTask sentences(const program::Frame& frame);

/// Prints how wrong the links of aligners are that learn nothing.
void show_aligners(program::Frame& frame, const TranslationTask& task);

// ---------------- what is computed once

/// Multiplications of one sentence, counted, not timed; sums, softmax and tanh are not counted.
struct AlignmentCost
{
    std::string name;         ///< of the score
    std::size_t n_parameters; ///< of the alignment model
    std::size_t once;         ///< for the keys, before the first step
    std::size_t each_step;    ///< for the query, the scores and the context
};

/// The costs of all scores, and of weights by positions alone.
/// \param hidden       numbers in a state, and under a tanh
/// \param d_embedding  numbers of a word
/// \param n_positions  words of the longest source
/// \param n_source     words of the sentence
/// \returns            those of score_table(), location only
/// \throws ContractError if a number is 0
std::vector<AlignmentCost> alignment_costs(std::size_t hidden, std::size_t d_embedding,
                                           std::size_t n_positions, std::size_t n_source);

/// Prints what is computed once a sentence, and what at every step.
void show_costs(program::Frame& frame);

// ---------------- all queries at once

/// What becomes of a batch of sentences if all queries are taken at once.
struct AtOnce
{
    double states_change;   ///< the largest change of a query if every context is 0
    double weights_differ;  ///< the largest difference between the one call's weights and the
                            ///< loop's
    double contexts_differ; ///< the same of contexts
};

/// A small translator with a score that is a product, decoded word by word (Translator::step) and
/// all at once: the queries of the one call are those of one pass through all states, without
/// contexts. Where the context enters the state, a query waits for the context before it; where it
/// enters the readout alone, all states can be computed first.
/// \param score  dot or general
/// \throws ContractError for a score that is no product
AtOnce attend_at_once(const Score& score, QueryState query_state, std::uint64_t seed);

/// Prints whose queries can be taken in one matrix call.
void show_at_once(program::Frame& frame);

// ---------------- who sees the source

/// Prints who does not see what stands in the source.
void show_frozen_state(program::Frame& frame);

// ---------------- all kinds: quality and alignment

/// Steps of each training on the grammar's sentences, unless the reader says otherwise.
inline constexpr std::size_t chapters_steps = 640;

/// What a reader may ask of the trainings.
struct Trainings
{
    std::optional<std::size_t> n_steps = {}; ///< batches of 32 sentences
    std::size_t n_seeds = 1;                 ///< translators of each kind
    bool longer = false;                     ///< Bahdanau's is also trained for more steps

    /// Steps of a training on the grammar's sentences.
    std::size_t steps() const { return n_steps.value_or(chapters_steps); }

    /// 1 if all test sentences are evaluated, 2 if each second one, after short trainings.
    std::size_t evaluated_every() const { return steps() < 2000 ? 2 : 1; }
};

/// What was seen at one moment of a training.
struct Snapshot
{
    std::size_t n_steps;    ///< taken so far
    double accuracy;        ///< share of the words predicted right, end symbols included
    double alignment_error; ///< of the largest weights; nan without attention
    double entropy;         ///< mean over target words, see mean_entropy
};

/// How a translator of the table is trained and observed.
struct KindTraining
{
    std::size_t n_steps = 2000;     ///< batches of 32
    std::uint64_t seed = 1;         ///< of its first numbers and of the order of the sentences
    std::size_t snapshot_every = 0; ///< steps between two snapshots; 0: none
    std::size_t n_validated = 128;  ///< sentences of the validation part, or all if fewer
};

/// A translator of the table, trained and evaluated.
struct TrainedTranslator
{
    const AlignmentKind* kind;       ///< of alignment_kinds()
    std::uint64_t seed;              ///< of its training
    Translator<float> translator;    ///< trained
    std::vector<double> losses;      ///< [n_steps]
    std::vector<Snapshot> snapshots; ///< one every snapshot_every steps
    Evaluation evaluation;           ///< of the set
    translation::Measures measures;  ///< of the evaluation
};

/// Trains a translator on the training part of a task and evaluates it.
/// \param kind  of the table; must outlive the result
/// \throws as translation::train
TrainedTranslator train_and_evaluate(const AlignmentKind& kind, const TranslationTask& task,
                                     const EvaluationSet& set, const KindTraining& how);

/// Translators of the same kind, one a seed.
using SeedsOfKind = std::vector<TrainedTranslator>;

/// All trained translators of the chapter.
struct AllTrained
{
    EvaluationSet set;             ///< on which they were evaluated
    std::vector<SeedsOfKind> full; ///< [n_kinds][n_seeds], in the order of alignment_kinds()
    std::vector<SeedsOfKind>
        short_only; ///< none and additive_before, trained on at most 15 words

    /// The translators of a kind, trained on sentences of all lengths.
    /// \throws ContractError if there are none
    const SeedsOfKind& of_kind(std::string_view short_name) const;
};

/// Trains all kinds, as many at a time as there are threads.
AllTrained train_all(const program::Frame& frame, const TranslationTask& task,
                     const Trainings& trainings);

/// Prints and saves quality and alignment of all kinds, and the 2 x 2 of query and score.
void show_kinds(program::Frame& frame, const AllTrained& trained);

// ---------------- quality by the length of the sentence

/// Prints and saves quality against the length of the sentence, after learning from all lengths
/// and from at most 15 words.
void show_lengths(program::Frame& frame, const AllTrained& trained);

/// Trains Bahdanau's translator for 4 and 10 times as many steps, one seed; prints and saves its
/// quality against the length of the sentence beside that of the usual trainings.
void show_longer(program::Frame& frame, const TranslationTask& task, const AllTrained& trained,
                 const Trainings& trainings);

// ---------------- how alignments come about

/// How spread out weights are: the mean over the target words of
/// \f$ -\sum_j p_j \ln p_j \f$, 0 where one source word has all.
/// \returns  in nats; nan if there are no words
double mean_entropy(const Evaluation& evaluation);

/// Prints and saves how alignments come about while a translator learns.
void show_learning(program::Frame& frame, const AllTrained& trained);

// ---------------- one sentence, word by word

/// What one word of the target language attends to, wherever it is written.
struct AttentionOfWord
{
    std::size_t n = 0;   ///< how often it stands in the right translations
    double sure = 0;     ///< weight on words with a sure link to it, summed
    double possible = 0; ///< weight on words with a possible link to it, summed
};

/// Adds up the weights of a word.
AttentionOfWord attention_of(const Evaluation& evaluation,
                             const std::vector<text::SentencePair>& pairs,
                             const std::string& word);

/// Prints and saves one sentence word by word, words that agree and some translations, and saves
/// the interactive figure's data.
void show_sentence(program::Frame& frame, const TranslationTask& task,
                   const AllTrained& trained);

// ---------------- a word deleted or replaced

/// The kinds whose words are deleted and replaced: Bahdanau's, one of Luong's, location only.
const std::vector<std::string>& intervened_kinds();

/// Prints and saves what deleting and replacing a word does, beside its weight.
void show_faithfulness(program::Frame& frame, const TranslationTask& task,
                       const AllTrained& trained, const Trainings& trainings);

// ---------------- one translator: a reader's sentence, corpus or file

/// A translator that knows words.
struct SavedTranslator
{
    std::string kind;             ///< a short name of alignment_kinds()
    TranslatorSizes sizes;        ///< of its parts
    Languages languages;          ///< that it translates
    Translator<float> translator; ///< trained
};

/// What the file of a translator says of it: its kind, its sizes, its languages. A stopped
/// training that says the same can be loaded as a translator too.
/// \throws BadInput if its sentences are too long to be saved
nn::Settings settings_of(const SavedTranslator& saved);

/// Reads a translator, the same bits.
/// \param file  written with settings_of(it), by a training or after it
/// \throws BadInput naming the file and what is missing or does not fit
SavedTranslator load(const std::filesystem::path& file);

/// The words of a sentence, if a translator can read them.
/// \throws BadInput if there are no words, naming those without a number, or if there are more
///         than the translator has positions for
text::Words words_to_read(const SavedTranslator& saved, std::string_view sentence);

/// Translates a sentence, word by word the most probable one.
/// \throws BadInput as words_to_read
Translation translate(const SavedTranslator& saved, std::string_view sentence);

/// What a reader wants of one translator, and of which kind it is to be.
struct Request : translation::TranslatorRequest
{
    std::string kind = "additive_before"; ///< a short name of alignment_kinds()
};

/// Trains one translator, evaluates it if a corpus is given, and saves it. What cannot be used is
/// found out before the training.
/// \throws BadInput if a file, the corpus or the sentence cannot be used
/// \throws program::Interrupted after Ctrl-C; with --save the translator is saved as it is then
SavedTranslator train_translator(program::Frame& frame, const Request& request,
                                 const Trainings& trainings);

/// Translates a sentence and prints it, with the weights if there are any, and writes the explorer
/// if that is asked for.
/// \param request  with a sentence
/// \throws BadInput as words_to_read, or if the explorer has no weights to show
void show_translation(program::Frame& frame, const SavedTranslator& translator,
                      const Request& request);

// ---------------- step by step with a pencil

/// Prints the pencil example, every intermediate by its name and shape.
void show_pencil_steps(program::Frame& frame);
} // namespace attn::bahdanau
