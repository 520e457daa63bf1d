/// \file
/// \brief A model of a text: the grammar's sentences or a reader's own, how well it predicts the
/// next token, and what it writes by temperature, top-k and top-p.
#pragma once

#include "chapters/13_language_models/sampling.hpp"
#include "chapters/13_language_models/training.hpp"
#include "common/nn/one_model.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace attn::language_models {

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

    /// \returns whether anything is said of the tokens to come
    bool says_how() const { return n_tokens || temperature || top_k || top_p || greedy; }
};

/// Declares --prompt, --tokens, --temperature, --top-k, --top-p, --greedy and --explore.
void add_writing_options(program::CommandLine& command_line, WritingRequest& request);

/// Refuses --explore without a prompt, or for a file that cannot be written.
/// \throws BadInput naming it
void expect_explorable(const WritingRequest& request);

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
    std::optional<std::string> load = {}; ///< a file to load it from

    /// Which of these were given, and whether there is a prompt.
    nn::OneModelOptions given(const WritingRequest& writing) const;
};

/// Declares --text, --words, --nanogpt, --save, --resume and --load.
void add_text_options(program::CommandLine& command_line, TextRequest& request);

/// Refuses options that would change nothing.
/// \throws BadInput naming one
void expect_useful(const WritingRequest& writing, const TextRequest& text,
                   const std::optional<std::size_t>& n_steps);

/// For messages: what the model is called, and that it is asked by --prompt.
nn::OneModelWords text_model_words();

/// How a model of a text is made and trained.
struct TextRecipe
{
    LanguageModelOptions model;    ///< but for the number of tokens
    TrainingOptions training = {}; ///< of the loop
    std::size_t n_texts = 32;      ///< windows in a batch
};

/// nanoGPT's recipe for processors: 4 layers of 4 heads, 128 wide, windows of 64 tokens, 12 in a
/// batch, 2000 steps of AdamW whose rate falls along a cosine, no dropout. (From its README and
/// train.py, release of December 2024; its layers have no biases, ours have.)
TextRecipe nanogpt_recipe();

/// Trains or loads one model of a text, evaluates it, saves it and lets it write.
/// \throws BadInput if a file, the text or the prompt cannot be used
/// \throws program::Interrupted after Ctrl-C; with --save the model is saved
void run_text_model(program::Frame& frame, const TextRequest& request,
                    const WritingRequest& writing, std::optional<std::size_t> n_steps);

/// Prints and keeps the sections on a small model of the grammar's sentences and on sampling.
void show_sampling(program::Frame& frame);

} // namespace attn::language_models
