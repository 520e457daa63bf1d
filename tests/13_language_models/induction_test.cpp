/// \file
/// \brief Sequences that repeat, the scores of heads on weights made by hand, and what the page
/// says of models of one and of two layers.
#include "chapters/13_language_models/experiments/experiments.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <set>

using namespace attn;
using namespace attn::language_models;
using Catch::Matchers::WithinAbs;

namespace {

constexpr RepetitionTask small_task = {
    .n_tokens = 9, .n = 8, .shortest_period = 2, .longest_period = 4};

/// Weights [1, 1, n, n] of a head that attends to the keys for which attends(q, k), alike.
template <typename Attends>
Array<float> weights_of(std::size_t n, Attends attends)
{
    Array<float> weights = filled<float>({1, 1, n, n}, 0.0F);
    for (std::size_t q = 0; q < n; ++q) {
        float n_keys = 0;
        for (std::size_t k = 0; k <= q; ++k) {
            n_keys += attends(q, k) ? 1.0F : 0.0F;
        }
        for (std::size_t k = 0; k <= q; ++k) {
            weights(0, 0, q, k) = attends(q, k) ? 1 / n_keys : 0.0F;
        }
    }
    return weights;
}

} // namespace

TEST_CASE("a sequence is different symbols, over and over", "[13]")
{
    random::Generator generator(1);
    const Repetitions drawn = draw_repetitions(small_task, 100, generator);
    std::set<std::size_t> periods;
    for (std::size_t text = 0; text < 100; ++text) {
        const std::size_t p = drawn.periods[text];
        const TokenId* const tokens = drawn.batch.tokens.data() + text * 8;
        periods.insert(p);
        CHECK(std::set<TokenId>(tokens, tokens + p).size() == p);
        for (std::size_t t = 0; t < 8; ++t) {
            CHECK((t < p || tokens[t] == tokens[t - p]));
            CHECK((t + 1 == 8 || drawn.batch.answers[text * 8 + t] == tokens[t + 1]));
        }
        CHECK(drawn.batch.answers[text * 8 + 7] == tokens[8 - p]);
    }
    CHECK(periods == std::set<std::size_t>{2, 3, 4});
    CHECK_THROWS_AS(draw_repetitions({.n_tokens = 3}, 1, generator), ContractError);
}

TEST_CASE("scores of heads whose weights are known", "[13]")
{
    const std::vector<std::size_t> periods = {3};
    const auto followers = weights_of(
        8, [](std::size_t q, std::size_t k) { return q < 3 || (q + 1 - k) % 3 == 0; });
    CHECK_THAT(induction_scores(followers, periods)[0], WithinAbs(1, 1e-6));
    const auto copies =
        weights_of(8, [](std::size_t q, std::size_t k) { return q < 3 || (q - k) % 3 == 0; });
    CHECK_THAT(induction_scores(copies, periods)[0], WithinAbs(0, 1e-6));
    const auto uniform = weights_of(8, [](std::size_t, std::size_t) { return true; });
    // Queries 3 to 7 have 1, 1, 2, 2, 2 followers among their 4 to 8 keys.
    CHECK_THAT(induction_scores(uniform, periods)[0],
               WithinAbs((1.0 / 4 + 1.0 / 5 + 2.0 / 6 + 2.0 / 7 + 2.0 / 8) / 5, 1e-6));

    const auto before =
        weights_of(8, [](std::size_t q, std::size_t k) { return q == 0 || k + 1 == q; });
    CHECK_THAT(previous_token_scores(before)[0], WithinAbs(1, 1e-6));
    double mean = 0;
    for (std::size_t q = 1; q < 8; ++q) {
        mean += 1 / static_cast<double>(q + 1) / 7;
    }
    CHECK_THAT(previous_token_scores(uniform)[0], WithinAbs(mean, 1e-6));
}

TEST_CASE("measures of scores that are known", "[13]")
{
    random::Generator generator(2);
    const Repetitions drawn = draw_repetitions(small_task, 20, generator);
    Array<float> logits = filled<float>({160, 9}, 0.0F);
    const RepetitionMeasures even = measure_repetitions(logits, drawn);
    CHECK_THAT(even.loss_first, WithinAbs(std::log(9.0), 1e-6));
    CHECK_THAT(even.loss_repeat, WithinAbs(std::log(9.0), 1e-6));
    double chance = 0;
    double n_repeated = 0;
    for (std::size_t at = 0; at < 160; ++at) {
        const std::size_t p = drawn.periods[at / 8];
        if (at % 8 >= p) { // known from the p-th token on
            logits(at, static_cast<std::size_t>(drawn.batch.answers[at])) = 50;
            chance += 1 / static_cast<double>(p);
            ++n_repeated;
        }
    }
    const RepetitionMeasures right = measure_repetitions(logits, drawn);
    CHECK(right.accuracy == 1);
    CHECK_THAT(right.loss_repeat, WithinAbs(0, 1e-6));
    CHECK_THAT(right.loss_first, WithinAbs(std::log(9.0), 1e-6));
    CHECK_THAT(right.chance, WithinAbs(chance / n_repeated, 1e-12));
}

// [claim_halves]
TEST_CASE(
    "a decoder's layer without a source is the encoder's under a causal mask, bit for bit",
    "[13][claim]")
{
    CHECK(compare_halves({}, 1) == 0);
    CHECK(compare_halves({.d_model = 6, .n_heads = 3, .d_ff = 10}, 2) == 0);
}
// [claim_halves]

// [claim_induction]
TEST_CASE("two layers learn to repeat, one does not, and layer 1 enters by layer 2's keys",
          "[13][train]")
{
    random::Generator generator(7);
    const RepetitionTask task;
    const Repetitions tested = draw_repetitions(task, 100, generator);
    const TrainedRepeater one = train_repeater(task, tested, 1, 500, 7);
    CHECK(one.moments.back().measures.accuracy <= 0.30);
    const TrainedRepeater two = train_repeater(task, tested, 2, 500, 7);
    CHECK(two.moments.back().measures.accuracy >= 0.98);
    CHECK(two.moments.back().induction_scores[1] >= 0.90);
    CHECK(two.moments.front().measures.accuracy < 0.2); // it was not there at first

    const std::vector<Intervention> changed = all_interventions(two.model, tested);
    const auto right = [&](std::size_t i) { return changed[i].measures.accuracy; };
    CHECK(right(0) == two.moments.back().measures.accuracy); // nothing changed
    CHECK(right(1) < 0.2);                                   // without layer 1's head
    CHECK(right(2) < 0.2);                                   // without layer 2's
    CHECK(right(3) > 0.95);                                  // the token before alone
    CHECK(right(4) < 0.2);                                   // all but that
    CHECK(right(5) > 0.95);                                  // queries without layer 1
    CHECK(right(6) < 0.2);                                   // keys without it
    CHECK(right(7) > 0.95);                                  // values without it
}
// [claim_induction]
