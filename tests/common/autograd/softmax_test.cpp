/// \file
/// \brief Softmax and its logarithm, and the masked softmax, along any axis: against plain loops, and
/// what must hold whatever the scores. That the masked one is chapter 03's is tested where the
/// chapters begin to use it.
#include "common/autograd/softmax.hpp"
#include "tests/common/autograd/samples.hpp"

#include <functional>
#include <span>
#include <string>

using namespace attn;
using namespace attn::autograd;
using namespace attn::testing;

namespace {

/// Scores of a shape whose rows along an axis are looked at: a shape, an axis.
struct SoftmaxCase
{
    Shape shape;         ///< of the scores
    std::ptrdiff_t axis; ///< of the softmax
};

const std::vector<SoftmaxCase>& softmax_cases()
{
    static const std::vector<SoftmaxCase> list = {
        {{1}, -1},       {{1, 1}, -1},       {{1, 1}, 0},        {{5}, 0},
        {{3, 7}, -1},    {{3, 7}, 0},        {{4, 1}, 0},        {{4, 1}, -1},
        {{2, 3, 5}, -1}, {{2, 3, 5}, 1},     {{2, 3, 5}, 0},     {{2, 1, 3}, 1},
        {{0, 3}, -1},    {{0, 3}, 0},        {{3, 0}, -1},       {{3, 0}, 0},
        {{2, 1, 67}, 2}, {{2, 3, 2, 5}, -1}, {{2, 3, 2, 5}, -2}, {{2, 3, 2, 5}, 0},
    };
    return list;
}

using OfRow = std::function<std::vector<double>(const std::vector<double>&)>;

/// A function of each row along an axis, entry by entry.
Array<double> by_plain_loops(const Array<double>& x, std::ptrdiff_t axis, const OfRow& f)
{
    const std::size_t along = axis_from(axis, x.dimension(), "test");
    std::size_t stride = 1;
    for (std::size_t a = along + 1; a < x.dimension(); ++a) {
        stride *= x.shape()[a];
    }
    const std::size_t length = x.shape()[along];
    Array<double> y = filled(x.shape(), not_a_number);
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (i / stride % length != 0) {
            continue;
        }
        std::vector<double> row;
        for (std::size_t j = 0; j < length; ++j) {
            row.push_back(x.data()[i + j * stride]);
        }
        const std::vector<double> result = f(row);
        for (std::size_t j = 0; j < length; ++j) {
            y.data()[i + j * stride] = result[j];
        }
    }
    return y;
}

std::vector<double> plain_softmax(const std::vector<double>& row)
{
    const double largest = *std::max_element(row.begin(), row.end());
    const double shift = largest == -infinity ? 0 : largest;
    std::vector<double> y;
    double sum = 0;
    for (const double x : row) {
        y.push_back(std::exp(x - shift));
        sum += y.back();
    }
    for (double& weight : y) {
        weight = sum > 0 ? weight / sum : 0;
    }
    return y;
}

std::vector<double> plain_log_softmax(const std::vector<double>& row)
{
    std::vector<double> y = plain_softmax(row);
    for (double& weight : y) {
        weight = std::log(weight);
    }
    return y;
}

/// About two thirds visible.
Mask random_mask(const Shape& shape, std::uint64_t stream = 0)
{
    random::Generator generator(7, stream);
    Mask mask(shape);
    for (std::size_t i = 0; i < mask.size(); ++i) {
        mask.data()[i] = generator.below(3) != 0;
    }
    return mask;
}

/// The scores, and another number where the mask hides them.
Array<double> with_hidden(const Array<double>& x, const Mask& mask, double hidden)
{
    Array<double> result = x;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const bool visible = mask.data()[source_index(x.shape(), mask.shape(), i)];
        result.data()[i] = visible ? x.data()[i] : hidden;
    }
    return result;
}

/// A mask repeated to the shape of the scores, and the axis of the softmax.
struct MaskCase
{
    Shape shape;         ///< of the scores
    Shape mask_shape;    ///< of the mask
    std::ptrdiff_t axis; ///< of the softmax
};

const std::vector<MaskCase>& mask_cases()
{
    static const std::vector<MaskCase> list = {
        {{1}, {1}, -1},
        {{3, 7}, {3, 7}, -1},
        {{3, 7}, {3, 7}, 0},
        {{3, 7}, {7}, -1},
        {{3, 7}, {7}, 0},
        {{3, 7}, {3, 1}, -1},
        {{3, 7}, {3, 1}, 0},
        {{3, 7}, {}, -1},
        {{2, 3, 5}, {2, 1, 5}, -1},
        {{2, 3, 5}, {2, 1, 5}, 1},
        {{2, 3, 5}, {3, 5}, -1},
        {{2, 3, 5}, {2, 3, 1}, 0},
        {{2, 3, 4, 5}, {2, 1, 1, 5}, -1},
        {{2, 3, 4, 5}, {2, 1, 4, 5}, -1},
        {{2, 3, 4, 5}, {3, 1, 1}, 2},
        {{2, 3, 4, 5}, {1, 3, 4, 1}, 1},
        {{0, 3}, {3}, -1},
        {{0, 3}, {0, 1}, -1},
        {{0, 3}, {1, 3}, 0},
        {{2, 0, 3}, {2, 1, 3}, 1},
    };
    return list;
}

} // namespace

// ---------------------------------------------------------------- softmax

TEST_CASE(
    "softmax and its logarithm are the plain loops' along every axis, have their slopes, and "
    "are the same in float",
    "[common][autograd]")
{
    for (const auto& [shape, axis_] : softmax_cases()) {
        const std::ptrdiff_t axis = axis_;
        INFO(to_text(shape) << ", axis " << axis);
        const Array<double> x = random_array(shape);
        const auto soft = [axis](const auto& in) { return softmax(in[0], axis); };
        const auto log_soft = [axis](const auto& in) { return log_softmax(in[0], axis); };
        check_close(softmax(Variable<double>(x), axis).value(),
                    by_plain_loops(x, axis, plain_softmax), 1e-14);
        check_close(log_softmax(Variable<double>(x), axis).value(),
                    by_plain_loops(x, axis, plain_log_softmax), 1e-14);
        check_slopes(soft, {x});
        check_slopes(log_soft, {x});
        check_float(soft, {x});
        check_float(log_soft, {x}, 16);
    }
}

TEST_CASE("softmax of huge and of infinite scores", "[common][autograd]")
{
    const auto weights = [](std::initializer_list<double> scores) {
        return list_of(
            softmax(Variable<double>(array_of<double>({scores.size()}, scores))).value());
    };
    CHECK(weights({1e300, 1e300, -1e300}) == std::vector{.5, .5, 0.});
    CHECK(weights({-1e300, -1.7e308, 1.7e308}) == std::vector{0., 0., 1.});
    CHECK(weights({-infinity, -1e300, -infinity}) == std::vector{0., 1., 0.});
    CHECK(weights({-infinity, -infinity}) == std::vector{0., 0.});
    const std::vector<double> poisoned = weights({0, not_a_number, 1});
    CHECK(std::all_of(poisoned.begin(), poisoned.end(), [](double w) { return w != w; }));
}

TEST_CASE("log softmax stays finite where the softmax is rounded to 0", "[common][autograd]")
{
    const auto logs = [](std::initializer_list<double> scores) {
        return list_of(
            log_softmax(Variable<double>(array_of<double>({scores.size()}, scores))).value());
    };
    CHECK(logs({0, -2000, -1e300}) == std::vector{0., -2000., -1e300});
    CHECK(logs({1e300, -infinity}) == std::vector{0., -infinity});
    CHECK(logs({-infinity, -infinity}) == std::vector{-infinity, -infinity});
}

TEST_CASE("where all scores are -infinity no gradient goes back, and it is no nan",
          "[common][autograd]")
{
    const Array<double> x = filled({2, 3}, -infinity);
    const Array<double> dy = random_array({2, 3});
    const Array<double> zeros = filled({2, 3}, 0.);
    const auto soft = walk<double>([](const auto& in) { return softmax(in[0]); }, {x}, dy);
    const auto log_soft =
        walk<double>([](const auto& in) { return log_softmax(in[0]); }, {x}, dy);
    CHECK(soft.gradients[0] == zeros);
    CHECK(log_soft.gradients[0] == zeros);
}

TEST_CASE("softmax demands an axis that is there", "[common][autograd]")
{
    const Variable<double> x(random_array({2, 3}));
    const Variable<double> number(filled({}, 1.));
    CHECK_THROWS_AS(softmax(x, 2), ContractError);
    CHECK_THROWS_AS(log_softmax(x, -3), ContractError);
    CHECK_THROWS_AS(softmax(number), ContractError);
    CHECK_THROWS_AS(masked_softmax(x, Mask(Shape{3}, true), 2), ContractError);
    CHECK_THROWS_AS(masked_softmax(number, Mask(Shape{}, true)), ContractError);
}

// ---------------------------------------------------------------- masked softmax

TEST_CASE("masked softmax is softmax with -infinity for hidden scores, has the slopes of "
          "differences, and is the same in float",
          "[common][autograd]")
{
    for (const auto& [shape, mask_shape, axis_] : mask_cases()) {
        const std::ptrdiff_t axis = axis_;
        INFO(to_text(shape) << ", mask " << to_text(mask_shape) << ", axis " << axis);
        const Array<double> x = random_array(shape);
        const Mask mask = random_mask(mask_shape);
        const auto masked = [&](const auto& in) { return masked_softmax(in[0], mask, axis); };
        check_close(masked_softmax(Variable<double>(x), mask, axis).value(),
                    by_plain_loops(with_hidden(x, mask, -infinity), axis, plain_softmax),
                    1e-14);
        check_slopes(masked, {x});
        check_float(masked, {x});
    }
}

TEST_CASE("a hidden key cannot matter, whatever stands there", "[common][autograd]")
{
    for (const auto& [shape, mask_shape, axis_] : mask_cases()) {
        const std::ptrdiff_t axis = axis_;
        const Mask mask = random_mask(mask_shape, 1);
        const Array<double> x = random_array(shape);
        const Array<double> dy = random_array(shape, 1);
        const auto soft = [&](const auto& in) { return masked_softmax(in[0], mask, axis); };
        const Passage<double> expected = walk<double>(soft, {x}, dy);
        for (const double planted : {not_a_number, infinity, -infinity, 1e300}) {
            INFO(to_text(shape) << ", mask " << to_text(mask_shape) << ", " << planted);
            const Array<double> x_planted = with_hidden(x, mask, planted);
            const Array<double> dy_planted = with_hidden(dy, mask, planted);
            const Passage<double> y = walk<double>(soft, {x_planted}, dy_planted);
            CHECK(y.value == expected.value);
            CHECK(y.gradients[0] == expected.gradients[0]);
        }
    }
}

TEST_CASE("a mask that does not fit is refused with both shapes", "[common][autograd]")
{
    const Variable<double> x(random_array({2, 3, 5}));
    for (const Shape& shape :
         std::vector<Shape>{{4}, {3, 4}, {2, 5}, {2, 2, 5}, {1, 2, 3, 5}, {0}}) {
        INFO(to_text(shape));
        CHECK_THROWS_AS(masked_softmax(x, Mask(shape, true)), ContractError);
        CHECK_THROWS_WITH(masked_softmax(x, Mask(shape, true)),
                          contains("[2, 3, 5]") && contains("got " + to_text(shape)));
    }
}
