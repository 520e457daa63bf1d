/// \file
/// \brief The entity network with a part changed: no normalisation, free keys, another phi,
/// smaller first embeddings.
#pragma once

#include "chapters/10_entity_network/training.hpp"
#include "common/program/run.hpp"

namespace attn::entity_network {

/// Prints and saves the section on what is changed.
void show_ablations(program::Frame& frame);

/// How long the slots are at the end of stories, on average.
double mean_length(const EntityNetwork<float>& network, const std::vector<Story>& stories);

} // namespace attn::entity_network
