/// \file
/// \brief Attempts at chapter 12's smoothed targets. The first is right; each other makes one
/// mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <cstddef>

namespace attn::transformer::your_turn::smoothed_targets_attempts {

/// A probability for the right word, another one for each wrong word.
inline Vector two(std::size_t n, std::size_t right_word, double of_right, double of_wrong)
{
    Vector q = Vector::from_shape({n});
    q.fill(of_wrong);
    q(right_word) = of_right;
    return q;
}

inline Vector right(std::size_t n_words, std::size_t right_word, double epsilon)
{
    const double share = epsilon / static_cast<double>(n_words);
    return two(n_words, right_word, 1 - epsilon + share, share);
}

/// The right word has no part of epsilon.
inline Vector wrong_alone(std::size_t n_words, std::size_t right_word, double epsilon)
{
    return two(n_words, right_word, 1 - epsilon, epsilon / static_cast<double>(n_words - 1));
}

inline Vector too_little(std::size_t n_words, std::size_t right_word, double epsilon)
{
    return two(n_words, right_word, 1 - epsilon, epsilon / static_cast<double>(n_words));
}

inline const testing::Attempts<Vector(std::size_t, std::size_t, double)>
    all("smoothed_targets", {{"right", right, ""},
                             {"wrong_alone", wrong_alone, "the right one included"},
                             {"too_little", too_little, "they must sum to 1"}});

} // namespace attn::transformer::your_turn::smoothed_targets_attempts
