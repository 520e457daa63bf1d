#include "chapters/12_transformer/your_turn.hpp"

#include "tests/support/catch.hpp"

#include <numeric>

using namespace attn;
using Catch::Matchers::WithinAbs;
namespace yours = attn::transformer::your_turn;

namespace {

Matrix same(const Matrix& rows)
{
    return rows;
}

Matrix nothing(const Matrix& rows)
{
    return Matrix(0 * rows);
}

yours::Rows times(double factor)
{
    return [factor](const Matrix& rows) { return Matrix(factor * rows); };
}

yours::Rows plus(double number)
{
    return [number](const Matrix& rows) { return Matrix(rows + number); };
}

} // namespace

// ---------------------------------------------------------------- the layer

TEST_CASE("encoder layer, sublayers that say nothing", "[12][your_turn]")
{
    const Matrix y =
        yours::encoder_layer({{1, 2}, {3, 4}}, {times(9), nothing, times(9), nothing});
    REQUIRE(y.size() == 4);
    INFO("both sublayers give 0, so the residual connections hand x on as it is. The norm "
         "stands "
         "before a sublayer and not behind the sum: it must not touch what is handed on");
    CHECK_THAT(y(0, 0), WithinAbs(1, 1e-12));
    CHECK_THAT(y(1, 1), WithinAbs(4, 1e-12));
}

TEST_CASE("encoder layer, the first sublayer alone", "[12][your_turn]")
{
    const Matrix y = yours::encoder_layer({{1, 2}}, {times(10), plus(0.5), same, nothing});
    REQUIRE(y.size() == 2);
    INFO("the norm makes (10, 20) of x = (1, 2), the attention (10.5, 20.5), and x is added: "
         "(11.5, 22.5). What is added is x itself, not its norm");
    CHECK_THAT(y(0, 0), WithinAbs(11.5, 1e-12));
    CHECK_THAT(y(0, 1), WithinAbs(22.5, 1e-12));
}

TEST_CASE("encoder layer, the second sublayer sees what the first one left", "[12][your_turn]")
{
    const Matrix y = yours::encoder_layer({{1}}, {same, times(2), same, times(100)});
    REQUIRE(y.size() == 1);
    INFO("behind the attention there is 1 + 2 = 3; the dense layers are asked with that 3, not "
         "with x, and the sum is 3 + 300. There is a residual connection around each sublayer, "
         "not one around both");
    CHECK_THAT(y(0, 0), WithinAbs(303, 1e-12));
}

TEST_CASE("encoder layer, each sublayer has a norm of its own", "[12][your_turn]")
{
    const Matrix y = yours::encoder_layer({{1}}, {times(0), same, times(5), same});
    REQUIRE(y.size() == 1);
    INFO("norm_1 gives 0, so the attention adds nothing; norm_2 gives 5, and 1 + 5 = 6 comes "
         "out. Use norm_1 for the first sublayer and norm_2 for the second");
    CHECK_THAT(y(0, 0), WithinAbs(6, 1e-12));
}

// ---------------------------------------------------------------- smoothed targets

TEST_CASE("smoothed targets, one a word", "[12][your_turn]")
{
    const Vector q = yours::smoothed_targets(5, 2, 0.1);
    INFO("there are 5 words, and each has a probability");
    CHECK(q.size() == 5);
}

TEST_CASE("smoothed targets, probabilities", "[12][your_turn]")
{
    for (const double epsilon : {0.0, 0.1, 0.5, 1.0}) {
        const Vector q = yours::smoothed_targets(4, 1, epsilon);
        REQUIRE(q.size() == 4);
        INFO("with epsilon = " << epsilon << " they must sum to 1");
        CHECK_THAT(std::accumulate(q.begin(), q.end(), 0.0), WithinAbs(1, 1e-12));
    }
}

TEST_CASE("smoothed targets, no smoothing", "[12][your_turn]")
{
    const Vector q = yours::smoothed_targets(3, 2, 0);
    REQUIRE(q.size() == 3);
    INFO("epsilon is 0: the right word, number 2, has all, and the others have nothing");
    CHECK_THAT(q(2), WithinAbs(1, 1e-12));
    CHECK_THAT(q(0), WithinAbs(0, 1e-12));
}

TEST_CASE("smoothed targets, with a pencil", "[12][your_turn]")
{
    const Vector q = yours::smoothed_targets(4, 0, 0.2);
    REQUIRE(q.size() == 4);
    INFO("0.2 / 4 = 0.05 for each of the four words, the right one included, which has 0.8 "
         "besides: 0.85. Some write epsilon / (V - 1) for the wrong words alone; PyTorch does "
         "not");
    CHECK_THAT(q(0), WithinAbs(0.85, 1e-12));
    CHECK_THAT(q(3), WithinAbs(0.05, 1e-12));
}

TEST_CASE("smoothed targets, all smoothing", "[12][your_turn]")
{
    const Vector q = yours::smoothed_targets(4, 3, 1);
    REQUIRE(q.size() == 4);
    INFO("epsilon is 1: all words are alike, the right one as well");
    CHECK_THAT(q(3), WithinAbs(0.25, 1e-12));
    CHECK_THAT(q(0), WithinAbs(0.25, 1e-12));
}
