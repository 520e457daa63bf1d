/// \file
/// \brief What keeps a beam search from preferring short sentences: every further word makes a
/// sentence less probable, so its log-probability is divided by something that grows with its
/// length.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace attn::text {

/// What log-probabilities are divided by before sentences of different lengths are compared.
struct LengthPenalty
{
    std::string name; ///< as programs, figures and tests print it

    /// The divisor for a length, from 1: how many log-probabilities were summed, the one of the
    /// end symbol among them. Above zero.
    std::function<double(std::size_t length)> divisor;
};

/// Sentences are compared as they are.
/// \returns  "none": 1 for every length
LengthPenalty no_length_penalty();

/// The penalty of Google's translator (Wu et al. 2016, equation 14: \cite wu2016). The
/// transformer translates with alpha = 0.6 (\cite vaswani2017, section 6.1).
/// \param alpha  at least 0, finite; 0 is no penalty
/// \returns      "gnmt": ((5 + length) / 6)^alpha
/// \throws ContractError if alpha is negative or not finite
LengthPenalty gnmt_length_penalty(double alpha);

} // namespace attn::text
