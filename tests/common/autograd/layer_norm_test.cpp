/// \file
/// \brief Layer normalisation against plain loops, its slopes against differences, and what it
/// does not notice.
#include "common/autograd/layer_norm.hpp"
#include "tests/common/autograd/samples.hpp"

#include <string>

using namespace attn;
using namespace attn::autograd;
using namespace attn::testing;

namespace {

const std::vector<Shape>& layer_norm_shapes()
{
    static const std::vector<Shape> list = {{1},    {7},       {1, 1}, {3, 2},
                                            {3, 7}, {2, 1, 5}, {0, 3}, {2, 3, 1, 4}};
    return list;
}

/// x, gain and bias for a shape. Neighbours in a row of x are far apart: where they meet, slopes
/// bend too fast for differences.
std::vector<Array<double>> normalised_inputs(const Shape& shape)
{
    Array<double> x = random_array(shape);
    for (std::size_t i = 0; i < x.size(); ++i) {
        x.data()[i] += i % 2 == 0 ? 2 : -2;
    }
    return {x, random_array({shape.back()}, 1), random_array({shape.back()}, 2)};
}

Array<double> plain_layer_norm(const std::vector<Array<double>>& in, double epsilon)
{
    const std::size_t d = in[1].size();
    Array<double> y = in[0];
    for (std::size_t first = 0; first < y.size(); first += d) {
        double mean = 0;
        for (std::size_t j = 0; j < d; ++j) {
            mean += in[0].data()[first + j] / static_cast<double>(d);
        }
        double variance = 0;
        for (std::size_t j = 0; j < d; ++j) {
            variance += std::pow(in[0].data()[first + j] - mean, 2) / static_cast<double>(d);
        }
        for (std::size_t j = 0; j < d; ++j) {
            y.data()[first + j] =
                in[1](j) * (in[0].data()[first + j] - mean) / std::sqrt(variance + epsilon) +
                in[2](j);
        }
    }
    return y;
}

} // namespace

TEST_CASE("layer norm is the plain loops', has their slopes, and is the same in float",
          "[common][autograd]")
{
    for (const Shape& shape : layer_norm_shapes()) {
        for (const double epsilon : {1e-5, .5}) {
            INFO(to_text(shape) << ", epsilon " << epsilon);
            const auto norm = [epsilon](const auto& in) {
                return layer_norm(in[0], in[1], in[2], epsilon);
            };
            const std::vector<Array<double>> in = normalised_inputs(shape);
            check_close(norm(std::vector<Variable<double>>(in.begin(), in.end())).value(),
                        plain_layer_norm(in, epsilon), 1e-13);
            check_slopes(norm, in);
            check_float(norm, in, 32);
        }
    }
}

TEST_CASE("layer norm of long rows in float", "[common][autograd]")
{
    check_float([](const auto& in) { return layer_norm(in[0], in[1], in[2]); },
                normalised_inputs({5, 515}), 32);
}

TEST_CASE("numbers far from 0 cost layer norm what rounding their mean costs, and no more",
          "[common][autograd]")
{
    // A variance from the mean of the squares would have no correct digit left here.
    const double offset = 4096;
    Array<double> x = random_array({3, 64});
    for (double& number : numbers_of(x)) {
        number = std::round(256 * number) / 256 + offset; // exact in float
    }
    check_float([](const auto& in) { return layer_norm(in[0], in[1], in[2]); },
                {x, random_array({64}, 1), random_array({64}, 2)}, 8 * offset);
}

TEST_CASE("a row of equal numbers becomes the bias", "[common][autograd]")
{
    const std::vector<Array<double>> in = {filled({2, 4}, 7.), random_array({4}, 1),
                                           random_array({4}, 2)};
    const auto y = walk<double>([](const auto& at) { return layer_norm(at[0], at[1], at[2]); },
                                in, random_array({2, 4}, 3));
    for (std::size_t i = 0; i < 8; ++i) {
        CHECK(y.value.data()[i] == in[2].data()[i % 4]);
        CHECK(std::isfinite(y.gradients[0].data()[i]));
    }
}

TEST_CASE("layer norm refuses what does not fit, with both shapes", "[common][autograd]")
{
    const auto refused = [](const Shape& x, const Shape& gain, const Shape& bias,
                            const std::string& part, double epsilon = 1e-5) {
        const Variable<double> x_(random_array(x));
        const Variable<double> gain_(random_array(gain));
        const Variable<double> bias_(random_array(bias));
        CHECK_THROWS_AS(layer_norm(x_, gain_, bias_, epsilon), ContractError);
        CHECK_THROWS_WITH(layer_norm(x_, gain_, bias_, epsilon), contains(part));
    };
    refused({2, 3}, {2}, {3}, "gain must be [3] for x of shape [2, 3], got [2]");
    refused({2, 3}, {3}, {1, 3}, "bias must be [3] for x of shape [2, 3], got [1, 3]");
    refused({2, 3}, {}, {3}, "got []");
    refused({}, {1}, {1}, "got shape []");
    refused({2, 0}, {0}, {0}, "got shape [2, 0]");
    refused({2, 3}, {3}, {3}, "epsilon", 0);
    refused({2, 3}, {3}, {3}, "epsilon", not_a_number);
}
