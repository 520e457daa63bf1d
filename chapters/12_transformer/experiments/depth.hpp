/// \file
/// \brief What residual connections and normalisation do to a deep encoder before it has learnt
/// anything: how large rows are, how far apart, and how large gradients are from layer to
/// layer.
#pragma once

#include "chapters/12_transformer/layers.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::transformer {

/// An encoder that is looked into.
struct DepthKind
{
    std::string name;       ///< as programs print it
    std::string short_name; ///< for columns
    LayerOptions layer;     ///< of each layer
    bool last_norm;         ///< whether a norm stands between the last layer and the loss
};

/// Pre-norm, post-norm, no norm, and pre-norm without residual connections, where the loss
/// always sees normalised rows; then pre-norm and no norm where it sees the rows as they are.
const std::vector<DepthKind>& depth_kinds();

/// What was found in each layer.
struct DepthNorms
{
    std::vector<double> rows;  ///< [n_layers], root mean square of the numbers behind a layer
    std::vector<double> apart; ///< [n_layers], the same of rows less their sentence's mean
                               ///< row, as a share of it
    std::vector<double> gradients; ///< [n_layers], length of the gradient of all its parameters
};

/// Sends random rows through an untrained stack of the encoder's layers, in double, and a loss
/// back: the mean square distance from random rows.
/// \param n_layers  at least 1
DepthNorms norms_by_depth(const DepthKind& kind, std::size_t n_layers, std::uint64_t seed);

} // namespace attn::transformer
