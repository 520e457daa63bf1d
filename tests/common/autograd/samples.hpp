/// \file
/// \brief What the tests of operators are written with: arrays of random numbers, one and the
/// same computation in float and in double, and slopes compared on a list of shapes.
/// Deliberately no formula of any operator.
#pragma once

#include "common/autograd/gradient_check.hpp"
#include "common/random/random.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

namespace attn::testing {

using autograd::Variable;

/// Infinity, in scores.
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Not a number, in places that must not be read.
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Normal numbers that float holds exactly, the same on every run.
/// \param stream  another number, other numbers
inline Array<double> random_array(const Shape& shape, std::uint64_t stream = 0)
{
    random::Generator generator(20260101, stream);
    Array<double> array = uninitialised<double>(shape);
    for (double& number : numbers_of(array)) {
        number = static_cast<double>(static_cast<float>(generator.normal()));
    }
    return array;
}

/// The same numbers in another type.
template <typename To, typename From>
Array<To> converted(const Array<From>& array)
{
    Array<To> result = uninitialised<To>(array.shape());
    std::transform(array.data(), array.data() + array.size(), result.data(),
                   [](From number) { return static_cast<To>(number); });
    return result;
}

/// An array's numbers, to be compared with a list.
template <typename T>
std::vector<double> list_of(const Array<T>& array)
{
    return {array.data(), array.data() + array.size()};
}

/// A shape as a list that tests can compare and print.
inline std::vector<std::size_t> lengths_of(const Shape& shape)
{
    return {shape.begin(), shape.end()};
}

/// Where the entry of a result at a flat index comes from in an array that is repeated to its shape.
inline std::size_t source_index(const Shape& result, const Shape& shape, std::size_t flat)
{
    std::size_t index = 0;
    std::size_t stride = 1;
    for (std::size_t place = 0; place < result.size(); ++place) {
        const std::size_t length = result[result.size() - 1 - place];
        const std::size_t at = flat % length;
        flat /= length;
        if (place < shape.size()) {
            const std::size_t own = shape[shape.size() - 1 - place];
            index += (own == 1 ? 0 : at) * stride;
            stride *= own;
        }
    }
    return index;
}

/// A computation of some inputs. What walks along it takes this type, not the lambda's own: the
/// walk is compiled once, not once a test.
template <typename T>
using ComputationIn = std::function<Variable<T>(const std::vector<Variable<T>>&)>;

/// A result and the gradients of its inputs, for a given gradient of the result.
template <typename T>
struct Passage
{
    Array<T> value;                  ///< what came out
    std::vector<Array<T>> gradients; ///< one an input; zeros if nothing flowed
};

/// Walks forward and back.
/// \param dy    the result's gradient
/// \param only  the number of the one input that needs a gradient; nothing: all do
template <typename T>
Passage<T> walk(const std::type_identity_t<ComputationIn<T>>& computation,
                const std::vector<Array<T>>& inputs, const Array<T>& dy,
                std::optional<std::size_t> only = std::nullopt)
{
    const autograd::Tape<T> tape;
    std::vector<Variable<T>> parameters;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        parameters.push_back(only.value_or(i) == i ? autograd::parameter(Array<T>(inputs[i]))
                                                   : Variable<T>(inputs[i]));
    }
    const Variable<T> y = computation(parameters);
    autograd::backward(autograd::record(Array<T>(Shape{}, T(0)), true,
                                        [y, dy](const Array<T>&, const Array<T>&) {
                                            y.node().gradient.emplace(dy);
                                            y.node().has_gradient = true;
                                        }));
    Passage<T> passage{y.value(), {}};
    for (const Variable<T>& x : parameters) {
        CHECK_FALSE((x.has_gradient() && !x.needs_gradient()));
        passage.gradients.push_back(x.has_gradient() ? x.gradient() : filled(x.shape(), T(0)));
    }
    return passage;
}

/// Two arrays agree entry by entry, with a tolerance for entries of about 1 that grows with
/// them.
/// \param tolerance  largest |a - e| / max(1, |e|)
template <typename T, typename U>
void check_close(const Array<T>& actual, const Array<U>& expected, double tolerance)
{
    REQUIRE(actual.shape() == expected.shape());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const auto a = static_cast<double>(actual.data()[i]);
        const auto e = static_cast<double>(expected.data()[i]);
        INFO("entry " << i << ": " << a << ", expected " << e);
        CHECK((a == e || std::abs(a - e) <= tolerance * std::max(1.0, std::abs(e))));
    }
}

/// A gradient for the result of a computation: random numbers.
inline Array<double> random_gradient(const ComputationIn<double>& computation,
                                     const std::vector<Array<double>>& inputs)
{
    return random_array(
        computation(std::vector<Variable<double>>(inputs.begin(), inputs.end())).shape(), 99);
}

/// Every slope of a computation agrees with central differences, and is added to the slopes
/// that are there. Of constants it is a constant; an input among constants has the slopes that it has
/// among others, and they have none.
inline void check_slopes(const ComputationIn<double>& computation,
                         const std::vector<Array<double>>& inputs)
{
    const autograd::GradientCheck check = autograd::check_gradient(computation, inputs);
    INFO(check.first_mismatch);
    CHECK(check.passed);

    const autograd::Tape<double> tape;
    const std::vector<Variable<double>> constants(inputs.begin(), inputs.end());
    CHECK_FALSE(computation(constants).needs_gradient());

    const Array<double> dy = random_gradient(computation, inputs);
    const Passage<double> all = walk<double>(computation, inputs, dy);
    for (std::size_t i = 0; inputs.size() > 1 && i < inputs.size(); ++i) {
        INFO("input " << i << " among constants");
        check_close(walk<double>(computation, inputs, dy, i).gradients[i], all.gradients[i],
                    1e-12);
    }
}

/// A computation gives in float what it gives in double, forward and back.
/// \param inputs  that float holds exactly
/// \param n_ulp   tolerance, in rounding errors of a float of about 1
inline void check_float(const ComputationIn<double>& wide, const ComputationIn<float>& narrow,
                        const std::vector<Array<double>>& inputs, double n_ulp)
{
    std::vector<Array<float>> in_float;
    for (const Array<double>& input : inputs) {
        in_float.push_back(converted<float>(input));
    }
    const Array<double> dy = random_gradient(wide, inputs);
    const Passage<double> expected = walk<double>(wide, inputs, dy);
    const Passage<float> actual = walk<float>(narrow, in_float, converted<float>(dy));
    const double tolerance = n_ulp * static_cast<double>(std::numeric_limits<float>::epsilon());
    check_close(actual.value, expected.value, tolerance);
    for (std::size_t input = 0; input < inputs.size(); ++input) {
        INFO("input " << input);
        check_close(actual.gradients[input], expected.gradients[input], tolerance);
    }
}

/// The same of a computation that is written once for both.
template <typename F>
void check_float(F computation, const std::vector<Array<double>>& inputs, double n_ulp = 8)
{
    check_float(ComputationIn<double>(computation), ComputationIn<float>(computation), inputs,
                n_ulp);
}

/// An operator has the values and gradients of those that it is made of, the slopes of differences,
/// and the same in float.
/// \param fused  written once for float and double
template <typename F>
void check_parts(const F& fused, const ComputationIn<double>& parts,
                 const std::vector<Array<double>>& in)
{
    const Array<double> dy = random_gradient(fused, in);
    const Passage<double> one = walk<double>(fused, in, dy);
    const Passage<double> other = walk<double>(parts, in, dy);
    check_close(one.value, other.value, 1e-13);
    for (std::size_t i = 0; i < in.size(); ++i) {
        check_close(one.gradients[i], other.gradients[i], 1e-12);
    }
    check_slopes(fused, in);
    check_float(fused, in, 64);
}

} // namespace attn::testing
