/// \file
/// \brief Judges what the reader wrote in chapter 11's your_turn.hpp, with messages that teach.
#include "chapters/11_multi_head/your_turn.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>

using namespace attn;
using attn::testing::check_numbers;
using attn::testing::random_matrix;
using Catch::Matchers::WithinAbs;
namespace yours = attn::multi_head::your_turn;

// ---------------------------------------------------------------- heads

TEST_CASE("causal heads, the shape", "[11][your_turn]")
{
    const Matrix c = yours::causal_heads(random_matrix(5, 6, 1), random_matrix(5, 6, 2),
                                         random_matrix(5, 6, 3), 3);
    INFO("5 queries, d = 6: the heads' contexts stand side by side, [5, 6]");
    CHECK(c.shape(0) == 5);
    CHECK(c.shape(1) == 6);
}

TEST_CASE("causal heads, equal scores", "[11][your_turn]")
{
    Matrix values = {{4, 1}, {0, 3}, {2, 5}};
    const Matrix c =
        yours::causal_heads(xt::zeros<double>({3, 2}), random_matrix(3, 2, 1), values, 1);
    REQUIRE(c.shape(0) == 3);
    INFO("queries of zeros: all keys that are seen have the same score. The first query sees "
         "the first key alone, the second one the mean of two, the third one of three. The "
         "weights of a row sum to 1: what is hidden must not take part in the softmax, it is "
         "not enough to drop it afterwards");
    CHECK_THAT(c(0, 0), WithinAbs(4, 1e-12));
    CHECK_THAT(c(1, 0), WithinAbs(2, 1e-12));
    CHECK_THAT(c(1, 1), WithinAbs(2, 1e-12));
    CHECK_THAT(c(2, 1), WithinAbs(3, 1e-12));
}

TEST_CASE("causal heads, what comes later", "[11][your_turn]")
{
    const Matrix q = random_matrix(6, 4, 1);
    Matrix k = random_matrix(6, 4, 2);
    Matrix v = random_matrix(6, 4, 3);
    const Matrix before = yours::causal_heads(q, k, v, 2);
    for (std::size_t m = 0; m < 4; ++m) {
        k(4, m) += 2;
        v(4, m) += 2;
    }
    const Matrix after = yours::causal_heads(q, k, v, 2);
    REQUIRE(after.shape(0) == 6);
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t m = 0; m < 4; ++m) {
            INFO("the fifth key and value were changed: that must not change what comes before "
                 "it, and row "
                 << i << " did. Query i sees the keys 0 to i");
            CHECK(before(i, m) == after(i, m));
        }
    }
    INFO("the fifth query sees the fifth key");
    CHECK(before(4, 0) != after(4, 0));
}

TEST_CASE("causal heads, each for itself", "[11][your_turn]")
{
    // The first head asks for the first key, the second head for the second one.
    const Matrix q = {{0, 0, 0, 0}, {60, 0, 0, 60}};
    const Matrix k = {{1, 0, 1, 0}, {0, 1, 0, 1}};
    const Matrix v = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    const Matrix c = yours::causal_heads(q, k, v, 2);
    REQUIRE(c.shape(0) == 2);
    INFO("d = 4 and two heads: they are blocks of columns side by side, 0 and 1, then 2 and 3. "
         "The first one finds the first key, and its context is (1, 2); the second one the "
         "second key, (7, 8): each head has weights of its own");
    CHECK_THAT(c(1, 0), WithinAbs(1, 1e-9));
    CHECK_THAT(c(1, 1), WithinAbs(2, 1e-9));
    CHECK_THAT(c(1, 2), WithinAbs(7, 1e-9));
    CHECK_THAT(c(1, 3), WithinAbs(8, 1e-9));
}

TEST_CASE("causal heads, the root", "[11][your_turn]")
{
    Matrix q = xt::zeros<double>({2, 8});
    Matrix k = xt::zeros<double>({2, 8});
    Matrix v = xt::zeros<double>({2, 8});
    for (std::size_t m = 0; m < 8; ++m) {
        q(1, m) = 1;
        k(1, m) = 1;
        v(1, m) = 1;
    }
    const Matrix c = yours::causal_heads(q, k, v, 2);
    REQUIRE(c.shape(0) == 2);
    INFO("two heads of 4 numbers: the second query has the scores 0 and 4 before they are "
         "divided; the root is that of d / H, so they become 0 and 4 / 2");
    CHECK_THAT(c(1, 0), WithinAbs(1 / (1 + std::exp(-2.0)), 1e-12));
}

TEST_CASE("causal heads, large scores", "[11][your_turn]")
{
    const Matrix q = {{0, 0}, {40, 40}};
    const Matrix k = {{40, 0}, {0, 41}};
    const Matrix v = {{1, 1}, {2, 2}};
    const Matrix c = yours::causal_heads(q, k, v, 1);
    REQUIRE(c.shape(0) == 2);
    INFO("scores above 1100: the exponential of that is no double. Subtract the largest score "
         "that is seen before you take powers");
    CHECK_THAT(c(1, 0), WithinAbs(2, 1e-9));
}

// ---------------------------------------------------------------- places

TEST_CASE("rotated, position 0", "[11][your_turn]")
{
    const Vector y = yours::rotated({1, 2, 3, 4}, 0);
    REQUIRE(y.size() == 4);
    for (std::size_t m = 0; m < 4; ++m) {
        INFO("place 0 leaves everything where it is, number " << m << " too. Nothing is added");
        CHECK_THAT(y(m), WithinAbs(static_cast<double>(m + 1), 1e-12));
    }
}

TEST_CASE("rotated, a quarter", "[11][your_turn]")
{
    const Vector y = yours::rotated({1, 0}, std::acos(0.0));
    INFO(
        "d = 2: one pair, one radian a place. At place pi / 2 it has made a quarter of a turn, "
        "from the first number towards the second: (1, 0) becomes (0, 1)");
    check_numbers(y, {0, 1}, 1e-12);
}

TEST_CASE("rotated, lengths", "[11][your_turn]")
{
    const Vector y = yours::rotated({3, 4, 5, 12}, 2.5);
    REQUIRE(y.size() == 4);
    INFO("turning a pair keeps its length: 5 for (3, 4), 13 for (5, 12). Add nothing, and do "
         "not "
         "overwrite the first number of a pair before you have computed the second one");
    CHECK_THAT(std::hypot(y(0), y(1)), WithinAbs(5, 1e-9));
    CHECK_THAT(std::hypot(y(2), y(3)), WithinAbs(13, 1e-9));
}

TEST_CASE("rotated, the speeds", "[11][your_turn]")
{
    const Vector y = yours::rotated({1, 0, 1, 0, 1, 0, 1, 0}, 1);
    REQUIRE(y.size() == 8);
    INFO(
        "d = 8: each pair has a speed of its own, and the first pair turns fastest, 1 radian a "
        "place; the next ones 1/10, 1/100 and 1/1000. With 10000^(-j / d) they would be too "
        "fast: two numbers make a pair");
    CHECK_THAT(y(1), WithinAbs(std::sin(1.0), 1e-12));
    CHECK_THAT(y(3), WithinAbs(std::sin(0.1), 1e-12));
    CHECK_THAT(y(5), WithinAbs(std::sin(0.01), 1e-12));
    CHECK_THAT(y(7), WithinAbs(std::sin(0.001), 1e-12));
}

TEST_CASE("rotated, only the distance counts", "[11][your_turn]")
{
    const Vector q = {1, 2, -1, 0.5};
    const Vector k = {0.3, -1, 2, 1};
    const auto score = [&](double t, double s) {
        const Vector a = yours::rotated(q, t);
        const Vector b = yours::rotated(k, s);
        double sum = 0;
        for (std::size_t m = 0; m < 4; ++m) {
            sum += a(m) * b(m);
        }
        return sum;
    };
    INFO("a query at place 5 and a key at place 3 must meet like those at 25 and 23");
    CHECK_THAT(score(5, 3), WithinAbs(score(25, 23), 1e-9));
}
