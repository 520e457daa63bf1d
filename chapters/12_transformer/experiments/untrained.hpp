/// \file
/// \brief What can be said of a transformer that has learnt nothing: where its parameters sit,
/// what residual connections and normalisation do to a deep encoder, how low its smoothed loss
/// can get, and what one layer makes of the pencil example.
#pragma once

#include "chapters/12_transformer/layers.hpp"
#include "common/program/run.hpp"
#include "common/translation/task.hpp"

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

/// Prints where the parameters sit, matrix by matrix.
void show_parameters(program::Frame& frame, const translation::TranslationTask& task);

void show_depth(program::Frame& frame); ///< rows and gradients of deep untrained encoders

/// Prints the smoothed loss of several certainties, and its floor.
void show_smoothing(program::Frame& frame, const translation::TranslationTask& task);

void show_pencil_steps(program::Frame& frame); ///< every intermediate of the pencil example

} // namespace attn::transformer
