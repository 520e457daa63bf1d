/// \file
/// \brief The online softmax in double is softmax, however the keys are cut; and the solutions
/// of the exercises.
#include "chapters/14_simd_transformer/exercises/solutions.hpp"
#include "chapters/14_simd_transformer/online_softmax.hpp"

#include "chapters/01_lookup/lookup.hpp"
#include "chapters/01_lookup/pencil_example.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::simd_transformer;
using attn::testing::random_matrix;
using Catch::Matchers::WithinAbs;

namespace {

constexpr double masked_score = -std::numeric_limits<double>::infinity();

/// What softmax over all keys at once gives, by the textbook.
Vector context_at_once(const Vector& scores, const Matrix& values)
{
    double largest = masked_score;
    for (const double score : scores) {
        largest = std::max(largest, score);
    }
    Vector context = xt::zeros<double>({values.shape(1)});
    double total = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) {
        const double weight = std::exp(scores(j) - largest);
        total += weight;
        for (std::size_t k = 0; k < context.size(); ++k) {
            context(k) += weight * values(j, k);
        }
    }
    for (double& number : context) {
        number /= total;
    }
    return context;
}

Vector scores_of(std::size_t n, std::uint64_t stream, double scale)
{
    const Matrix numbers = random_matrix(1, n, stream);
    Vector scores = Vector::from_shape({n});
    for (std::size_t j = 0; j < n; ++j) {
        scores(j) = scale * numbers(0, j);
    }
    return scores;
}

void meet(OnlineSoftmaxState& row, const Vector& scores, const Matrix& values,
          std::size_t first, std::size_t last)
{
    const Vector some = xt::view(scores, xt::range(first, last));
    const Matrix tile = xt::view(values, xt::range(first, last), xt::all());
    add_tile(row, some, tile);
}

void check_near(const Vector& actual, const Vector& wanted)
{
    REQUIRE(actual.size() == wanted.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        CHECK_THAT(actual(k), WithinAbs(wanted(k), 1e-12));
    }
}

} // namespace

// [claim_online]
TEST_CASE("the online softmax is softmax, in tiles of every size", "[14][claim]")
{
    const std::size_t n = 23;
    const Matrix values = random_matrix(n, 5, 2);
    for (const double scale : {1.0, 100.0, 1e4}) { // outliers: the powers span 10^4
        const Vector scores = scores_of(n, 1, scale);
        for (std::size_t tile = 1; tile <= n; ++tile) {
            OnlineSoftmaxState row = empty_state(5);
            for (std::size_t first = 0; first < n; first += tile) {
                meet(row, scores, values, first, std::min(first + tile, n));
            }
            check_near(context_of(row), context_at_once(scores, values));
        }
    }
}
// [claim_online]

TEST_CASE("masked keys do not matter to the online softmax, wherever they stand", "[14]")
{
    Vector scores = scores_of(12, 3, 2.0);
    Matrix values = random_matrix(12, 3, 4);
    const auto context = [&](std::size_t tile) {
        OnlineSoftmaxState row = empty_state(3);
        for (std::size_t first = 0; first < 12; first += tile) {
            meet(row, scores, values, first, std::min<std::size_t>(first + tile, 12));
        }
        return context_of(row);
    };
    for (const std::size_t j : {0U, 1U, 2U, 3U, 7U, 11U}) {
        scores(j) = masked_score;
    }
    for (const std::size_t tile : {1U, 2U, 4U, 5U, 12U}) {
        const Vector before = context(tile);
        check_near(before, context_at_once(scores, values));
        for (const std::size_t j : {0U, 3U, 7U, 11U}) {
            values(j, 1) = 1e30;
        }
        const Vector after = context(tile);
        CHECK(before(1) == after(1));
    }
}

TEST_CASE("a query that sees no key remembers nothing, and its context is zero", "[14]")
{
    OnlineSoftmaxState row = empty_state(2);
    CHECK(context_of(row)(1) == 0);
    add_tile(row, {masked_score, masked_score}, {{1, 2}, {3, 4}});
    CHECK(row.total == 0);
    CHECK(row.largest == masked_score);
    CHECK(context_of(row)(0) == 0);
}

TEST_CASE("the pencil example tile by tile is chapter 1's soft lookup", "[14]")
{
    const Matrix q = lookup::pencil_example::queries();
    const Matrix k = lookup::pencil_example::keys();
    const Matrix v = lookup::pencil_example::values();
    const double root = std::sqrt(2.0);
    for (std::size_t i = 0; i < 2; ++i) {
        Vector scores = Vector::from_shape({3});
        for (std::size_t j = 0; j < 3; ++j) {
            scores(j) = (q(i, 0) * k(j, 0) + q(i, 1) * k(j, 1)) / root;
        }
        OnlineSoftmaxState row = empty_state(2);
        meet(row, scores, v, 0, 1);
        meet(row, scores, v, 1, 3);
        check_near(context_of(row), context_at_once(scores, v));
    }
}

TEST_CASE("scores and values that do not go together are refused", "[14]")
{
    OnlineSoftmaxState row = empty_state(2);
    CHECK_THROWS_AS(add_tile(row, {1, 2}, {{1, 2}}), ContractError);
    CHECK_THROWS_AS(add_tile(row, {1}, {{1, 2, 3}}), ContractError);
}

// ---------------------------------------------------------------- solutions

TEST_CASE("two sets of keys met apart are merged to both, in either order", "[14]")
{
    const Vector scores = scores_of(9, 5, 30.0);
    const Matrix values = random_matrix(9, 4, 6);
    for (std::size_t cut = 0; cut <= 9; ++cut) {
        OnlineSoftmaxState one = empty_state(4);
        OnlineSoftmaxState other = empty_state(4);
        meet(one, scores, values, 0, cut);
        meet(other, scores, values, cut, 9);
        check_near(context_of(solutions::merged(one, other)), context_at_once(scores, values));
        check_near(context_of(solutions::merged(other, one)), context_at_once(scores, values));
    }
    const OnlineSoftmaxState nothing = solutions::merged(empty_state(4), empty_state(4));
    CHECK(nothing.total == 0);
    CHECK(context_of(nothing)(0) == 0);
    CHECK_THROWS_AS(solutions::merged(empty_state(4), empty_state(3)), ContractError);
}

TEST_CASE("the best tile fits the registers and keeps the units busy", "[14]")
{
    using solutions::best_tile;
    using solutions::loads_per_fma;
    const solutions::TileShape of_16 = best_tile(16, 5, 2);
    CHECK(of_16.rows * of_16.vectors + of_16.vectors + 1 <= 16);
    CHECK(of_16.rows * of_16.vectors >= 10);
    CHECK(loads_per_fma(of_16) <= loads_per_fma({4, 3}));
    const solutions::TileShape of_avx2 = best_tile(16, 4, 2);
    CHECK(of_avx2.rows == 4);
    CHECK(of_avx2.vectors == 3);
    CHECK_THAT(loads_per_fma(of_avx2), WithinAbs(7.0 / 12, 1e-12));
    const solutions::TileShape of_32 = best_tile(32, 4, 2);
    CHECK(of_32.rows == 5);
    CHECK(of_32.vectors == 5);
    CHECK_THAT(loads_per_fma(of_32), WithinAbs(0.4, 1e-12));
    CHECK_THAT(loads_per_fma({1, 1}), WithinAbs(2, 1e-12));
    CHECK_THROWS_AS(best_tile(8, 5, 2), ContractError);
    CHECK_THROWS_AS(loads_per_fma({0, 3}), ContractError);
}

TEST_CASE("at the ridge memory feeds what the processor can do", "[14]")
{
    CHECK(solutions::texts_at_the_ridge(120, 40, 4) == 6);
    CHECK(solutions::texts_at_the_ridge(119, 40, 4) == 5);
    CHECK(solutions::texts_at_the_ridge(120, 40, 1) == 1);
    CHECK_THROWS_AS(solutions::texts_at_the_ridge(120, 40, 0), ContractError);
    CHECK(solutions::tokens_at_the_ridge(120, 12) == 40);
    CHECK(solutions::tokens_at_the_ridge(121, 12) == 41);
    CHECK_THROWS_AS(solutions::tokens_at_the_ridge(0, 12), ContractError);
}
