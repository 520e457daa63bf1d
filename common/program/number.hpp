/// \file
/// \brief Numbers as text, so that the same digits come out on every machine, and text as
/// numbers, whatever the locale.
///
/// The last bit of a result differs between processors and compilers. Printing few digits
/// hides that, except for a value on the edge between two roundings: 0.125 becomes "0.13",
/// one bit less "0.12". So a value is first moved away from zero by a part in 10^12 (and by
/// no more than a thousandth of the last digit shown), which decides such ties alike
/// everywhere and is far too little to be seen elsewhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::program {

/// A number with a fixed count of decimals.
/// \param decimals  0 to 17
/// \returns         "0.13" for (0.125, 2); "nan", "inf", "-inf"; zero never has a sign
/// \throws ContractError if decimals is out of range
std::string fixed(double x, int decimals);

/// A number with a count of significant digits, like printf's %g: no trailing zeros, an
/// exponent below 1e-4 and from 10^digits on.
/// \param digits  1 to 17
/// \returns       "0.0123" for (0.01234, 3); "nan", "inf", "-inf"; zero never has a sign
/// \throws ContractError if digits is out of range
std::string significant(double x, int digits);

/// A number with as many digits as it takes to read the same one back.
/// \param digits  has no effect
/// \returns       "0.1", "8299999.296", "1e+300"; "nan", "inf", "-inf"; zero never has a sign
std::string shortest(double x, int digits = 0);

/// How many significant digits tell the numbers of a column apart, however far from zero they are.
/// \param lowest, highest  of the column
/// \param digits  of what the numbers differ by
/// \returns       digits if they differ by as much as a tenth of the largest, else more, at most 17;
///                15 if they are equal
int digits_apart(double lowest, double highest, int digits);

/// The same for numbers at hand.
/// \param numbers  at least one
template <typename Range>
int digits_apart(const Range& numbers, int digits)
{
    const auto [lowest, highest] = std::minmax_element(numbers.begin(), numbers.end());
    return digits_apart(*lowest, *highest, digits);
}

/// How a number becomes text: `fixed`, `significant` or `shortest`, with their digits.
using NumberFormat = std::string (*)(double x, int digits);

/// Each of several numbers as text.
template <typename Range>
std::vector<std::string> texts_of(const Range& numbers, NumberFormat format, int digits)
{
    std::vector<std::string> texts;
    for (const auto& number : numbers) {
        texts.push_back(format(static_cast<double>(number), digits));
    }
    return texts;
}

/// Whether a text has the form of a number, be it finite or not.
/// \param text  without blanks around it
/// \returns     true for "1", "+.5", "-3e7", "nan", "inf" and "1e999"
bool looks_like_number(std::string_view text);

/// Reads a finite number: the whole text, with a point whatever the locale.
/// \param text  blanks around it and a leading plus are accepted
std::optional<double> finite_number(std::string_view text);

/// Reads a finite number, or says why it cannot.
/// \param what  where the text stands, for the message: "--bandwidth"
/// \throws BadInput "--bandwidth: 'abc' is not a number"
double parse_number(std::string_view text, std::string_view what);

/// Reads finite numbers with commas between them, or says why it cannot.
/// \param text  "1.5,2,3e-1", at least one
/// \throws BadInput "--query: a number is missing"
std::vector<double> parse_numbers(std::string_view text, std::string_view what);

/// Reads a whole number, or says why it cannot.
/// \throws BadInput "--seed: '-1' is not a whole number of at least 0"
std::uint64_t parse_count(std::string_view text, std::string_view what, std::uint64_t at_least,
                          std::uint64_t at_most = std::numeric_limits<std::uint64_t>::max());

} // namespace attn::program
