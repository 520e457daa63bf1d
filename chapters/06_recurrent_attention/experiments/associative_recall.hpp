/// \file
/// \brief Associative recall with and without attention, by score, memory and unit; and the pencil
/// example of a state that attends.
#pragma once

#include "chapters/06_recurrent_attention/attention_cell.hpp"
#include "common/program/run.hpp"
#include "common/tasks/recall.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::recurrent_attention {

/// Prints the pencil example, every intermediate by its name and shape.
void show_pencil_steps(program::Frame& frame);

std::string name_of(Unit unit);     ///< \returns "RNN", "GRU" or "LSTM"
std::string name_of(Memory memory); ///< \returns "none", "inputs", "own states", "states below"
std::string name_of(Score score);   ///< \returns "mean", "1/sqrt(d)", "sum" or "additive"

/// What is trained.
struct RecallTraining
{
    CellOptions cell;            ///< the model
    tasks::RecallTask task = {}; ///< the task
    std::size_t n_steps = 600;   ///< at most, each on 64 new examples
    double enough = 2; ///< stops at this accuracy on 500 other examples; above 1: never
    double learning_rate = 5e-3; ///< Adam's
};

/// After how many steps networks are compared.
inline constexpr std::size_t compared_steps = 600;

/// How far the networks that do not recall by then are trained where nothing else is asked for.
inline constexpr std::size_t longer_steps = 1500;

/// After how many steps a cell is evaluated, each time.
inline constexpr std::size_t evaluation_interval = 20;

/// How one sequence is answered for one key.
struct RecallAnswer
{
    char key;                    ///< that was shown at the end
    std::vector<double> weights; ///< [n_pairs + 1] of the last step, on h_0 and the state after
                                 ///< each pair
    std::size_t said;            ///< the value of the largest logit
    double probability;          ///< of that value
};

/// What came of it, on 1000 new examples.
struct RecallResult
{
    double accuracy = 0;          ///< share of right answers (chance: 1 / n_symbols)
    double accuracy_compared = 0; ///< the same after compared_steps; 0 if it took fewer
    std::size_t first_at_95 = 0;  ///< steps to the first evaluation at .95 or better; 0 if none
    double right_weight = 0;      ///< mean weight, at the last step, of the pair asked for
    double right_share = 0;       ///< how often that weight is the largest
    std::size_t n_parameters = 0; ///< numbers that are learnt
    std::vector<double> losses;   ///< [n_steps taken]
    std::vector<double> norms;    ///< [n_steps taken], of the gradients before clipping
    std::vector<RecallAnswer> answers; ///< to the page's sequence, a key each; none if the cell
                                       ///< does not attend to its own states, or the task has
                                       ///< another size than the page's
};

/// Trains a cell with a state of 32 numbers and a linear readout of its last state, with Adam
/// and gradients no longer than 1.
RecallResult train_recall(const RecallTraining& training, std::uint64_t seed);

/// Prints and saves how well networks with and without attention recall.
void show_recall(program::Frame& frame);

/// Prints and saves what attending to inputs, own states and states below comes to.
void show_memories(program::Frame& frame);

/// Prints and saves how many steps the networks need that do not recall after compared_steps.
/// \param n_steps  how many they are given at most; if quick, all stop at 40
void show_longer_recall(program::Frame& frame, std::size_t n_steps);

/// Prints and saves how many steps networks need at several learning rates, with one seed.
/// \param n_steps  how many they are given at most; if quick, all stop at 40
void show_recall_rates(program::Frame& frame, std::size_t n_steps);

} // namespace attn::recurrent_attention
