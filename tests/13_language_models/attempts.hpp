/// \file
/// \brief Attempts at chapter 13's functions: right, but for the mistake that a run makes.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace attn::language_models::your_turn {

using testing::Mistake;

/// The token with which the sum reaches p is left away.
inline const Mistake one_too_few("top_p: one_too_few", "the sum reaches p stays");
inline const Mistake not_divided("top_p: not_divided", "divide by its sum");

inline Vector top_p(const Vector& probabilities, double p)
{
    std::vector<std::size_t> order(probabilities.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return probabilities(a) > probabilities(b);
    });
    Vector kept = Vector::from_shape({order.size()});
    kept.fill(0);
    double sum = 0;
    for (const std::size_t token : order) {
        if (one_too_few && sum > 0 && sum + probabilities(token) > p) {
            break;
        }
        kept(token) = probabilities(token);
        sum += probabilities(token);
        if (sum >= p) {
            break;
        }
    }
    return not_divided ? kept : Vector(kept / sum);
}

/// The copy instead of what followed it.
inline const Mistake copy_itself("induction_keys: copy_itself",
                                 "It is the follower that is attended to");
inline const Mistake later_too("induction_keys: later_too", "the mask is causal");

inline std::vector<std::size_t> induction_keys(const std::vector<std::int64_t>& tokens,
                                               std::size_t q)
{
    std::vector<std::size_t> places;
    const std::size_t last = later_too ? tokens.size() - 1 : q;
    for (std::size_t k = 1; k <= last; ++k) {
        if (tokens[k - 1] == tokens[q]) {
            places.push_back(copy_itself ? k - 1 : k);
        }
    }
    return places;
}

} // namespace attn::language_models::your_turn
