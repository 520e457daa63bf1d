/// \file
/// \brief What the explorer is told of a model: weights whose rows sum to 1, and which are the
/// softmax of the queries and keys beside them; the model is as it was. And what page 13a says of
/// the weights that it shows.
#include "chapters/13_language_models/experiments/experiments.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/committed_table.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <cmath>
#include <string>

using namespace attn;
using namespace attn::language_models;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

TEST_CASE("the explorer's weights are the softmax of its queries and keys", "[13]")
{
    constexpr std::size_t d_head = 5;
    const LanguageModel<float> model =
        make_language_model({.n_tokens = 9,
                             .n_positions = 8,
                             .n_layers = 3,
                             .layer = {.d_model = 2 * d_head, .n_heads = 2, .d_ff = 7}},
                            5);
    for (const nn::NamedParameter<float>& one : model.parameters()) {
        Variable<float> parameter = one.variable;
        parameter.value() *= 4.0F; // or all weights would be equal
    }
    const std::vector<TokenId> tokens = {3, 1, 4, 1, 5, 8};
    const std::size_t n = tokens.size();
    const TokenBatch batch = {.n_texts = 1, .tokens = tokens};
    std::vector<Array<float>> weights;
    const Array<float> before = model.rows(batch, &weights).value();
    const auto all =
        explored(model, tokens, [](TokenId token) { return std::to_string(token); });
    CHECK(same_bits(model.rows(batch).value(), before));
    REQUIRE(all.size() == 3);
    for (std::size_t layer = 0; layer < all.size(); ++layer) {
        const program::ExploredAttention& one = all[layer];
        CHECK(one.name == "layer " + std::to_string(layer + 1));
        CHECK(one.key_words == std::vector<std::string>{"3", "1", "4", "1", "5", "8"});
        CHECK(one.query_words == one.key_words);
        CHECK(one.causal);
        CHECK(same_bits(one.weights, weights[layer]));
        REQUIRE(one.weights.shape() == Shape{1, 2, n, n});
        REQUIRE(one.queries.shape() == Shape{1, n, 2 * d_head});
        REQUIRE(one.keys.shape() == Shape{1, n, 2 * d_head});
        for (std::size_t h = 0; h < 2; ++h) {
            for (std::size_t i = 0; i < n; ++i) {
                const auto score = [&](std::size_t j) {
                    double sum = 0;
                    for (std::size_t d = h * d_head; d < (h + 1) * d_head; ++d) {
                        sum += static_cast<double>(one.queries(0, i, d)) *
                               static_cast<double>(one.keys(0, j, d));
                    }
                    return sum / std::sqrt(static_cast<double>(d_head));
                };
                double sum = 0;
                for (std::size_t j = 0; j < n; ++j) {
                    const double weight = static_cast<double>(one.weights(0, h, i, j));
                    sum += weight;
                    CHECK((j <= i || weight == 0));
                    if (j <= i) { // the score, up to what is the same for all keys
                        CHECK_THAT(
                            std::log(weight / static_cast<double>(one.weights(0, h, i, 0))),
                            WithinAbs(score(j) - score(0), 1e-4));
                    }
                }
                CHECK_THAT(sum, WithinAbs(1, 1e-5));
            }
        }
    }
}

// [claim_explorer]
TEST_CASE("page 13a: in layer 1 every letter attends most to the letter before it",
          "[13][claim]")
{
    const program::NumericTable table = committed_table("trained_weights.csv");
    constexpr std::ptrdiff_t n = 24;
    for (std::ptrdiff_t query = 1; query < n; ++query) { // counted from 0
        const auto row = table.column("weight_1").begin() + query * n;
        CHECK(std::max_element(row, row + n) - row == query - 1);
    }
}
// [claim_explorer]
