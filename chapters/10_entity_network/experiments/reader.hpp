/// \file
/// \brief A reader's story: what the network answers, and what follows by the rules.
#pragma once

#include "common/program/run.hpp"

#include <cstddef>
#include <string>

namespace attn::entity_network {

/// Trains a network on stories with everything that the world has, and lets it answer a reader's.
/// \param file     a text, or - for standard input
/// \param n_steps  of the training
/// \throws program::BadInput if the file cannot be read or is no such story
void show_readers_story(program::Frame& frame, const std::string& file, std::size_t n_steps);

} // namespace attn::entity_network
