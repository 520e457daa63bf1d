/// \file
/// \brief Where is the order: the symbol before, for each kind of positions, on longer
/// sequences than were trained on.
#pragma once

#include "chapters/11_multi_head/experiments/sequence_model.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::multi_head {

/// How like the angles of a rotated key so many positions back are to those of the key one
/// position back: the cosine of their difference, \f$ \cos \omega_j (D - 1) \f$, averaged over
/// the pairs that turn fastest.
/// \param d         numbers in a query and a key, even
/// \param n_pairs   how many of the fastest pairs, 1 to d / 2
/// \param distance  D, positions back, at least 1
/// \returns         1 for D = 1, less for others
/// \throws ContractError if a number is not as stated
double likeness_to_the_one_before(std::size_t d, std::size_t n_pairs, std::size_t distance);

/// The symbol before on sequences of at most trained_length, for each kind of positions.
/// \returns none, sinusoidal, learnt, rotary
std::vector<NamedTraining> position_trainings();

/// What the last position of sequences attends to, by distance, for a model with attention of
/// one head.
/// \returns [length], the mean weight on the position so many back over 200 sequences; number 0
///          is the position itself
/// \throws ContractError if the model has no weights of one head
Vector weights_by_distance(const SequenceModel& model, const SequenceTask& task,
                           std::size_t length, std::uint64_t seed);

void show_longer_sequences(program::Frame& frame); ///< by the kind of positions

} // namespace attn::multi_head
