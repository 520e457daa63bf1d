/// \file
/// \brief Which gates open at which sentence, and which slot is read: over many stories, and one
/// story sentence by sentence.
#pragma once

#include "chapters/10_entity_network/training.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <vector>

namespace attn::entity_network {

/// What the gates and the read do over stories of task 2, with slots that belong to persons.
struct GateStatistics
{
    double on = 0;          ///< mean gate of the slot whose person the sentence is about
    double off = 0;         ///< of the other slots
    double key_on = 0;      ///< mean of s . w for the former
    double key_off = 0;     ///< for the latter
    double content_on = 0;  ///< mean of s . h for the former
    double content_off = 0; ///< for the latter
    double holder = 0;      ///< share of questions whose largest read weight is the holder's
    double weight = 0;      ///< mean read weight of the holder
};

/// \param stories  of task 2, of one length
GateStatistics gate_statistics(const EntityNetwork<float>& network,
                               const std::vector<Story>& stories);

/// Prints a story with its gates, its read weights and its answer.
void print_story_with_gates(program::Terminal& terminal, const EntityNetwork<float>& network,
                            const Story& story);

/// Prints and saves the sections on gates.
/// \param networks  one a seed, trained on task 2
void show_gates(program::Frame& frame, const std::vector<EntityNetwork<float>>& networks);

} // namespace attn::entity_network
