#include "chapters/07_seq2seq/your_turn.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>
#include <limits>

using namespace attn;
using attn::testing::check_numbers;
using attn::testing::random_matrix;
using Catch::Matchers::WithinAbs;
namespace yours = attn::seq2seq::your_turn;

// ---------------------------------------------------------------- the mean of the states

TEST_CASE("mean context, as many numbers as a state has", "[07][your_turn]")
{
    const Vector context = yours::mean_context(random_matrix(5, 3, 1), 5);
    INFO("5 states of 3 numbers: their mean has 3 numbers, one a column");
    CHECK(context.size() == 3);
}

TEST_CASE("mean context, with a pencil", "[07][your_turn]")
{
    const Vector context = yours::mean_context({{1, 0}, {0, 1}, {2, 2}}, 3);
    INFO("(1 + 0 + 2) / 3 and (0 + 1 + 2) / 3: the sum of the states over their number");
    check_numbers(context, {1, 1}, 1e-12);
}

TEST_CASE("mean context, what fills the row up has no share", "[07][your_turn]")
{
    const Vector context = yours::mean_context({{1, 4}, {3, 8}, {0, 0}, {0, 0}}, 2);
    INFO("two words, filled up to four steps: the sum is divided by 2, the words that are "
         "there, not by the 4 rows");
    check_numbers(context, {2, 6}, 1e-12);
}

TEST_CASE("mean context, whatever stands behind the end", "[07][your_turn]")
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Vector context = yours::mean_context({{1, 4}, {3, 8}, {nan, 7}}, 2);
    INFO("the third row is behind the end of the sentence and must not be read: not a number "
         "times 0 is still not a number");
    check_numbers(context, {2, 6}, 1e-12);
}

TEST_CASE("mean context, one word", "[07][your_turn]")
{
    const Vector context = yours::mean_context({{5, -2}, {9, 9}}, 1);
    INFO("a sentence of one word: the context is its state, from the first row");
    check_numbers(context, {5, -2}, 1e-12);
}

// ---------------------------------------------------------------- perplexity

TEST_CASE("perplexity, all words alike", "[07][your_turn]")
{
    const double log_p = std::log(1.0 / 8);
    const double value = yours::perplexity({log_p, log_p, log_p}, {true, true, true});
    INFO("each right word had a probability of 1/8: as much doubt as among 8 words. The sign: "
         "logarithms of probabilities are negative, and a perplexity is at least 1. Natural "
         "logarithms go with exp, not with powers of 2");
    CHECK_THAT(value, WithinAbs(8, 1e-9));
}

TEST_CASE("perplexity, with a pencil", "[07][your_turn]")
{
    const double value = yours::perplexity({std::log(0.5), std::log(0.125)}, {true, true});
    INFO("1/2 and 1/8: the mean logarithm is that of 1/4, so the perplexity is 4. It is the "
         "geometric mean of 2 and 8, not their arithmetic mean of 5");
    CHECK_THAT(value, WithinAbs(4, 1e-9));
}

TEST_CASE("perplexity, what fills the row up does not count", "[07][your_turn]")
{
    const double value = yours::perplexity({std::log(0.25), 0.0, 0.0}, {true, false, false});
    INFO(
        "one answer counts, with 1/4: a perplexity of 4. Those that fill up are neither summed "
        "nor counted in n");
    CHECK_THAT(value, WithinAbs(4, 1e-9));
}

TEST_CASE("perplexity, a bad guess that does not count", "[07][your_turn]")
{
    const double value = yours::perplexity({std::log(0.5), -1e9}, {true, false});
    INFO("the second answer only fills up; what the model said of it must not be summed");
    CHECK_THAT(value, WithinAbs(2, 1e-9));
}

TEST_CASE("perplexity, long texts", "[07][your_turn]")
{
    Vector log_p = xt::ones<double>({2000});
    log_p *= std::log(0.5);
    const double value = yours::perplexity(log_p, std::vector<bool>(2000, true));
    INFO("2000 words with 1/2 each: the product of the probabilities is no double any more, so "
         "take the mean of the logarithms first");
    CHECK_THAT(value, WithinAbs(2, 1e-9));
}
