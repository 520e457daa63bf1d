/// \file
/// \brief The language model: what attends to what, by perturbation; token by token against all
/// at once; its gradients, its start and what it refuses; the solutions of the exercises.
#include "chapters/13_language_models/language_model.hpp"

#include "chapters/13_language_models/exercises/solutions.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/gradient_check.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/loss_gradient.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::language_models;
using namespace attn::testing;
using attn::testing::contains;
using Catch::Matchers::WithinAbs;

namespace {

constexpr std::size_t n_tokens = 11;
constexpr std::size_t text_length = 7;

LanguageModelOptions small_options(bool causal, bool tied)
{
    return {.n_tokens = n_tokens,
            .n_positions = 9,
            .n_layers = 2,
            .layer = {.d_model = 6,
                      .n_heads = 2,
                      .d_ff = 10,
                      .activation = transformer::HiddenActivation::gelu_tanh},
            .causal = causal,
            .tied = tied};
}

/// A model whose parameters are all random and large enough to be told apart.
template <typename T>
LanguageModel<T> small_model(bool causal, bool tied)
{
    random::Generator generator(3);
    LanguageModel<T> model(small_options(causal, tied), generator);
    for (const nn::NamedParameter<T>& one : model.parameters()) {
        Variable<T> parameter = one.variable;
        for (T& number : numbers_of(parameter.value())) {
            number += static_cast<T>(generator.normal(0, 0.3));
        }
    }
    return model;
}

TokenBatch two_texts()
{
    random::Generator generator(4);
    TokenBatch batch{.n_texts = 2};
    for (std::size_t i = 0; i < 2 * text_length; ++i) {
        batch.tokens.push_back(static_cast<TokenId>(generator.below(n_tokens)));
        batch.answers.push_back(static_cast<TokenId>(generator.below(n_tokens)));
    }
    return batch;
}

/// The scores at all places [n_texts, text_length, n_tokens].
template <typename T>
Array<T> scores_of(const LanguageModel<T>& model, const TokenBatch& batch)
{
    const autograd::NoGradient<T> forwards;
    return model.logits(model.rows(batch)).value();
}

template <typename T>
bool same_scores(const Array<T>& a, const Array<T>& b, std::size_t text, std::size_t place)
{
    const std::size_t from = (text * a.shape()[1] + place) * a.shape()[2];
    return std::equal(a.data() + from, a.data() + from + a.shape()[2], b.data() + from);
}

/// The first text token by token, n_read of them in one pass.
template <typename T>
void check_stepped(bool tied, std::size_t n_read)
{
    const LanguageModel<T> model = small_model<T>(true, tied);
    const TokenBatch batch = two_texts();
    const Array<T> at_once = scores_of(model, batch);
    TextState<T> state;
    for (std::size_t t = n_read - 1; t < text_length; ++t) {
        const Array<T> next = t + 1 == n_read ? model.read({batch.tokens.data(), n_read}, state)
                                              : model.step(batch.tokens[t], state);
        REQUIRE(next.shape() == Shape{n_tokens});
        const T* const wanted = at_once.data() + t * n_tokens;
        if (kernels::default_kernels().fused) {
            CHECK(std::equal(next.begin(), next.end(), wanted));
        } else { // a product of one row and one of many round differently there
            CHECK(std::equal(next.begin(), next.end(), wanted, [](T a, T b) {
                return std::abs(a - b) <= 50 * std::numeric_limits<T>::epsilon();
            }));
        }
        CHECK(state.n_tokens == t + 1);
    }
}

} // namespace

// ---------------------------------------------------------------- what attends to what

// [claim_mask]
TEST_CASE("under the mask a later token moves no earlier score, and without it it does",
          "[13][claim]")
{
    const TokenBatch batch = two_texts();
    TokenBatch changed = batch;
    changed.tokens[5] = (changed.tokens[5] + 1) % static_cast<TokenId>(n_tokens);
    for (const bool causal : {true, false}) {
        const LanguageModel<double> model = small_model<double>(causal, true);
        const Array<double> before = scores_of(model, batch);
        const Array<double> after = scores_of(model, changed);
        for (std::size_t place = 0; place < text_length; ++place) {
            CHECK(same_scores(before, after, 0, place) == (causal && place < 5));
            CHECK(same_scores(before, after, 1, place)); // the other text
        }
    }
}
// [claim_mask]

TEST_CASE("what stands after a text's end moves no score of it", "[13]")
{
    TokenBatch batch = two_texts();
    batch.lengths = {text_length, 4};
    TokenBatch changed = batch;
    changed.tokens[text_length + 5] =
        (changed.tokens[text_length + 5] + 1) % static_cast<TokenId>(n_tokens);
    const LanguageModel<double> model = small_model<double>(false, true);
    const Array<double> before = scores_of(model, batch);
    const Array<double> after = scores_of(model, changed);
    for (std::size_t place = 0; place < 4; ++place) {
        CHECK(same_scores(before, after, 1, place));
    }
    batch.lengths = {};
    CHECK(!same_scores(before, scores_of(model, batch), 1, 0));
}

// [claim_steps]
TEST_CASE("token by token a model says what it says of all at once, bit for bit", "[13][claim]")
{
    for (const bool tied : {true, false}) {
        for (const std::size_t n_read : {std::size_t{1}, std::size_t{4}, text_length}) {
            check_stepped<float>(tied, n_read);
            check_stepped<double>(tied, n_read);
        }
    }
}
// [claim_steps]

// ---------------------------------------------------------------- outputs, gradients, start

TEST_CASE("a tied score is the product of the row with the token's embedding", "[13]")
{
    const LanguageModel<double> model = small_model<double>(true, true);
    const autograd::NoGradient<double> forwards;
    const Array<double> rows = model.rows(two_texts()).value();
    const Array<double> scores = scores_of(model, two_texts());
    const Array<double>& E = model.parameters().at("tokens.weight").variable.value();
    for (std::size_t token = 0; token < n_tokens; ++token) {
        double product = 0;
        for (std::size_t k = 0; k < 6; ++k) {
            product += rows(1, 2, k) * E(token, k);
        }
        CHECK_THAT(scores(1, 2, token), WithinAbs(product, 1e-12));
    }
    const auto has_output = [](const LanguageModel<double>& of) {
        const nn::Parameters<double> list = of.parameters();
        return std::any_of(list.begin(), list.end(),
                           [](const auto& one) { return one.name == "output.weight"; });
    };
    CHECK(!has_output(model));
    CHECK(has_output(small_model<double>(true, false)));
}

TEST_CASE("every gradient of the loss agrees with differences", "[13][gradient]")
{
    for (const bool causal : {true, false}) {
        const LanguageModel<double> model = small_model<double>(causal, causal);
        TokenBatch batch = two_texts();
        batch.answers[3] = not_asked;
        attn::testing::check_all_gradients(model.parameters(),
                                           [&] { return model.loss(batch); });
    }
}

TEST_CASE("it starts with the deviations of GPT-2", "[13]")
{
    LanguageModelOptions options = small_options(true, true);
    options.layer.d_model = 64;
    options.layer.d_ff = 256;
    options.n_tokens = 100;
    const LanguageModel<float> model = make_language_model(options, 5);
    const auto deviation = [&](const char* name) {
        const Array<float>& values = model.parameters().at(name).variable.value();
        double squares = 0;
        for (const float number : values) {
            squares += static_cast<double>(number) * static_cast<double>(number);
        }
        return std::sqrt(squares / static_cast<double>(values.size()));
    };
    CHECK_THAT(deviation("tokens.weight"), WithinAbs(0.02, 0.001));
    CHECK_THAT(deviation("layers.1.self_attn.q_proj.weight"), WithinAbs(0.02, 0.001));
    CHECK_THAT(deviation("layers.0.linear1.weight"), WithinAbs(0.02, 0.001));
    CHECK_THAT(deviation("layers.0.linear2.weight"),
               WithinAbs(0.01, 0.0005)); // root of 2 N = 2
    CHECK_THAT(deviation("layers.1.self_attn.out_proj.weight"), WithinAbs(0.01, 0.0005));
    CHECK(deviation("layers.0.linear1.bias") == 0);
    CHECK(deviation("layers.0.self_attn.v_proj.bias") == 0);
    CHECK(deviation("norm.weight") == 1);
}

TEST_CASE("what cannot be read is refused in a sentence", "[13]")
{
    const LanguageModel<double> model = small_model<double>(true, true);
    const auto rows = [&](const TokenBatch& batch) { model.rows(batch); };
    CHECK_THROWS_WITH(rows({.n_texts = 1, .tokens = std::vector<TokenId>(10, 1)}),
                      contains("10 tokens") && contains("9 positions"));
    CHECK_THROWS_WITH(rows({.n_texts = 2, .tokens = {1, 2, 3}}), contains("whole rows"));
    CHECK_THROWS_AS(rows({.n_texts = 1, .tokens = {1, 11}}), ContractError);
    TextState<double> state;
    CHECK_THROWS_AS(model.step(-1, state), ContractError);
    model.read(std::vector<TokenId>(9, 1), state);
    CHECK_THROWS_WITH(model.step(1, state), contains("10 tokens"));
    CHECK_THROWS_AS(model.read(std::vector<TokenId>{1}, state),
                    ContractError); // not its beginning
    TextState<double> other;
    CHECK_THROWS_AS(small_model<double>(false, true).read(std::vector<TokenId>{1}, other),
                    ContractError);
    CHECK_THROWS_AS(make_language_model({.n_tokens = 0, .n_positions = 1, .n_layers = 1}, 1),
                    ContractError);
}

// ---------------------------------------------------------------- solutions

TEST_CASE("exercise 13.1, the numbers of a model in GPT-2's form", "[13][solution]")
{
    CHECK(solutions::numbers_in_gpt2(12, 768, 50257, 1024) == 124'439'808);
    LanguageModelOptions options = small_options(true, true);
    options.layer.d_ff = 24;
    CHECK(make_language_model(options, 1).parameters().n_numbers() ==
          solutions::numbers_in_gpt2(2, 6, n_tokens, 9));
}

TEST_CASE("exercise 13.2, the tokens that memory allows", "[13][solution]")
{
    CHECK_THAT(solutions::tokens_a_second(495e6, 73728, 0, 20e9), WithinAbs(40.4, 0.05));
    CHECK_THAT(solutions::tokens_a_second(495e6, 73728, 1024, 20e9), WithinAbs(35.06, 0.05));
    CHECK_THROWS_AS(solutions::tokens_a_second(1, 1, 1, 0), ContractError);
    CHECK_THROWS_AS(solutions::tokens_a_second(0, 1, 0, 1), ContractError);
}

TEST_CASE("exercise 13.3, bits a character", "[13][solution]")
{
    CHECK_THAT(solutions::bits_per_character(1.47, 1), WithinAbs(2.12, 0.005));
    CHECK_THAT(solutions::bits_per_character(3.3, 4.5), WithinAbs(1.06, 0.005));
    CHECK_THROWS_AS(solutions::bits_per_character(1, 0), ContractError);
}
