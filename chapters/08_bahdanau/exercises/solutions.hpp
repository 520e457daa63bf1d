/// \file
/// \brief Solutions of the exercises of chapter 8 that are functions.
#pragma once

#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <vector>

/// Solutions of the exercises of chapter 8.
namespace attn::bahdanau::solutions {

/// Exercise 8.1: how many times as many multiplications the scores \f$ q \cdot W k \f$ of a
/// sentence take if \f$ W k \f$ is computed at every step,
/// \f$ m (n d^2 + n d) / (n d^2 + m n d) \f$.
/// \param d         numbers in a state
/// \param n_target  m, steps
/// \returns         \f$ m (d + 1) / (d + m) \f$: the length of the source cancels
/// \throws ContractError if a number is 0
double cost_of_forgetting(std::size_t d, std::size_t n_target);

/// Exercise 8.2: the weights of a decoder that sees places only, as attention by dot products:
/// the query is \f$ u = W [y; s] + b \f$, key \f$ j \f$ is the row \f$ j \f$ of an identity.
/// \param u         [n_positions]
/// \param n_source  words of the sentence, at least 1, at most n_positions
/// \returns         [n_source], summing to 1
/// \throws ContractError if there are no words, or more than positions
Vector weights_by_one_hot_keys(const Vector& u, std::size_t n_source);

/// Exercise 8.3: links by hand. The alignment error rate of weights, each step's largest one taken
/// as a link, against sure links alone.
/// \param weights  [n_target, n_source]
/// \param sure     [n_target], the one source word of each target word
/// \returns        1 - (share of steps whose largest weight is at the sure word)
/// \throws ContractError if there is not one sure word a step, or it is no source word
double error_of_largest(const Matrix& weights, const std::vector<std::size_t>& sure);

} // namespace attn::bahdanau::solutions
