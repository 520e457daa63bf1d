/// \file
/// \brief Which tokens are hidden and how, what a gap's probabilities depend on, and in which order
/// gaps are filled.
#include "chapters/13_language_models/masked_words/masked_words.hpp"

#include "chapters/13_language_models/exercises/solutions.hpp"
#include "chapters/13_language_models/experiments/experiments.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

using namespace attn;
using namespace attn::language_models;
using Catch::Matchers::WithinAbs;

namespace {

constexpr TokenId mask_symbol = 20;

LanguageModel<float> gap_model(bool causal = false)
{
    LanguageModel<float> model =
        make_language_model({.n_tokens = 21,
                             .n_positions = 8,
                             .n_layers = 2,
                             .layer = {.d_model = 16, .n_heads = 2, .d_ff = 24},
                             .causal = causal},
                            3);
    Variable<float> embeddings = model.parameters().at("tokens.weight").variable;
    embeddings.value() *= 40.0F; // far from the same for every token
    return model;
}

TokenBatch one_text(std::vector<TokenId> text)
{
    return {.n_texts = 1, .tokens = std::move(text)};
}

/// The greatest of a row.
TokenId best_of(const Array<float>& p, std::size_t row)
{
    const float* const begin = p.data() + row * p.shape()[1];
    return std::max_element(begin, begin + mask_symbol) - begin;
}

} // namespace

TEST_CASE("shorter texts are filled up, and what fills them is no text", "[13]")
{
    const TokenBatch batch =
        side_by_side(std::vector<std::vector<TokenId>>{{5, 6}, {7, 8, 9}, {4}});
    CHECK(batch.n_texts == 3);
    CHECK(batch.tokens == std::vector<TokenId>{5, 6, 0, 7, 8, 9, 4, 0, 0});
    CHECK(batch.lengths == std::vector<std::size_t>{2, 3, 1});
    CHECK(std::all_of(batch.answers.begin(), batch.answers.end(),
                      [](TokenId answer) { return answer == not_asked; }));
    CHECK_THROWS_AS(side_by_side({}), ContractError);
    CHECK_THROWS_AS(side_by_side(std::vector<std::vector<TokenId>>{{}}), ContractError);
}

TEST_CASE("of the chosen tokens so many are hidden, exchanged and left as they are", "[13]")
{
    constexpr std::size_t n = 40000;
    random::Generator generator(1);
    const TokenBatch before{.n_texts = 2,
                            .tokens = std::vector<TokenId>(2 * n, 7),
                            .lengths = {n, n / 2}};
    const TokenBatch after =
        mask_tokens(before, {.mask = mask_symbol, .first_random = 3, .share = 0.15}, generator);
    std::array<double, 4> counts = {}; // chosen, hidden, exchanged, left
    for (std::size_t i = 0; i < 2 * n; ++i) {
        const TokenId token = after.tokens[i];
        if (after.answers[i] == not_asked) {
            REQUIRE(token == 7);
            continue;
        }
        REQUIRE(i < n + n / 2); // what fills a row up is not asked for
        REQUIRE(after.answers[i] == 7);
        REQUIRE((token == mask_symbol || (token >= 3 && token < mask_symbol)));
        counts[0] += 1;
        counts[token == mask_symbol ? 1 : token == 7 ? 3 : 2] += 1;
    }
    // Within four standard errors. One exchanged token in 17 is the same one again.
    CHECK_THAT(counts[0] / (1.5 * n), WithinAbs(0.15, 4 * std::sqrt(0.15 * 0.85 / (1.5 * n))));
    CHECK_THAT(counts[1] / counts[0], WithinAbs(0.8, 4 * std::sqrt(0.16 / counts[0])));
    CHECK_THAT(counts[2] / counts[0],
               WithinAbs(0.1 * 16 / 17, 4 * std::sqrt(0.09 / counts[0])));

    const auto refused = [&](const Masking& masking) {
        CHECK_THROWS_AS(mask_tokens(before, masking, generator), ContractError);
    };
    refused({.mask = mask_symbol, .first_random = 3, .share = 1.5});
    refused({.mask = mask_symbol, .first_random = 3, .share_mask = 0.9, .share_random = 0.2});
    refused({.mask = mask_symbol, .first_random = mask_symbol});
}

TEST_CASE("a gap's probabilities depend on both sides, on each gap's own place alone", "[13]")
{
    const LanguageModel<float> model = gap_model();
    const TokenBatch text = one_text({4, mask_symbol, 6, 7, mask_symbol});
    const Array<float> p = fill_probabilities(model, text, mask_symbol);
    REQUIRE(p.shape() == Shape{2, 21});
    CHECK_THAT(std::accumulate(p.data(), p.data() + 21, 0.0), WithinAbs(1, 1e-5));
    const auto first_gap_with = [&](std::size_t at, TokenId token) {
        TokenBatch changed = text;
        changed.tokens[at] = token;
        const Array<float> other = fill_probabilities(model, changed, mask_symbol);
        return std::equal(p.data(), p.data() + 21, other.data());
    };
    CHECK_FALSE(first_gap_with(0, 5));
    CHECK_FALSE(first_gap_with(3, 5));
    CHECK(first_gap_with(3, 7));

    CHECK(gaps_of(text, mask_symbol) == std::vector<std::size_t>{1, 4});
    CHECK_THROWS_AS(fill_probabilities(gap_model(true), text, mask_symbol), ContractError);
    CHECK_THROWS_AS(fill_probabilities(model, one_text({4, 5}), mask_symbol), ContractError);
}

TEST_CASE("at once each gap is filled as if no other were, one by one in view of those before",
          "[13]")
{
    const LanguageModel<float> model = gap_model();
    const std::vector<TokenId> text = {4, mask_symbol, 6, mask_symbol, 9};
    const Sampling greedy{.temperature = 0};
    random::Generator generator(1);
    const auto filled = [&](FillOrder order) {
        return fill_gaps(model, text, mask_symbol, order, greedy, generator);
    };
    const Array<float> p = fill_probabilities(model, one_text(text), mask_symbol);
    CHECK(filled(FillOrder::at_once) ==
          std::vector<TokenId>{4, best_of(p, 0), 6, best_of(p, 1), 9});

    std::vector<TokenId> next = text;
    next[1] = best_of(p, 0);
    const Array<float> second = fill_probabilities(model, one_text(next), mask_symbol);
    next[3] = best_of(second, 0);
    CHECK(filled(FillOrder::one_by_one) == next);
    CHECK_FALSE(std::equal(second.data(), second.data() + 21, p.data() + 21));
}

TEST_CASE("the mask symbol is never drawn", "[13]")
{
    const LanguageModel<float> model = gap_model();
    Variable<float> embeddings = model.parameters().at("tokens.weight").variable;
    float* const rows = embeddings.value().data();
    std::copy_n(rows + 5 * 16, 16, rows + mask_symbol * 16); // as probable as token 5
    random::Generator generator(1);
    for (int i = 0; i < 50; ++i) {
        const std::vector<TokenId> filled =
            fill_gaps(model, {5, mask_symbol, mask_symbol, 5}, mask_symbol,
                      FillOrder::one_by_one, {.temperature = 5}, generator);
        CHECK(std::count(filled.begin(), filled.end(), mask_symbol) == 0);
    }
}

TEST_CASE("pairs are counted, and their loss is that of the shares", "[13]")
{
    PairCounts counts(3);
    const std::vector<TokenId> text = {0, 1, 0, 1, 0, 2};
    counts.add(text);
    CHECK(counts.seen(0, 1));
    CHECK_FALSE(counts.seen(1, 2));
    // 0 is followed twice by 1 and once by 2; 1 twice by 0. Each count is .01 larger.
    const std::vector<TokenId> tested = {0, 2, 1};
    const double wanted = -(std::log(1.01 / 3.03) + std::log(1.0 / 3)) / 2;
    CHECK_THAT(counts.loss(tested), WithinAbs(wanted, 1e-9));
}

TEST_CASE("the probes are sentences of the grammar with the verb that agrees", "[13]")
{
    const auto sentences_of = [](Between between) {
        std::vector<std::string> sentences;
        for (const VerbProbe& probe : verb_probes(between)) {
            CHECK(probe.words[probe.verb] == probe.right);
            CHECK(probe.right != probe.wrong);
            sentences.push_back(text::text_of(probe.words));
        }
        return sentences;
    };
    const auto has = [](const std::vector<std::string>& all, const char* sentence) {
        return std::count(all.begin(), all.end(), sentence) == 1;
    };
    CHECK(has(sentences_of(Between::nothing), "l' arbre est ici ."));
    CHECK(has(sentences_of(Between::same_number), "les voitures des rois sont ici ."));
    CHECK(has(sentences_of(Between::other_number), "les voitures du roi sont ici ."));
    CHECK(has(sentences_of(Between::other_number), "la lettre des amis est ici ."));
    CHECK(sentences_of(Between::other_number).size() == 288);
}

TEST_CASE("the answers to the exercises on hidden words are right", "[13][exercise]")
{
    CHECK(solutions::causal_answers(64000, 12) == 832'000);
    CHECK_THAT(solutions::masked_answers(64000, 12, 0.3), WithinAbs(230'400, 1e-6));
    CHECK_THAT(solutions::masked_answers(64000, 12, 0.15), WithinAbs(115'200, 1e-6));
    CHECK_THAT(solutions::agreeing_at_once(std::array{0.5, 0.5}), WithinAbs(0.5, 0));
    CHECK_THAT(solutions::agreeing_at_once(std::array{0.5, 0.3, 0.2}), WithinAbs(0.38, 1e-12));
}
