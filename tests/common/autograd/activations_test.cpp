/// \file
/// \brief Functions of one number: against the standard library's, entry by entry, their slopes
/// against differences, float against double, and their limits.
#include "common/autograd/activations.hpp"
#include "tests/common/autograd/samples.hpp"

#include <functional>
#include <numbers>
#include <string>

using namespace attn;
using namespace attn::autograd;
using namespace attn::testing;

namespace {

/// A function under test, and the same by the standard library.
struct Function
{
    std::string name;                                                   ///< for messages
    std::function<Variable<double>(const Variable<double>&)> in_double; ///< under test
    std::function<Variable<float>(const Variable<float>&)> in_float;    ///< under test
    std::function<double(double)> plain;                                ///< what it must be
    bool positive;                                                      ///< inputs above 0
};

/// An operator of the name, in both types.
#define ATTN_IN_BOTH(name)                                                                     \
#name, [](const Variable <double>& x) { return name(x); }, [](const Variable <float>&      \
                                                                      x) { return name(x); }

const std::vector<Function>& functions()
{
    static const std::vector<Function> list = {
        {ATTN_IN_BOTH(autograd::exp), [](double x) { return std::exp(x); }, false},
        {ATTN_IN_BOTH(autograd::log), [](double x) { return std::log(x); }, true},
        {ATTN_IN_BOTH(autograd::tanh), [](double x) { return std::tanh(x); }, false},
        {ATTN_IN_BOTH(sigmoid), [](double x) { return 1 / (1 + std::exp(-x)); }, false},
        {ATTN_IN_BOTH(relu), [](double x) { return std::max(x, 0.); }, false},
        {ATTN_IN_BOTH(leaky_relu), [](double x) { return x > 0 ? x : .01 * x; }, false},
        {"leaky_relu, slope -.5", [](const auto& x) { return leaky_relu(x, -.5); },
         [](const auto& x) { return leaky_relu(x, -.5); },
         [](double x) { return x > 0 ? x : -.5 * x; }, false},
        {ATTN_IN_BOTH(gelu),
         [](double x) { return x / 2 * std::erfc(-x / std::numbers::sqrt2); }, false},
        {ATTN_IN_BOTH(gelu_tanh),
         [](double x) {
             const double inside = x + .044715 * x * x * x;
             return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * inside));
         },
         false},
    };
    return list;
}

const std::vector<Shape>& activation_shapes()
{
    static const std::vector<Shape> list = {{},     {1},       {1, 1},      {37},
                                            {0, 3}, {2, 1, 5}, {2, 3, 1, 4}};
    return list;
}

/// Random numbers that stay away from 0, where some functions bend.
Array<double> away_from_bends(const Shape& shape, bool positive = false)
{
    Array<double> x = random_array(shape);
    for (double& number : numbers_of(x)) {
        number = positive ? std::abs(number) : number;
        number += number < 0 ? -.0625 : .0625;
    }
    return x;
}

/// Entry by entry, of any shape.
Array<double> by_plain_loop(const Array<double>& x, const std::function<double(double)>& f)
{
    Array<double> y = x;
    std::transform(x.data(), x.data() + x.size(), y.data(), f);
    return y;
}

/// What a function makes of one number, and of its slope there.
std::vector<double> at(const std::function<Variable<double>(const Variable<double>&)>& f,
                       double x)
{
    const auto y =
        walk<double>([&](const auto& in) { return f(in[0]); }, {filled({}, x)}, filled({}, 1.));
    return {y.value(), y.gradients[0]()};
}

} // namespace

TEST_CASE("functions of one number are the standard library's, with the slopes of differences",
          "[common][autograd]")
{
    for (const Function& f : functions()) {
        for (const Shape& shape : activation_shapes()) {
            INFO(f.name << " of " << to_text(shape));
            const Array<double> x = away_from_bends(shape, f.positive);
            check_close(f.in_double(Variable<double>(x)).value(), by_plain_loop(x, f.plain),
                        1e-15);
            check_slopes([&](const auto& in) { return f.in_double(in[0]); }, {x});
        }
        check_float([&](const auto& in) { return f.in_double(in[0]); },
                    [&](const auto& in) { return f.in_float(in[0]); },
                    {away_from_bends({3, 67}, f.positive)}, 8);
    }
}

TEST_CASE("the limits of functions of one number, with their slopes", "[common][autograd]")
{
    using Numbers = std::vector<double>;
    const auto of = [](Variable<double> (*f)(const Variable<double>&), double x) {
        return at(f, x);
    };
    CHECK(of(autograd::exp, -infinity) == Numbers{0, 0});
    CHECK(of(autograd::exp, infinity) == Numbers{infinity, infinity});
    CHECK(of(autograd::log, 0) == Numbers{-infinity, infinity});
    CHECK(of(autograd::tanh, infinity) == Numbers{1, 0});
    CHECK(of(autograd::tanh, -infinity) == Numbers{-1, 0});
    CHECK(of(sigmoid, infinity) == Numbers{1, 0});
    CHECK(of(sigmoid, -infinity) == Numbers{0, 0});
    CHECK(of(relu, 0) == Numbers{0, 0});
    CHECK(of(relu, infinity) == Numbers{infinity, 1});
    CHECK(of(relu, -infinity) == Numbers{0, 0});
    CHECK(of(gelu, 0) == Numbers{0, .5});
    CHECK(of(gelu, 1e10) == Numbers{1e10, 1});
    CHECK(of(gelu, -1e10) == Numbers{0, 0});
    CHECK(of(gelu_tanh, 0) == Numbers{0, .5});
    CHECK(of(gelu_tanh, 1e10) == Numbers{1e10, 1});
    CHECK(of(gelu_tanh, -1e10) == Numbers{0, 0});
    CHECK(at([](const auto& x) { return leaky_relu(x); }, 0) == Numbers{0, .01});
    for (const Function& f : functions()) {
        INFO(f.name << " of nan");
        CHECK(std::isnan(at(f.in_double, not_a_number)[0]));
    }
}

TEST_CASE("what relu cuts off gets no gradient, whatever arrives", "[common][autograd]")
{
    const auto y = walk<double>([](const auto& in) { return relu(in[0]); },
                                {array_of<double>({2}, {-1, 1})},
                                array_of<double>({2}, {not_a_number, 3}));
    CHECK(list_of(y.gradients[0]) == std::vector<double>{0, 3});
}

TEST_CASE("leaky relu refuses a slope that is not finite", "[common][autograd]")
{
    CHECK_THROWS_AS(leaky_relu(Variable<double>(filled({}, 1.)), infinity), ContractError);
}
