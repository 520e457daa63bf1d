/// \file
/// \brief The entity network with a part changed: no normalisation, free keys, another phi,
/// smaller first embeddings.
#pragma once

#include "chapters/10_entity_network/experiments/answers.hpp"
#include "chapters/10_entity_network/training.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <vector>

namespace attn::entity_network {

/// What is changed, by the rows of the files that are saved.
enum class AblationRow : std::size_t
{
    none,               ///< nothing
    unnormalised,       ///< no equation 5
    prelu,              ///< the paper's phi
    unnormalised_prelu, ///< and no equation 5
    wide_prelu,         ///< and twice as many numbers a slot
    eight_free,         ///< eight slots with keys of their own
    four_free,          ///< four
    two_free,           ///< two
    small               ///< first embeddings of a fifth of the size
};

/// Prints and saves the sections on what is changed.
/// \param unchanged  networks of which nothing is, one a seed
void show_ablations(program::Frame& frame, const TrainedNetworks& unchanged);

/// How long the slots are at the end of stories, on average.
double mean_length(const EntityNetwork<float>& network, const std::vector<Story>& stories);

} // namespace attn::entity_network
