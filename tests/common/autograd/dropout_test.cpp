/// \file
/// \brief Dropout: how many entries, with which factor, from which draws, and the way back.
#include "common/autograd/dropout.hpp"
#include "tests/common/autograd/samples.hpp"

using namespace attn;
using namespace attn::autograd;
using namespace attn::testing;

namespace {

/// Ones, some of them dropped.
Array<double> dropped(const Shape& shape, double probability, std::uint64_t seed = 1)
{
    random::Generator generator(seed);
    return dropout(Variable<double>(filled(shape, 1.)), probability, generator).value();
}

/// Dropout with a generator of its own, so that every call drops the same entries.
auto same_every_time(double probability)
{
    return [probability](const auto& in) {
        random::Generator generator(1);
        return dropout(in[0], probability, generator);
    };
}

} // namespace

TEST_CASE("dropout drops its share and divides the rest", "[common][autograd]")
{
    for (const double probability : {.1, .25, .5, .9}) {
        INFO(probability);
        const std::size_t n = 40000;
        double n_zero = 0;
        for (const double y : list_of(dropped({200, n / 200}, probability))) {
            n_zero += y == 0 ? 1 : 0;
            CHECK((y == 0 || y == 1 / (1 - probability)));
        }
        // Five standard deviations of a binomial number.
        const double n_ = static_cast<double>(n);
        const double deviation = std::sqrt(n_ * probability * (1 - probability));
        CHECK(std::abs(n_zero - n_ * probability) < 5 * deviation);
    }
}

TEST_CASE("each half of a draw decides on one entry", "[common][autograd]")
{
    for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{9}}) {
        random::Generator used(3);
        random::Generator expected(3);
        const Array<double> y = dropout(Variable<double>(filled({n}, 1.)), .5, used).value();
        for (std::size_t i = 0; i < n; i += 2) {
            const std::uint64_t bits = expected.bits();
            CHECK((y(i) == 0) == ((bits & 0xffffffffU) < 0x80000000U));
            if (i + 1 < n) {
                CHECK((y(i + 1) == 0) == (bits >> 32U < 0x80000000U));
            }
        }
        CHECK(used.bits() == expected.bits());
    }
}

TEST_CASE("dropout with probability 0 draws nothing and changes nothing", "[common][autograd]")
{
    random::Generator used(3);
    const Variable<double> x(random_array({3, 5}));
    const Variable<double> y = dropout(x, 0, used);
    CHECK(&y.node() == &x.node());
    CHECK(used.bits() == random::Generator(3).bits());
}

TEST_CASE("dropout with a probability next to 1, and next to 0", "[common][autograd]")
{
    const Array<double> none = dropped({1000}, std::nextafter(1., 0.));
    CHECK(list_of(none) == std::vector<double>(1000, 0.));
    const Array<double> all = dropped({1000}, 1e-12);
    CHECK(list_of(all) == std::vector<double>(1000, 1 / (1 - 1e-12)));
}

TEST_CASE("dropout has the slopes that differences have, and is the same in float",
          "[common][autograd]")
{
    for (const Shape& shape :
         std::vector<Shape>{{}, {1}, {1, 1}, {9}, {0, 3}, {3, 7}, {2, 3, 1, 4}}) {
        INFO(to_text(shape));
        check_slopes(same_every_time(.25), {random_array(shape)});
        check_float(same_every_time(.25), {random_array(shape)});
    }
}

TEST_CASE("what dropout drops cannot matter, forward or back", "[common][autograd]")
{
    const Array<double> y = dropped({50}, .5);
    Array<double> x = random_array({50});
    Array<double> dy = random_array({50}, 1);
    for (std::size_t i = 0; i < 50; ++i) {
        if (y(i) == 0) {
            x(i) = not_a_number;
            dy(i) = infinity;
        }
    }
    const auto passage = walk<double>(same_every_time(.5), {x}, dy);
    for (std::size_t i = 0; i < 50; ++i) {
        CHECK(passage.value(i) == (y(i) == 0 ? 0 : 2 * x(i)));
        CHECK(passage.gradients[0](i) == (y(i) == 0 ? 0 : 2 * dy(i)));
    }
}

TEST_CASE("dropout refuses what is no probability below 1", "[common][autograd]")
{
    random::Generator generator(1);
    const Variable<double> x(random_array({3}));
    for (const double probability : {1., -.1, infinity, not_a_number}) {
        CHECK_THROWS_AS(dropout(x, probability, generator), ContractError);
    }
    CHECK_THROWS_WITH(dropout(x, 1.5, generator), contains("got 1.5"));
}
