/// \file
/// \brief Solutions of exercises 1.2 and 1.3.
#pragma once

#include "chapters/01_lookup/lookup.hpp"

/// Solutions of the exercises of chapter 1.
namespace attn::lookup::solutions {

/// Exercise 1.2: linear interpolation as attention. A query between two neighbouring keys
/// puts its weight on these two, the nearer one more; outside the keys' range it takes the
/// nearest. The weights need the keys themselves and not only the scores, because they
/// depend on which key is the neighbour on which side.
/// \param queries  [n_queries, 1]
/// \param keys     [n_keys, 1], n_keys >= 1, rising strictly
/// \returns        [n_queries, n_keys]; rows sum to 1, at most two weights are above 0
/// \throws ContractError if keys or queries are not one column of finite numbers, there is no
///         key, or the keys do not rise
Matrix interpolation_weights(const Matrix& queries, const Matrix& keys);

/// Exercise 1.3: how fast the context moves as the temperature rises. With
/// \f$ \bar s = \sum_j \alpha_j s_j \f$,
/// \f[ \frac{\partial c}{\partial \tau}
///     = -\frac{1}{\tau^2} \sum_j \alpha_j (s_j - \bar s) v_j , \f]
/// the covariance of values and scores under the weights, over minus the squared temperature.
/// \param scores       [n_queries, n_keys], finite
/// \param values       [n_keys, d_v]
/// \param temperature  positive
/// \returns            [n_queries, d_v]
/// \throws ContractError if a score is not finite, and as softmax and weighted_sum do
Matrix context_change_with_temperature(const Matrix& scores, const Matrix& values,
                                       double temperature);

} // namespace attn::lookup::solutions
