/// \file
/// \brief The experiments of chapter 13, in the order of its program: what each measures and prints.
#pragma once

#include "chapters/13_language_models/decoder_alone/induction.hpp"
#include "chapters/13_language_models/language_model.hpp"
#include "chapters/13_language_models/sampling.hpp"
#include "common/kernels/elementary.hpp"
#include "common/nn/one_model.hpp"
#include "common/nn/training.hpp"
#include "common/program/explorer.hpp"
#include "common/program/run.hpp"
#include "common/translation/task.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::language_models {

// ---------------- two halves of one layer

/// A layer of the decoder whose attention to the source adds nothing, and one of the encoder with
/// its other parameters, under a causal mask.
/// \returns  the largest difference between their rows, of random ones
double compare_halves(const LayerOptions& options, std::uint64_t seed);

/// Prints the section.
void show_halves(program::Frame& frame);

// ---------------- induction heads

/// A model after some steps of its training.
struct Moment
{
    std::size_t n_steps;                  ///< of the training
    RepetitionMeasures measures;          ///< on the tested sequences
    std::vector<double> induction_scores; ///< [n_layers], of each layer's only head
    std::vector<double> previous_scores;  ///< [n_layers], the same of previous_token_scores
};

/// A model of attention alone, one head a layer, that has learnt to go on with sequences.
struct TrainedRepeater
{
    LanguageModel<float> model;  ///< trained
    std::vector<Moment> moments; ///< every 20 steps, and at the end
};

/// Trains one.
/// \param tested  what it is measured on
TrainedRepeater train_repeater(const RepetitionTask& task, const Repetitions& tested,
                               std::size_t n_layers, std::size_t n_steps, std::uint64_t seed);

/// What a model of two layers came to under an intervention.
struct Intervention
{
    std::string name;            ///< as tables print it
    RepetitionMeasures measures; ///< on the tested sequences
    double induction_score;      ///< of the second layer's head
};

/// The model as it is; a head of either layer taken out; layer 1 with the weight on the token
/// before alone, and without it; and layer 2's queries, keys or values made from the embeddings.
/// \param model  of two layers with one head each, without dense layers
/// \returns      [8], in this order
std::vector<Intervention> all_interventions(const LanguageModel<float>& model,
                                            const Repetitions& tested);

/// Prints and saves the sections on induction heads.
void show_induction(program::Frame& frame);

// ---------------- the French models that the next two questions share

/// French sentences of the grammar.
struct FrenchSentences
{
    translation::TranslationTask task; ///< the targets are read; the sources are not
    TokenId mask;                      ///< the number after those of the vocabulary
    std::vector<text::Words> tested;   ///< sentences of the test, to measure on

    /// The number of a word of the grammar.
    /// \throws BadInput if it is none
    TokenId id(const std::string& word) const { return task.target.encode({word}).front(); }
};

/// The sentences that models learn from and are measured on; few if quick.
FrenchSentences french_sentences(std::uint64_t seed, bool quick);

/// How both models are made and trained.
struct MaskedTraining
{
    std::size_t n_steps = 800;   ///< batches
    std::size_t batch_size = 64; ///< sentences in a batch
    double share = 0.3;          ///< of the words, hidden
    double peak_rate = 4e-3;     ///< of Adam
    std::size_t n_warm_up = 100; ///< steps
};

/// The training of the chapter; ten steps if quick.
MaskedTraining french_training(bool quick);

/// Two layers, 64 numbers wide, for the words of the sentences and the mask symbol.
LanguageModelOptions small_options(const FrenchSentences& sentences, bool causal);

/// Trains a masked or a causal model.
/// \param plan  the line of progress and the files
LanguageModel<float> train_on_french(const FrenchSentences& sentences, bool causal,
                                     const MaskedTraining& training, std::uint64_t seed,
                                     nn::TrainingPlan plan);

/// A masked and a causal model of each seed.
struct FrenchModels
{
    std::vector<LanguageModel<float>> masked; ///< [n_seeds]
    std::vector<LanguageModel<float>> causal; ///< [n_seeds]
};

/// Trains them side by side.
FrenchModels train_french_models(const program::Frame& frame, const FrenchSentences& sentences,
                                 const MaskedTraining& training);

// ---------------- what a masked model learns

/// Prints and saves the section on what the masked models have learnt.
void show_masked(program::Frame& frame, const FrenchSentences& sentences,
                 const MaskedTraining& training, const FrenchModels& models);

// ---------------- pairs of neighbours, for gaps and for sampling

/// Counts of the pairs of neighbouring tokens.
class PairCounts
{
public:
    /// \param n_tokens  different ones
    explicit PairCounts(std::size_t n_tokens)
        : pairs_(n_tokens, std::vector<double>(n_tokens, 0.0)), n_first_(n_tokens, 0.0)
    {
    }

    /// Counts the pairs of a text. All its tokens must be below n_tokens.
    void add(std::span<const std::int64_t> text)
    {
        for (std::size_t i = 0; i + 1 < text.size(); ++i) {
            pairs_[index(text[i])][index(text[i + 1])] += 1;
            n_first_[index(text[i])] += 1;
        }
    }

    /// Whether the second token has ever followed the first.
    bool seen(std::int64_t first, std::int64_t second) const
    {
        return pairs_[index(first)][index(second)] > 0;
    }

    /// The mean of -ln p of the next token by these counts, each a little larger than it is, so
    /// that nothing is impossible.
    /// \param text  at least two tokens
    double loss(std::span<const std::int64_t> text) const
    {
        constexpr double more = 0.01;
        double sum = 0;
        for (std::size_t i = 0; i + 1 < text.size(); ++i) {
            const double n = pairs_[index(text[i])][index(text[i + 1])] + more;
            const double all =
                n_first_[index(text[i])] + more * static_cast<double>(pairs_.size());
            sum -= elementary::log(n / all);
        }
        return sum / static_cast<double>(text.size() - 1);
    }

private:
    static std::size_t index(std::int64_t token) { return static_cast<std::size_t>(token); }

    std::vector<std::vector<double>> pairs_; // [n_tokens][n_tokens]
    std::vector<double> n_first_;            // [n_tokens]
};

// ---------------- gaps: a noun between, who can write, who can fill

/// What stands between a noun and its verb.
enum class Between
{
    nothing,     ///< les voitures ... ici .
    same_number, ///< les voitures des rois ... ici .
    other_number ///< les voitures du roi ... ici .
};

/// A sentence whose verb must agree with its first noun.
struct VerbProbe
{
    text::Words words;      ///< with the right verb
    std::size_t verb = 0;   ///< which word is the verb
    std::string right = {}; ///< est or sont
    std::string wrong = {}; ///< the other one
};

/// Sentences of every thing, and every owner if one stands between, both singular and plural.
std::vector<VerbProbe> verb_probes(Between between);

/// Prints and saves the sections on what each model can do with gaps.
void show_filling(program::Frame& frame, const FrenchSentences& sentences,
                  const FrenchModels& models);

/// Trains a masked model, fills a reader's gaps and prints the most probable words of each.
/// \param text  words of the grammar, each gap written as [MASK]
/// \throws BadInput if there is no gap, a word is not in the vocabulary, or the text is too long
void fill_readers_gaps(program::Frame& frame, const std::string& text);

// ---------------- which next word: the grammar's sentences, or a reader's text

/// How many tokens are written if nothing is said.
inline constexpr std::size_t usual_n_tokens = 200;

/// What is to be written, by whatever model.
struct WritingRequest
{
    std::optional<std::string> prompt = {};   ///< the beginning
    std::optional<std::size_t> n_tokens = {}; ///< how many more, or usual_n_tokens
    std::optional<double> temperature = {};   ///< that of Sampling
    std::optional<std::size_t> top_k = {};    ///< that of Sampling
    std::optional<double> top_p = {};         ///< that of Sampling
    bool greedy = false;                      ///< always the most probable token
    std::optional<std::string> explore = {};  ///< a file for the explorer of the beginning
};

/// Declares --prompt, --tokens, --temperature, --top-k, --top-p, --greedy and --explore.
void add_writing_options(program::CommandLine& command_line, WritingRequest& request);

/// The sampling that is asked for.
/// \throws BadInput naming an option whose number is none of a sampling
Sampling sampling_of(const WritingRequest& request);

/// What a reader wants of one model of a text.
struct TextRequest
{
    std::optional<std::string> text =
        {};                       ///< the file to learn from; none: the grammar's sentences
    bool words = false;           ///< tokens are words, not characters
    bool nanogpt = false;         ///< by nanoGPT's recipe for processors
    nn::TrainingFiles files = {}; ///< to save it in, and to go on with its training
    std::optional<std::size_t> n_parts = {}; ///< of each batch, which processes share
    std::optional<std::string> load = {};    ///< a file to load it from
};

/// Declares --text, --words, --nanogpt, --save, --resume, --parts and --load.
void add_text_options(program::CommandLine& command_line, TextRequest& request);

/// For messages: what the model is called, and that it is asked by --prompt.
nn::OneModelWords text_model_words();

/// Trains or loads one model of a text, evaluates it, saves it and lets it write. Of several processes
/// all train, and the first one does the rest.
/// \throws BadInput if a file, the text or the prompt cannot be used
/// \throws program::Interrupted after Ctrl-C; with --save the model is saved
void run_text_model(program::Frame& frame, const TextRequest& request,
                    const WritingRequest& writing, std::optional<std::size_t> n_steps,
                    const parallel::Processes& processes = parallel::alone());

/// Prints and keeps the sections on a small model of the grammar's sentences and on sampling.
void show_sampling(program::Frame& frame);

// ---------------- a published model

/// What a reader wants of a published model or of its tokens.
struct PublishedRequest
{
    std::optional<std::string> gpt2 = {};                        ///< the file of the weights
    std::optional<std::pair<std::string, std::string>> bpe = {}; ///< vocab.json, merges.txt
    bool ids = false;                                            ///< print ids, nothing else
    std::optional<std::string> encode = {};                      ///< a text
    std::optional<std::string> decode = {}; ///< ids with blanks between them
};

/// The options about a published model, with blanks between their names.
inline constexpr const char* published_names = "--gpt2 --bpe --ids --encode --decode";

/// Declares --gpt2, --bpe, --ids, --encode and --decode.
void add_published_options(program::CommandLine& command_line, PublishedRequest& request);

/// Bytes that come in parts go out in whole characters of UTF-8.
class CharacterStream
{
public:
    /// Takes more bytes.
    /// \returns  what can go out: all but a character's beginning at the end
    std::string take(std::string_view bytes);

    /// \returns what was left, as it is
    std::string rest() { return std::exchange(held_, {}); }

private:
    std::string held_;
};

/// Reads ids with white space or commas between them.
/// \param what  where they stand, for the message: "--decode"
/// \throws BadInput naming one that is no whole number
std::vector<std::int64_t> parse_ids(std::string_view text, std::string_view what);

/// Prints the ids of a text or the bytes of ids, or lets the model write.
/// \throws BadInput if a file or the prompt cannot be used, or the text would have more tokens
///         than the model has positions, which is said before its weights are read
void run_published(program::Frame& frame, const PublishedRequest& request,
                   const WritingRequest& writing);

// ---------------- the explorer of a text

/// How a token is shown.
using TokenText = std::function<std::string(TokenId)>;

/// Reads a text and puts down what each layer's attention computes.
/// \param tokens  at most as many as the model has positions
/// \returns       [n_layers], named "layer 1" and so on
std::vector<program::ExploredAttention>
explored(LanguageModel<float> model, std::span<const TokenId> tokens, const TokenText& text);

/// Writes the explorer of a text, of its last tokens if the model has fewer positions.
/// \param title  above it
/// \throws BadInput as write_explorer
void explore(const std::string& file, const std::string& title,
             const LanguageModel<float>& model, std::span<const TokenId> tokens,
             const TokenText& text);

// ---------------- step by step with a pencil

/// Prints every step.
void show_pencil_steps(program::Frame& frame);

} // namespace attn::language_models
