/// \file
/// \brief Initial values: bounds and variances, the same in float and double.
#include "common/nn/initialise.hpp"

#include "tests/common/autograd/samples.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::nn;
using namespace attn::testing;

namespace {

double largest(const Array<double>& array)
{
    double result = 0;
    for (const double x : numbers_of(array)) {
        result = std::max(result, std::abs(x));
    }
    return result;
}

double mean_square(const Array<double>& array)
{
    double squares = 0;
    for (const double x : numbers_of(array)) {
        squares += x * x;
    }
    return squares / static_cast<double>(array.size());
}

/// Uniform: all within the bound, some close to it, the variance a third of its square.
void check_uniform(const Array<double>& array, double bound)
{
    CHECK(largest(array) <= bound);
    CHECK(largest(array) > .999 * bound);
    CHECK_THAT(mean_square(array), Catch::Matchers::WithinRel(bound * bound / 3, .03));
}

/// Normal: the variance, and tails beyond three standard deviations.
void check_normal(const Array<double>& array, double variance)
{
    CHECK_THAT(mean_square(array), Catch::Matchers::WithinRel(variance, .03));
    CHECK(largest(array) > 3 * std::sqrt(variance));
}

const Shape shape = {100, 300};

} // namespace

TEST_CASE("constant initial values", "[common][nn]")
{
    CHECK(list_of(initialise::zeros<float>({2, 2})) == std::vector<double>(4, 0));
    CHECK(list_of(initialise::ones<double>({3})) == std::vector<double>(3, 1));
}

TEST_CASE("initial values have the bounds and variances of their names", "[common][nn]")
{
    random::Generator generator(3);
    check_uniform(initialise::xavier_uniform<double>(shape, generator), std::sqrt(6.0 / 400));
    check_uniform(initialise::xavier_uniform<double>(shape, generator, 2.0),
                  2 * std::sqrt(6.0 / 400));
    check_uniform(initialise::pytorch_linear<double>(shape, 100, generator), .1);
    check_uniform(initialise::pytorch_recurrent<double>({100, 192}, 64, generator), 1.0 / 8);
    check_normal(initialise::normal<double>(shape, 0.0, 3.0, generator), 9.0);
    const Array<double> shifted = initialise::uniform<double>(shape, 2.0, 3.0, generator);
    CHECK(*std::min_element(shifted.begin(), shifted.end()) >= 2.0);
    CHECK(*std::max_element(shifted.begin(), shifted.end()) < 3.0);
}

TEST_CASE("initial values in float are those in double, rounded", "[common][nn]")
{
    const auto check = [](const auto& draw) {
        random::Generator one(5);
        random::Generator other(5);
        CHECK(same_bits(draw(float(), one), converted<float>(draw(double(), other))));
        CHECK(one.bits() == other.bits());
    };
    check([](auto zero, random::Generator& generator) {
        return initialise::normal<decltype(zero)>(shape, 1.0, 2.0, generator);
    });
    check([](auto zero, random::Generator& generator) {
        return initialise::xavier_uniform<decltype(zero)>(shape, generator);
    });
}

TEST_CASE("initial values refuse what is no matrix or no interval", "[common][nn]")
{
    random::Generator generator(7);
    for (const Shape& refused : {Shape{3}, Shape{3, 4, 5}, Shape{0, 4}, Shape{}}) {
        CHECK_THROWS_WITH(initialise::xavier_uniform<double>(refused, generator),
                          contains("matrix [n_in, n_out], got " + to_text(refused)));
    }
    CHECK_THROWS_AS(initialise::pytorch_linear<double>({4}, 0, generator), ContractError);
    CHECK_THROWS_AS(initialise::pytorch_recurrent<double>({4}, 0, generator), ContractError);
    CHECK_THROWS_AS(initialise::uniform<double>({4}, 1.0, 0.0, generator), ContractError);
}
