/// \file
/// \brief What is exactly so, whatever has been learnt: the shapes inside a layer, order,
/// shifts, heads that change places, two forms of one sum; and the pencil example.
#pragma once

#include "chapters/11_multi_head/multi_head.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <vector>

namespace attn::multi_head {

/// The heads of a layer in another order: columns of W_q, W_k and W_v with their biases.
/// \param order        [H], head h of the result is head order[h]
/// \param with_output  whether the rows of W_o go with them
/// \returns            another layer, with parameters of its own
/// \throws ContractError if the order does not name each head once
MultiHeadAttention<double> heads_in_order(const MultiHeadAttention<double>& layer,
                                          const std::vector<std::size_t>& order,
                                          bool with_output);

void show_shapes(program::Frame& frame); ///< every shape inside a layer

/// Order, shifts, heads that change places, two forms: how far from exact each comes out in
/// double.
void show_exact_properties(program::Frame& frame);

void show_distances(program::Frame& frame);    ///< dot products of sinusoids by their distance
void show_pencil_steps(program::Frame& frame); ///< every intermediate of the pencil example

} // namespace attn::multi_head
