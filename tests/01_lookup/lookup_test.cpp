#include "chapters/01_lookup/lookup.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>
#include <limits>

namespace {

using namespace attn;
using namespace attn::lookup;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Softmax as the formula has it, in plain loops and without the shift.
Matrix softmax_oracle(const Matrix& scores, double temperature)
{
    Matrix weights = scores;
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            sum += std::exp(scores(i, j) / temperature);
        }
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) = std::exp(scores(i, j) / temperature) / sum;
        }
    }
    return weights;
}

/// Rows of a matrix in another order.
Matrix reordered(const Matrix& matrix, const std::vector<std::size_t>& order)
{
    return xt::view(matrix, xt::keep(order), xt::all());
}

} // namespace

TEST_CASE("softmax is its formula", "[01][oracle]")
{
    const double temperature = GENERATE(0.3, 1.0, 7.0);
    const std::size_t n_keys = GENERATE(as<std::size_t>{}, 1, 2, 7, 16, 33);
    const Matrix scores = random_matrix(5, n_keys, n_keys);
    check_close(softmax(scores, temperature), softmax_oracle(scores, temperature), 1e-14);
}

TEST_CASE("every normaliser gives weights on the simplex, outliers and ties included",
          "[01][property]")
{
    Matrix scores = random_matrix(6, 9, 1);
    scores(0, 0) = 1e300;
    scores(1, 4) = -1e300;
    xt::row(scores, 2) = xt::zeros<double>({9});
    scores(3, 1) = scores(3, 2) = scores(3, 3) = 50;
    for (const Normaliser& normaliser : normalisers(3, 0.5)) {
        const Matrix weights = normaliser(scores);
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            CAPTURE(normaliser.name, i);
            CHECK_THAT(row_sum(weights, i), WithinAbs(1, 1e-12));
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                CHECK(weights(i, j) >= 0);
            }
        }
    }
}

TEST_CASE("softmax does not notice a shift, at any size of it", "[01][property]")
{
    const double shift = GENERATE(1.0, -1000.0, 1e6);
    const Matrix scores = {{0, 1, 2, 3}, {3, 3, -5, 0}};
    const Matrix shifted = scores + shift;
    check_close(softmax(shifted), softmax(scores), 1e-9);
}

TEST_CASE("a higher score never weighs less", "[01][property]")
{
    const Matrix scores = random_matrix(1, 20, 3);
    for (const Normaliser& normaliser : normalisers(4, 0.7)) {
        const Matrix weights = normaliser(scores);
        for (std::size_t j = 0; j < 20; ++j) {
            for (std::size_t l = 0; l < 20; ++l) {
                CAPTURE(normaliser.name, j, l);
                CHECK((scores(0, j) >= scores(0, l)) <= (weights(0, j) >= weights(0, l)));
            }
        }
    }
}

TEST_CASE("attention does not notice the order of its rows", "[01][property]")
{
    const Matrix queries = random_matrix(4, 3, 5);
    const Matrix keys = random_matrix(7, 3, 6);
    const Matrix values = random_matrix(7, 2, 7);
    const std::vector<std::size_t> order = {3, 0, 6, 2, 5, 1, 4};
    for (const Lookup& way : lookups(3, 0.8)) {
        CAPTURE(way.name);
        const Attention straight = attend(queries, keys, values, way.score, way.normaliser);
        const Attention mixed = attend(queries, reordered(keys, order),
                                       reordered(values, order), way.score, way.normaliser);
        check_close(mixed.context, straight.context, 1e-12);
        check_close(mixed.weights, xt::view(straight.weights, xt::all(), xt::keep(order)),
                    1e-12);
    }
}

TEST_CASE("a masked key cannot matter, whatever stands there", "[01][property]")
{
    const Matrix scores = {{0.5, -infinity, 2.0}};
    const Matrix without = {{0.5, 2.0}};
    for (const Normaliser& normaliser : normalisers(2, 1.5)) {
        CAPTURE(normaliser.name);
        const Matrix weights = normaliser(scores);
        const Matrix wanted = normaliser(without);
        CHECK(weights(0, 1) == 0);
        CHECK_THAT(weights(0, 0), WithinAbs(wanted(0, 0), 1e-15));
        CHECK_THAT(weights(0, 2), WithinAbs(wanted(0, 1), 1e-15));
    }
}

TEST_CASE("the value of a key without weight may be anything", "[01][property]")
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Matrix context = weighted_sum({{1, 0, 0}, {0, 0, 0}}, {{2}, {nan}, {infinity}});
    check_close(context, {{2}, {0}}, 0);
}

TEST_CASE("a fully masked row weighs nothing and answers zero", "[01][property]")
{
    const Matrix scores = {{-infinity, -infinity}, {0, 0}};
    for (const Matrix& weights : {softmax(scores), softmax(scores, 1e-300), one_hot(scores),
                                  k_nearest(scores, 2), average(scores)}) {
        CHECK(weights(0, 0) == 0);
        CHECK(weights(0, 1) == 0);
        CHECK(weights(1, 0) == 0.5);
        const Matrix context = weighted_sum(weights, {{3}, {5}});
        CHECK(context(0, 0) == 0);
        CHECK(context(1, 0) == 4);
    }
}

TEST_CASE("towards temperature 0 the soft lookup is the nearest one, by the same path",
          "[01][claim]")
{
    // Duplicates, keys 1e-8 apart and scores of 1e300 among ordinary rows.
    const Matrix scores = {{1, 3, 2, 0},
                           {3, 1, 3, 0},
                           {-0.5e-16, 0, -1, -2},
                           {1e300, -1e300, 1e299, 0},
                           {-1e300, -2e300, -1e300, -3e300}};
    const Matrix limit = one_hot(scores);
    for (const double temperature : {1e-20, 1e-40, 1e-100, 1e-300}) {
        CAPTURE(temperature);
        check_close(softmax(scores, temperature), limit, 1e-12);
    }
    const Matrix warm = softmax(scores, 1e-2); // 1e-8 apart is not yet told apart
    CHECK_THAT(warm(2, 0), WithinAbs(0.5, 1e-12));
    CHECK_THAT(warm(0, 1), WithinAbs(1.0, 1e-12));
}

TEST_CASE("towards infinite temperature the soft lookup is the average", "[01][claim]")
{
    const Matrix scores = {{1, 3, 2, 0}, {-900, 900, 0, 5}};
    for (const double temperature : {1e12, 1e100, 1e300}) {
        check_close(softmax(scores, temperature), average(scores), 1e-8);
    }
}

TEST_CASE("the k nearest of one is the nearest, of all is the average", "[01][identity]")
{
    const Matrix scores = {{1, 3, 2, 0}, {2, 2, 2, 1}, {0, 0, 0, 0}};
    check_close(k_nearest(scores, 1), one_hot(scores), 0);
    check_close(k_nearest(scores, 4), average(scores), 1e-15);
    check_close(k_nearest(scores, 100), average(scores), 1e-15);
    check_close(k_nearest(scores, 2),
                {{0, 0.5, 0.5, 0}, {1.0 / 3, 1.0 / 3, 1.0 / 3, 0}, {0.25, 0.25, 0.25, 0.25}},
                1e-15);
    check_close(k_nearest({{5, 3, 3, 1}}, 2), {{0.5, 0.25, 0.25, 0}}, 1e-15);
}

TEST_CASE("weights on the simplex keep the context in the hull of the values", "[01][claim]")
{
    // Along any direction the context lies between the lowest and the highest value.
    const Matrix queries = random_matrix(8, 3, 21);
    const Matrix keys = random_matrix(10, 3, 22);
    const Matrix values = random_matrix(10, 2, 23);
    const Matrix directions = random_matrix(50, 2, 24);
    const Matrix value_heights = dot_product(values, directions); // [n_keys, n_directions]
    const Vector lowest = xt::amin(value_heights, {0});
    const Vector highest = xt::amax(value_heights, {0});
    for (const Normaliser& normaliser : normalisers(3, 0.4)) {
        const Attention found = attend(queries, keys, values, dot_product, normaliser);
        const Matrix heights =
            dot_product(found.context, directions); // [n_queries, n_directions]
        for (std::size_t direction = 0; direction < 50; ++direction) {
            for (std::size_t i = 0; i < 8; ++i) {
                CAPTURE(normaliser.name, direction, i);
                CHECK(heights(i, direction) >= lowest(direction) - 1e-12);
                CHECK(heights(i, direction) <= highest(direction) + 1e-12);
            }
        }
    }
}

TEST_CASE("weights that do not sum to one may leave the hull", "[01][claim]")
{
    // Two hits: their sum is above every value, their mean is not.
    const Matrix keys = {{12}, {12}, {9}};
    const Matrix values = {{18}, {20}, {13}};
    CHECK(attend(Matrix{{12}}, keys, values, equality, unnormalised).context(0, 0) == 38);
    CHECK(attend(Matrix{{12}}, keys, values, equality, share).context(0, 0) == 19);
}

TEST_CASE("exact lookup with one hit, several and none", "[01][claim]")
{
    const Matrix keys = {{6}, {9}, {12}, {12}};
    const Matrix values = {{8}, {13}, {18}, {20}};
    const Attention found = attend(Matrix{{9}, {12}, {10}}, keys, values, equality, share);
    check_close(found.weights, {{0, 1, 0, 0}, {0, 0, 0.5, 0.5}, {0, 0, 0, 0}}, 0);
    check_close(found.context, {{13}, {19}, {0}}, 0);
}

TEST_CASE("equality asks for every coordinate", "[01]")
{
    check_close(equality({{1, 2}, {1, 3}}, {{1, 2}, {2, 1}, {1, 3}}), {{1, 0, 0}, {0, 0, 1}},
                0);
}

// [claim_longest_key]
TEST_CASE("the dot product returns the longest key where another is nearest", "[01][claim]")
{
    namespace pencil = pencil_example;
    const Matrix nearest =
        one_hot(minus_half_squared_distance(pencil::queries(), pencil::keys()));
    const Matrix largest_dot = one_hot(dot_product(pencil::queries(), pencil::keys()));
    check_close(nearest, {{1, 0, 0}, {0.5, 0.5, 0}}, 0);
    check_close(largest_dot, {{0, 0, 1}, {0, 0, 1}}, 0);
}
// [claim_longest_key]

TEST_CASE("keys of one length are found by the dot product as by distance", "[01][claim]")
{
    const Matrix queries = random_matrix(100, 3, 33);
    Matrix keys = random_matrix(7, 3, 34);
    const auto disagree = [&] {
        const Matrix nearest = one_hot(minus_half_squared_distance(queries, keys));
        return xt::amax(xt::abs(nearest - one_hot(dot_product(queries, keys))))() > 0;
    };
    CHECK(disagree());
    keys /= Matrix(xt::sqrt(xt::sum(xt::square(keys), {1}, xt::keep_dims)));
    CHECK_FALSE(disagree());
}

TEST_CASE("distance and dot product differ by the two lengths", "[01][identity]")
{
    // -1/2 |q - k|^2 = q.k - 1/2 |q|^2 - 1/2 |k|^2
    const Matrix queries = random_matrix(4, 5, 31);
    const Matrix keys = random_matrix(6, 5, 32);
    const Matrix distance = minus_half_squared_distance(queries, keys);
    const Matrix dot = dot_product(queries, keys);
    const Matrix query_lengths = xt::sum(xt::square(queries), {1}, xt::keep_dims); // [4, 1]
    const Vector key_lengths = xt::sum(xt::square(keys), {1});                     // [6]
    check_close(distance, dot - 0.5 * query_lengths - 0.5 * key_lengths, 1e-12);
}

TEST_CASE("an answer is linear in the values", "[01][property]")
{
    const Matrix queries = random_matrix(3, 2, 41);
    const Matrix keys = random_matrix(5, 2, 42);
    const Matrix u = random_matrix(5, 4, 43);
    const Matrix v = random_matrix(5, 4, 44);
    for (const Lookup& way : lookups(2, 1.0)) {
        const auto answer = [&](const Matrix& values) {
            return attend(queries, keys, values, way.score, way.normaliser).context;
        };
        const Matrix combined = 2.0 * u - 3.0 * v;
        const Matrix separately = 2.0 * answer(u) - 3.0 * answer(v);
        check_close(answer(combined), separately, 1e-12);
    }
}

TEST_CASE("contracts are kept in words", "[01]")
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    using testing::contains;
    CHECK_THROWS_WITH(attend(Matrix{{1}}, {{1}, {2}}, {{1}}, dot_product, share),
                      contains("values must have shape [2, 1], one row a key, got [1, 1]"));
    CHECK_THROWS_WITH(dot_product({{1, 2}}, {{1, 2, 3}}), contains("got [1, 2]"));
    CHECK_THROWS_WITH(softmax({{1, 2}}, 0), contains("temperature must be positive"));
    CHECK_THROWS_WITH(softmax({{1, 2}}, nan), contains("temperature must be positive"));
    CHECK_THROWS_WITH(softmax({{1, nan}}), contains("scores must be finite"));
    CHECK_THROWS_WITH(one_hot({{1, infinity}}), contains("scores must be finite"));
    CHECK_THROWS_WITH(k_nearest({{1, 2}}, 0), contains("k must be at least 1"));
    CHECK_THROWS_WITH(share({{1, -2}}), contains("not negative, got -2"));
    CHECK_THROWS_WITH(
        share({{1, 2}, {1e308, 1e308}}),
        contains("sums of the scores must hold finite numbers, got inf in row 1"));
    const Matrix none = Matrix::from_shape({0, 1});
    CHECK_THROWS_WITH(attend(Matrix{{1}}, none, none, dot_product, share),
                      contains("at least one row"));
}
