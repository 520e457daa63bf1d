/// \file
/// \brief Masks: what is masked has no weight and no influence, whatever it holds.
#include "chapters/03_scoring_functions/scoring_functions.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::scoring_functions;
using namespace attn::testing;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::nan("");

} // namespace

TEST_CASE("a length mask shows the first keys, a causal one no later key", "[03][property]")
{
    CHECK((length_mask({0, 2, 3}, 3) ==
           Mask{{false, false, false}, {true, true, false}, {true, true, true}}));
    CHECK((causal_mask(3) ==
           Mask{{true, false, false}, {true, true, false}, {true, true, true}}));
    CHECK(causal_mask(0).shape(0) == 0);
    CHECK_THROWS_WITH(length_mask({1, 4}, 3),
                      "length_mask: lengths must be at most n_keys = 3, got 4 for query 1");
}

// [claim_mask]
TEST_CASE("masking a key is the same as deleting it", "[03][claim]")
{
    const Matrix scores = random_matrix(5, 6, 60);
    const Matrix weights = masked_softmax(scores, length_mask({4, 4, 4, 4, 4}, 6));
    const Matrix kept = xt::view(scores, xt::all(), xt::range(0, 4));
    const Matrix unmasked = xt::view(weights, xt::all(), xt::range(0, 4));
    CHECK((unmasked == lookup::softmax(kept))); // to the last bit
    CHECK((xt::view(weights, xt::all(), xt::range(4, 6)) == xt::zeros<double>({5, 2})));
}
// [claim_mask]

TEST_CASE("a mask may hide any keys", "[03][property]")
{
    const Matrix weights = masked_softmax({{1, 7, 2, 9}}, {{true, false, true, false}});
    const Matrix kept = lookup::softmax({{1, 2}});
    check_close(weights, {{kept(0, 0), 0, kept(0, 1), 0}}, 1e-15);
}

TEST_CASE("a masked score may be anything", "[03][property]")
{
    const Mask mask = {{true, true, false, false}};
    const Matrix wanted = masked_softmax({{1, 2, 0, 0}}, mask);
    for (const double anything : {not_a_number, infinity, -infinity, 1e308, -1e308}) {
        CAPTURE(anything);
        const Matrix weights = masked_softmax({{1, 2, anything, anything}}, mask);
        CHECK((weights == wanted));
    }
}

TEST_CASE("a fully masked row has no weight, and a context of zeros", "[03][claim]")
{
    const Matrix weights =
        masked_softmax({{5, not_a_number, 1}, {5, 6, 1}}, length_mask({0, 3}, 3));
    const Matrix context =
        lookup::weighted_sum(weights, {{1, 2}, {3, 4}, {not_a_number, infinity}});
    CHECK((xt::row(weights, 0) == Vector{0, 0, 0}));
    CHECK(context(0, 0) == 0);
    CHECK(context(0, 1) == 0);
}

TEST_CASE("a score that is not masked and no number is refused", "[03][bad_input]")
{
    for (const double bad : {not_a_number, infinity}) {
        CHECK_THROWS_AS(masked_softmax({{1, bad}}, length_mask({2}, 2)), ContractError);
    }
    CHECK_THROWS_WITH(
        mask_scores(random_matrix(2, 3, 1), length_mask({1, 1}, 2)),
        contains("mask_scores: mask must have the shape of scores, [2, 3], got [2, 2]"));
    CHECK_THROWS_AS(masked_softmax(random_matrix(2, 3, 1), causal_mask(3)), ContractError);
    const Mask second = {{true, false, true}}; // what is masked already stays so
    CHECK((masked_softmax({{1, -infinity, 2}}, length_mask({3}, 3)) ==
           masked_softmax({{1, 7, 2}}, second)));
}

TEST_CASE("under a causal mask the future changes nothing", "[03][property]")
{
    Matrix scores = random_matrix(6, 6, 61);
    const Matrix before = masked_softmax(scores, causal_mask(6));
    for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = i + 1; j < 6; ++j) {
            scores(i, j) += 100;
        }
    }
    CHECK((masked_softmax(scores, causal_mask(6)) == before));
    scores(3, 1) += 1; // the past does
    CHECK((masked_softmax(scores, causal_mask(6)) != before));
}

TEST_CASE("a large negative number is no mask where all is masked", "[03][claim]")
{
    const Mask mask = length_mask({3, 2, 0}, 3);
    const Matrix scores = {{2, 1, 0.5}, {2, 1, 0.5}, {2, 1, 0.5}};
    const Matrix replaced = lookup::softmax(mask_scores(scores, mask, -1e6));
    const Matrix masked = masked_softmax(scores, mask);
    check_close(single_row(replaced, 0), single_row(masked, 0), 0);
    check_close(single_row(replaced, 1), single_row(masked, 1), 0);
    check_close(single_row(replaced, 2), {{1.0 / 3, 1.0 / 3, 1.0 / 3}}, 1e-15);
    check_close(single_row(masked, 2), {{0, 0, 0}}, 0);
    // Nor is it where the other scores are below it.
    const Matrix low = lookup::softmax(mask_scores({{-2e6, 0}}, length_mask({1}, 2), -1e6));
    CHECK(low(0, 1) == 1);
}
