/// \file
/// \brief Whether the trainings of a process ended with the same bits as those of another, as one
/// number: a table shows three digits of what a training found, this all of them.
#pragma once

#include <cstdint>
#include <string>

namespace attn::program {

/// Counts one training, from any thread. The order of the trainings does not matter.
/// \param checksum  of all that it has learnt
void add_training(std::uint64_t checksum);

/// \returns "the bits of 12 trainings: 0123456789abcdef", the sum of what add_training() was
///          given; empty without a training
std::string trained_bits();

} // namespace attn::program
