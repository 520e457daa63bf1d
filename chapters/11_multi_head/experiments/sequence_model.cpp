#include "chapters/11_multi_head/experiments/sequence_model.hpp"

#include "chapters/11_multi_head/experiments/streams.hpp"
#include "chapters/11_multi_head/linear_attention.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/nn/initialise.hpp"
#include "common/nn/optimisers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attn::multi_head {

using random::Generator;

std::string name_of(Tied tied)
{
    const std::array<const char*, 4> names = {"all free", "W_q = W_k", "W_k = W_v",
                                              "W_q = W_k = W_v"};
    return names.at(static_cast<std::size_t>(tied));
}

// ---------------------------------------------------------------- the model

namespace {

/// Parameters under their names, each once: what is tied stands under the first.
void add_once(nn::Parameters<float>& list, const std::string& name,
              const nn::Parameters<float>& layer)
{
    for (const nn::NamedParameter<float>& own : layer) {
        const bool known = std::any_of(list.begin(), list.end(), [&](const auto& other) {
            return &other.variable.node() == &own.variable.node();
        });
        if (!known) {
            list.add(name + "." + own.name, own.variable, own.layout);
        }
    }
}

std::vector<std::size_t> readout_sizes(const SequenceTask& task, const SequenceOptions& options)
{
    const std::size_t n_out = task.n_answers * task.n_classes;
    return options.network_readout ? std::vector<std::size_t>{options.d, 2 * options.d, n_out}
                                   : std::vector<std::size_t>{options.d, n_out};
}

} // namespace

SequenceModel::SequenceModel(const SequenceTask& task, const SequenceOptions& options,
                             Generator& generator)
    : options_(options), mask_{{}, task.causal},
      embedding_(task.n_inputs, options.d_embedding == 0 ? options.d : options.d_embedding,
                 generator),
      readout_(readout_sizes(task, options), autograd::relu<float>, generator)
{
    const std::size_t d_embedding = embedding_.weight.shape()[1];
    parameters.add_layer("embedding", embedding_);
    parameters.add_layer("readout", readout_);
    if (options.positions == Positions::learnt) {
        positions_ = autograd::parameter(
            nn::initialise::normal<float>({options.longest, d_embedding}, 0.0, 0.5, generator));
        parameters.add("positions", *positions_);
    } else if (options.positions == Positions::sinusoidal) {
        positions_ = Variable<float>(sinusoids<float>(options.longest, d_embedding));
    }
    if (options.mixer == Mixer::gru) {
        gru_.emplace(nn::RecurrentSizes{.n_in = d_embedding, .hidden = options.d}, generator);
        parameters.add_layer("gru", *gru_);
        return;
    }
    if (d_embedding != options.d) {
        to_mixer_.emplace(d_embedding, options.d, generator);
        parameters.add_layer("to_mixer", *to_mixer_);
    }
    attention_.emplace(MultiHeadSizes{.d_model = options.d, .n_heads = options.n_heads},
                       generator);
    if (options.mixer == Mixer::linear) {
        attention_->attend = attend_linearly<float>;
    }
    if (options.positions == Positions::rotary) {
        attention_->rotate = rotated_by_position<float>;
    }
    tie(*attention_, options.tied);
    add_once(parameters, "attention", attention_->parameters());
}

Variable<float> SequenceModel::mixed(const Variable<float>& x, Inside<float>* inside) const
{
    if (gru_) {
        return (*gru_)(x).outputs;
    }
    return (*attention_)(to_mixer_ ? (*to_mixer_)(x) : x, mask_, inside);
}

Variable<float> SequenceModel::logits(const Array<float>& inputs, Inside<float>* inside) const
{
    const Variable<float> tokens = embedding_(Variable<float>(inputs));
    if (!positions_) {
        return readout_(mixed(tokens, inside));
    }
    const std::size_t n = inputs.shape()[1];
    expect(n <= positions_->shape()[0],
           "SequenceModel: a sequence of {} positions, and rows for {} of them", n,
           positions_->shape()[0]);
    return readout_(mixed(tokens + slice(*positions_, 0, 0, n), inside));
}

std::size_t numbers_kept(const SequenceOptions& options, std::size_t n)
{
    const std::size_t d = options.d;
    switch (options.mixer) {
    case Mixer::softmax:
        return 2 * n * d;
    case Mixer::linear:
        return d * d / options.n_heads + d;
    default:
        return d;
    }
}

// ---------------------------------------------------------------- a training

TrainedSequence train_sequence(const SequenceTraining& training, std::uint64_t seed)
{
    Generator first(seed, stream::model);
    Generator examples(seed, stream::sequence_training);
    const SequenceTask& task = training.task;
    TrainedSequence result{SequenceModel(task, training.options, first), {}};
    nn::Adam<float> adam(result.model.parameters, {.learning_rate = training.learning_rate});
    const nn::Schedule schedule = nn::linear_decay(training.n_steps, 0.05);
    for (std::size_t step = 0; step < training.n_steps; ++step) {
        const std::size_t length =
            training.shortest + examples.below(training.longest - training.shortest + 1);
        const SequenceBatch batch = task.draw(training.batch, length, examples);
        autograd::Tape<float> tape;
        const Variable<float> logits = result.model.logits(batch.inputs);
        const Variable<float> loss = cross_entropy(
            reshape(logits, {batch.answers.size(), task.n_classes}), batch.answers);
        result.losses.push_back(static_cast<double>(loss.item()));
        autograd::backward(loss);
        nn::clip_by_global_norm(result.model.parameters, 1.0);
        adam.learning_rate = training.learning_rate * schedule(step);
        adam.step();
    }
    return result;
}

Matrix accuracy_by_position(const SequenceModel& model, const SequenceTask& task,
                            std::size_t length, std::size_t n_rows, std::uint64_t seed)
{
    Generator fresh(seed, stream::sequence_test);
    const SequenceBatch batch = task.draw(n_rows, length, fresh);
    const autograd::NoGradient<float> evaluation;
    const Variable<float> logits = model.logits(batch.inputs);
    const std::size_t n_entries = length * task.n_answers;
    Matrix right = xt::zeros<double>({length, task.n_answers});
    Matrix asked = xt::zeros<double>({length, task.n_answers});
    for (std::size_t i = 0; i < batch.answers.size(); ++i) {
        if (batch.answers[i] != no_answer) {
            const float* const row = logits.value().data() + i * task.n_classes;
            const auto predicted = std::max_element(row, row + task.n_classes) - row;
            asked.data()[i % n_entries] += 1;
            right.data()[i % n_entries] += predicted == batch.answers[i] ? 1 : 0;
        }
    }
    for (std::size_t i = 0; i < n_entries; ++i) {
        right.data()[i] = asked.data()[i] > 0 ? right.data()[i] / asked.data()[i]
                                              : std::numeric_limits<double>::quiet_NaN();
    }
    return right;
}

double mean_of(const Matrix& table)
{
    double sum = 0;
    double n = 0;
    for (const double number : table) {
        if (!std::isnan(number)) {
            sum += number;
            n += 1;
        }
    }
    return sum / n;
}

} // namespace attn::multi_head
