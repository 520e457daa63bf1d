#include "chapters/06_recurrent_attention/your_turn.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>

using namespace attn;
using attn::testing::check_numbers;
using attn::testing::random_matrix;
using Catch::Matchers::WithinAbs;
namespace yours = attn::recurrent_attention::your_turn;

// ---------------------------------------------------------------- the last state asks

TEST_CASE("context of last, as many numbers as a state has", "[06][your_turn]")
{
    const Vector context = yours::context_of_last(random_matrix(5, 3, 1));
    INFO("5 states of 3 numbers: the context is a mean of states and has 3 numbers; the "
         "weights would be 4");
    CHECK(context.size() == 3);
}

TEST_CASE("context of last, two states", "[06][your_turn]")
{
    const Vector context = yours::context_of_last({{3, -1}, {0.5, 2}});
    INFO("there is one earlier state, (3, -1): it gets all the weight, and the context is it. "
         "The last state asks and is not itself among those asked");
    check_numbers(context, {3, -1}, 1e-12);
}

TEST_CASE("context of last, with a pencil", "[06][your_turn]")
{
    const Vector context = yours::context_of_last({{1, 0}, {0, 1}, {2, 2}, {1, 0}});
    const double e = std::exp(1.0);
    INFO("the last state (1, 0) has the scores 1, 0 and 2 with those before it; the weights "
         "are e, 1 and e^2 over their sum. The score is the sum of the products: nothing is "
         "divided by d or its root, and the softmax is over the states");
    check_numbers(
        context, {(e + 2 * e * e) / (e + 1 + e * e), (1 + 2 * e * e) / (e + 1 + e * e)}, 1e-12);
}

TEST_CASE("context of last, a state that is not there", "[06][your_turn]")
{
    const Vector context = yours::context_of_last({{3, -1, 4}});
    REQUIRE(context.size() == 3);
    for (const double number : context) {
        INFO("nothing was before the only state, so nothing can be asked: the context is 0, "
             "not the state and not nan");
        CHECK(number == 0);
    }
}

TEST_CASE("context of last, the order of the past does not matter", "[06][your_turn]")
{
    const Matrix states = random_matrix(4, 3, 2);
    Matrix swapped = states;
    xt::row(swapped, 0) = xt::row(states, 2);
    xt::row(swapped, 2) = xt::row(states, 0);
    const Vector a = yours::context_of_last(states);
    const Vector b = yours::context_of_last(swapped);
    REQUIRE(a.size() == 3);
    for (std::size_t m = 0; m < 3; ++m) {
        INFO("two earlier states change places: they are asked by what they hold, not by when "
             "they were, and all of them are asked");
        CHECK_THAT(a(m), WithinAbs(b(m), 1e-12));
    }
}

TEST_CASE("context of last, large states", "[06][your_turn]")
{
    const Vector context = yours::context_of_last({{40, 0}, {0, 40}, {40, 1}});
    INFO("scores of 1600 and 40: the exponential of 1600 is no double. Subtract the largest "
         "score before you take powers");
    check_numbers(context, {40, 0}, 1e-9);
}

// ---------------------------------------------------------------- what may be learnt from

namespace {

using Rows = std::vector<std::size_t>;

} // namespace

TEST_CASE("learning windows, with a pencil", "[06][your_turn]")
{
    INFO("windows of 3 rows, one answer, row 6 kept back: the first window shows the rows 0, "
         "1 and 2 and ends at 2; the last one ends at 4, and its answer is row 5");
    CHECK(yours::learning_windows(3, 1, 6) == Rows{2, 3, 4});
}

TEST_CASE("learning windows, all answers count", "[06][your_turn]")
{
    const Rows rows = yours::learning_windows(2, 3, 8);
    for (const std::size_t t : rows) {
        INFO("a window that ends at " << t << " has its last answer at row " << t + 3
                                      << ", and row 8 and what follows must not be looked "
                                         "at: with three answers the last window ends at 4");
        CHECK(t + 3 < 8);
    }
    INFO("the answer next to what is kept back may be used: row 7, of the window that ends at "
         "4");
    CHECK(rows == Rows{1, 2, 3, 4});
}

TEST_CASE("learning windows, a whole window is needed", "[06][your_turn]")
{
    for (const std::size_t t : yours::learning_windows(4, 1, 9)) {
        INFO("a window of 4 that ends at row " << t << " would begin before row 0");
        CHECK(t + 1 >= 4);
    }
}

TEST_CASE("learning windows, one row is a window", "[06][your_turn]")
{
    INFO("windows of one row: the first one ends at row 0");
    CHECK(yours::learning_windows(1, 1, 3) == Rows{0, 1});
}

TEST_CASE("learning windows, too few rows", "[06][your_turn]")
{
    INFO("a window of 5 and two answers need 7 rows, and there are 6: no window at all. Rows "
         "are counted without a sign, and 3 - 5 is a very large number: compare sums");
    CHECK(yours::learning_windows(5, 2, 6).empty());
    CHECK(yours::learning_windows(5, 9, 3).empty());
}
