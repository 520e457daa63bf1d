/// \file
/// \brief From scores to the next token: temperature, top-k and top-p by hand, and what is drawn.
#include "chapters/13_language_models/sampling.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::language_models;
using attn::testing::contains;
using Catch::Matchers::WithinAbs;

namespace {

/// Scores whose softmax is 1/2, 1/4, 1/8, 1/8.
const std::vector<float> halves = {std::log(2.0F), std::log(4.0F), std::log(1.0F),
                                   std::log(1.0F)};

void check(const Vector& found, const std::vector<double>& wanted)
{
    REQUIRE(found.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        INFO("token " << i);
        CHECK_THAT(found(i), WithinAbs(wanted[i], 1e-6));
    }
}

} // namespace

TEST_CASE("temperature divides the scores", "[13]")
{
    check(next_probabilities(halves, {}), {0.25, 0.5, 0.125, 0.125});
    check(next_probabilities(halves, {.temperature = 0.5}),
          {4.0 / 22, 16.0 / 22, 1.0 / 22, 1.0 / 22}); // the squares
    check(next_probabilities(halves, {.temperature = 0}), {0, 1, 0, 0});
    check(next_probabilities(std::vector<float>{1, 1}, {.temperature = 0}), {1, 0});
    check(next_probabilities(std::vector<float>{1000, 0}, {.temperature = 1e-3}), {1, 0});
}

TEST_CASE("top-k and top-p cut the tail", "[13]")
{
    check(next_probabilities(halves, {.top_k = 1}), {0, 1, 0, 0});
    check(next_probabilities(halves, {.top_k = 2}), {1.0 / 3, 2.0 / 3, 0, 0});
    check(next_probabilities(halves, {.top_k = 3}), {2.0 / 7, 4.0 / 7, 1.0 / 7, 0}); // a tie
    check(next_probabilities(halves, {.top_k = 9}), {0.25, 0.5, 0.125, 0.125});
    check(next_probabilities(halves, {.top_p = 0.4}), {0, 1, 0, 0});
    check(next_probabilities(halves, {.top_p = 0.6}), {1.0 / 3, 2.0 / 3, 0, 0});
    check(next_probabilities(halves, {.top_p = 0.8}), {2.0 / 7, 4.0 / 7, 1.0 / 7, 0});
    check(next_probabilities(halves, {.top_p = 1}), {0.25, 0.5, 0.125, 0.125});
    // What has exactly top_p is enough.
    check(next_probabilities(std::vector<float>(4, 0), {.top_p = 0.5}), {0.5, 0.5, 0, 0});
    check(next_probabilities(std::vector<float>(4, 0), {.top_p = 0.25}), {1, 0, 0, 0});
}

TEST_CASE("top-p asks for its share of what temperature and top-k have left", "[13]")
{
    // Of the two that top-k leaves the first has 2/3, which is 0.5 of all.
    check(next_probabilities(halves, {.top_k = 2, .top_p = 0.6}), {0, 1, 0, 0});
    // Squared, the first has 16/22 alone.
    check(next_probabilities(halves, {.temperature = 0.5, .top_p = 0.7}), {0, 1, 0, 0});
    check(next_probabilities(halves, {.top_p = 0.7}), {1.0 / 3, 2.0 / 3, 0, 0});
}

TEST_CASE("a token is drawn as often as it is probable", "[13]")
{
    const Vector p = next_probabilities(halves, {.top_k = 3});
    random::Generator generator(1);
    constexpr std::size_t n = 20000;
    std::vector<double> counts(4, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        counts[static_cast<std::size_t>(token_at(p, generator.uniform()))] += 1;
    }
    for (std::size_t token = 0; token < 4; ++token) {
        const double deviation = std::sqrt(n * p(token) * (1 - p(token)));
        CHECK_THAT(counts[token], WithinAbs(n * p(token), 4 * deviation));
    }
    CHECK(token_at(p, 0) == 0);
    CHECK(token_at({0.25, 0.5, 0.25}, 0.25) == 1);     // a token's share ends before its bound
    CHECK(token_at(p, std::nextafter(1.0, 0.0)) == 2); // never the token without probability
}

TEST_CASE("what is no sampling is refused", "[13]")
{
    CHECK_THROWS_WITH(next_probabilities(halves, {.temperature = -1}), contains("temperature"));
    CHECK_THROWS_WITH(next_probabilities(halves, {.top_k = 0}), contains("top-k"));
    CHECK_THROWS_WITH(next_probabilities(halves, {.top_p = 0}), contains("top-p"));
    CHECK_THROWS_WITH(next_probabilities(halves, {.top_p = 1.1}), contains("top-p"));
    CHECK_THROWS_AS(next_probabilities({}, {}), ContractError);
    const std::vector<float> nan = {1, std::numeric_limits<float>::quiet_NaN()};
    CHECK_THROWS_WITH(next_probabilities(nan, {}), contains("nan"));
    const float inf = std::numeric_limits<float>::infinity();
    for (const std::vector<float>& scores : {std::vector<float>{1, inf, 0}, {-inf, -inf}}) {
        CHECK_THROWS_WITH(next_probabilities(scores, {}), contains("the largest finite"));
        CHECK_THROWS_WITH(next_probabilities(scores, {.temperature = 0}),
                          contains("the largest finite"));
    }
    CHECK(next_probabilities(std::vector<float>{-inf, 0}, {})(1) == 1); // masked
    CHECK_THROWS_AS(token_at({1}, 1), ContractError);
}

TEST_CASE("a text is continued by what its model says", "[13]")
{
    const LanguageModel<float> model = make_language_model(
        {.n_tokens = 9, .n_positions = 8, .n_layers = 1, .layer = {.d_model = 8, .n_heads = 2}},
        1);
    const std::vector<TokenId> beginning = {1, 2, 3};
    random::Generator generator(1);
    const auto greedy = continue_text(model, beginning, 5, {.temperature = 0}, generator);
    CHECK(generator.state() == random::Generator(1).state()); // nothing was drawn
    REQUIRE(greedy.size() == 5);
    std::vector<TokenId> text = beginning;
    for (const TokenId token : greedy) { // each is the best after all before it
        TextState<float> state;
        const Array<float> scores = model.read(text, state);
        CHECK(std::max_element(scores.begin(), scores.end()) - scores.begin() == token);
        text.push_back(token);
    }
    CHECK_THROWS_WITH(continue_text(model, beginning, 6, {}, generator),
                      contains("8 positions"));
    std::size_t n_written = 0;
    CHECK(continue_text(model, beginning, 5, {}, generator, [&](TokenId /*token*/) {
              return ++n_written < 2;
          }).size() == 2);
}
