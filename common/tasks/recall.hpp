/// \file
/// \brief Associative recall: pairs of a key and a value are read, then a key is shown, and its
/// value is wanted.
#pragma once

#include "common/random/random.hpp"
#include "common/tensor/array.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Tasks that more than one chapter trains on.
namespace attn::tasks {

/// How large the task is.
struct RecallTask
{
    std::size_t n_pairs = 6;       ///< read before the query, with distinct keys
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

/// Draws n examples.
/// \throws ContractError if there are more pairs than keys, or no query step
inline RecallBatch draw_recall(const RecallTask& task, std::size_t n, random::Generator& rng)
{
    expect(task.n_pairs <= task.n_symbols && task.n_query_steps > 0,
           "draw_recall: at most {} pairs with distinct keys and a step that asks are needed, "
           "got {} and {}",
           task.n_symbols, task.n_pairs, task.n_query_steps);
    const std::size_t n_steps = task.n_pairs + task.n_query_steps;
    const std::size_t width = 2 * task.n_symbols;
    RecallBatch batch{filled<float>({n, n_steps, width}, 0.0F), {}, {}};
    for (std::size_t i = 0; i < n; ++i) {
        float* const rows = batch.inputs.data() + i * n_steps * width;
        const std::vector<std::size_t> keys = rng.choice(task.n_symbols, task.n_pairs);
        std::vector<std::size_t> values(task.n_pairs);
        for (std::size_t pair = 0; pair < task.n_pairs; ++pair) {
            values[pair] = rng.below(task.n_symbols);
            rows[pair * width + keys[pair]] = 1;
            rows[pair * width + task.n_symbols + values[pair]] = 1;
        }
        const std::size_t asked = rng.below(task.n_pairs);
        for (std::size_t step = task.n_pairs; step < n_steps; ++step) {
            rows[step * width + keys[asked]] = 1;
        }
        batch.pairs.push_back(asked);
        batch.answers.push_back(static_cast<std::int64_t>(values[asked]));
    }
    return batch;
}

/// The best rule that ignores which key is asked for: of the values shown, the most frequent one.
/// \returns  the share that it gets right, where equally frequent values count in parts
inline double most_frequent_value(const RecallTask& task, const RecallBatch& batch)
{
    const std::size_t width = 2 * task.n_symbols;
    const std::size_t n_steps = task.n_pairs + task.n_query_steps;
    double right = 0;
    for (std::size_t i = 0; i < batch.answers.size(); ++i) {
        std::vector<double> shown(task.n_symbols, 0.0);
        for (std::size_t pair = 0; pair < task.n_pairs; ++pair) {
            const float* const row = batch.inputs.data() + (i * n_steps + pair) * width;
            for (std::size_t value = 0; value < task.n_symbols; ++value) {
                shown[value] += static_cast<double>(row[task.n_symbols + value]);
            }
        }
        const double most = *std::max_element(shown.begin(), shown.end());
        if (shown[static_cast<std::size_t>(batch.answers[i])] == most) {
            right += 1 / static_cast<double>(std::count(shown.begin(), shown.end(), most));
        }
    }
    return right / static_cast<double>(batch.answers.size());
}

} // namespace attn::tasks
