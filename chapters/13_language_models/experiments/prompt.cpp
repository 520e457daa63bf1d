#include "chapters/13_language_models/experiments/experiments.hpp"

#include "chapters/13_language_models/published_model.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "common/program/number.hpp"
#include "common/program/text.hpp"
#include "common/random/streams.hpp"
#include "common/text/byte_pairs.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <span>

namespace attn::language_models {

using program::BadInput;
using program::Frame;

namespace {

constexpr const char* end_of_text = "<|endoftext|>";

} // namespace

// ---------------------------------------------------------------- options

void add_published_options(program::CommandLine& command_line, PublishedRequest& request)
{
    command_line.add_input("--gpt2", request.gpt2, "FILE.safetensors",
                           "runs a model in GPT-2's format; config.json lies beside it");
    command_line.add_two_inputs("--bpe", request.bpe, "VOCAB.json MERGES.txt",
                                "the tokens of such a model");
    command_line.add_flag("--ids", request.ids, "prints the new tokens' ids, nothing else");
    command_line.add_text("--encode", request.encode, "TEXT",
                          "prints the ids of a text, nothing else");
    command_line.add_text("--decode", request.decode, "IDS",
                          "prints the bytes of ids, nothing else");
    command_line.exclude_from_trace(published_names);
    command_line.exclude(published_names,
                         "--text --words --nanogpt --save --resume --load --steps --untrained",
                         "it is about a model that is published");
    command_line.need("--gpt2 --encode --decode --ids", "--bpe",
                      "the model's tokens are missing, --bpe VOCAB.json MERGES.txt");
    command_line.exclude("--encode", "--decode", "it goes the other way");
    command_line.exclude("--encode --decode",
                         "--gpt2 --ids --prompt --explore --tokens --temperature --top-k "
                         "--top-p --greedy",
                         "it asks no model");
    command_line.need("--bpe", "--gpt2 --encode --decode",
                      "say what to do with the tokens, by --gpt2, --encode or --decode");
}

// ---------------------------------------------------------------- bytes and ids

std::string CharacterStream::take(std::string_view bytes)
{
    held_ += bytes;
    std::size_t whole = 0;
    while (whole < held_.size()) {
        const std::string_view left = std::string_view(held_).substr(whole);
        const program::Character character = program::first_character(left);
        if (program::is_unfinished_character(left)) {
            break;
        }
        whole += character.n_bytes;
    }
    std::string out = held_.substr(0, whole);
    held_.erase(0, whole);
    return out;
}

std::vector<std::int64_t> parse_ids(std::string_view text, std::string_view what)
{
    constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
    constexpr std::string_view between = " ,\t\r\n";
    std::vector<std::int64_t> ids;
    while (!text.empty()) {
        const std::size_t n = std::min(text.find_first_of(between), text.size());
        if (n > 0) {
            ids.push_back(static_cast<std::int64_t>(
                program::parse_count(text.substr(0, n), what, 0, largest)));
        }
        text.remove_prefix(std::min(n + 1, text.size()));
    }
    return ids;
}

namespace {

std::string line_of(std::span<const TokenId> ids)
{
    return fmt::format("{}", fmt::join(ids, " "));
}

// ---------------------------------------------------------------- writing

/// The tokens of a prompt; without one a text begins as all of them did in the training.
std::vector<TokenId> beginning_of(const std::optional<std::string>& prompt,
                                  const text::BytePairEncoding& encoding)
{
    if (prompt) {
        return encoding.encode(*prompt);
    }
    const std::optional<TokenId> first = encoding.find(end_of_text);
    if (!first) {
        throw BadInput(fmt::format("--prompt: it is missing, and there is no token {} that a "
                                   "text could begin with",
                                   end_of_text));
    }
    return {*first};
}

void expect_fitting(const PublishedRequest& request, const LanguageModelOptions& model,
                    const text::BytePairEncoding& encoding, std::size_t n_beginning,
                    std::size_t n_tokens)
{
    if (encoding.size() != model.n_tokens) {
        throw BadInput(
            fmt::format("{}: there are {} tokens, and the model has {}",
                        program::in_quotes(request.bpe->first, program::longest_path),
                        encoding.size(), model.n_tokens));
    }
    if (n_beginning + n_tokens > model.n_positions) {
        throw BadInput(fmt::format("--tokens: the prompt's {} tokens and {} more are more than "
                                   "the model's {} positions",
                                   n_beginning, n_tokens, model.n_positions));
    }
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Prints words as they come, and how fast they came.
/// \param begin  when the program began to read files
class WordPrinter
{
public:
    WordPrinter(Frame& frame, const text::BytePairEncoding& encoding, Clock::time_point begin)
        : frame_(frame), encoding_(encoding), begin_(begin)
    {
    }

    void print(TokenId token)
    {
        frame_.terminal.stream(stream_.take(encoding_.token(token)));
        if (n_++ == 0) {
            first_ = Clock::now();
        }
    }

    void end()
    {
        const double since_first = seconds_since(first_);
        frame_.terminal.line(stream_.rest());
        frame_.terminal.line();
        frame_.terminal.line(fmt::format(
            "{} tokens, the first after {} s{}", n_,
            program::fixed(std::chrono::duration<double>(first_ - begin_).count(), 1),
            n_ == 1
                ? std::string()
                : fmt::format(", then {} a second",
                              program::fixed(static_cast<double>(n_ - 1) / since_first, 1))));
    }

private:
    Frame& frame_;
    const text::BytePairEncoding& encoding_;
    CharacterStream stream_;
    std::size_t n_ = 0;
    Clock::time_point begin_;
    Clock::time_point first_;
};

void write_text(Frame& frame, const PublishedRequest& request, const WritingRequest& writing,
                const text::BytePairEncoding& encoding)
{
    // All that can be refused is refused before the weights are read.
    const Clock::time_point begin = Clock::now();
    if (writing.explore) {
        program::require_other_file(
            {"--explore", *writing.explore},
            {{"--gpt2", std::filesystem::path(*request.gpt2).parent_path() / "config.json"}});
    }
    const Sampling sampling = sampling_of(writing);
    const LanguageModelOptions options = read_published_options(*request.gpt2);
    const std::vector<TokenId> beginning = beginning_of(writing.prompt, encoding);
    const std::size_t n_tokens = writing.n_tokens.value_or(usual_n_tokens);
    expect_fitting(request, options, encoding, beginning.size(), n_tokens);

    const LanguageModel<float> model = read_published_model(*request.gpt2, options);
    const kernels::ComputeWith threads({.n_threads = frame.options.threads});
    random::Generator generator(frame.options.seed, random::Stream::published_writing);
    if (request.ids) {
        frame.terminal.line(
            line_of(continue_text(model, beginning, n_tokens, sampling, generator)));
    } else {
        frame.terminal.stream(writing.prompt.value_or(""));
        WordPrinter words(frame, encoding, begin);
        continue_text(model, beginning, n_tokens, sampling, generator, [&](TokenId token) {
            words.print(token);
            return true;
        });
        words.end();
    }
    if (writing.explore) { // last, when the model has proved usable
        explore(*writing.explore, *writing.prompt, model, beginning,
                [&](TokenId token) { return std::string(encoding.token(token)); });
    }
}

} // namespace

void run_published(Frame& frame, const PublishedRequest& request, const WritingRequest& writing)
{
    const text::BytePairEncoding encoding =
        text::read_byte_pair_encoding(request.bpe->first, request.bpe->second);
    if (request.encode) {
        frame.terminal.line(line_of(encoding.encode(*request.encode)));
    } else if (request.decode) {
        frame.terminal.stream(encoding.decode(parse_ids(*request.decode, "--decode")));
    } else {
        write_text(frame, request, writing, encoding);
    }
}

} // namespace attn::language_models
