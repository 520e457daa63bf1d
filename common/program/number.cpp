#include "common/program/number.hpp"

#include "common/kernels/elementary.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <system_error>

namespace attn::program {

namespace {

/// By how much a number is moved away from zero before it is rounded, in relation to it.
constexpr double relative_nudge = 1e-12;

/// And never by more than this part of the last digit shown: a count like 10^13 stays.
constexpr double part_of_last_digit = 1e-3;

/// "nan" whatever its sign, "inf", "-inf".
std::string not_finite(double x)
{
    return std::isnan(x) ? "nan" : fmt::format("{}", x);
}

/// "0.00" for "-0.00".
std::string without_sign_of_zero(std::string digits)
{
    if (digits.find_first_of("123456789") == std::string::npos) {
        std::erase(digits, '-');
    }
    return digits;
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

struct Parsed
{
    double value = 0;
    bool whole = false;    ///< the whole text has the form of a number
    bool in_range = false; ///< which a double can hold
};

Parsed parse(std::string_view text)
{
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') {
        text.remove_prefix(1);
    }
    Parsed parsed;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), parsed.value);
    parsed.whole = error != std::errc::invalid_argument && end == text.data() + text.size();
    parsed.in_range = error == std::errc();
    return parsed;
}

} // namespace

std::string fixed(double x, int decimals)
{
    expect(decimals >= 0 && decimals <= 17, "fixed: decimals must be 0 to 17, got {}",
           decimals);
    if (!std::isfinite(x)) {
        return not_finite(x);
    }
    const double nudge = std::min(std::abs(x) * relative_nudge,
                                  part_of_last_digit * elementary::power(10, -decimals));
    return without_sign_of_zero(fmt::format("{:.{}f}", x + std::copysign(nudge, x), decimals));
}

std::string significant(double x, int digits)
{
    expect(digits >= 1 && digits <= 17, "significant: digits must be 1 to 17, got {}", digits);
    if (!std::isfinite(x)) {
        return not_finite(x);
    }
    const double nudged =
        x * (1 + std::min(relative_nudge, part_of_last_digit * elementary::power(10, -digits)));
    return without_sign_of_zero(
        fmt::format("{:.{}g}", std::isfinite(nudged) ? nudged : x, digits));
}

std::string shortest(double x, int /*digits*/)
{
    return std::isfinite(x) ? without_sign_of_zero(fmt::format("{}", x)) : not_finite(x);
}

int digits_apart(double lowest, double highest, int digits)
{
    const double range = highest - lowest;
    if (!(range > 0)) {
        return 15;
    }
    double ratio = std::max(std::abs(lowest), std::abs(highest)) / range;
    for (; ratio >= 10 && digits < 17; ratio /= 10) {
        ++digits;
    }
    return digits;
}

bool looks_like_number(std::string_view text)
{
    return parse(text).whole;
}

std::optional<double> finite_number(std::string_view text)
{
    const Parsed parsed = parse(trimmed(text));
    if (!parsed.whole || !parsed.in_range || !std::isfinite(parsed.value)) {
        return std::nullopt;
    }
    return parsed.value;
}

double parse_number(std::string_view text, std::string_view what)
{
    if (const std::optional<double> number = finite_number(text)) {
        return *number;
    }
    const std::string_view bare = trimmed(text);
    const Parsed parsed = parse(bare);
    throw BadInput(bare.empty()
                       ? fmt::format("{}: a number is missing", what)
                       : fmt::format("{}: {} is {}", what, in_quotes(bare),
                                     !parsed.whole      ? "not a number"
                                     : !parsed.in_range ? "out of the range of a double"
                                                        : "not a finite number"));
}

std::vector<double> parse_numbers(std::string_view text, std::string_view what)
{
    std::vector<double> numbers;
    while (true) {
        const std::size_t comma = text.find(',');
        numbers.push_back(parse_number(text.substr(0, comma), what));
        if (comma == std::string_view::npos) {
            return numbers;
        }
        text.remove_prefix(comma + 1);
    }
}

std::uint64_t parse_count(std::string_view text, std::string_view what, std::uint64_t at_least,
                          std::uint64_t at_most)
{
    const std::string_view bare = trimmed(text);
    std::string_view digits = bare;
    if (digits.size() > 1 && digits[0] == '+') {
        digits.remove_prefix(1);
    }
    std::uint64_t count = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), count);
    const bool whole = end == digits.data() + digits.size();
    const bool too_large = error == std::errc::result_out_of_range || count > at_most;
    if (whole && too_large) {
        throw BadInput(fmt::format("{}: {} is more than {}", what, in_quotes(bare), at_most));
    }
    if (!whole || error != std::errc() || count < at_least) {
        throw BadInput(fmt::format("{}: {} is not a whole number of at least {}", what,
                                   in_quotes(bare), at_least));
    }
    return count;
}

} // namespace attn::program
