#include "common/kernels/elementary.hpp"

#include "common/kernels/elementary_of_one.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "common/kernels/vector_math.hpp"
#include "common/random/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/same_bits.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace elementary = attn::elementary;
using attn::kernels::ElementaryOfOne;
using attn::testing::same_number;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// A function of double, of one number or of two, as it is asked for and in a table; and the error
/// that it may have in ulp.
struct FunctionOfOne
{
    std::string name;
    double ulp;
    double (*one)(double);
    double (*ElementaryOfOne::*one_of_table)(double);
    double (*two)(double, double) = nullptr;
    double (*ElementaryOfOne::*two_of_table)(double, double) = nullptr;

    double run(double x, double y) const { return one != nullptr ? one(x) : two(x, y); }
    double run_by(const ElementaryOfOne& table, double x, double y) const
    {
        return one != nullptr ? (table.*one_of_table)(x) : (table.*two_of_table)(x, y);
    }
};

const std::array<FunctionOfOne, 8>& functions_of_one()
{
    using Table = ElementaryOfOne;
    static const std::array<FunctionOfOne, 8> all = {{
        {"exp", 1, elementary::exp, &Table::exp},
        {"log", 1, elementary::log, &Table::log},
        {"log1p", 2, elementary::log1p, &Table::log1p},
        {"tanh", 3, elementary::tanh, &Table::tanh},
        {"sin", 1, elementary::sin, &Table::sin},
        {"cos", 1, elementary::cos, &Table::cos},
        {"pow", 1, nullptr, nullptr, elementary::pow, &Table::pow},
        {"hypot", 1, nullptr, nullptr, elementary::hypot, &Table::hypot},
    }};
    return all;
}

/// A row of the golden file: the nearest double and what it lacks, in its last place.
struct Golden
{
    std::string function;
    double x, y, nearest, rest;
};

const std::vector<Golden>& golden_rows()
{
    static const std::vector<Golden> all = [] {
        std::ifstream file(ATTN_SOURCE_DIR "/tests/golden/kernels/elementary.csv");
        REQUIRE(file.good());
        std::vector<Golden> rows;
        std::string cell;
        std::getline(file, cell); // the names of the columns
        for (Golden row; std::getline(file, row.function, ',');) {
            for (double* number : {&row.x, &row.y, &row.nearest, &row.rest}) {
                std::getline(file, cell, number == &row.rest ? '\n' : ',');
                *number = std::strtod(cell.c_str(), nullptr);
            }
            rows.push_back(row);
        }
        return rows;
    }();
    return all;
}

/// The distance of a double to the next larger magnitude.
double ulp_of(double x)
{
    return std::nextafter(std::abs(x), infinity) - std::abs(x);
}

/// Numbers of every size, and where the functions do something.
std::vector<double> samples()
{
    attn::random::Generator generator(14);
    std::vector<double> x = {0.0,       -0.0,         1.0,       -1.0,     infinity,
                             -infinity, not_a_number, 0x1p-1074, 0x1p-1022};
    for (int i = 0; i < 20000; ++i) {
        x.push_back(std::bit_cast<double>(generator.bits()));
        x.push_back(generator.uniform(-2, 2));
        x.push_back(generator.uniform(-760, 760));
    }
    return x;
}

template <typename T>
void check_bits_of_lists(T (*run)(T), void (*run_list)(std::span<const T>, std::span<T>))
{
    std::vector<T> x;
    for (const double one : samples()) {
        x.push_back(static_cast<T>(one));
    }
    std::vector<T> y(x.size());
    run_list(x, y);
    std::size_t n_different = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        n_different +=
            same_number(static_cast<double>(run(x[i])), static_cast<double>(y[i])) ? 0U : 1U;
    }
    CHECK(n_different == 0);
}

} // namespace

TEST_CASE("elementary functions are as near to the golden values as they promise",
          "[kernels][golden]")
{
    REQUIRE(golden_rows().size() == 1600);
    for (const FunctionOfOne& function : functions_of_one()) {
        double worst = 0;
        std::size_t n = 0;
        for (const Golden& golden : golden_rows()) {
            if (golden.function == function.name) {
                const double found = function.run(golden.x, golden.y);
                const double error =
                    std::abs((found - golden.nearest) / ulp_of(golden.nearest) - golden.rest);
                CAPTURE(function.name, golden.x, golden.y, found, golden.nearest);
                CHECK(error <= function.ulp);
                worst = error > worst ? error : worst;
                ++n;
            }
        }
        CAPTURE(function.name);
        CHECK(n == 200);
        CHECK(worst >= 0.499); // there are hard cases among them
    }
}

TEST_CASE("a fused instruction and the library's function give the same bits", "[kernels]")
{
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("fma")) {
        WARN("this processor has no fused instruction to compare with");
        return;
    }
#endif
    const std::vector<double> x = samples();
    for (const FunctionOfOne& function : functions_of_one()) {
        const bool of_angle = function.name == "sin" || function.name == "cos";
        std::size_t n_different = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (of_angle && !(std::abs(x[i]) < 0x1p30)) {
                continue;
            }
            const double y = x[(i + 1) % x.size()];
            const double fused = function.run_by(attn::kernels::elementary_fma, x[i], y);
            const double plain = function.run_by(attn::kernels::elementary_baseline, x[i], y);
            n_different += same_number(fused, plain) ? 0U : 1U;
        }
        CAPTURE(function.name);
        CHECK(n_different == 0);
    }
}

TEST_CASE("one number has the same bits as in a list", "[kernels]")
{
    namespace lists = attn::vector_math;
    // Lists by the scalar form; what the other sets have to do with it is contract_test.cpp's.
    const attn::kernels::ComputeWith reference(
        {&attn::kernels::kernels_for<attn::kernels::InstructionSet::scalar>(), 1});
    check_bits_of_lists<float>(elementary::exp, lists::exp<float>);
    check_bits_of_lists<double>(elementary::exp, lists::exp<double>);
    check_bits_of_lists<float>(elementary::log, lists::log<float>);
    check_bits_of_lists<double>(elementary::log, lists::log<double>);
    check_bits_of_lists<float>(elementary::tanh, lists::tanh<float>);
    check_bits_of_lists<double>(elementary::tanh, lists::tanh<double>);
}

// Those that there are of lists as well have the values that vector_math_test.cpp asks of them.
TEST_CASE("elementary functions at special values", "[kernels]")
{
    struct Case
    {
        double found, wanted;
    };
    const double big = std::numeric_limits<double>::max();
    const double tiny = std::numeric_limits<double>::denorm_min();
    const Case cases[] = {
        {elementary::log1p(0.0), 0},
        {elementary::log1p(-0.0), -0.0},
        {elementary::log1p(-1), -infinity},
        {elementary::log1p(-1.5), not_a_number},
        {elementary::log1p(tiny), tiny},
        {elementary::log1p(infinity), infinity},
        {elementary::sin(-0.0), -0.0},
        {elementary::sin(tiny), tiny},
        {elementary::sin(not_a_number), not_a_number},
        {elementary::cos(0.0), 1},
        {elementary::pow(0.0, 2.5), 0},
        {elementary::pow(0.0, -2.5), infinity},
        {elementary::pow(infinity, 0.5), infinity},
        {elementary::pow(infinity, -0.5), 0},
        {elementary::pow(0.5, infinity), 0},
        {elementary::pow(0.5, -infinity), infinity},
        {elementary::pow(1.0, not_a_number), 1},
        {elementary::pow(not_a_number, 0.0), 1},
        {elementary::pow(-2.0, 0.5), not_a_number},
        {elementary::pow(not_a_number, 2.0), not_a_number},
        {elementary::pow(2.0, not_a_number), not_a_number},
        {elementary::pow(big, 1.0), big},
        {elementary::pow(big, 1.1), infinity},
        {elementary::pow(2.0, 1023.0), 0x1p1023},
        {elementary::pow(2.0, -1074.0), tiny},
        {elementary::pow(2.0, -1076.0), 0},
        {elementary::pow(81.0, 0.25), 3},
        {elementary::hypot(3, -4), 5},
        {elementary::hypot(0, -0.0), 0},
        {elementary::hypot(0, tiny), tiny},
        {elementary::hypot(big, big), infinity},
        {elementary::hypot(not_a_number, infinity), infinity},
        {elementary::hypot(not_a_number, 1), not_a_number},
    };
    for (const Case& one : cases) {
        CAPTURE(&one - cases, one.found, one.wanted);
        CHECK(same_number(one.found, one.wanted));
    }
    CHECK_NOTHROW(elementary::sin(0x1p30));
    CHECK_THROWS_AS(elementary::sin(0x1.1p30), std::domain_error);
    CHECK_THROWS_AS(elementary::cos(-infinity), std::domain_error);
}

TEST_CASE("a whole power is exact where it can be", "[kernels]")
{
    double ten = 1;
    for (std::int64_t n = 0; n <= 22; ++n, ten *= 10) {
        CHECK(same_number(elementary::power(10, n), ten));
        CHECK(same_number(elementary::power(10, -n), 1 / ten));
        CHECK(same_number(elementary::power(-2, n),
                          std::ldexp(n % 2 == 0 ? 1 : -1, static_cast<int>(n))));
    }
    CHECK(elementary::power(0, 0) == 1);
    CHECK(elementary::power(2, -1074) == 0); // by 1 / 2^1074
    CHECK(elementary::power(0.999, std::numeric_limits<std::int64_t>::max()) == 0);
}

TEST_CASE("exp and log of ever larger numbers do not fall", "[kernels]")
{
    // Adjacent numbers about where the polynomials change over: half a period of exp, root 2.
    for (const double centre : {0.34657359, 1.0397208, 0.70710678, 1.41421356, 1.0}) {
        double x = centre - 1e-13;
        for (int i = 0; i < 1000; ++i) {
            const double next = std::nextafter(x, infinity);
            CAPTURE(x);
            CHECK(elementary::exp(next) >= elementary::exp(x));
            CHECK(elementary::log(next) >= elementary::log(x));
            x = next;
        }
    }
}
