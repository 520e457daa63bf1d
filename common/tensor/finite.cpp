#include "common/tensor/finite.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

template <typename T>
std::size_t first_not_finite(std::span<const T> numbers)
{
    bool all = true;
    for (const T x : numbers) { // no early end: vectors of them
        all &= std::abs(x) <= std::numeric_limits<T>::max();
    }
    const auto found = all ? numbers.end()
                           : std::find_if_not(numbers.begin(), numbers.end(),
                                              [](T x) { return std::isfinite(x); });
    return static_cast<std::size_t>(found - numbers.begin());
}

template <typename T>
void expect_finite_scores(std::span<const T> scores, std::size_t n)
{
    const std::size_t i = first_not_finite(scores);
    if (i < scores.size()) {
        throw ContractError(
            fmt::format("the model's weights are too large to compute with: the "
                        "score of word or token {} is {}",
                        i % n, scores[i]));
    }
}

/// \cond
template std::size_t first_not_finite(std::span<const float>);
template std::size_t first_not_finite(std::span<const double>);
template void expect_finite_scores(std::span<const float>, std::size_t);
template void expect_finite_scores(std::span<const double>, std::size_t);
/// \endcond

} // namespace attn
