/// \file
/// \brief Greedy and beam search by hand: worked examples, ends and limits, ties, words that
/// cannot be, length penalties, and what a search refuses.
#include "common/tensor/check.hpp"
#include "common/text/beams.hpp"
#include "common/text/search.hpp"
#include "tests/common/text/prefix_models.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using attn::ContractError;
using namespace attn::testing;
using namespace attn::text;

namespace {

/// What a search says when a model returns these numbers, or nothing if it accepts them.
std::string search_complaint(const std::vector<double>& log_probabilities,
                             SearchLimits limits = limits_of(0, 3), std::size_t width = 2)
{
    return complaint_of<ContractError>([&] {
        beam_search(fixed_model(log_probabilities), limits, BeamOptions{.width = width});
    });
}

} // namespace

TEST_CASE("a step is asked only about what has not ended", "[text]")
{
    // Sentence s ends after s words: word 1 is "on", word 0 the end.
    std::vector<std::size_t> n_asked;
    Decoder<std::vector<std::size_t>> decoder; // the state is how many words are to come
    decoder.step = [&n_asked](std::vector<std::size_t> left, const WordNumbers& last_words) {
        n_asked.push_back(last_words.size());
        Step<std::vector<std::size_t>> said;
        for (std::size_t& n : left) {
            said.log_probabilities.push_back(n == 0 ? 0 : minus_infinity);
            said.log_probabilities.push_back(n == 0 ? minus_infinity : 0);
            n -= n == 0 ? 0 : 1;
        }
        said.state = std::move(left);
        return said;
    };
    decoder.select = select_elements<std::size_t>;
    const std::vector<std::vector<Hypothesis>> found =
        batch_beam_search(decoder, {2, 0, 3, 0}, 4, limits_of(0, 10), {.width = 1});
    CHECK(n_asked == std::vector<std::size_t>{4, 2, 2, 1});
    CHECK(found[0][0].words == WordNumbers{1, 1});
    CHECK(found[1][0].words.empty());
    CHECK(found[2][0].words == WordNumbers{1, 1, 1});
    CHECK(found[3][0].words.empty());
}

TEST_CASE("of equally probable continuations the lower word goes first", "[text]")
{
    // Four equal words, word 3 is the end, width 3. Step 1 keeps 0, 1, 2. Step 2: all twelve
    // are equal, so word 0 after each of the three.
    const double quarter = std::log(0.25);
    const std::vector<double> equal(4, quarter);
    const std::vector<Hypothesis> found =
        beam_search(fixed_model(equal), limits_of(3, 2), BeamOptions{.width = 3});
    REQUIRE(found.size() == 3);
    CHECK(found[0].words == WordNumbers{0, 0});
    CHECK(found[1].words == WordNumbers{1, 0});
    CHECK(found[2].words == WordNumbers{2, 0});
    CHECK(greedy_search(fixed_model(equal), limits_of(3, 3)).words == WordNumbers{0, 0, 0});
    CHECK(greedy_search(fixed_model(equal), limits_of(0, 3)).words.empty());
}

TEST_CASE(
    "of equally probable continuations with the same word the higher hypothesis goes first",
    "[text]")
{
    // Words 0 and 1 are equal at first. Then 0, 1 has the probability 1/4, and 0, 0 and 1, 0 both
    // have 1/8: one place is left for two.
    const auto model = [](const WordNumbers& prefix) -> std::vector<double> {
        const double half = std::log(0.5);
        const double quarter = 2 * half;
        return prefix.size() == 1   ? std::vector<double>{half, half, minus_infinity}
               : prefix.back() == 0 ? std::vector<double>{quarter, half, quarter}
                                    : std::vector<double>{quarter, 2 * quarter, 2 * quarter};
    };
    const std::vector<Hypothesis> found =
        beam_search(model, limits_of(2, 2), BeamOptions{.width = 2});
    REQUIRE(found.size() == 2);
    CHECK(found[0].words == WordNumbers{0, 1});
    CHECK(found[1].words == WordNumbers{0, 0});
}

TEST_CASE("impossible words are never taken, and a beam becomes narrower by them", "[text]")
{
    // Only word 2 or the end, 0, may come.
    const std::vector<double> next = {std::log(0.4), minus_infinity, std::log(0.6),
                                      minus_infinity};
    const std::vector<Hypothesis> found =
        beam_search(fixed_model(next), limits_of(0, 3), BeamOptions{.width = 50});
    REQUIRE(found.size() == 4); // ended after 0, 1, 2 words, and one cut off
    CHECK(found[0].words.empty());
    CHECK(found[1].words == WordNumbers{2});
    CHECK(found[2].words == WordNumbers{2, 2});
    CHECK(found[3].words == WordNumbers{2, 2, 2});
}

TEST_CASE("a model that returns no log-probabilities is refused in one sentence", "[text]")
{
    const double not_a_number = std::numeric_limits<double>::quiet_NaN();
    CHECK_THAT(search_complaint({-1, not_a_number, -1}),
               contains("must be a number not above 0, got nan for word 1 of hypothesis 0"));
    CHECK_THAT(search_complaint({-1, -1, 2.5}), contains("got 2.5 for word 2"));
    CHECK_THAT(search_complaint({-1, -minus_infinity}), contains("got inf for word 1"));
    CHECK_THAT(search_complaint({minus_infinity, minus_infinity}),
               contains("every word of hypothesis 0 in step 0 has the log-probability minus"));
    CHECK_THAT(search_complaint({-1, -1}, limits_of(2, 3)),
               contains("the end symbol has the number 2, but the model knows 2 words"));
    CHECK_THAT(search_complaint({}), contains("the model knows 0 words"));
    CHECK_THAT(search_complaint({-1, -1}, limits_of(0, 0)), contains("max_length"));
    CHECK_THAT(search_complaint({-1, -1}, limits_of(0, 3), 0), contains("width"));
    CHECK(search_complaint({1e-7, minus_infinity}).empty()); // rounding in single precision
}

TEST_CASE("a step must speak about every hypothesis", "[text]")
{
    using CountState = std::vector<int>;
    Decoder<CountState> decoder;
    decoder.select = select_elements<int>;
    decoder.step = [](CountState state, const WordNumbers&) {
        return Step<CountState>{{-1, -1, -1}, std::move(state)};
    };
    CHECK_THROWS_WITH(batch_beam_search(decoder, {0, 0}, 2, limits_of(0, 3), {.width = 1}),
                      "search: the model must return as many log-probabilities for each of 2 "
                      "hypotheses, got 3 in all");
}

TEST_CASE("a length penalty is that of its source", "[text]")
{
    for (const std::size_t length : {1U, 2U, 40U}) {
        CHECK(no_length_penalty().divisor(length) == 1);
        CHECK(gnmt_length_penalty(0).divisor(length) == 1);
    }
    CHECK(gnmt_length_penalty(0.6).divisor(1) == 1);
    CHECK(gnmt_length_penalty(1).divisor(7) == 2);
    CHECK_THAT(gnmt_length_penalty(0.6).divisor(10),
               Catch::Matchers::WithinAbs(1.7328621, 1e-6)); // 2.5^.6
    const double bad =
        GENERATE(-0.1, std::numeric_limits<double>::quiet_NaN(), -minus_infinity);
    CHECK_THROWS_AS(gnmt_length_penalty(bad), ContractError);
}
