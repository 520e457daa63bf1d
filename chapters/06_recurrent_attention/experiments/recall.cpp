/// \file
/// \brief The bodies of recall.hpp.
#include "chapters/06_recurrent_attention/experiments/recall.hpp"

#include "chapters/06_recurrent_attention/streams.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/nn/layers.hpp"
#include "common/nn/optimisers.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>

namespace attn::recurrent_attention {

using random::Generator;

// ---------------------------------------------------------------- the task

RecallBatch draw_recall(const RecallTask& task, std::size_t n, Generator& generator)
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
        const std::vector<std::size_t> keys = generator.choice(task.n_symbols, task.n_pairs);
        std::vector<std::size_t> values(task.n_pairs);
        for (std::size_t pair = 0; pair < task.n_pairs; ++pair) {
            values[pair] = generator.below(task.n_symbols);
            rows[pair * width + keys[pair]] = 1;
            rows[pair * width + task.n_symbols + values[pair]] = 1;
        }
        const std::size_t asked = generator.below(task.n_pairs);
        for (std::size_t step = task.n_pairs; step < n_steps; ++step) {
            rows[step * width + keys[asked]] = 1;
        }
        batch.pairs.push_back(asked);
        batch.answers.push_back(static_cast<std::int64_t>(values[asked]));
    }
    return batch;
}

double most_frequent_value(const RecallTask& task, const RecallBatch& batch)
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
        const auto n_equal = std::count(shown.begin(), shown.end(), most);
        if (shown[static_cast<std::size_t>(batch.answers[i])] == most) {
            right += 1 / static_cast<double>(n_equal);
        }
    }
    return right / static_cast<double>(batch.answers.size());
}

// ---------------------------------------------------------------- a training

namespace {

/// A cell and a linear readout of its last state.
struct Model
{
    Model(const RecallTraining& training, Generator& generator)
        : cell(training.cell, 2 * training.task.n_symbols, training.hidden, generator),
          readout(training.hidden, training.task.n_symbols, generator)
    {
        parameters.add_layer("cell", cell);
        parameters.add_layer("readout", readout);
    }

    Variable<float> logits(const CellReading<float>& reading) const
    {
        return readout(select(reading.outputs, 1, reading.outputs.shape()[1] - 1));
    }

    AttentionCell<float> cell;
    nn::Linear<float> readout;
    nn::Parameters<float> parameters;
};

std::size_t largest_of(const float* row, std::size_t n)
{
    return static_cast<std::size_t>(std::max_element(row, row + n) - row);
}

/// Share of right answers, and what the weights of the last step are.
void judge(const Model& model, const RecallTraining& training, const RecallBatch& batch,
           RecallResult& result)
{
    const CellReading<float> reading = model.cell(batch.inputs);
    const Variable<float> logits = model.logits(reading);
    const double share = 1 / static_cast<double>(batch.answers.size());
    const std::size_t n_symbols = training.task.n_symbols;
    result.accuracy = result.right_weight = result.right_share = 0;
    for (std::size_t i = 0; i < batch.answers.size(); ++i) {
        const std::size_t said = largest_of(logits.value().data() + i * n_symbols, n_symbols);
        result.accuracy += said == static_cast<std::size_t>(batch.answers[i]) ? share : 0;
        if (!reading.weights.empty()) {
            // The state after pair i is number i + 1, since h_0 is remembered as well.
            const Variable<float>& last = reading.weights.back();
            const std::size_t n = last.shape()[1];
            const std::size_t right =
                batch.pairs[i] + (training.cell.memory == Memory::own_states ? 1 : 0);
            const float* const row = last.value().data() + i * n;
            if (right < n) { // the state that asks is not in its own memory
                result.right_weight += share * static_cast<double>(row[right]);
                result.right_share += largest_of(row, n) == right ? share : 0;
            }
        }
    }
}

} // namespace

RecallResult train_recall(const RecallTraining& training, std::uint64_t seed)
{
    Generator first(seed, stream::recall_parameters);
    Generator examples(seed, stream::recall_training);
    Generator fresh(seed, stream::recall_test);
    Model model(training, first);
    nn::Adam<float> adam(model.parameters, {.learning_rate = training.learning_rate});
    const RecallBatch test = draw_recall(training.task, 1000, fresh);
    const RecallBatch look = draw_recall(training.task, 500, fresh);

    RecallResult result;
    result.n_parameters = model.parameters.n_numbers();
    for (std::size_t step = 1; step <= training.n_steps; ++step) {
        const RecallBatch batch = draw_recall(training.task, 64, examples);
        autograd::Tape<float> tape;
        const Variable<float> loss =
            cross_entropy(model.logits(model.cell(batch.inputs)), batch.answers);
        result.losses.push_back(static_cast<double>(loss.item()));
        autograd::backward(loss);
        result.norms.push_back(nn::clip_by_global_norm(
            model.parameters, training.clip > 0 ? training.clip : 1e30));
        adam.step();

        if (step % recall_look == 0) {
            const autograd::NoGradient<float> looking;
            judge(model, training, look, result);
            result.accuracies.push_back(result.accuracy);
            if (result.first_at_95 == 0 && result.accuracy >= 0.95) {
                result.first_at_95 = step;
            }
        }
    }
    judge(model, training, test, result);
    return result;
}

} // namespace attn::recurrent_attention
