/// \file
/// \brief Who predicts what stands at a marked step, from how many examples, over how many
/// steps? And where is the answer if a step has one number?
#pragma once

#include "chapters/05_attention_versus_dense/experiments/fitting.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace attn::attention_versus_dense {

/// How many steps there are where nothing else is said.
inline constexpr std::size_t n_marked_steps = 20;

/// Learns to say what stands at the marked step.
Fitted fit_marked(const std::string& name, std::uint64_t seed, std::size_t n_train,
                  std::size_t n_steps, const Training& training, std::size_t n_values = 4);

/// How long a model learns the marked step from n examples, in full or with --quick.
Training marked_training(const program::Frame& frame, const std::string& name,
                         std::size_t n_train);

/// So many examples, or with --quick at most 500.
std::size_t marked_examples(const program::Frame& frame, std::size_t n_train);

/// R^2 of a linear map that least squares finds on the same examples, over all numbers of a
/// sequence or over the means of its features.
double least_squares_marked(const std::string& name, std::uint64_t seed, std::size_t n_train,
                            std::size_t n_test);

/// Where a tanh with one number a step hides that number.
struct ScalarTrap
{
    double r_squared; ///< of the prediction
    double of_value;  ///< squared correlation of the answer with the context's value
    double of_weight; ///< and with the weight of the marked step, which is the context's marker
};

/// Learns the marked step with one number a step, with "attention, tanh, b_t", and measures where
/// it is found.
ScalarTrap fit_scalar_trap(std::uint64_t seed, std::size_t n_train, const Training& training);

/// Prints and writes R^2 against the number of examples, and on longer sequences.
void show_marked_by_size(program::Frame& frame);

/// Prints and writes R^2 against the number of steps, with the ceiling.
void show_marked_by_length(program::Frame& frame);

/// Prints and writes where a tanh hides one number a step.
void show_scalar_trap(program::Frame& frame);

/// Writes the weights of chosen samples, for a figure and for the interactive one.
void show_weights(program::Frame& frame);

} // namespace attn::attention_versus_dense
