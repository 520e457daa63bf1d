/// \file
/// \brief Dropout while training. Deliberately no switch for training and prediction: whoever
/// predicts does not call it, or passes a probability of 0.
#pragma once

#include "common/autograd/tape.hpp"
#include "common/random/random.hpp"

namespace attn::autograd {

/// Each entry becomes 0 with a probability p, and is divided by 1 - p otherwise, so that its
/// mean stays what it is (\cite srivastava2014, in the form that leaves prediction alone). An
/// entry that is dropped is exactly 0, and so is its gradient, even where it was not a number.
///
/// Of the generator's 64 random bits the lower 32 decide on one entry and the upper 32 on the
/// next, row by row: it is dropped if they are, as an integer, below \f$ 2^{32} p \f$, so that p
/// is kept to \f$ 2^{-33} \f$. A shape of n entries takes ceil(n / 2) draws, always the same
/// entries from the same state.
/// \param x            of any shape
/// \param probability  p, at least 0 and below 1; for 0 nothing is drawn, and x is returned
/// \param generator    drawn from
/// \returns            of x's shape
/// \throws ContractError if the probability is not at least 0 and below 1
template <typename T>
Variable<T> dropout(const Variable<T>& x, double probability, random::Generator& generator);

} // namespace attn::autograd
