#include "chapters/14_simd_transformer/experiments/experiments.hpp"

#include "common/parallel/for_each_index.hpp"
#include "common/program/number.hpp"
#include "common/program/processor.hpp"
#include "common/random/streams.hpp"
#include "common/tensor/check.hpp"
#include "common/tensor/large_pages.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fmt/format.h>
#include <limits>
#include <string>

namespace attn::simd_transformer {

using language_models::LanguageModelOptions;
using program::fixed;
using program::Frame;
using program::significant;
using program::Table;

std::vector<double> shortest_in_turns(const std::vector<std::function<void()>>& runs,
                                      std::size_t n_threads, std::size_t n_turns)
{
    expect(n_turns > 0, "shortest_in_turns: at least one turn is needed{}", "");
    const auto now = [&] {
        const std::chrono::duration<double> passed =
            std::chrono::steady_clock::now().time_since_epoch();
        return n_threads == 1 ? static_cast<double>(std::clock()) / CLOCKS_PER_SEC
                              : passed.count();
    };
    std::vector<double> shortest(runs.size(), std::numeric_limits<double>::infinity());
    for (std::size_t turn = 0; turn <= n_turns; ++turn) {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const double start = now();
            runs[i]();
            const double seconds = now() - start;
            shortest[i] = turn == 0 ? shortest[i] : std::min(shortest[i], seconds);
        }
    }
    return shortest;
}

namespace {

/// What is measured, and how often.
struct SpeedSizes
{
    LanguageModelOptions model = gpt2_options();
    std::size_t n_copied = std::size_t{36} << 20U; ///< floats of an array: 144 MiB
    std::size_t n_prompt = 512;                    ///< tokens that are read in one pass
    std::size_t n_before = 900;                    ///< tokens of a long text
    std::vector<std::size_t> n_texts = {1, 2, 4, 8, 16, 32};
    std::size_t n_turns = 7;
};

SpeedSizes quick_sizes()
{
    SpeedSizes sizes{
        .n_copied = 1 << 16, .n_prompt = 32, .n_before = 40, .n_texts = {1, 2}, .n_turns = 1};
    sizes.model.n_tokens = 500;
    sizes.model.n_positions = 64;
    sizes.model.n_layers = 2;
    sizes.model.layer.d_model = 96;
    sizes.model.layer.d_ff = 384;
    return sizes;
}

std::vector<TokenId> random_tokens(std::size_t n, std::size_t n_tokens)
{
    random::Generator generator(1, random::Stream::decoding_speed);
    std::vector<TokenId> tokens(n);
    for (TokenId& token : tokens) {
        token = static_cast<TokenId>(generator.below(n_tokens));
    }
    return tokens;
}

/// The beginning of a text, kept, so that every run continues the same one.
class Continued
{
public:
    Continued(const Decoder& decoder, std::size_t n_before, std::size_t n_texts)
        : decoder_(&decoder),
          tokens_(random_tokens(std::max(n_before, n_texts), decoder.options().n_tokens))
    {
        WrittenText text;
        decoder.read(std::span(tokens_).subspan(0, n_before), text);
        texts_.assign(n_texts, text);
        n_before_ = n_before;
    }

    /// One token more of every text; after so many that the positions end, from the beginning.
    void operator()()
    {
        if (texts_.front().n_tokens == decoder_->options().n_positions) {
            *this = Continued(*decoder_, n_before_, texts_.size());
        }
        decoder_->step(std::span(tokens_).subspan(0, texts_.size()), texts_);
    }

private:
    const Decoder* decoder_;
    std::vector<TokenId> tokens_;
    std::vector<WrittenText> texts_;
    std::size_t n_before_ = 0;
};

/// Two arrays, copied by all threads.
class Copied
{
public:
    explicit Copied(std::size_t n) : from_(n, 1.0F), to_(n, 0.0F) {}

    double bytes() const { return 2.0 * static_cast<double>(from_.size() * sizeof(float)); }

    void run(void (*copy)(const float*, float*, std::size_t))
    {
        constexpr std::size_t line = 16; // floats: no two threads write to one
        const std::size_t n_threads = kernels::execution().n_threads;
        const auto border = [&](std::size_t thread) {
            return from_.size() / line * thread / n_threads * line;
        };
        parallel::for_each_index(n_threads, n_threads, [&](std::size_t thread) {
            const std::size_t first = border(thread);
            copy(from_.data() + first, to_.data() + first, border(thread + 1) - first);
        });
    }

private:
    std::vector<float, LargePageAllocator<float>> from_, to_;
};

double operations_of_prompt(const LanguageModelOptions& options, std::size_t n)
{
    const auto length = static_cast<double>(n);
    const auto d = static_cast<double>(options.layer.d_model);
    const double in_output = d * static_cast<double>(options.n_tokens);
    const double in_layers = bytes_of_a_token(options, {}, 0).weights / 4 - in_output;
    // Under the mask a token attends to half of the tokens, in two products.
    const double attention = static_cast<double>(options.n_layers) * length * length * d;
    return 2 * (length * in_layers + in_output + attention);
}

void show_tokens_one_at_a_time(Frame& frame, const std::vector<Decoder>& decoders,
                               const SpeedSizes& sizes, const Settings& settings)
{
    Copied copied(sizes.n_copied);
    const std::size_t n_turns = 3 * sizes.n_turns;
    frame.terminal.introduce(
        "Tokens one at a time",
        "{}, with the kernels for {} on {}. A model of random weights, {} wide, {} layers, {} "
        "tokens to choose from. The copy moves arrays of {} MB by the faster kind of stores. "
        "For the copy, bytes read and bytes written count; for a token only the bytes of the "
        "weights, which are read. Shortest of {} runs, in turns.",
        program::processor(), settings.how.kernels->name, threads_text(settings.how.n_threads),
        sizes.model.layer.d_model, sizes.model.n_layers, sizes.model.n_tokens,
        megabytes(copied.bytes() / 2), n_turns);
    const MachineKernels& machine = ladder_kernels(settings.how).machine;
    std::vector<std::function<void()>> runs = {[&] { copied.run(machine.copy); },
                                               [&] { copied.run(machine.stream); }};
    for (const Decoder& decoder : decoders) {
        runs.emplace_back(Continued(decoder, 8, 1));
    }
    const std::vector<double> seconds =
        shortest_in_turns(runs, settings.how.n_threads, n_turns);
    const double bandwidth = copied.bytes() / std::min(seconds[0], seconds[1]);

    const std::vector<TokenId> prompt =
        random_tokens(std::min<std::size_t>(sizes.n_prompt, 64), sizes.model.n_tokens);
    WrittenText unused;
    const Array<float> wanted = decoders[0].read(prompt, unused, ScoresOf::all);
    Table table({"", "MB a token", "ms", "tokens/s", "GB/s", "of the copy", "times float",
                 "error of the scores"});
    table.row({"copy", "-", "-", "-", fixed(bandwidth * 1e-9, 1), "-", "-", "-"});
    for (std::size_t i = 0; i < decoders.size(); ++i) {
        const double bytes = static_cast<double>(decoders[i].weight_bytes());
        const double rate = bytes / seconds[i + 2];
        const ScoreError error =
            score_error(decoders[i].read(prompt, unused, ScoresOf::all), wanted);
        table.row({name_of(weight_formats[i]), megabytes(bytes), fixed(seconds[i + 2] * 1e3, 2),
                   fixed(1 / seconds[i + 2], 0), fixed(rate * 1e-9, 1),
                   percent(rate / bandwidth), fixed(seconds[2] / seconds[i + 2], 2),
                   i == 0 ? "-" : significant(error.relative, 2)});
    }
    frame.terminal.table(table);
}

void show_several_texts(Frame& frame, const std::vector<Decoder>& decoders,
                        const SpeedSizes& sizes, const Settings& settings)
{
    frame.terminal.introduce(
        "Several texts at a time",
        "One pass over the weights for all texts: tokens a second of all together, and how "
        "many times as many as of one text.");
    Table table({"texts", "float", "times", "bf16", "times", "int8", "times"});
    std::vector<double> of_one;
    for (const std::size_t n_texts : sizes.n_texts) {
        std::vector<std::function<void()>> runs;
        for (const Decoder& decoder : decoders) {
            runs.emplace_back(Continued(decoder, 8, n_texts));
        }
        const std::vector<double> seconds =
            shortest_in_turns(runs, settings.how.n_threads, sizes.n_turns);
        std::vector<std::string> row = {std::to_string(n_texts)};
        for (std::size_t i = 0; i < seconds.size(); ++i) {
            const double rate = static_cast<double>(n_texts) / seconds[i];
            if (of_one.size() <= i) {
                of_one.push_back(rate);
            }
            row.insert(row.end(), {fixed(rate, 0), fixed(rate / of_one[i], 1)});
        }
        table.row(row);
    }
    frame.terminal.table(table);
}

void show_heads_of_keys(Frame& frame, const LanguageModel<float>& model,
                        const SpeedSizes& sizes, const Settings& settings)
{
    frame.terminal.introduce(
        "Heads of keys",
        "One text, weights in int8, after 8 tokens and after {}: megabytes of keys and values "
        "that a token reads, and milliseconds a token.",
        sizes.n_before);
    Table table({"heads of keys", "cache: MB", "ms after 8",
                 fmt::format("ms after {}", sizes.n_before), "for the cache"});
    const std::size_t n_heads = sizes.model.layer.n_heads;
    std::vector<Decoder> decoders;
    for (const std::size_t n_key_heads : {n_heads, n_heads / 3, std::size_t{1}}) {
        decoders.emplace_back(
            model, DecoderOptions{.format = WeightFormat::int8, .n_key_heads = n_key_heads});
    }
    std::vector<std::function<void()>> runs;
    for (const Decoder& decoder : decoders) {
        runs.emplace_back(Continued(decoder, 8, 1));
        runs.emplace_back(Continued(decoder, sizes.n_before, 1));
    }
    const std::vector<double> seconds =
        shortest_in_turns(runs, settings.how.n_threads, sizes.n_turns);
    for (std::size_t i = 0; i < decoders.size(); ++i) {
        const double before = seconds[2 * i];
        const double after = seconds[2 * i + 1];
        const std::size_t n_key_heads = i == 0 ? n_heads : i == 1 ? n_heads / 3 : 1;
        table.row({std::to_string(n_key_heads),
                   megabytes(static_cast<double>(decoders[i].cache_bytes(sizes.n_before))),
                   fixed(before * 1e3, 2), fixed(after * 1e3, 2),
                   fixed((after - before) * 1e3, 2)});
    }
    frame.terminal.table(table);
}

void show_prompt(Frame& frame, const std::vector<Decoder>& decoders, const SpeedSizes& sizes,
                 const Settings& settings)
{
    frame.terminal.introduce(
        "A prompt in one pass",
        "{} tokens read at once, and scores of the next one. Operations are those of all "
        "products, in attention only those that the mask leaves; the peak is measured in the "
        "same turns.",
        sizes.n_prompt);
    const std::vector<TokenId> prompt = random_tokens(sizes.n_prompt, sizes.model.n_tokens);
    constexpr std::size_t n_rounds = 2000000;
    std::vector<float> sinks(settings.how.n_threads * 16);
    double done = 0;
    std::vector<std::function<void()>> runs = {[&] {
        parallel::for_each_index(
            settings.how.n_threads, settings.how.n_threads, [&](std::size_t thread) {
                const double here = ladder_kernels(settings.how)
                                        .machine.multiply_add(n_rounds, &sinks[thread * 16]);
                if (thread == 0) {
                    done = here * static_cast<double>(settings.how.n_threads);
                }
            });
    }};
    for (const Decoder& decoder : decoders) {
        runs.emplace_back([&] {
            WrittenText text;
            decoder.read(prompt, text);
        });
    }
    const std::vector<double> seconds = shortest_in_turns(
        runs, settings.how.n_threads, std::max<std::size_t>(1, sizes.n_turns / 2));
    const double peak = done / seconds[0];
    const double operations = operations_of_prompt(sizes.model, sizes.n_prompt);
    Table table({"weights", "ms", "tokens/s", "GFLOP/s", "of the peak"});
    for (std::size_t i = 0; i < decoders.size(); ++i) {
        const double rate = operations / seconds[i + 1];
        table.row({name_of(weight_formats[i]), fixed(seconds[i + 1] * 1e3, 0),
                   fixed(static_cast<double>(sizes.n_prompt) / seconds[i + 1], 0),
                   fixed(rate * 1e-9, 1), percent(rate / peak)});
    }
    frame.terminal.table(table);
}

} // namespace

void show_decoding_speed(Frame& frame, const Settings& settings)
{
    const SpeedSizes sizes = frame.options.quick ? quick_sizes() : SpeedSizes{};
    const kernels::ComputeWith these(settings.how);
    const LanguageModel<float> model =
        language_models::make_language_model(sizes.model, frame.options.seed);
    std::vector<Decoder> decoders;
    for (const WeightFormat format : weight_formats) {
        decoders.emplace_back(model, DecoderOptions{.format = format});
    }
    show_tokens_one_at_a_time(frame, decoders, sizes, settings);
    show_several_texts(frame, decoders, sizes, settings);
    show_heads_of_keys(frame, model, sizes, settings);
    show_prompt(frame, decoders, sizes, settings);
}

} // namespace attn::simd_transformer
