#include "chapters/08_bahdanau/your_turn.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>
#include <limits>

using namespace attn;
using attn::testing::check_numbers;
using attn::testing::random_matrix;
using Catch::Matchers::WithinAbs;
namespace yours = attn::bahdanau::your_turn;

// ---------------------------------------------------------------- additive scores

TEST_CASE("additive scores, one a source word", "[08][your_turn]")
{
    const Vector scores =
        yours::additive_scores({0.1, 0.2, 0.3}, random_matrix(5, 3, 1), {1, 2, 3});
    INFO("5 source words: each has one score, the sum over the 3 numbers under the tanh");
    CHECK(scores.size() == 5);
}

TEST_CASE("additive scores, with a pencil", "[08][your_turn]")
{
    const Vector scores = yours::additive_scores({1, 0}, {{1, 0}, {0, 1}, {2, 2}}, {1, 1});
    const double one = std::tanh(1.0);
    INFO("the first key (1, 0) and the query (1, 0) are added to (2, 0); the tanh is taken of "
         "each number, and then the sum: tanh(2) + tanh(0). Not the tanh of a product, and not "
         "the product of two tanh");
    check_numbers(scores, {std::tanh(2.0), 2 * one, std::tanh(3.0) + std::tanh(2.0)}, 1e-12);
}

TEST_CASE("additive scores, w stands outside of the tanh", "[08][your_turn]")
{
    const Vector scores = yours::additive_scores({5, 5}, {{5, 5}, {-15, -15}}, {10, -4});
    INFO("tanh is nearly 1 or -1 here, so the scores are 10 - 4 and -10 + 4: w multiplies what "
         "the tanh gives, so that scores may be as large as it likes");
    check_numbers(scores, {6, -6}, 1e-6);
}

TEST_CASE("additive scores, scores are no weights", "[08][your_turn]")
{
    const Vector scores = yours::additive_scores({0, 0}, {{0, 0}, {0, 0}}, {3, 4});
    INFO("tanh(0) = 0, so both scores are 0. A softmax comes afterwards, in another function");
    check_numbers(scores, {0, 0}, 1e-12);
}

TEST_CASE("additive scores, every key is asked the same", "[08][your_turn]")
{
    const Matrix keys = random_matrix(4, 3, 2);
    Matrix swapped = keys;
    xt::row(swapped, 0) = xt::row(keys, 3);
    xt::row(swapped, 3) = xt::row(keys, 0);
    const Vector a = yours::additive_scores({0.5, -1, 2}, keys, {1, -1, 0.5});
    const Vector b = yours::additive_scores({0.5, -1, 2}, swapped, {1, -1, 0.5});
    REQUIRE(a.size() == 4);
    INFO("two source words change places, and their scores go with them: a score does not "
         "depend "
         "on where a word stands");
    CHECK_THAT(b(0), WithinAbs(a(3), 1e-12));
    CHECK_THAT(b(3), WithinAbs(a(0), 1e-12));
    CHECK_THAT(b(1), WithinAbs(a(1), 1e-12));
}

// ---------------------------------------------------------------- the context

TEST_CASE("context, as many numbers as an annotation", "[08][your_turn]")
{
    const Vector context = yours::context({1, 2, 3, 4}, random_matrix(4, 2, 3), 4);
    INFO("annotations of 2 numbers: the context is their mean and has 2; the weights are 4");
    CHECK(context.size() == 2);
}

TEST_CASE("context, with a pencil", "[08][your_turn]")
{
    const Vector context = yours::context({0, std::log(3.0)}, {{1, 0}, {5, 8}}, 2);
    INFO("the powers of the scores are 1 and 3, so the weights are 1/4 and 3/4: the softmax is "
         "a "
         "power over the sum of the powers");
    check_numbers(context, {4, 6}, 1e-12);
}

TEST_CASE("context, what fills up is not seen", "[08][your_turn]")
{
    const double infinite = std::numeric_limits<double>::infinity();
    const Vector context = yours::context({0, 0, 50}, {{1, 3}, {3, 5}, {infinite, 100}}, 2);
    INFO("two rows are words, with equal scores: the context is their mean, (2, 4). The third "
         "row fills up the batch: it must have no weight, and it must not be touched, since 0 "
         "times infinity is not 0");
    check_numbers(context, {2, 4}, 1e-12);
}

TEST_CASE("context, a shift of the scores is not seen", "[08][your_turn]")
{
    const Matrix annotations = random_matrix(3, 2, 4);
    const Vector a = yours::context({0.5, -1, 2}, annotations, 3);
    const Vector b = yours::context({1000.5, 999, 1002}, annotations, 3);
    REQUIRE(a.size() == 2);
    REQUIRE(b.size() == 2);
    for (std::size_t m = 0; m < 2; ++m) {
        INFO("1000 is added to all scores: the weights stay. Subtract the largest score before "
             "you take powers; the exponential of 1000 is no double");
        CHECK_THAT(b(m), WithinAbs(a(m), 1e-9));
    }
}

TEST_CASE("context, one word", "[08][your_turn]")
{
    const Vector context = yours::context({-3, 9}, {{7, -2}, {1, 1}}, 1);
    INFO("there is one word: it has all the weight, whatever its score is, and the context is "
         "its annotation");
    check_numbers(context, {7, -2}, 1e-12);
}
