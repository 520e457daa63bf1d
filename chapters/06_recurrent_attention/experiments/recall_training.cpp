#include "chapters/06_recurrent_attention/experiments/recall_training.hpp"

#include "chapters/06_recurrent_attention/streams.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/nn/layers.hpp"
#include "common/nn/optimisers.hpp"

#include <algorithm>
#include <array>

namespace attn::recurrent_attention {

using random::Generator;
using tasks::draw_recall;
using tasks::RecallBatch;

std::string name_of(Unit unit)
{
    return unit == Unit::rnn ? "RNN" : unit == Unit::gru ? "GRU" : "LSTM";
}

std::string name_of(Memory memory)
{
    const std::array<const char*, 4> names = {"none", "inputs", "own states", "states below"};
    return names.at(static_cast<std::size_t>(memory));
}

std::string name_of(Score score)
{
    const std::array<const char*, 4> names = {"mean", "1/sqrt(d)", "sum", "additive"};
    return names.at(static_cast<std::size_t>(score));
}

namespace {

constexpr std::size_t state_size = 32;

/// A cell and a linear readout of its last state.
struct Model
{
    Model(const RecallTraining& training, Generator& generator)
        : cell(training.cell, 2 * training.task.n_symbols, state_size, generator),
          readout(state_size, training.task.n_symbols, generator)
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
void evaluate(const Model& model, const RecallTraining& training, const RecallBatch& batch,
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
            if (right < n) { // the last state is not in its own memory
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
    nn::Adam<float> adam(model.parameters, {.learning_rate = 5e-3});
    const RecallBatch test = draw_recall(training.task, 1000, fresh);
    const RecallBatch validation = draw_recall(training.task, 500, fresh);

    RecallResult result;
    result.n_parameters = model.parameters.n_numbers();
    for (std::size_t step = 1; step <= training.n_steps; ++step) {
        const RecallBatch batch = draw_recall(training.task, 64, examples);
        autograd::Tape<float> tape;
        const Variable<float> loss =
            cross_entropy(model.logits(model.cell(batch.inputs)), batch.answers);
        result.losses.push_back(static_cast<double>(loss.item()));
        autograd::backward(loss);
        result.norms.push_back(nn::clip_by_global_norm(model.parameters, 1.0));
        adam.step();

        if (step % evaluation_interval == 0) {
            const autograd::NoGradient<float> evaluation;
            evaluate(model, training, validation, result);
            if (result.first_at_95 == 0 && result.accuracy >= 0.95) {
                result.first_at_95 = step;
            }
        }
    }
    evaluate(model, training, test, result);
    return result;
}

} // namespace attn::recurrent_attention
