#include "chapters/05_attention_versus_dense/your_turn.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <algorithm>
#include <cmath>

using namespace attn;
using attn::testing::check_numbers;
using attn::testing::random_matrix;
namespace yours = attn::attention_versus_dense::your_turn;

namespace {

/// 4 steps of 2 features: no two counts are the same.
const Matrix X = random_matrix(4, 2, 1);
const Vector W = {0.7, -0.4};
const Vector b = {0.3, -0.2, 0.5, 0.1};

} // namespace

TEST_CASE("attention layer, a number for each feature", "[05][your_turn]")
{
    const Vector f = yours::attention_layer(X, W, b);
    INFO("4 steps of 2 features: f has one number for each feature, [2]; the sum runs over "
         "time");
    CHECK(f.size() == 2);
}

TEST_CASE("attention layer, equal steps", "[05][your_turn]")
{
    const Vector f = yours::attention_layer({{3, 5}, {3, 5}, {3, 5}}, W, {0.1, 0.9, -2});
    INFO("all steps are (3, 5), so any weights that sum to 1 over time give (3, 5): divide the "
         "exponentials by their sum over the steps, not over the features");
    check_numbers(f, {3, 5}, 1e-12);
}

TEST_CASE("attention layer, with a pencil", "[05][your_turn]")
{
    const Vector f = yours::attention_layer({{0, 10}, {1, 20}}, {1, 0}, {0, 0});
    const double second = 1 / (1 + std::exp(-std::tanh(1.0)));
    INFO("scores tanh(0) = 0 and tanh(1) = 0.76, so the second weight is e^0.76 / (1 + e^0.76) "
         "= 0.68, and f = (0.68, 16.8): the tanh stands before the softmax, and nothing stands "
         "behind it");
    check_numbers(f, {second, 10 + 10 * second}, 1e-12);
}

TEST_CASE("attention layer, no weight above the cap", "[05][your_turn]")
{
    const Vector f = yours::attention_layer({{0}, {1}, {0}}, {1000}, {0, 0, 0});
    INFO("a score of 1000 is tanh(1000) = 1 beside two of tanh(0) = 0: the weight is e / (e + "
         "2) = 0.58, not 1; did you forget the tanh?");
    check_numbers(f, {std::exp(1.0) / (std::exp(1.0) + 2)}, 1e-12);
}

TEST_CASE("attention layer, a bias for each step", "[05][your_turn]")
{
    const Vector f = yours::attention_layer({{1}, {0}}, {0}, {50, -50});
    INFO("W is 0 and b is 50 at the first step, -50 at the second: scores 1 and -1, so the "
         "first weight is 1 / (1 + e^-2) = 0.88. b has a number for each step and is added "
         "before the tanh");
    check_numbers(f, {1 / (1 + std::exp(-2.0))}, 1e-12);
}

TEST_CASE("attention layer, steps and biases in another order", "[05][your_turn]")
{
    const Vector f = yours::attention_layer(X, W, b);
    const Vector g = yours::attention_layer(xt::flip(X, 0), W, xt::flip(b, 0));
    REQUIRE(f.size() == 2);
    INFO("steps and their biases stand in the opposite order, so the result is the same: every "
         "step is treated alike, with its own bias");
    check_numbers(g, {f(0), f(1)}, 1e-12);
}
