/// \file
/// \brief How often networks answer: the entity network beside a GRU, a memory of sentences,
/// and the place that was mentioned last; on the three tasks, and with few stories.
#pragma once

#include "chapters/10_entity_network/training.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <vector>

namespace attn::entity_network {

/// Prints a story of each task in English, with its question and answer.
void show_world(program::Frame& frame);

/// Trained entity networks, one a seed.
struct TrainedNetworks
{
    std::vector<EntityNetwork<float>> moves;   ///< on task 1
    std::vector<EntityNetwork<float>> carried; ///< on task 2
};

/// How far the GRU is trained where nothing else is asked for.
inline constexpr std::size_t usual_gru_steps = 2000;

/// Prints and saves the sections on tasks 1 and 2.
/// \param gru_steps  batches of the GRU's training; if quick, all have 20
/// \returns          the entity networks
TrainedNetworks show_answers(program::Frame& frame, std::size_t gru_steps);

/// Prints and saves the sections on dropped objects and on few stories.
void show_more_answers(program::Frame& frame);

} // namespace attn::entity_network
