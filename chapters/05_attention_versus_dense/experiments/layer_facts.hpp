/// \file
/// \brief What can be said of each layer before anything is trained: which index its weights
/// carry, how many there are, whether they see the input, whether order and length matter. All
/// but the first is measured in double on random sequences, not written down.
#pragma once

#include "chapters/05_attention_versus_dense/layers.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace attn::attention_versus_dense {

/// A layer, followed by a mean over time where it keeps the steps apart.
struct ComparedLayer
{
    std::string name;      ///< as in the table
    std::string weight;    ///< what multiplies x_tk of example n in the result
    std::size_t n_numbers; ///< parameters
    /// From sequences [batch, n_steps, n_features] to one row an example.
    std::function<Variable<double>(const Variable<double>& X)> apply;
};

/// The layers of the question and those beside them, with one unit each and random parameters.
/// \returns poolings, three dense layers, attention, Raffel and Ellis' network
std::vector<ComparedLayer> compared_layers(std::uint64_t seed, std::size_t n_steps,
                                           std::size_t n_features);

/// What was measured of a layer.
struct LayerFacts
{
    bool sees_input;     ///< whether its weights do: it is not linear
    double order_change; ///< largest change of a result when the steps are put in another order
    bool any_length;     ///< whether it can be asked about one step more
};

/// Measures them on random sequences.
LayerFacts facts_of(const ComparedLayer& layer, std::uint64_t seed, std::size_t n_steps,
                    std::size_t n_features);

/// The same steps in another order.
/// \param X      [batch, n_steps, n_features]
/// \param order  [n_steps], step t of the result is step order[t] of X
/// \returns      of X's shape
/// \throws ContractError if the order does not have one entry a step
Array<double> in_order(const Array<double>& X, const std::vector<std::size_t>& order);

} // namespace attn::attention_versus_dense
