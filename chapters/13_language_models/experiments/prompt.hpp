/// \file
/// \brief A model in GPT-2's published format, run from the command line: what it writes after
/// a prompt, and texts as tokens and back.
#pragma once

#include "chapters/13_language_models/experiments/text_model.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::language_models {

/// What a reader wants of a published model or of its tokens.
struct PublishedRequest
{
    std::optional<std::string> gpt2 = {};                        ///< the file of the weights
    std::optional<std::pair<std::string, std::string>> bpe = {}; ///< vocab.json, merges.txt
    bool ids = false;                                            ///< print ids, nothing else
    std::optional<std::string> encode = {};                      ///< a text
    std::optional<std::string> decode = {}; ///< ids with blanks between them

    /// \returns whether any of these was given, and not the chapter is wanted
    bool any() const { return gpt2 || bpe || ids || encode || decode; }
};

/// Declares --gpt2, --bpe, --ids, --encode and --decode.
void add_published_options(program::CommandLine& command_line, PublishedRequest& request);

/// Refuses options that do not go together.
/// \param others  whether one of another model or of the chapter's trainings was given
/// \throws BadInput naming them
void expect_options_agree(const PublishedRequest& request, const WritingRequest& writing,
                          bool others, const program::CommonOptions& options);

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

} // namespace attn::language_models
