/// \file
/// \brief Label smoothing: what a model is asked to say instead of a certainty, and how far
/// down its loss can go.
#pragma once

#include "common/tensor/tensor.hpp"

#include <cstddef>

namespace attn::transformer {

/// What a word's probabilities should be: \f$ q = (1 - \varepsilon) \, \mathrm{onehot}(y) +
/// \varepsilon / V \f$ (\cite szegedy2016, section 7).
/// \param n_words  V, at least 1
/// \param right    y, below V
/// \param epsilon  from 0 to 1
/// \returns        q [V], summing to 1
/// \throws ContractError if a number is not as stated
Vector smoothed_targets(std::size_t n_words, std::size_t right, double epsilon);

/// The loss of whoever says exactly q: its entropy, \f$ -\sum_w q_w \ln q_w \f$. No loss is
/// below it.
/// \param n_words  V, at least 1
/// \param epsilon  from 0 to 1
/// \returns        in nats; 0 for epsilon = 0
/// \throws ContractError if a number is not as stated
double smoothing_floor(std::size_t n_words, double epsilon);

/// The smoothed loss of whoever gives the right word a probability p, and every other word the
/// same share of the rest.
/// \param n_words  V, at least 2
/// \param epsilon  from 0 to 1
/// \param p        above 0, below 1
/// \returns        in nats
/// \throws ContractError if a number is not as stated
double smoothed_loss(std::size_t n_words, double epsilon, double p);

} // namespace attn::transformer
