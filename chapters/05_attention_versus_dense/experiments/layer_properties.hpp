/// \file
/// \brief What can be said of each layer before anything is trained? Which index its weights
/// carry, how many there are, whether they vary with the input, whether order and length matter: all
/// but the first is measured in double on random sequences, not written down. And what a tanh
/// leaves.
#pragma once

#include "chapters/05_attention_versus_dense/layers.hpp"
#include "common/program/run.hpp"

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
    bool on_page = true; ///< whether the table has a row for it; tests take all
};

/// The layers of the question and those beside them, with one unit each and random parameters.
/// \returns poolings, three dense layers, attention, Raffel and Ellis' network
std::vector<ComparedLayer> compared_layers(std::uint64_t seed, std::size_t n_steps,
                                           std::size_t n_features);

/// What was measured of a layer.
struct LayerProperties
{
    bool weight_varies;  ///< with the input: the layer is not linear
    double order_change; ///< largest change of a result when the steps are put in another order
    bool any_length;     ///< whether it takes one step more
};

/// Measures them on random sequences.
LayerProperties properties_of(const ComparedLayer& layer, std::uint64_t seed,
                              std::size_t n_steps, std::size_t n_features);

/// Prints which index each layer's weights carry, how many there are and what they depend on.
void show_layer_properties(program::Frame& frame);

/// Prints and writes how much weight a capped score can give, and what that costs.
void show_ceilings(program::Frame& frame);

/// Prints the pencil example through the layer of the question, every intermediate by its name
/// and shape.
void show_pencil_steps(program::Frame& frame);

} // namespace attn::attention_versus_dense
