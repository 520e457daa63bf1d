#include "chapters/14_simd_transformer/experiments/experiments.hpp"

#include "chapters/13_language_models/training.hpp"
#include "common/autograd/losses.hpp"
#include "common/grammar/grammar_corpus.hpp"
#include "common/program/number.hpp"
#include "common/random/streams.hpp"
#include "common/tensor/check.hpp"
#include "common/text/tokens.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn::simd_transformer {

using language_models::LanguageModelOptions;
using program::fixed;
using program::Frame;
using program::Table;

std::string megabytes(double bytes)
{
    return fixed(bytes * 1e-6, 1);
}

LanguageModelOptions gpt2_options()
{
    LanguageModelOptions options{.n_tokens = 50257, .n_positions = 1024, .n_layers = 12};
    options.layer.d_model = 768;
    options.layer.n_heads = 12;
    options.layer.d_ff = 3072;
    options.layer.activation = transformer::HiddenActivation::gelu_tanh;
    return options;
}

BytesOfAToken bytes_of_a_token(const LanguageModelOptions& options, const DecoderOptions& kept,
                               std::size_t n_before)
{
    const auto number = [](std::size_t n) { return static_cast<double>(n); };
    const double d = number(options.layer.d_model);
    const double d_ff = number(options.layer.d_ff);
    const double n_heads = number(options.layer.n_heads);
    const double n_key_heads = kept.n_key_heads == 0 ? n_heads : number(kept.n_key_heads);
    const double d_keys = d / n_heads * n_key_heads;
    const double n_layers = number(options.n_layers);
    const double n_weights =
        n_layers * (2 * d * d + 2 * d * d_keys + 2 * d * d_ff) + d * number(options.n_tokens);
    const double n_outputs = n_layers * (3 * d + 2 * d_keys + d_ff) + number(options.n_tokens);
    const double cache = 2 * 4 * n_layers * d_keys * number(n_before);
    switch (kept.format) {
    case WeightFormat::float32:
        return {4 * n_weights, cache};
    case WeightFormat::bf16:
        return {2 * n_weights, cache};
    default:
        return {n_weights + 4 * n_outputs, cache};
    }
}

ScoreError score_error(const Array<float>& scores, const Array<float>& wanted)
{
    expect(scores.shape() == wanted.shape() && wanted.dimension() == 2,
           "score_error: scores of shape {} beside those of shape {}", scores.shape(),
           wanted.shape());
    const std::size_t n = wanted.shape()[1];
    double squares_apart = 0;
    double squares = 0;
    double n_other = 0;
    for (std::size_t first = 0; first < wanted.size(); first += n) {
        const float* const here = scores.data() + first;
        const float* const there = wanted.data() + first;
        double mean = 0;
        for (std::size_t j = 0; j < n; ++j) {
            mean += static_cast<double>(there[j]) / static_cast<double>(n);
        }
        for (std::size_t j = 0; j < n; ++j) {
            const auto from_mean = static_cast<double>(there[j]) - mean;
            const auto apart = static_cast<double>(here[j]) - static_cast<double>(there[j]);
            squares += from_mean * from_mean;
            squares_apart += apart * apart;
        }
        const bool other = std::max_element(here, here + n) - here !=
                           std::max_element(there, there + n) - there;
        n_other += other ? 1 : 0;
    }
    return {std::sqrt(squares_apart / squares),
            n_other * static_cast<double>(n) / static_cast<double>(wanted.size())};
}

Array<float> scores_in_windows(const Decoder& decoder, std::span<const TokenId> text,
                               std::size_t n)
{
    expect(n > 0 && text.size() > n, "scores_in_windows: {} tokens in windows of {}",
           text.size(), n);
    const std::size_t n_windows = (text.size() - 1) / n;
    const std::size_t n_tokens = decoder.options().n_tokens;
    Array<float> all = uninitialised<float>({n_windows * n, n_tokens});
    for (std::size_t i = 0; i < n_windows; ++i) {
        WrittenText window;
        const Array<float> scores = decoder.read(text.subspan(i * n, n), window, ScoresOf::all);
        std::copy_n(scores.data(), scores.size(), all.data() + i * n * n_tokens);
    }
    return all;
}

// ---------------------------------------------------------------- counted, and lost

namespace {

/// The grammar's English sentences, a line each, in random order.
std::string grammar_lines(std::span<const text::SentencePair> pairs)
{
    random::Generator order(1, random::Stream::decoding_formats);
    std::string lines;
    for (const std::size_t i : order.permutation(pairs.size())) {
        lines += text::text_of(pairs[i].source) + "\n";
    }
    return lines;
}

void show_bytes(Frame& frame)
{
    constexpr std::size_t n_before = 1000;
    frame.terminal.introduce(
        "What a token reads",
        "A model of GPT-2's size writes one token after {} others: megabytes of its weights, "
        "and of the keys and values of the tokens before, which stay floats. Each weight is "
        "used for one multiplication and one addition; the last column is these two over its "
        "bytes.",
        n_before);
    Table table({"weights", "heads of keys", "weights: MB", "cache: MB", "operations a byte"});
    const LanguageModelOptions options = gpt2_options();
    const auto row = [&](WeightFormat format, std::size_t n_key_heads) {
        const DecoderOptions kept{.format = format, .n_key_heads = n_key_heads};
        const BytesOfAToken bytes = bytes_of_a_token(options, kept, n_before);
        const double n_weights =
            bytes_of_a_token(options, {.n_key_heads = n_key_heads}, 0).weights / sizeof(float);
        table.row({name_of(format), std::to_string(n_key_heads), megabytes(bytes.weights),
                   megabytes(bytes.cache), fixed(2 * n_weights / bytes.weights, 1)});
    };
    for (const WeightFormat format : weight_formats) {
        row(format, options.layer.n_heads);
    }
    row(WeightFormat::int8, 4);
    row(WeightFormat::int8, 1);
    frame.terminal.table(table);
}

} // namespace

LearntModel learnt_model(const program::CommonOptions& asked)
{
    const text::CorpusParts parts =
        text::grammar_corpus(asked.seed, {.train = asked.quick ? 2000U : 8000U,
                                          .validation = 0,
                                          .test = asked.quick ? 100U : 400U});
    const std::string lines = grammar_lines(parts.train);
    const text::Tokens tokens(text::TokenKind::words, lines, "the grammar");
    const std::vector<TokenId> ids = tokens.encode(lines);
    LanguageModelOptions options{.n_tokens = tokens.size(), .n_positions = 64, .n_layers = 2};
    options.layer.d_ff = 256;
    options.layer.activation = transformer::HiddenActivation::gelu_tanh;
    const std::size_t n_steps = asked.quick ? 10 : 600;
    LearntModel learnt{language_models::make_language_model(options, asked.seed), n_steps,
                       tokens.encode(grammar_lines(parts.test))};
    const auto batch = [&](std::size_t step) {
        random::Generator generator(asked.seed, random::Stream::decoding_formats, 1 + step);
        return language_models::random_windows(ids, 16, options.n_positions, generator);
    };
    language_models::train(learnt.model, batch, {.n_steps = n_steps, .n_warm_up = n_steps / 5},
                           {.label = "a model of the grammar"});
    return learnt;
}

namespace {

void show_losses(Frame& frame, const LearntModel& learnt)
{
    const LanguageModelOptions& options = learnt.model.options();
    const std::size_t n = options.n_positions;
    const std::size_t n_answers = (learnt.tested.size() - 1) / n * n;
    frame.terminal.introduce(
        "What weights of fewer bytes lose",
        "A language model of the grammar's sentences, {} wide with {} layers of {} heads, is "
        "trained for {} steps and then kept in each way. Scores of {} tokens that it has not "
        "learnt from: root mean square of their error, as a share of how much scores differ "
        "from token to token; how often the likeliest token is another one; and the loss, the "
        "mean of -ln p of the token that comes.",
        options.layer.d_model, options.n_layers, options.layer.n_heads, learnt.n_steps,
        n_answers);
    const std::span<const TokenId> answers = std::span(learnt.tested).subspan(1, n_answers);
    const Array<float> wanted = scores_in_windows(Decoder(learnt.model, {}), learnt.tested, n);
    const auto loss_of = [&](const Array<float>& scores) {
        const autograd::NoGradient<float> forwards;
        return static_cast<double>(
            cross_entropy(autograd::Variable<float>(scores), answers).item());
    };
    Table table({"weights", "heads of keys", "error of the scores", "other token", "loss",
                 "above float"});
    const std::string all = std::to_string(options.layer.n_heads);
    table.row({"float", all, "-", "-", fixed(loss_of(wanted), 4), "-"});
    const auto row = [&](const std::string& name, const DecoderOptions& kept) {
        const Array<float> scores =
            scores_in_windows(Decoder(learnt.model, kept), learnt.tested, n);
        const ScoreError error = score_error(scores, wanted);
        const double loss = loss_of(scores);
        table.row({name, kept.n_key_heads == 0 ? all : std::to_string(kept.n_key_heads),
                   fixed(error.relative, 4), fixed(100 * error.other_token, 2) + " %",
                   fixed(loss, 4), fixed(loss - loss_of(wanted), 4)});
    };
    row("bf16", {.format = WeightFormat::bf16});
    row("int8, a scale an output", {.format = WeightFormat::int8});
    row("int8, a scale a matrix",
        {.format = WeightFormat::int8, .scales = Scales::of_the_matrix});
    row("float, means of heads", {.n_key_heads = options.layer.n_heads / 2});
    row("float, means of heads", {.n_key_heads = 1});
    frame.terminal.table(table);
}

} // namespace

void show_decoding_formats(Frame& frame, const LearntModel& learnt)
{
    show_bytes(frame);
    show_losses(frame, learnt);
}

} // namespace attn::simd_transformer
