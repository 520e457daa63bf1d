/// \file
/// \brief Numbers that are none: infinite ones and nan. A softmax makes weights of them without a
/// complaint, so they are looked for where numbers come in and where scores are asked.
#pragma once

#include <cstddef>
#include <span>

namespace attn {

/// Where the first number stands that is infinite or nan.
/// \returns  its index; how many there are if all are finite
template <typename T>
std::size_t first_not_finite(std::span<const T> numbers);

/// Demands scores that a softmax can make probabilities of. Finite weights can have others: their
/// products may be too large.
/// \param scores  of words or tokens, [..., n]
/// \param n       how many words or tokens there are
/// \throws ContractError naming the first word or token whose score is infinite or nan
template <typename T>
void expect_finite_scores(std::span<const T> scores, std::size_t n);

} // namespace attn
