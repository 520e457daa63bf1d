/// \file
/// \brief The affine map: gradients, against a product and a sum, linear_shapes that do not fit.
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/linear.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/reductions.hpp"
#include "tests/common/autograd/samples.hpp"

using namespace attn;
using namespace attn::autograd;
using namespace attn::testing;

namespace {

const auto with_bias = [](const auto& in) { return linear(in[0], in[1], in[2]); };
const auto without_bias = [](const auto& in) { return linear(in[0], in[1]); };

/// x, weight and bias.
std::vector<Array<double>> inputs_for(const Shape& x, std::size_t n_out)
{
    return {random_array(x, 1), random_array({x.back(), n_out}, 2), random_array({n_out}, 3)};
}

const std::vector<Shape> linear_shapes = {{1},       {5},          {1, 1}, {3, 4},
                                          {2, 3, 5}, {2, 1, 3, 2}, {0, 3}};

} // namespace

TEST_CASE("the affine map passes the gradient check", "[common][autograd]")
{
    const Shape shape = GENERATE(from_range(linear_shapes));
    const std::size_t n_out = GENERATE(1U, 7U);
    CAPTURE(to_text(shape), n_out);
    std::vector<Array<double>> inputs = inputs_for(shape, n_out);
    check_slopes(with_bias, inputs);
    check_float(with_bias, inputs, 32);
    inputs.pop_back();
    check_slopes(without_bias, inputs);
}

TEST_CASE("the affine map is a product and a sum", "[common][autograd]")
{
    const auto in = inputs_for({2, 3, 5}, 4);
    const Variable<double> x(in[0]);
    const Variable<double> w(in[1]);
    const Variable<double> b(in[2]);
    check_close(linear(x, w, b).value(), (matmul(x, w) + b).value(), 1e-14);
    check_close(linear(x, w).value(), matmul(x, w).value(), 1e-14);
    CHECK(linear(x, w, b).shape() == Shape{2, 3, 4});
}

TEST_CASE("the affine map names linear_shapes that do not fit", "[common][autograd]")
{
    const auto call = [](const Shape& x, const Shape& weight, const Shape& bias) {
        return linear(Variable<double>(filled(x, 1.0)), Variable<double>(filled(weight, 1.0)),
                      Variable<double>(filled(bias, 1.0)));
    };
    const auto complains = [&](const Shape& x, const Shape& weight, const Shape& bias,
                               const std::string& what) {
        CHECK_THROWS_WITH(call(x, weight, bias), testing::contains(what));
        CHECK_THROWS_AS(call(x, weight, bias), ContractError);
    };
    complains({2, 3}, {4, 5}, {5}, "x [2, 3] must be the first of weight [4, 5]");
    complains({}, {4, 5}, {5}, "x [] must be the first of weight [4, 5]");
    complains({2, 4}, {4, 5}, {4}, "weight [4, 5], got [4]");
    complains({2, 4}, {4, 5}, {1, 5}, "weight [4, 5], got [1, 5]");
    complains({2, 4}, {4}, {4}, "weight must be [n_in, n_out], got [4]");
    CHECK_THROWS_AS(
        linear(Variable<double>(filled({2, 4}, 1.0)), Variable<double>(filled({4}, 1.0))),
        ContractError);
}
