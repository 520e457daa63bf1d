/// \file
/// \brief Solutions of the exercises of chapter 12 that are functions.
#pragma once

#include "common/tensor/tensor.hpp"

#include <cstddef>

/// Solutions of the exercises of chapter 12.
namespace attn::transformer::solutions {

/// Exercise 12.1: how many numbers a layer of the encoder learns,
/// \f$ 4 (d^2 + d) + 2 d\, d_{ff} + d_{ff} + d + 4 d \f$, and the third attention and norm of a
/// layer of the decoder.
std::size_t numbers_in_layer(std::size_t d, std::size_t d_ff, bool of_decoder);

/// Exercise 12.2: from which word on the attentions of a cached step cost more than the rest of
/// the layer: the smallest n with \f$ 2 (n + m) d > 6 d^2 + 2 d\, d_{ff} \f$.
/// \param d         numbers in a row, at least 1
/// \returns         n, at least 1
/// \throws ContractError if d is 0
std::size_t where_attention_costs_more(std::size_t d, std::size_t d_ff, std::size_t n_source);

/// Exercise 12.3: what remains of the first rows after so many sublayers that each add an
/// independent row of variance v: in post-norm each norm shrinks what came before it, so that
/// the share of the variance is \f$ (1 + v)^{-k} \f$; in pre-norm it is \f$ 1 / (1 + k v) \f$.
/// \param variance     v, at least 0
/// \throws ContractError if the variance is below 0
double share_of_first_rows(std::size_t n_sublayers, double variance, bool post_norm);

} // namespace attn::transformer::solutions
