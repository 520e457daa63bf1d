#include "chapters/11_multi_head/experiments/experiments.hpp"

#include "chapters/11_multi_head/linear_attention.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/nn/initialise.hpp"
#include "common/nn/optimisers.hpp"
#include "common/nn/training.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/seeds.hpp"
#include "common/random/streams.hpp"
#include "common/tasks/recall.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attn::multi_head {

using program::fixed;
using program::Frame;
using program::Spread;
using random::Generator;

// ---------------------------------------------------------------- tasks

namespace {

using Symbols = std::vector<std::size_t>;

/// One of the targets at position t of a sequence.
using TargetAt = std::function<std::int64_t(const Symbols& symbols, std::size_t t)>;

void write_one_hot(const Symbols& symbols, std::size_t n_symbols, float* rows)
{
    for (std::size_t t = 0; t < symbols.size(); ++t) {
        rows[t * n_symbols + symbols[t]] = 1;
    }
}

/// A task on random symbols, with these targets at each position.
SequenceTask on_symbols(const char* name, std::size_t n_symbols, bool causal,
                        const std::vector<TargetAt>& targets)
{
    expect(n_symbols > 0, "{}: symbols are needed, got {}", name, n_symbols);
    const auto draw = [n_symbols, targets](std::size_t n_rows, std::size_t length,
                                           Generator& generator) {
        SequenceBatch batch{filled<float>({n_rows, length, n_symbols}, 0.0F), {}};
        Symbols symbols(length);
        for (std::size_t row = 0; row < n_rows; ++row) {
            for (std::size_t& symbol : symbols) {
                symbol = generator.below(n_symbols);
            }
            write_one_hot(symbols, n_symbols, batch.inputs.data() + row * length * n_symbols);
            for (std::size_t t = 0; t < length; ++t) {
                for (const TargetAt& target : targets) {
                    batch.targets.push_back(target(symbols, t));
                }
            }
        }
        return batch;
    };
    return {n_symbols, n_symbols, targets.size(), causal, draw};
}

/// The symbol so many positions before, if there is one.
TargetAt back(std::size_t steps)
{
    return [steps](const Symbols& symbols, std::size_t t) {
        return t < steps ? no_target : static_cast<std::int64_t>(symbols[t - steps]);
    };
}

} // namespace

SequenceTask previous_symbol(std::size_t n_symbols, bool causal)
{
    return on_symbols("previous_symbol", n_symbols, causal, {back(1)});
}

SequenceTask previous_on_ring(std::size_t n_symbols)
{
    const TargetAt before = [](const Symbols& symbols, std::size_t t) {
        return static_cast<std::int64_t>(symbols[(t + symbols.size() - 1) % symbols.size()]);
    };
    return on_symbols("previous_on_ring", n_symbols, false, {before});
}

SequenceTask three_earlier(std::size_t n_symbols)
{
    const TargetAt first = [](const Symbols& symbols, std::size_t /*t*/) {
        return static_cast<std::int64_t>(symbols[0]);
    };
    return on_symbols("three_earlier", n_symbols, true, {back(1), back(3), first});
}

SequenceTask parity()
{
    const TargetAt odd = [](const Symbols& bits, std::size_t t) {
        return std::count(bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(t) + 1, 1U) %
               2;
    };
    return on_symbols("parity", 2, true, {odd});
}

SequenceTask recall(std::size_t n_symbols)
{
    const auto draw = [n_symbols](std::size_t n_rows, std::size_t length,
                                  Generator& generator) {
        expect(length > 1, "recall: a pair and a question are needed, got a length of {}",
               length);
        tasks::RecallBatch pairs =
            tasks::draw_recall({length - 1, n_symbols, 1}, n_rows, generator);
        SequenceBatch batch{std::move(pairs.inputs),
                            std::vector<std::int64_t>(n_rows * length, no_target)};
        for (std::size_t row = 0; row < n_rows; ++row) {
            batch.targets[row * length + length - 1] = pairs.answers[row];
        }
        return batch;
    };
    return {2 * n_symbols, n_symbols, 1, true, draw};
}

Array<float> one_hot_row(const std::vector<std::size_t>& symbols, std::size_t n_symbols)
{
    for (const std::size_t symbol : symbols) {
        expect(symbol < n_symbols, "one_hot_row: {} is none of {} symbols", symbol, n_symbols);
    }
    Array<float> rows = filled<float>({1, symbols.size(), n_symbols}, 0.0F);
    write_one_hot(symbols, n_symbols, rows.data());
    return rows;
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
    const std::size_t n_out = task.n_targets * task.n_classes;
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

// ---------------------------------------------------------------- a training

TrainedSequence train_sequence(const SequenceTraining& training, std::uint64_t seed)
{
    Generator first(seed, random::Stream::sequence_parameters);
    Generator examples(seed, random::Stream::sequence_training);
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
            reshape(logits, {batch.targets.size(), task.n_classes}), batch.targets);
        result.losses.push_back(static_cast<double>(loss.item()));
        autograd::backward(loss);
        nn::clip_by_global_norm(result.model.parameters, 1.0);
        adam.learning_rate = training.learning_rate * schedule(step);
        adam.step();
    }
    nn::count_training(result.model.parameters);
    return result;
}

// ---------------------------------------------------------------- evaluation

SequenceBatch test_sequences(const SequenceTask& task, std::size_t n_rows, std::size_t length,
                             std::uint64_t seed)
{
    Generator fresh(seed, random::Stream::sequence_test);
    return task.draw(n_rows, length, fresh);
}

Matrix accuracy_by_position(const SequenceModel& model, const SequenceTask& task,
                            std::size_t length, std::size_t n_rows, std::uint64_t seed)
{
    const SequenceBatch batch = test_sequences(task, n_rows, length, seed);
    const autograd::NoGradient<float> evaluation;
    const Variable<float> logits = model.logits(batch.inputs);
    const std::size_t n_entries = length * task.n_targets;
    Matrix right = xt::zeros<double>({length, task.n_targets});
    Matrix asked = xt::zeros<double>({length, task.n_targets});
    for (std::size_t i = 0; i < batch.targets.size(); ++i) {
        if (batch.targets[i] != no_target) {
            const float* const row = logits.value().data() + i * task.n_classes;
            const auto predicted = std::max_element(row, row + task.n_classes) - row;
            asked.data()[i % n_entries] += 1;
            right.data()[i % n_entries] += predicted == batch.targets[i] ? 1 : 0;
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

Array<float> weights_on(const SequenceModel& model, const Array<float>& inputs)
{
    const autograd::NoGradient<float> evaluation;
    Inside<float> inside;
    model.logits(inputs, &inside);
    return inside.weights;
}

void save_weights(Frame& frame, const char* file, const std::vector<std::string>& names,
                  const std::vector<Matrix>& tables)
{
    const std::size_t n = tables.front().shape(0);
    std::vector<double> queries;
    std::vector<double> keys;
    for (std::size_t i = 0; i < n * n; ++i) {
        queries.push_back(static_cast<double>(i / n + 1));
        keys.push_back(static_cast<double>(i % n + 1));
    }
    program::CsvColumns columns;
    columns.add("query", queries, fixed, 0).add("key", keys, fixed, 0);
    for (std::size_t i = 0; i < tables.size(); ++i) {
        columns.add(names[i], tables[i], fixed, 4);
    }
    frame.files.write_csv(file, columns);
}

// ---------------------------------------------------------------- trainings by position

AllByPosition train_by_position(const Frame& frame, const char* label,
                                const std::vector<NamedTraining>& trainings, std::size_t length,
                                std::size_t quick_steps)
{
    const auto run = [&](std::size_t row, std::uint64_t seed) {
        SequenceTraining training = trainings[row].training;
        training.n_steps = frame.options.quick ? quick_steps : training.n_steps;
        TrainedSequence trained = train_sequence(training, seed);
        const Matrix right =
            accuracy_by_position(trained.model, training.task, length, 1000, seed);
        return ByPosition{std::move(trained), {right.begin(), right.end()}};
    };
    return program::run_rows_with_seeds(frame, label, trainings.size(),
                                        program::seeds_of(frame), run);
}

Spread at_position(const std::vector<ByPosition>& of, std::size_t position)
{
    return program::spread(of, [&](const ByPosition& one) { return one.accuracy[position]; });
}

void save_by_position(Frame& frame, const char* file, const std::vector<std::string>& names,
                      const AllByPosition& results, std::size_t first)
{
    program::CsvColumns columns;
    std::vector<double> positions;
    for (std::size_t position = first; position < tested_length; ++position) {
        positions.push_back(static_cast<double>(position + 1));
    }
    columns.add("place", positions, fixed, 0);
    for (std::size_t row = 0; row < results.size(); ++row) {
        std::vector<double> low;
        std::vector<double> middle;
        for (std::size_t position = first; position < tested_length; ++position) {
            low.push_back(at_position(results[row], position).lowest());
            middle.push_back(at_position(results[row], position).median());
        }
        columns.add(names[row], middle, fixed, 4).add(names[row] + "_low", low, fixed, 4);
    }
    frame.files.write_csv(file, columns);
}

} // namespace attn::multi_head
