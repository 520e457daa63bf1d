/// \file
/// \brief A language model ready to write: the scores of chapter 13's; a prompt in one pass
/// against token after token; texts alone and together; heads that share keys; what it refuses;
/// and what the page says of bytes and of what weights of fewer bytes lose.
#include "chapters/14_simd_transformer/decoding/decoder.hpp"

#include "chapters/14_simd_transformer/experiments/experiments.hpp"
#include "common/autograd/losses.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "common/tensor/check.hpp"
#include "tests/14_simd_transformer/samples.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

using namespace attn;
using namespace attn::simd_transformer;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using language_models::LanguageModelOptions;

namespace {

LanguageModelOptions options_of_24()
{
    LanguageModelOptions options{.n_tokens = 59, .n_positions = 40, .n_layers = 2};
    options.layer.d_model = 24;
    options.layer.n_heads = 4;
    options.layer.d_ff = 50;
    options.layer.activation = transformer::HiddenActivation::gelu_tanh;
    return options;
}

/// A model whose parameters are all random, biases too.
LanguageModel<float> random_model(const LanguageModelOptions& options)
{
    random::Generator generator(3);
    LanguageModel<float> model(options, generator);
    for (const nn::NamedParameter<float>& one : model.parameters()) {
        autograd::Variable<float> parameter = one.variable;
        for (float& number : numbers_of(parameter.value())) {
            number += static_cast<float>(generator.normal(0, 0.2));
        }
    }
    return model;
}

std::vector<TokenId> some_tokens(std::size_t n, std::uint64_t stream = 0)
{
    random::Generator generator(5, stream);
    std::vector<TokenId> tokens(n);
    for (TokenId& token : tokens) {
        token = static_cast<TokenId>(generator.below(59));
    }
    return tokens;
}

Array<float> row_of(const Array<float>& scores, std::size_t row)
{
    const std::size_t n = scores.shape()[1];
    return array_of<float>({1, n}, {scores.data() + row * n, n});
}

/// The scores after every token, one token at a time, as rows.
Array<float> step_by_step(const Decoder& decoder, std::span<const TokenId> tokens)
{
    const std::size_t n_tokens = decoder.options().n_tokens;
    Array<float> all = uninitialised<float>({tokens.size(), n_tokens});
    std::vector<WrittenText> texts(1);
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        const Array<float> scores = t == 0 ? decoder.read(tokens.subspan(0, 1), texts[0])
                                           : decoder.step(tokens.subspan(t, 1), texts);
        std::copy_n(scores.data(), n_tokens, all.data() + t * n_tokens);
    }
    CHECK(texts[0].n_tokens == tokens.size());
    return all;
}

} // namespace

// ---------------------------------------------------------------- the same scores

TEST_CASE("in floats a decoder has the bits of the language model", "[14]")
{
    for (const transformer::HiddenActivation activation :
         {transformer::HiddenActivation::relu, transformer::HiddenActivation::gelu,
          transformer::HiddenActivation::gelu_tanh}) {
        LanguageModelOptions options = options_of_24();
        options.layer.activation = activation;
        const LanguageModel<float> model = random_model(options);
        const Decoder decoder(model, {});
        const std::vector<TokenId> tokens = some_tokens(12);
        for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
            CAPTURE(kernels->name, static_cast<int>(activation));
            const kernels::ComputeWith guard({.kernels = kernels});
            const Array<float> found = step_by_step(decoder, tokens);
            language_models::TextState<float> state;
            for (std::size_t t = 0; t < tokens.size(); ++t) {
                CAPTURE(t);
                const Array<float> wanted =
                    t == 0 ? model.read(std::span(tokens).subspan(0, 1), state)
                           : model.step(tokens[t], state);
                const Array<float> row =
                    array_of<float>({1, wanted.size()}, numbers_of(wanted));
                if (kernels->fused) {
                    CHECK(same_bits(row_of(found, t), row));
                } else {
                    CHECK(difference(row_of(found, t), row) <= 1e-5);
                }
            }
        }
    }
}

TEST_CASE("a prompt in one pass has the scores of token after token", "[14]")
{
    const LanguageModel<float> model = random_model(options_of_24());
    const std::vector<TokenId> tokens = some_tokens(30);
    for (const WeightFormat format : weight_formats) {
        for (const std::size_t n_key_heads : {4U, 2U, 1U}) {
            CAPTURE(name_of(format), n_key_heads);
            const Decoder decoder(model, {.format = format, .n_key_heads = n_key_heads});
            std::vector<WrittenText> texts(1);
            const Array<float> in_one =
                decoder.read(std::span(tokens).subspan(0, 29), texts[0], ScoresOf::all);
            const Array<float> wanted = step_by_step(decoder, tokens);
            for (std::size_t t = 0; t < 29; ++t) {
                CHECK(difference(row_of(in_one, t), row_of(wanted, t)) <= 1e-5);
            }
            // Its keys and values are those of token after token as well.
            CHECK(difference(decoder.step(std::span(tokens).subspan(29), texts),
                             row_of(wanted, 29)) <= 1e-5);
            WrittenText again;
            CHECK(same_bits(decoder.read(std::span(tokens).subspan(0, 29), again),
                            row_of(in_one, 28)));
        }
    }
}

TEST_CASE("texts written together have the bits that each has alone", "[14]")
{
    const LanguageModel<float> model = random_model(options_of_24());
    constexpr std::array<std::size_t, 5> lengths = {1, 9, 4, 20, 3};
    for (const WeightFormat format : weight_formats) {
        const Decoder decoder(model, {.format = format, .n_key_heads = 2});
        std::vector<WrittenText> together(lengths.size());
        for (std::size_t b = 0; b < lengths.size(); ++b) {
            decoder.read(some_tokens(lengths[b], b), together[b]);
        }
        std::vector<WrittenText> alone = together;
        for (std::size_t step = 0; step < 3; ++step) {
            const std::vector<TokenId> next = some_tokens(lengths.size(), 100 + step);
            const Array<float> scores = decoder.step(next, together);
            for (std::size_t b = 0; b < lengths.size(); ++b) {
                CAPTURE(name_of(format), step, b);
                CHECK(
                    same_bits(row_of(scores, b), decoder.step({&next[b], 1}, {&alone[b], 1})));
            }
        }
    }
}

TEST_CASE("a decoder has the same bits on fused kernels and any number of threads", "[14]")
{
    const LanguageModel<float> model = random_model(options_of_24());
    const std::vector<TokenId> tokens = some_tokens(12);
    for (const WeightFormat format : weight_formats) {
        const Decoder decoder(model, {.format = format});
        std::optional<Array<float>> first_read;
        std::optional<Array<float>> first_steps;
        for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
            if (!kernels->fused) {
                continue;
            }
            for (const std::size_t n_threads : {1U, 3U}) {
                CAPTURE(name_of(format), kernels->name, n_threads);
                const kernels::ComputeWith guard({.kernels = kernels, .n_threads = n_threads});
                WrittenText text;
                const Array<float> read = decoder.read(tokens, text, ScoresOf::all);
                const Array<float> steps = step_by_step(decoder, tokens);
                first_read = first_read.value_or(read);
                first_steps = first_steps.value_or(steps);
                CHECK(same_bits(read, *first_read));
                CHECK(same_bits(steps, *first_steps));
            }
        }
    }
}

TEST_CASE(
    "a text of several pieces of rows is read with the same bits on any number of threads",
    "[14]")
{
    LanguageModelOptions options = options_of_24();
    options.n_positions = 1400; // of 24 numbers, and of 50 in the dense layers
    options.n_layers = 1;
    const Decoder decoder(random_model(options), {});
    const std::vector<TokenId> tokens = some_tokens(options.n_positions);
    const auto read_on = [&](std::size_t n_threads) {
        const kernels::ComputeWith guard({.n_threads = n_threads});
        WrittenText text;
        return decoder.read(tokens, text, ScoresOf::all);
    };
    CHECK(same_bits(read_on(3), read_on(1)));
}

// ---------------------------------------------------------------- heads that share keys

TEST_CASE("as many heads of keys as of queries are the model itself", "[14]")
{
    const LanguageModel<float> model = random_model(options_of_24());
    const std::vector<TokenId> tokens = some_tokens(8);
    CHECK(same_bits(step_by_step(Decoder(model, {}), tokens),
                    step_by_step(Decoder(model, {.n_key_heads = 4}), tokens)));
}

TEST_CASE("a head of keys is the mean of those whose queries it serves", "[14]")
{
    // Where neighbouring heads have equal keys and values, their mean is each of them.
    const LanguageModel<float> model = random_model(options_of_24());
    for (const nn::NamedParameter<float>& one : model.parameters()) {
        if (one.name.find("k_proj") == std::string::npos &&
            one.name.find("v_proj") == std::string::npos) {
            continue;
        }
        autograd::Variable<float> parameter = one.variable;
        float* const numbers = parameter.value().data();
        for (std::size_t row = 0; row < parameter.value().size(); row += 24) {
            std::copy_n(numbers + row, 6, numbers + row + 6);
            std::copy_n(numbers + row + 12, 6, numbers + row + 18);
        }
    }
    const std::vector<TokenId> tokens = some_tokens(12);
    const Array<float> all = step_by_step(Decoder(model, {}), tokens);
    CHECK(difference(step_by_step(Decoder(model, {.n_key_heads = 2}), tokens), all) <= 1e-6);
    CHECK(difference(step_by_step(Decoder(model, {.n_key_heads = 1}), tokens), all) > 1e-3);
}

// ---------------------------------------------------------------- bytes

TEST_CASE("what a token reads is what the decoder keeps", "[14]")
{
    const LanguageModelOptions options = options_of_24();
    const LanguageModel<float> model = random_model(options);
    for (const WeightFormat format : weight_formats) {
        for (const std::size_t n_key_heads : {0U, 4U, 2U, 1U}) {
            CAPTURE(name_of(format), n_key_heads);
            const DecoderOptions kept{.format = format, .n_key_heads = n_key_heads};
            const Decoder decoder(model, kept);
            const BytesOfAToken counted = bytes_of_a_token(options, kept, 10);
            CHECK(counted.weights == static_cast<double>(decoder.weight_bytes()));
            CHECK(counted.cache == static_cast<double>(decoder.cache_bytes(10)));
        }
    }
}

// [claim_bytes_of_a_token]
TEST_CASE("a token of GPT-2 reads half a gigabyte of weights", "[14][claim]")
{
    // 12 layers of 12 d^2 weights and an output of 50257 d, d = 768.
    const double n_weights = 12.0 * 12 * 768 * 768 + 50257.0 * 768;
    const LanguageModelOptions gpt2 = gpt2_options();
    CHECK(bytes_of_a_token(gpt2, {}, 0).weights == 4 * n_weights);
    CHECK_THAT(4 * n_weights, WithinAbs(494.1e6, 0.1e6));
    CHECK(bytes_of_a_token(gpt2, {.format = WeightFormat::bf16}, 0).weights == 2 * n_weights);
    // A scale for each of 9 d outputs of a layer, and for each token.
    CHECK(bytes_of_a_token(gpt2, {.format = WeightFormat::int8}, 0).weights ==
          n_weights + 4 * (12.0 * 9 * 768 + 50257));
    // Each token before: a key and a value of d floats in 12 layers.
    CHECK(bytes_of_a_token(gpt2, {}, 1).cache == 4 * 12 * 2 * 768.0);
    CHECK(bytes_of_a_token(gpt2, {.n_key_heads = 1}, 1).cache == 4 * 12 * 2 * 64.0);
}
// [claim_bytes_of_a_token]

TEST_CASE("a share of the scores' size is its error, and another token is counted", "[14]")
{
    const Array<float> wanted = array_of<float>({2, 2}, {1.0F, 3.0F, 5.0F, 4.0F});
    CHECK(score_error(wanted, wanted).relative == 0.0);
    CHECK(score_error(wanted, wanted).other_token == 0.0);
    // About the means of their rows: -1, 1, .5, -.5. Apart: 1 and 2.
    const ScoreError error =
        score_error(array_of<float>({2, 2}, {2.0F, 3.0F, 5.0F, 6.0F}), wanted);
    CHECK_THAT(error.relative, WithinRel(std::sqrt(5 / 2.5), 1e-12));
    CHECK(error.other_token == 0.5);
    CHECK_THROWS_AS(score_error(array_of<float>({1, 2}, {1.0F, 2.0F}), wanted), ContractError);
}

TEST_CASE("scores in windows are those of each window's tokens", "[14]")
{
    const LanguageModel<float> model = random_model(options_of_24());
    const Decoder decoder(model, {});
    const std::vector<TokenId> text = some_tokens(22);
    const Array<float> all = scores_in_windows(decoder, text, 7);
    REQUIRE(all.shape() == Shape{21, 59});
    WrittenText window;
    const Array<float> second =
        decoder.read(std::span(text).subspan(7, 7), window, ScoresOf::all);
    CHECK(same_bits(row_of(all, 9), row_of(second, 2)));
    CHECK(scores_in_windows(decoder, std::span(text).subspan(0, 21), 7).shape() ==
          Shape{14, 59}); // the last token of a third window has no next one
    CHECK_THROWS_AS(scores_in_windows(decoder, std::span(text).subspan(0, 7), 7),
                    ContractError);
}

TEST_CASE("of runs in turns the shortest counts, and the first of each does not", "[14]")
{
    std::array<std::size_t, 2> n_runs{};
    const auto sleeping = [&](std::size_t i) {
        return [&n_runs, i] {
            const std::size_t run = n_runs[i]++;
            const int ms = run == 0 ? 0 : run == 2 ? 2 + 8 * static_cast<int>(i) : 60;
            std::this_thread::sleep_for(std::chrono::milliseconds(ms));
        };
    };
    const std::vector<double> shortest = shortest_in_turns({sleeping(0), sleeping(1)}, 2, 3);
    CHECK(n_runs == std::array<std::size_t, 2>{4, 4});
    CHECK(shortest[0] >= 0.002);
    CHECK(shortest[0] < 0.055);
    CHECK(shortest[1] >= 0.010);
    CHECK(shortest[1] < 0.055);
    CHECK_THROWS_AS(shortest_in_turns({[] {}}, 1, 0), ContractError);
}

// ---------------------------------------------------------------- what is refused

TEST_CASE("a decoder refuses models of another kind", "[14]")
{
    const auto refused = [](const std::function<void(LanguageModelOptions&)>& change) {
        LanguageModelOptions options = options_of_24();
        change(options);
        CHECK_THROWS_AS(Decoder(random_model(options), {}), ContractError);
    };
    refused([](LanguageModelOptions& options) { options.causal = false; });
    refused([](LanguageModelOptions& options) { options.tied = false; });
    refused([](LanguageModelOptions& options) {
        options.layer.norm = transformer::NormPlace::after;
    });
    refused([](LanguageModelOptions& options) { options.layer.residual = false; });
    refused([](LanguageModelOptions& options) { options.layer.feed_forward = false; });
    CHECK_THROWS_AS(Decoder(random_model(options_of_24()), {.n_key_heads = 3}), ContractError);
    CHECK_THROWS_AS(Decoder(random_model(options_of_24()), {.n_key_heads = 8}), ContractError);
}

TEST_CASE("a decoder refuses what is no token, no text and too long", "[14]")
{
    const Decoder decoder(random_model(options_of_24()), {});
    WrittenText text;
    CHECK_THROWS_AS(decoder.read({}, text), ContractError);
    CHECK_THROWS_AS(decoder.read(std::vector<TokenId>{-1}, text), ContractError);
    CHECK_THROWS_AS(decoder.read(std::vector<TokenId>{59}, text), ContractError);
    CHECK_THROWS_AS(decoder.read(some_tokens(41), text), ContractError);
    decoder.read(some_tokens(40), text);
    const std::vector<TokenId> two = {1, 2};
    CHECK_THROWS_AS(decoder.step({two.data(), 1}, {&text, 1}), ContractError); // no position
    decoder.read(some_tokens(3), text);
    CHECK_THROWS_AS(decoder.step(two, {&text, 1}), ContractError);
    CHECK_THROWS_AS(decoder.step({}, {}), ContractError);
    WrittenText unread;
    CHECK_THROWS_AS(decoder.step({two.data(), 1}, {&unread, 1}), ContractError);
}
