#include "common/kernels/vector_math.hpp"

#include "common/random/random.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace vector_math = attn::vector_math;
using attn::ContractError;
using attn::testing::same_number;

namespace {

template <typename T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <typename T>
constexpr T nan_of = std::numeric_limits<T>::quiet_NaN();

/// What the error of a function is measured against: the next wider type.
template <typename T>
using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;

/// A function under test: its name, itself, the exact one and the largest error in ulp.
template <typename T>
struct Function
{
    std::string name;
    void (*run)(std::span<const T>, std::span<T>);
    Wide<T> (*exact)(Wide<T>);
    double ulp;
    bool flushes; ///< whether a result below the smallest normal number may be 0
};

template <typename T>
const std::array<Function<T>, 5>& functions()
{
    using W = Wide<T>;
    static const std::array<Function<T>, 5> all = {{
        {"exp", vector_math::exp<T>, [](W x) { return std::exp(x); }, 1.5, true},
        {"log", vector_math::log<T>, [](W x) { return std::log(x); }, 1.5, false},
        {"tanh", vector_math::tanh<T>, [](W x) { return std::tanh(x); }, 3, false},
        {"sigmoid", vector_math::sigmoid<T>, [](W x) { return 1 / (1 + std::exp(-x)); }, 3,
         true},
        {"erf", vector_math::erf<T>, [](W x) { return std::erf(x); }, 2, false},
    }};
    return all;
}

template <typename T>
std::vector<T> applied(const Function<T>& function, const std::vector<T>& x)
{
    std::vector<T> y(x.size());
    function.run(x, y);
    return y;
}

/// The distance of two adjacent numbers where |x| is; below the smallest normal one, there.
template <typename T>
Wide<T> ulp_at(Wide<T> x)
{
    int exponent = 0;
    std::frexp(x, &exponent);
    exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
    return std::ldexp(Wide<T>(1), exponent - std::numeric_limits<T>::digits);
}

/// The error of y as f(x), in ulp; infinity where a nan or an infinity is wrong.
template <typename T>
double error_in_ulp(const Function<T>& function, T x, T y)
{
    const Wide<T> exact = function.exact(static_cast<Wide<T>>(x));
    const T wanted = static_cast<T>(exact);
    if (std::isnan(wanted) || std::isinf(wanted) || !std::isfinite(y)) {
        return same_number(wanted, y) ? 0 : infinity<double>;
    }
    if (function.flushes && y == 0 && std::abs(wanted) <= std::numeric_limits<T>::min()) {
        return 0;
    }
    return static_cast<double>(std::abs(static_cast<Wide<T>>(y) - exact) / ulp_at<T>(exact));
}

/// Every binade of every sign, among them subnormal numbers, infinities and nans; and, densely,
/// where the functions do anything.
std::vector<float> samples(float /*type*/)
{
    std::vector<float> x;
    for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32U); bits += 65539) {
        x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    }
    for (int i = -55000; i <= 55000; ++i) {
        x.push_back(static_cast<float>(i) / 500.0F);
    }
    return x;
}

std::vector<double> samples(double /*type*/)
{
    attn::random::Generator generator(5);
    std::vector<double> x;
    for (int i = 0; i < 20000; ++i) {
        x.push_back(std::bit_cast<double>(generator.bits()));
        x.push_back(generator.uniform(-2, 2));
        x.push_back(generator.uniform(-40, 40));
        x.push_back(generator.uniform(-760, 760));
        // One draw after the other: compilers differ in which argument they compute first.
        const double signed_part = generator.uniform(-1, 1);
        x.push_back(std::ldexp(signed_part, -static_cast<int>(generator.below(60))));
        const double part = generator.uniform(0, 1);
        x.push_back(std::ldexp(part, -static_cast<int>(generator.below(1075))));
    }
    return x;
}

/// Numbers of all kinds, more than one batch's of each.
template <typename T>
std::vector<T> mixed(std::size_t n)
{
    attn::random::Generator generator(9);
    std::vector<T> x(n);
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = static_cast<T>(generator.normal(0, 3));
    }
    const std::array<T, 6> rare = {T(0), T(-100), T(90), infinity<T>, -infinity<T>, nan_of<T>};
    for (std::size_t i = 0; 11 * i < n; ++i) {
        x[11 * i] = rare[i % rare.size()];
    }
    return x;
}

} // namespace

TEMPLATE_TEST_CASE("elementary functions are within their ulp of the exact ones",
                   "[common][property]", float, double)
{
    using T = TestType;
    const std::vector<T> x = samples(T());
    for (const Function<T>& function : functions<T>()) {
        const std::vector<T> y = applied(function, x);
        double worst = 0;
        T worst_x = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double error = error_in_ulp(function, x[i], y[i]);
            if (!(error <= worst)) {
                worst = error;
                worst_x = x[i];
            }
        }
        CAPTURE(function.name, worst_x);
        CHECK(worst <= function.ulp);
        CHECK(worst > 0.4); // measured at all
    }
}

TEMPLATE_TEST_CASE("infinities, zeros, subnormal numbers and nans come out as mathematics says",
                   "[common]", float, double)
{
    using T = TestType;
    const T big = std::numeric_limits<T>::max();
    const T tiny = std::numeric_limits<T>::denorm_min();
    struct Case
    {
        std::size_t function; ///< its place in functions()
        T x, y;
    };
    const std::vector<Case> cases = {
        {0, 0, 1},
        {0, T(-0.0), 1},
        {0, -infinity<T>, 0},
        {0, -big, 0},
        {0, infinity<T>, infinity<T>},
        {0, big, infinity<T>},
        {0, T(std::is_same_v<T, float> ? 89 : 710), infinity<T>},
        {0, T(std::is_same_v<T, float> ? -87.4 : -708.5), 0},
        {0, tiny, 1},
        {1, 0, -infinity<T>},
        {1, T(-0.0), -infinity<T>},
        {1, 1, 0},
        {1, -1, nan_of<T>},
        {1, -tiny, nan_of<T>},
        {1, -infinity<T>, nan_of<T>},
        {1, infinity<T>, infinity<T>},
        {2, 0, 0},
        {2, T(-0.0), T(-0.0)},
        {2, tiny, tiny},
        {2, -tiny, -tiny},
        {2, big, 1},
        {2, infinity<T>, 1},
        {2, -infinity<T>, -1},
        {3, 0, T(0.5)},
        {3, -big, 0},
        {3, big, 1},
        {3, -infinity<T>, 0},
        {3, infinity<T>, 1},
        {4, 0, 0},
        {4, T(-0.0), T(-0.0)},
        {4, big, 1},
        {4, -big, -1},
        {4, infinity<T>, 1},
        {4, -infinity<T>, -1},
    };
    for (const Case& wanted : cases) {
        const Function<T>& function = functions<T>().at(wanted.function);
        const T y = applied(function, std::vector<T>{wanted.x})[0];
        CAPTURE(function.name, wanted.x, wanted.y, y);
        CHECK(same_number(y, wanted.y));
    }
    // A nan's last bits may be anything, and none of them may reach an exponent.
    for (const Function<T>& function : functions<T>()) {
        using Bits = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;
        for (Bits payload = 0; payload < 4096; ++payload) {
            const T x =
                std::bit_cast<T>(static_cast<Bits>(std::bit_cast<Bits>(nan_of<T>) + payload));
            CAPTURE(function.name, payload);
            REQUIRE(std::isnan(applied(function, std::vector<T>{x})[0]));
            REQUIRE(std::isnan(applied(function, std::vector<T>{-x})[0]));
        }
    }
}

// That a result does not depend on its place or on the length is contract_test.cpp's.
TEMPLATE_TEST_CASE("a list may be replaced by its results", "[common][property]", float, double)
{
    using T = TestType;
    const std::vector<T> all = mixed<T>(70);
    for (const Function<T>& function : functions<T>()) {
        for (std::size_t n = 0; n <= all.size(); ++n) {
            const std::vector<T> x(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
            const std::vector<T> wanted = applied(function, x);
            std::vector<T> y = x;
            function.run(y, y);
            CAPTURE(function.name, n);
            REQUIRE(std::equal(y.begin(), y.end(), wanted.begin(), same_number<T>));
        }
    }
}

TEMPLATE_TEST_CASE(
    "maxima of lists and the heart of a softmax are those of plain loops, for every length",
    "[common][property]", float, double)
{
    using T = TestType;
    attn::random::Generator generator(3);
    for (std::size_t n = 0; n <= 400; n += n < 140 ? 1 : 37) {
        std::vector<T> x(n);
        T largest = -infinity<T>;
        for (T& x_i : x) {
            x_i = static_cast<T>(generator.normal());
            largest = std::max(largest, x_i);
        }
        CAPTURE(n);
        REQUIRE(vector_math::maximum<T>(x) == largest);

        // The largest is found wherever it is, and a nan does not hide it.
        for (std::size_t i = 0; i < n; ++i) {
            std::vector<T> changed = x;
            changed[i] = T(50);
            REQUIRE(vector_math::maximum<T>(changed) == T(50));
            changed[i] = nan_of<T>;
            changed.push_back(T(60));
            REQUIRE(vector_math::maximum<T>(changed) == T(60));
        }

        // The heart of a softmax: the powers are those of exp, and their sum comes with them.
        std::vector<T> shifted(n), powers(n), in_place = x;
        std::transform(x.begin(), x.end(), shifted.begin(), [&](T a) { return a - largest; });
        vector_math::exp<T>(shifted, powers);
        std::vector<T> result(n);
        const T total = vector_math::exp_of_difference<T>(x, largest, result);
        REQUIRE(result == powers);
        REQUIRE(total == vector_math::sum<T>(powers));
        REQUIRE(vector_math::exp_of_difference<T>(in_place, largest, in_place) == total);
        REQUIRE(in_place == powers);
    }
}

TEST_CASE("a minus infinity has no weight in a softmax, and an empty list no element",
          "[common]")
{
    const std::vector<float> x = {-infinity<float>, 3, -infinity<float>, 3};
    std::vector<float> y(4);
    CHECK(vector_math::exp_of_difference<float>(x, 3, y) == 2);
    CHECK(y == std::vector<float>{0, 1, 0, 1});
    const std::vector<float> none;
    std::vector<float> nowhere;
    CHECK(vector_math::exp_of_difference<float>(none, 3, nowhere) == 0);
    CHECK(vector_math::maximum<float>(none) == -infinity<float>);
    CHECK(vector_math::sum<float>(none) == 0);
    CHECK(vector_math::dot<float>(none, none) == 0);
}

TEST_CASE("lists of different lengths are refused", "[common]")
{
    const std::vector<double> x(3);
    std::vector<double> y(4);
    for (const Function<double>& function : functions<double>()) {
        CAPTURE(function.name);
        CHECK_THROWS_WITH(function.run(x, y), "vector_math::" + function.name +
                                                  ": y must be as long as x, 3, got 4");
    }
    CHECK_THROWS_AS(vector_math::exp_of_difference<double>(x, 0, y), ContractError);
    CHECK_THROWS_AS(vector_math::dot<double>(x, y), ContractError);
}
