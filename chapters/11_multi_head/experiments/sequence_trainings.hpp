/// \file
/// \brief The trainings of the chapter on sequences, as tables of what is compared with what,
/// and what is measured of a trained model.
#pragma once

#include "chapters/11_multi_head/experiments/sequence_model.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::multi_head {

/// A training with the name of its row.
struct NamedTraining
{
    std::string name;          ///< as the program prints it
    SequenceTraining training; ///< what is trained
};

/// How many symbols the tasks of the symbol before have.
inline constexpr std::size_t n_symbols = 8;

// ---------------------------------------------------------------- three projections

/// How long the sequences of the symbol before are.
inline constexpr std::size_t projection_length = 12;

/// Where the symbol before is learnt, with what tells the positions apart.
enum class Setting
{
    line,   ///< a line, rotary positions, nothing is masked
    causal, ///< a line, rotary positions, what comes later is masked
    ring,   ///< a ring, learnt positions
    narrow  ///< the same with few numbers at a position
};

std::string name_of(Setting setting); ///< \returns "line, rotary", ...

/// The symbol before, with projections tied or not.
SequenceTraining projection_training(Setting setting, Tied tied);

/// Mean weights, over sequences and positions that have both neighbours.
struct NeighbourWeights
{
    double before = 0;         ///< on the position before: the one that is asked for
    double own = 0;            ///< on the position itself
    double after = 0;          ///< on the position after
    double before_on_ring = 0; ///< geometric mean over all positions, see mean_weight_on_ring
    bool never_all_right =
        true; ///< whether on each ring at least one position attends elsewhere
};

/// Means over 200 new sequences of at least 3 positions, for a model with attention of one head;
/// those of the ring only if nothing is masked.
NeighbourWeights neighbour_weights(const SequenceModel& model, const SequenceTask& task,
                                   std::size_t length, std::uint64_t seed);

// ---------------------------------------------------------------- positions, heads, memory

/// The longest sequence that is trained on where positions are compared.
inline constexpr std::size_t trained_length = 16;
/// The longest sequence that is tested.
inline constexpr std::size_t tested_length = 64;

/// The symbol before on sequences of at most trained_length, for each kind of positions.
/// \returns none, sinusoidal, learnt, rotary
std::vector<NamedTraining> position_trainings();

/// What the last position of sequences attends to, by distance, for a model with attention of one
/// head.
/// \returns [length], the mean weight on the position so many back over 200 sequences; number 0
///          is the position itself
/// \throws ContractError if the model has no weights of one head
Vector weights_by_distance(const SequenceModel& model, const SequenceTask& task,
                           std::size_t length, std::uint64_t seed);

/// The letter before, the third before and the first, with 1, 2 and 4 heads of together 36
/// numbers.
std::vector<NamedTraining> head_trainings();

/// Chapter 6's recall, six pairs of eight symbols, with states of several sizes.
/// \returns a training a width: d = 2 to 32, a GRU's to 128
std::vector<NamedTraining> recall_trainings(Mixer mixer);

/// The parity of all bits so far, on sequences of at most trained_length.
/// \returns self-attention, linear attention, GRU
std::vector<NamedTraining> parity_trainings();

/// The weights of every head of a model that has learnt three_earlier, on a word.
/// \returns [n_heads] tables [n, n], a row a query
/// \throws ContractError if there is another character than a to z
std::vector<Matrix> weights_on_word(const SequenceModel& model, const std::string& word);

} // namespace attn::multi_head
