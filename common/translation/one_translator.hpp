/// \file
/// \brief The one translator that a reader asks for, of a program that trains several for its page:
/// its options, its training, its file, and a sentence that it translates.
#pragma once

#include "common/nn/checkpoint.hpp"
#include "common/nn/one_model.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/explorer.hpp"
#include "common/program/run.hpp"
#include "common/storage/safetensors.hpp"
#include "common/text/alignment_error.hpp"
#include "common/text/normalise.hpp"
#include "common/text/vocabulary.hpp"
#include "common/translation/evaluation.hpp"
#include "common/translation/model.hpp"
#include "common/translation/task.hpp"
#include "common/translation/training.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::translation {

// ---------------------------------------------------------------- in a file, and in use

/// The longest sentence of a file that can be believed.
inline constexpr std::size_t most_words = 100'000;

/// What a translator knows of its languages.
struct Languages
{
    text::Vocabulary source;           ///< of the language that it reads
    text::Vocabulary target;           ///< of the language that it writes
    text::Normalisation normalisation; ///< how a sentence becomes words
    std::size_t max_length;            ///< after so many steps a translation is cut off
    std::string quality = {}; ///< how well it is translated, in a sentence; empty if not known
};

/// The settings in a file that --save has written. All functions throw BadInput naming the file and
/// the setting that is missing or does not fit.
class SavedSettings
{
public:
    /// \throws BadInput if the file cannot be read
    explicit SavedSettings(const std::filesystem::path& file);

    /// A setting as it is.
    std::string text(const std::string& name) const;
    /// A number, at least 1.
    /// \param at_most  the largest number that can be believed
    std::size_t count(const std::string& name, std::size_t at_most) const;
    /// One of some choices.
    std::string choice(const std::string& name, const std::vector<std::string>& choices) const;
    /// What settings_of(Languages) says, and how well they are translated if the file says it.
    Languages languages() const;
    /// Demands a tensor of a shape.
    void expect_shape(const std::string& tensor, const Shape& shape) const;
    /// \throws BadInput naming the file, the setting, and why
    [[noreturn]] void refuse(const std::string& name, const std::string& why) const;

private:
    std::string where(const std::string& name) const;

    std::filesystem::path file_;
    storage::TensorFile content_;
};

/// What the file of a translator says of its languages.
/// \param longest_source  words that it can read, if that is limited
/// \throws BadInput if its sentences are too long to be saved
nn::Settings settings_of(const Languages& languages, std::size_t longest_source = 1);

/// A sentence has words without a number, which no training on these sentences could teach.
class UnknownWords : public program::BadInput
{
public:
    using BadInput::BadInput;
};

/// The words of a sentence, if all of them have a number. Where a sentence ends without a mark, the
/// full stop is added, if there is one in the language.
/// \param sentence  UTF-8, any spelling that the normalisation understands
/// \throws BadInput if there are no words
/// \throws UnknownWords naming those without a number, and known ones that are spelt nearly so
text::Words words_to_read(const Languages& languages, std::string_view sentence);

/// A translation, and the source words that each of its words attended to.
struct Translation
{
    text::Words source;             ///< [n_source], as they were read
    text::Words target;             ///< [n_target]
    text::AttentionWeights weights; ///< [n_target][n_source]; zeros without attention
    double log_probability;         ///< of the translation, its end included
    bool finished;                  ///< whether it ends by itself, or was cut off
};

/// Translates a sentence, word by word the most probable one.
/// \throws BadInput as words_to_read
Translation translate(const TranslationModel& model, const Languages& languages,
                      std::string_view sentence);

// ---------------------------------------------------------------- as a reader asks for it

/// What a reader wants of one translator.
struct TranslatorRequest
{
    std::optional<std::string> translate = {}; ///< a sentence; "-" for those of standard input
    bool words = false;                        ///< the words that it can read, and no more
    nn::TrainingFiles files = {};            ///< to save it in, and to go on with its training
    nn::Sharing sharing = {};                ///< who computes the gradients of the training
    std::optional<std::string> load = {};    ///< a file to load it from
    CorpusRequest corpus = {};               ///< the sentences to learn from
    std::optional<std::string> explore = {}; ///< a file for the explorer of the sentence

    /// Whether one translator is asked for, and not the chapter.
    bool any() const;
    /// Whether the sentences are on standard input.
    bool reads_lines() const { return translate == "-"; }
};

/// Declares --words, --save, --resume, --load and those of a corpus. (--translate is the program's
/// own: it says there what is shown.) Refuses those that do not go together.
/// \param model  what messages call the translator
void add_translator_options(program::CommandLine& command_line, TranslatorRequest& request,
                            const std::string& model = "translator");

/// Declares --explore, in programs that have weights to show.
void add_explore_option(program::CommandLine& command_line, TranslatorRequest& request);

/// Refuses to explore the sentences of standard input: an explorer shows one.
/// \throws BadInput if --explore is given for them
void expect_explorable(const TranslatorRequest& request);

/// Prints the words that a translator can read, without training one.
/// \throws BadInput if a file cannot be used
void show_known_words(program::Frame& frame, const TranslatorRequest& request);

/// What one translator learns from.
struct TrainingData
{
    TranslationTask task;                    ///< the reader's, or the grammar's
    std::optional<ReadersSentences> readers; ///< with a corpus
    text::Normalisation normalisation;       ///< of its sentences

    /// What the translator will know of their languages.
    Languages languages() const;
};

/// Reads the reader's sentences, or makes the grammar's.
/// \param seed  of the grammar's sentences
/// \throws BadInput as read_sentences
TrainingData training_data(const TranslatorRequest& request, std::uint64_t seed);

/// Steps of a training on the grammar's sentences, unless the reader says otherwise: in chapters 8
/// and 12 as many as it takes to translate nearly all of them.
inline constexpr std::size_t grammar_steps = 4000;

/// Steps of the training: the reader's, else those of his sentences or the grammar's; few if quick.
std::size_t steps_of(const TranslatorRequest& request, const program::CommonOptions& options,
                     std::optional<std::size_t> n_steps);

/// What a translator is evaluated on: some of the test sentences, evenly taken.
/// \param n  about how many
EvaluationSet evaluated_part(const TranslationTask& task, std::size_t n = 1000);

/// How well sentences were translated: a sentence for the reader.
std::string quality_of(const Evaluation& evaluation);

/// How one translator is trained, and what is said of it.
struct OneTraining
{
    std::string chapter;     ///< its id
    std::string model;       ///< what messages call it: "translator"
    std::string heading;     ///< of what is printed
    std::string label;       ///< of the line of progress
    nn::Settings settings;   ///< what its file says of it
    TrainingOptions options; ///< of the loop
    std::string remark = {}; ///< on the losses
    bool loadable = true;    ///< whether --load takes what --save has saved, or --resume alone
};

/// Trains the translator, evaluates it, prints what came of it if there is a corpus, and saves it. Of
/// several processes all train, and the first one does the rest.
/// \returns  the evaluation of the evaluated part of the test sentences; empty if another process has it
/// \throws BadInput if a file cannot be used, or the sentence has words that the training cannot
///         teach: found out before it
/// \throws program::Interrupted after Ctrl-C; with --save the translator is saved as it is then
Evaluation train_one(program::Frame& frame, const TranslatorRequest& request,
                     const TrainingData& data, const TranslationModel& model,
                     const OneTraining& how);

/// Why a program cannot read a sentence: if it has unknown words, --words lists the others.
std::string why_not_read(const program::BadInput& error);

/// A translation as a batch of one pair under teacher forcing, and its pair in numbers.
/// \param pair  receives it
text::Batch batch_of(const Languages& languages, const Translation& found,
                     text::NumberedPair& pair);

/// Names the words of a decoder's attention to the source: queries by the words that are
/// predicted, the last of them `</s>`.
/// \param one    with weights [1, H, n_target + 1, n_source]
/// \param drops  [n_target, n_source], of ln p of each target word without a source word; or
///               empty
void name_words(program::ExploredAttention& one, const Translation& found, const Matrix& drops);

/// Writes the explorer of a translation, and says so.
/// \throws BadInput if the file cannot be written or would be too large
void write_explorer(program::Frame& frame, const std::string& file, const Translation& found,
                    const std::vector<program::ExploredAttention>& attentions);

/// Does what takes the sentence of --translate, and names that option if the sentence cannot be
/// read.
/// \tparam Task  a function
/// \returns      what it returns
/// \throws BadInput as the task, behind "--translate: "
template <typename Task>
auto with_asked_sentence(const Task& task)
{
    try {
        return task();
    } catch (const program::BadInput& error) {
        throw program::BadInput("--translate: " + why_not_read(error));
    }
}

/// Translates what stands on standard input, a sentence a line, and prints each with its
/// translation. A line that cannot be read is warned of, and the next one follows.
/// \param translate_one  translates a sentence
/// \throws BadInput at the end, if there were no sentences or some could not be read
void translate_lines(program::Frame& frame, const Languages& languages,
                     const std::function<Translation(std::string_view)>& translate_one);

/// Prints a reader's sentence as it was read, its translation, and how good the translator is.
void show_words(program::Frame& frame, const Languages& languages, const Translation& found);

/// Prints the weights of a translation as a heat map, if it has words.
/// \param title  above it, if not empty
void show_weights(program::Frame& frame, const Translation& found,
                  const std::string& title = "");

} // namespace attn::translation
