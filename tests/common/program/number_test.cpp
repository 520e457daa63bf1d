/// \file
/// \brief Digits that are the same on every machine, and text that is strictly a number.
#include "common/program/bad_input.hpp"
#include "common/program/number.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <limits>
#include <locale>
#include <random>

using attn::testing::complaint_of;
using namespace attn::program;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// What parse_number says, or nothing if it accepts.
std::string complaint_about(const std::string& text)
{
    return complaint_of<BadInput>([&] { parse_number(text, "here"); });
}

/// A decimal comma, as many countries have it.
struct Comma : std::numpunct<char>
{
    char do_decimal_point() const override { return ','; }
};

} // namespace

TEST_CASE("numbers have a fixed count of decimals", "[program]")
{
    CHECK(fixed(3.14159, 2) == "3.14");
    CHECK(fixed(2, 3) == "2.000");
    CHECK(fixed(-1.5, 0) == "-2");
    CHECK(fixed(1e13, 0) == "10000000000000");
    CHECK(fixed(123456789012345, 0) == "123456789012345");
    CHECK(fixed(not_a_number, 2) == "nan");
    CHECK(fixed(-not_a_number, 2) == "nan");
    CHECK(fixed(infinity, 2) == "inf");
    CHECK(fixed(-infinity, 2) == "-inf");
    CHECK_THROWS_AS(fixed(1, -1), attn::ContractError);
    CHECK_THROWS_AS(fixed(1, 18), attn::ContractError);
}

TEST_CASE("numbers have a count of significant digits", "[program]")
{
    CHECK(significant(0.01234, 3) == "0.0123");
    CHECK(significant(100, 3) == "100");
    CHECK(significant(1000, 3) == "1e+03");
    CHECK(significant(0.5, 4) == "0.5");
    CHECK(significant(1e-5, 4) == "1e-05");
    CHECK(significant(0.1, 17) == "0.10000000000000001");
    CHECK(significant(std::numeric_limits<double>::max(), 3) == "1.8e+308");
    CHECK(significant(not_a_number, 3) == "nan");
    CHECK(significant(-infinity, 3) == "-inf");
    CHECK_THROWS_AS(significant(1, 0), attn::ContractError);
}

TEST_CASE("the shortest digits read back to the same number", "[program][property]")
{
    CHECK(shortest(0.1) == "0.1");
    CHECK(shortest(8299999.296) == "8299999.296");
    CHECK(shortest(-0.0) == "0");
    CHECK(shortest(-infinity) == "-inf");
    CHECK(shortest(not_a_number) == "nan");
    std::mt19937_64 bits(1);
    for (int i = 0; i < 2000; ++i) {
        const double x = std::ldexp(static_cast<double>(bits()) - 0x1p63, i % 1000 - 500);
        CHECK(parse_number(shortest(x), "") == x);
    }
}

TEST_CASE("digits are those by which a column differs", "[program]")
{
    CHECK(digits_apart(0, 10, 4) == 4);
    CHECK(digits_apart(6, 23, 4) == 4);
    CHECK(digits_apart(48.8566, 48.8616, 4) == 7);
    CHECK(digits_apart(-8300001, -8299999, 4) == 10);
    CHECK(digits_apart(1e9, 1e9 + 2e-6, 4) == 17);
    CHECK(digits_apart(5, 5, 4) == 15);
    CHECK(digits_apart(-1e308, 1e308, 4) == 4);
    CHECK(digits_apart(std::vector<double>{48.8616, 48.8566}, 4) == 7);
}

TEST_CASE("zero never has a sign", "[program][property]")
{
    CHECK(fixed(-0.0, 2) == "0.00");
    CHECK(fixed(-0.004, 2) == "0.00");
    CHECK(fixed(-0.4, 0) == "0");
    CHECK(fixed(-0.006, 2) == "-0.01");
    CHECK(significant(-0.0, 3) == "0");
    CHECK(significant(-1e-9, 3) == "-1e-09");
}

TEST_CASE("a tie and one bit less than a tie print alike", "[program][property]")
{
    for (int k = 1; k < 2000; k += 2) {
        const double tie = k / 2000.0; // 0.0005, 0.0015, ...: halfway between three decimals
        CHECK(fixed(tie, 3) == fixed(std::nextafter(tie, 0), 3));
        CHECK(fixed(tie, 3) == fixed(std::nextafter(tie, 1), 3));
        CHECK(fixed(-tie, 3) == "-" + fixed(tie, 3));
        CHECK(significant(1 + tie, 4) == significant(std::nextafter(1 + tie, 0), 4));
    }
    CHECK(fixed(0.125, 2) == "0.13");
    CHECK(fixed(std::nextafter(0.125, 0), 2) == "0.13");
    CHECK(significant(0.125, 2) == "0.13");
}

TEST_CASE("what is printed lies within half of the last digit", "[program][property]")
{
    std::mt19937_64 bits(1);
    for (int i = 0; i < 2000; ++i) {
        const double x = std::ldexp(static_cast<double>(bits()) - 0x1p63, -60 + i % 10);
        const int decimals = i % 7;
        const double unit = std::pow(10.0, -decimals);
        CHECK(std::abs(parse_number(fixed(x, decimals), "") - x) <= 0.502 * unit);
        CHECK(std::abs(parse_number(significant(x, 8), "") - x) <= 0.502e-7 * std::abs(x));
    }
}

TEST_CASE("text that is a number is read", "[program]")
{
    CHECK(parse_number("1.5", "") == 1.5);
    CHECK(parse_number("+1.5", "") == 1.5);
    CHECK(parse_number(" -2e-3\t ", "") == -2e-3);
    CHECK(parse_number(".5", "") == 0.5);
    CHECK(parse_number("5.", "") == 5);
    CHECK(parse_number("007", "") == 7);
    CHECK_FALSE(finite_number("1,5"));
    CHECK(looks_like_number("nan"));
    CHECK(looks_like_number("1e999"));
    CHECK_FALSE(looks_like_number(""));
    CHECK_FALSE(looks_like_number("+"));
    CHECK_FALSE(looks_like_number("1 2"));
}

TEST_CASE("text that is no number is named", "[program]")
{
    CHECK(complaint_about("abc") == "here: 'abc' is not a number");
    CHECK(complaint_about("1.5x") == "here: '1.5x' is not a number");
    CHECK(complaint_about("0x10") == "here: '0x10' is not a number");
    CHECK(complaint_about("+-5") == "here: '+-5' is not a number");
    CHECK(complaint_about("++5") == "here: '++5' is not a number");
    CHECK(complaint_about("1,5") == "here: '1,5' is not a number");
    CHECK(complaint_about("1 2") == "here: '1 2' is not a number");
    CHECK(complaint_about("") == "here: a number is missing");
    CHECK(complaint_about("  ") == "here: a number is missing");
    CHECK(complaint_about("nan") == "here: 'nan' is not a finite number");
    CHECK(complaint_about("-inf") == "here: '-inf' is not a finite number");
    CHECK(complaint_about("1e999") == "here: '1e999' is out of the range of a double");
    CHECK(complaint_about(std::string("1\0", 2)) == "here: '1\\x00' is not a number");
}

TEST_CASE("counts are whole and within their bounds", "[program]")
{
    CHECK(parse_count("18446744073709551615", "", 0) == 18446744073709551615u);
    CHECK(parse_count("+3", "", 1) == 3);
    const auto complaint_about = [](const std::string& text) {
        return complaint_of<BadInput>([&] { parse_count(text, "--keys", 1, 9); });
    };
    for (const std::string text : {"0", "-1", "2.5", "1e3", "x", "", "3x", "+-3"}) {
        CHECK(complaint_about(text) ==
              "--keys: '" + text + "' is not a whole number of at least 1");
    }
    CHECK(complaint_about("10") == "--keys: '10' is more than 9");
    CHECK(complaint_about("99999999999999999999") ==
          "--keys: '99999999999999999999' is more than 9");
    CHECK(complaint_about("99999999999999999999x") ==
          "--keys: '99999999999999999999x' is not a whole number of at least 1");
}

TEST_CASE("the locale changes nothing", "[program][property]")
{
    const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
    CHECK(fixed(1234.5, 1) == "1234.5");
    CHECK(significant(0.25, 3) == "0.25");
    CHECK(parse_number("0.25", "") == 0.25);
    std::locale::global(before);
}
