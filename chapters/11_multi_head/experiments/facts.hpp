/// \file
/// \brief What is exactly so, whatever has been learnt: order, shifts, heads that change
/// places, two forms of one sum. Deliberately in double and without training; each function
/// says how far from exact it came out.
#pragma once

#include "chapters/11_multi_head/multi_head.hpp"
#include "chapters/11_multi_head/positions.hpp"

#include <cstddef>
#include <cstdint>

namespace attn::multi_head {

/// Self-attention of tokens in another order, against its results in that order.
/// \param positions  how places enter
/// \param seed       of a layer and of tokens
/// \returns          the largest difference; 0 but for rounding without positions
double difference_of_orders(Positions positions, std::uint64_t seed);

/// The sinusoids of places 0 to 99, turned, against those of the places that are so many on.
/// \param d      numbers in a row, even
/// \param shift  how many places
/// \returns      the largest difference
double difference_of_shifts(std::size_t d, std::size_t shift);

/// How nearly the fastest pairs of a turned key so many places back stand as those of the key
/// one place back do, seen from the query: the mean of \f$ \cos \omega_j (D - 1) \f$.
/// \param d         numbers in a query and a key, even
/// \param n_pairs   how many of the fastest pairs, 1 to d / 2
/// \param distance  D, places back, at least 1
/// \returns         1 for D = 1, less for others
/// \throws ContractError if a number is not as stated
double likeness_to_the_one_before(std::size_t d, std::size_t n_pairs, std::size_t distance);

/// A layer against one whose heads have changed places, the rows of W_o with them or not.
/// \param with_output  whether the rows of W_o change places too
/// \param seed         of the layer and of tokens
/// \returns            the largest difference
double difference_of_heads(bool with_output, std::uint64_t seed);

/// Linear attention for all queries at once, against step by step with a state.
/// \param n     places
/// \param d     numbers in a query, a key and a value
/// \param seed  of these
/// \returns     the largest difference
double difference_of_forms(std::size_t n, std::size_t d, std::uint64_t seed);

/// The heads of a layer in another order: columns of W_q, W_k and W_v with their biases.
/// \param layer        any
/// \param order        [H], head h of the result is head order[h]
/// \param with_output  whether the rows of W_o go with them
/// \returns            another layer, with parameters of its own
/// \throws ContractError if the order does not name each head once
MultiHeadAttention<double> heads_in_order(const MultiHeadAttention<double>& layer,
                                          const std::vector<std::size_t>& order,
                                          bool with_output);

} // namespace attn::multi_head
