/// \file
/// \brief What came of several seeds: the lowest, the middle and the highest number; and what came of
/// several draws: their mean and its standard error.
#pragma once

#include "common/program/number.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace attn::program {

/// What some seeds gave, the lowest first.
class Spread
{
public:
    /// \param numbers  one a seed, at least one, in any order
    explicit Spread(std::vector<double> numbers) : sorted_(std::move(numbers))
    {
        expect(!sorted_.empty(), "Spread: there must be at least one number");
        std::sort(sorted_.begin(), sorted_.end());
    }

    /// \returns the lowest
    double lowest() const { return sorted_.front(); }
    /// \returns the middle one
    double median() const { return sorted_[sorted_.size() / 2]; }
    /// \returns the highest
    double highest() const { return sorted_.back(); }

    /// Lowest, median and highest.
    /// \returns "0.93/1.00/1.09"
    std::string text(int digits, NumberFormat format = fixed) const
    {
        return format(lowest(), digits) + "/" + format(median(), digits) + "/" +
               format(highest(), digits);
    }

private:
    std::vector<double> sorted_;
};

/// One number of each of some things.
template <typename Range, typename Number>
Spread spread(const Range& range, Number number)
{
    std::vector<double> numbers;
    for (const auto& one : range) {
        numbers.push_back(static_cast<double>(number(one)));
    }
    return Spread(std::move(numbers));
}

/// A mean with what is known of it.
struct MeanWithError
{
    double mean = 0;           ///< of some numbers
    double standard_error = 0; ///< their standard deviation, divisor n - 1, over the root of n
};

/// How far the mean of some independent numbers is likely to be from that of all there could be.
/// \param numbers  [n]
/// \throws ContractError if there are fewer than two
inline MeanWithError mean_with_error(const std::vector<double>& numbers)
{
    expect(numbers.size() > 1, "mean_with_error: there must be two numbers, got {}",
           numbers.size());
    const auto n = static_cast<double>(numbers.size());
    const double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / n;
    double squares = 0;
    for (const double x : numbers) {
        squares += (x - mean) * (x - mean);
    }
    return {mean, std::sqrt(squares / (n - 1) / n)};
}

} // namespace attn::program
