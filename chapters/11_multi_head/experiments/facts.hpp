/// \file
/// \brief What is exactly so, whatever has been learnt: order, shifts, heads that change places,
/// two forms of one sum. Each function says how far from exact it comes out in double.
#pragma once

#include "chapters/11_multi_head/multi_head.hpp"
#include "chapters/11_multi_head/positions.hpp"

#include <cstddef>
#include <cstdint>

namespace attn::multi_head {

/// The largest difference of self-attention of tokens in another order to its results in that
/// order; 0 but for rounding without positions.
double difference_of_orders(Positions positions, std::uint64_t seed);

/// The largest difference of the sinusoids of positions 0 to 99, rotated, to those of the positions
/// that are so many on.
double difference_of_shifts(std::size_t d, std::size_t shift);

/// How nearly the fastest pairs of a rotated key so many positions back stand as those of the key
/// one position back do, seen from the query: the mean of \f$ \cos \omega_j (D - 1) \f$.
/// \param d         numbers in a query and a key, even
/// \param n_pairs   how many of the fastest pairs, 1 to d / 2
/// \param distance  D, positions back, at least 1
/// \returns         1 for D = 1, less for others
/// \throws ContractError if a number is not as stated
double likeness_to_the_one_before(std::size_t d, std::size_t n_pairs, std::size_t distance);

/// The largest difference of a layer to one whose heads have changed places, with the rows of W_o
/// or not.
double difference_of_heads(bool with_output, std::uint64_t seed);

/// The largest difference of linear attention for all n queries at once to step by step with a
/// state.
double difference_of_forms(std::size_t n, std::size_t d, std::uint64_t seed);

/// The heads of a layer in another order: columns of W_q, W_k and W_v with their biases.
/// \param order        [H], head h of the result is head order[h]
/// \param with_output  whether the rows of W_o go with them
/// \returns            another layer, with parameters of its own
/// \throws ContractError if the order does not name each head once
MultiHeadAttention<double> heads_in_order(const MultiHeadAttention<double>& layer,
                                          const std::vector<std::size_t>& order,
                                          bool with_output);

} // namespace attn::multi_head
