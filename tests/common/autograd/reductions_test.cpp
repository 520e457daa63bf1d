/// \file
/// \brief Sums, means and maxima along every axis, against plain loops.
#include "common/autograd/reductions.hpp"
#include "tests/common/autograd/samples.hpp"

#include <cmath>
#include <vector>

using namespace attn;
using namespace attn::autograd;
using namespace attn::testing;
using Axis = attn::autograd::Axis;

namespace {

using Doubles = Variable<double>;
using Lengths = std::vector<std::size_t>;
using Numbers = std::vector<double>;

const std::vector<Shape>& reduction_shapes()
{
    static const std::vector<Shape> all = {{1},    {5},       {1, 1},       {3, 4},
                                           {3, 1}, {2, 3, 4}, {2, 1, 3, 2}, {70}};
    return all;
}

} // namespace

TEST_CASE("sums, means and maxima of a small matrix", "[common][autograd]")
{
    const Doubles x(array_of<double>({2, 3}, {1, 5, 3, 4, 2, 6}));
    CHECK(sum(x).item() == 21);
    CHECK(mean(x).item() == 3.5);
    CHECK(list_of(sum(x, 0).value()) == Numbers{5, 7, 9});
    CHECK(list_of(sum(x, 1).value()) == Numbers{9, 12});
    CHECK(list_of(mean(x, -1).value()) == Numbers{3, 4});
    CHECK(list_of(maximum(x, 0).value()) == Numbers{4, 5, 6});
    CHECK(list_of(maximum(x, 1).value()) == Numbers{5, 6});
    CHECK(lengths_of(sum(x, 0, Axis::kept).shape()) == Lengths{1, 3});
    CHECK(lengths_of(mean(x, 1, Axis::kept).shape()) == Lengths{2, 1});
    CHECK(lengths_of(maximum(x, 0).shape()) == Lengths{3});
}

TEST_CASE("the gradients of sums, means and maxima pass the check", "[common][autograd]")
{
    for (const Shape& shape : reduction_shapes()) {
        const Array<double> x = random_array(shape);
        check_slopes([](const auto& inputs) { return sum(inputs[0]); }, {x});
        check_slopes([](const auto& inputs) { return mean(inputs[0]); }, {x});
        for (std::ptrdiff_t axis = 0; axis < static_cast<std::ptrdiff_t>(shape.size());
             ++axis) {
            for (const Axis left : {Axis::dropped, Axis::kept}) {
                check_slopes([&](const auto& y) { return sum(y[0], axis, left); }, {x});
                check_slopes([&](const auto& y) { return mean(y[0], axis, left); }, {x});
                check_slopes([&](const auto& y) { return maximum(y[0], axis, left); }, {x});
            }
        }
    }
}

TEST_CASE("of equal maxima the first receives the gradient", "[common][autograd]")
{
    Tape<double> tape;
    const Doubles x = parameter(array_of<double>({3}, {2, 7, 7}));
    backward(maximum(x, 0));
    CHECK(list_of(x.gradient()) == Numbers{0, 1, 0});
}

TEST_CASE("an empty sum is 0, an empty mean or maximum is refused", "[common][autograd]")
{
    const Doubles empty(random_array({0, 3}));
    CHECK(sum(empty).item() == 0);
    CHECK(list_of(sum(empty, 0).value()) == Numbers{0, 0, 0});
    CHECK(sum(empty, 1).size() == 0);
    CHECK_THROWS_WITH(mean(empty), contains("[0, 3]"));
    CHECK_THROWS_WITH(mean(empty, 0), contains("[0, 3]"));
    CHECK_THROWS_WITH(maximum(empty, 0), contains("[0, 3]"));
    CHECK_THROWS_WITH(sum(empty, 2), contains("there is no axis 2"));
    check_slopes([](const auto& x) { return sum(x[0]); }, {random_array({0, 3})});
}

TEST_CASE("a sum of many floats stays accurate", "[common][autograd]")
{
    const Variable<float> tenths(filled<float>({1000000}, 0.1F));
    CHECK_THAT(sum(tenths).item(), Catch::Matchers::WithinRel(100000.0F, 1e-5F));
}
