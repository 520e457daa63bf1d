/// \file
/// \brief What layers express with parameters set by hand, and the least squares that reads their
/// results out.
#include "chapters/05_attention_versus_dense/experiments/experiments.hpp"

#include "chapters/05_attention_versus_dense/ceilings.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <map>

using namespace attn;
using namespace attn::attention_versus_dense;
using attn::testing::contains;
using Catch::Matchers::WithinAbs;

// [claim_by_hand]
TEST_CASE("set by hand, rectifiers do the marked step, and a tanh passes its formula",
          "[05][claim]")
{
    std::map<std::string, Vector> explained;
    for (const SetByHand& layer : layers_by_hand()) {
        explained.emplace(layer.name, explained_by(layer, 1, 10000));
    }
    for (const char* exact : {"attention", "gated sum", "dense, 160 hidden"}) {
        CHECK(xt::amin(explained.at(exact))() > 0.9999);
    }
    const Vector marker = explained.at("attention, tanh, one b");
    CHECK_THAT(xt::mean(marker)(), WithinAbs(marked_ceiling(2, 20), 0.01));
    CHECK(xt::amax(marker)() < 0.77);
    const Vector number = explained.at("the same, with number 1");
    CHECK(number(0) > 0.98);                                     // read off the weight
    CHECK(xt::amax(xt::view(number, xt::range(1, 4)))() < 0.77); // one number, not four
    CHECK(xt::mean(number)() > marked_ceiling(2, 20) + 0.04);    // so it pays
}
// [claim_by_hand]

// [claim_rectifiers]
TEST_CASE("160 rectifiers say the numbers of the marked step exactly", "[05][claim]")
{
    random::Generator generator(7);
    const Examples examples = draw_marked(generator, 500, 20);
    const Matrix answers = by_rectifiers(examples.X);
    double largest = 0;
    for (std::size_t i = 0; i < 500; ++i) {
        for (std::size_t k = 0; k < 4; ++k) {
            largest = std::max(largest,
                               std::abs(answers(i, k) - static_cast<double>(examples.Y(i, k))));
        }
    }
    CHECK(largest < 1e-6); // rounding in float
}
// [claim_rectifiers]

TEST_CASE("least squares finds the map that was drawn from, and the best where there is none",
          "[05][golden]")
{
    // y = 3 x_0 - x_1 + 2, and beside it a number of which nothing is known but the mean.
    const Matrix x = {{1, 0}, {0, 1}, {2, 3}, {-1, 1}};
    const Array<float> y = array_of<float>({4, 2}, {5, 1, 1, 2, 5, 3, -2, 6});
    const LinearMap map = least_squares(x, y);
    CHECK_THAT(map.coefficients(0, 0), WithinAbs(3, 1e-12));
    CHECK_THAT(map.coefficients(1, 0), WithinAbs(-1, 1e-12));
    CHECK_THAT(map.coefficients(2, 0), WithinAbs(2, 1e-12));

    // The residual is orthogonal to every column and to the ones.
    const Array<float> predicted = map(x);
    for (std::size_t j = 0; j < 3; ++j) {
        double inner = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            inner += (j < 2 ? x(i, j) : 1) * static_cast<double>(y(i, 1) - predicted(i, 1));
        }
        CHECK_THAT(inner, WithinAbs(0, 1e-5));
    }
    CHECK_THROWS_WITH(least_squares(x, array_of<float>({3, 1}, {1, 2, 3})), contains("[3, 1]"));
}

TEST_CASE("a column that depends on others has the coefficient 0", "[05][property]")
{
    const Matrix x = {{1, 2}, {2, 4}, {3, 6}, {5, 10}};
    const LinearMap map = least_squares(x, array_of<float>({4, 1}, {3, 5, 7, 11}));
    CHECK(map.coefficients(1, 0) == 0);
    CHECK_THAT(map.coefficients(0, 0), WithinAbs(2, 1e-12));
    CHECK_THAT(map.coefficients(2, 0), WithinAbs(1, 1e-12));
}

// [claim_least_squares]
TEST_CASE("no linear layer does the marked step: least squares explains a twentieth",
          "[05][claim]")
{
    CHECK_THAT(least_squares_marked("least squares, of means", 1, 5000, 5000),
               WithinAbs(1.0 / 20, 0.01));
    CHECK_THAT(least_squares_marked("least squares, of all", 1, 50000, 5000),
               WithinAbs(1.0 / 20, 0.01));
    CHECK(least_squares_marked("least squares, of all", 1, 500, 5000) < -0.1); // 101 columns of rank 100
}
// [claim_least_squares]
