/// \file
/// \brief Associative recall: pairs of a key and a value are read, then a key is asked for its
/// value. The task, two rules that need no learning, and the training of a cell. Deliberately
/// one task, small enough for a training of a second.
#pragma once

#include "chapters/06_recurrent_attention/attention_cell.hpp"
#include "common/random/random.hpp"
#include "common/tensor/array.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::recurrent_attention {

// ---------------------------------------------------------------- the task

/// How large the task is.
struct RecallTask
{
    std::size_t n_pairs = 6;       ///< read before the question, with distinct keys
    std::size_t n_symbols = 8;     ///< of keys, and of values
    std::size_t n_query_steps = 2; ///< for how many steps the key is shown at the end
};

/// Examples of the task.
struct RecallBatch
{
    Array<float> inputs;               ///< [batch, n_pairs + n_query_steps, 2 n_symbols]: the
                                       ///< key's one-hot vector, then the value's or zeros
    std::vector<std::int64_t> answers; ///< [batch]
    std::vector<std::size_t> pairs;    ///< [batch], which pair was asked for
};

/// Draws examples.
/// \param task       at most as many pairs as symbols
/// \param n          how many
/// \param generator  advanced
/// \returns          n of them
/// \throws ContractError if there are more pairs than keys, or no query step
RecallBatch draw_recall(const RecallTask& task, std::size_t n, random::Generator& generator);

/// The best rule that takes no notice of which key is asked for: of the values shown, the one
/// that was shown most often.
/// \param task   of the examples
/// \param batch  the examples
/// \returns      the share that it gets right, where equal ones count in parts
double most_frequent_value(const RecallTask& task, const RecallBatch& batch);

// ---------------------------------------------------------------- a training

/// What is trained.
struct RecallTraining
{
    CellOptions cell;            ///< the model
    RecallTask task = {};        ///< the task
    std::size_t hidden = 32;     ///< numbers in a state
    std::size_t n_steps = 600;   ///< each on 64 new examples
    double learning_rate = 5e-3; ///< Adam's
    double clip = 1.0;           ///< largest norm of a gradient; 0 for no clipping
};

/// After how many steps a training is looked at, each time.
inline constexpr std::size_t recall_look = 20;

/// What came of it, on 1000 new examples.
struct RecallResult
{
    double accuracy = 0;            ///< share of right answers (chance: 1 / n_symbols)
    std::size_t first_at_95 = 0;    ///< the first look at .95 or better, in steps; 0 if none
    double right_weight = 0;        ///< mean weight, at the last step, of the pair asked for
    double right_share = 0;         ///< how often that weight is the largest
    std::size_t n_parameters = 0;   ///< numbers that are learnt
    std::vector<double> losses;     ///< [n_steps]
    std::vector<double> norms;      ///< [n_steps], of the gradients before clipping
    std::vector<double> accuracies; ///< [n_looks], on 500 new examples
};

/// Trains a cell and a linear readout of its last state.
/// \param training  what
/// \param seed      of parameters and examples
/// \returns         what came of it
RecallResult train_recall(const RecallTraining& training, std::uint64_t seed);

} // namespace attn::recurrent_attention
