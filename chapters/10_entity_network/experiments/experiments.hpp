/// \file
/// \brief The experiments of chapter 10, in the order of its page: how often a memory that is written
/// through gates answers, beside other networks, which gates open, and what its parts are for.
#pragma once

#include "chapters/10_entity_network/training.hpp"
#include "common/nn/layers.hpp"
#include "common/nn/recurrent_layers.hpp"
#include "common/program/run.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace attn::entity_network {

// ---------------- the world

/// Prints a story of each task in English, with its question and answer.
void show_world(program::Frame& frame);

// ---------------- does it answer? Beside a GRU and a memory of sentences

/// A GRU along all words of the story. Its last state and the question's embedding go through two
/// dense layers.
class GruReader
{
public:
    /// Starts as PyTorch does.
    explicit GruReader(random::Generator& generator);

    Variable<float> logits(const StoryBatch& batch) const; ///< [n_stories, n_places]
    Variable<float> loss(const StoryBatch& batch) const;   ///< the mean of -ln p, of rank 0
    nn::Parameters<float> parameters() const;              ///< all that is learnt

private:
    nn::Embedding<float> E_;
    nn::Gru<float> gru_;
    nn::Mlp<float> answer_;
};

/// A memory network (\cite sukhbaatar2015). Each sentence has a vector to be found by and one to be
/// read, \f$ p_t = \softmax_t(q \cdot m_t + b_t) \f$, \f$ u = \sum_t p_t c_t \f$. The last search's
/// \f$ u + q \f$ gives the answer; a search before it asks the next one \f$ u + H q \f$.
class SentenceMemory
{
public:
    /// Starts as the entity network does.
    /// \param n_sentences  positions with a learnt bias \f$ b_t \f$ in each search; none: there is no
    ///                     bias, and stories may have any length
    /// \param n_hops       searches, at least one
    SentenceMemory(std::optional<std::size_t> n_sentences, std::size_t n_hops,
                   random::Generator& generator);

    Variable<float> logits(const StoryBatch& batch) const; ///< [n_stories, n_places]
    Variable<float> loss(const StoryBatch& batch) const;   ///< the mean of -ln p, of rank 0
    nn::Parameters<float> parameters() const;              ///< all that is learnt

private:
    Variable<float> E_m_, E_c_;           // embeddings to be found by, and to be read
    Variable<float> f_;                   // position masks of words
    std::vector<Variable<float>> places_; // b of each search [1, 1, n_sentences], or none
    std::optional<Variable<float>> H_;    // [d, d], of two searches or more
    std::size_t n_hops_;
    nn::Linear<float> answer_;
};

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

// ---------------- which gates open, and which slot is read

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
    std::string persons;        ///< whom it is about: "one", "two" or "nobody"
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

// ---------------- with a part changed

/// How long the slots are at the end of stories, on average.
double mean_length(const EntityNetwork<float>& network, const std::vector<Story>& stories);

/// Prints and saves the sections on what is changed.
/// \param unchanged  networks of which nothing is, one a seed
void show_ablations(program::Frame& frame, const TrainedNetworks& unchanged);

// ---------------- objects that are dropped, and few stories

/// Prints and saves the sections on dropped objects and on few stories.
void show_more_answers(program::Frame& frame);

// ---------------- a reader's story

/// Trains a network on stories with everything that the world has, and lets it answer a reader's.
/// \param file     a text, or - for standard input
/// \param n_steps  of the training
/// \throws program::BadInput if the file cannot be read or is no such story
void show_readers_story(program::Frame& frame, const std::string& file, std::size_t n_steps);

// ---------------- step by step with a pencil

/// Prints the pencil example: one sentence written into three slots, one question read from them.
void show_pencil_steps(program::Frame& frame);

} // namespace attn::entity_network
