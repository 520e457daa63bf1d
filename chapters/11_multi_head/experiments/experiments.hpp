/// \file
/// \brief The trainings of the chapter on sequences, as tables of what is compared with what,
/// and what is looked at afterwards. Deliberately without printing; the reports do that.
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

/// A place to learn the symbol before in, with what tells the places apart.
enum class Setting
{
    line,   ///< a line, rotary places, nothing is hidden
    causal, ///< a line, rotary places, what comes later is hidden
    ring,   ///< a ring, learnt places
    narrow  ///< the same with few numbers at a place
};

/// \param setting  any
/// \returns        "line, rotary"
std::string name_of(Setting setting);

/// The symbol before, with projections tied or not.
/// \param setting  where
/// \param tied     which
/// \returns        the training
SequenceTraining projection_training(Setting setting, Tied tied);

/// Mean weights, over sequences and places that have both neighbours.
struct NeighbourWeights
{
    double before = 0;           ///< on the place before: the one that is asked for
    double own = 0;              ///< on the place itself
    double after = 0;            ///< on the place behind
    double before_on_ring = 0;   ///< geometric mean over all places, see mean_weight_on_ring
    bool never_all_right = true; ///< whether on each ring at least one place looks elsewhere
};

/// Looks at a model's weights on new sequences.
/// \param model   with attention of one head
/// \param task    which it has learnt
/// \param length  of the sequences, at least 3
/// \param seed    of the sequences
/// \returns       means over 200 of them; what is said of the ring only if nothing is hidden
NeighbourWeights neighbour_weights(const SequenceModel& model, const SequenceTask& task,
                                   std::size_t length, std::uint64_t seed);

// ---------------------------------------------------------------- places, heads, memory, state

/// The longest sequence that is trained on where places are compared.
inline constexpr std::size_t trained_length = 16;
/// The longest sequence that is tested.
inline constexpr std::size_t tested_length = 64;

/// The symbol before on sequences of at most trained_length, for each kind of places.
/// \returns  none, sinusoidal, learnt, rotary
std::vector<NamedTraining> place_trainings();

/// Where the last place of sequences looks, by distance.
/// \param model   with attention of one head
/// \param task    which it has learnt
/// \param length  of the sequences
/// \param seed    of the sequences
/// \returns       [length], the mean weight on the place so many back over 200 sequences;
///                number 0 is the place itself
/// \throws ContractError if the model has no weights of one head
Vector weights_by_distance(const SequenceModel& model, const SequenceTask& task,
                           std::size_t length, std::uint64_t seed);

/// The letter before, the third before and the first, with 1, 2 and 4 heads of together 36
/// numbers.
/// \returns  three trainings
std::vector<NamedTraining> look_trainings();

/// Chapter 6's recall, six pairs of eight symbols, with states of several sizes.
/// \param mixer  what keeps the pairs
/// \returns      a training a width: d = 2 to 32, a GRU's to 128
std::vector<NamedTraining> recall_trainings(Mixer mixer);

/// The parity of all bits so far, on sequences of at most trained_length.
/// \returns  self-attention, linear attention, GRU
std::vector<NamedTraining> parity_trainings();

/// The weights of every head on a word.
/// \param model  that has learnt three looks
/// \param word   small letters a to z
/// \returns      [n_heads] tables [n, n], a row a query
/// \throws ContractError if there is another character
std::vector<Matrix> weights_on_word(const SequenceModel& model, const std::string& word);

} // namespace attn::multi_head
