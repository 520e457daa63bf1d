/// \file
/// \brief Which gates open at which sentence, and which slot is read: over many stories, and one
/// story sentence by sentence.
#pragma once

#include "chapters/10_entity_network/training.hpp"
#include "common/program/run.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <string>
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

/// How far each slot opens, on average, at the sentences about each person.
/// \param stories  of one length
/// \returns        [n_slots, n_persons]
Matrix gates_by_person(const EntityNetwork<float>& network, const std::vector<Story>& stories);

/// Gates for sentences that no story has, at the end of a story.
struct StrangeSentence
{
    std::string text;           ///< as English
    std::vector<double> gates;  ///< [n_slots]
    std::vector<double> shares; ///< softmax of the same sums of products [n_slots]
};

/// A sentence about two persons, which has both names in the place of one, and a sentence about
/// nobody, which has no name.
std::vector<StrangeSentence> strange_sentences(const EntityNetwork<float>& network,
                                               const Story& story);

/// Prints a story with its gates, its read weights and its answer.
void print_story_with_gates(program::Terminal& terminal, const EntityNetwork<float>& network,
                            const Story& story);

/// Prints and saves the sections on gates.
/// \param networks  one a seed, trained on task 2
void show_gates(program::Frame& frame, const std::vector<EntityNetwork<float>>& networks);

} // namespace attn::entity_network
