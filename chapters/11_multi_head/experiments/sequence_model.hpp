/// \file
/// \brief Sequences of symbols with a target at every position, or at some; and one layer that
/// mixes their positions, between an embedding and a readout: softmax attention, linear
/// attention, or a GRU. It is one layer, so that what it can and cannot do is its own doing.
#pragma once

#include "chapters/11_multi_head/multi_head.hpp"
#include "chapters/11_multi_head/positions.hpp"
#include "common/nn/recurrent_layers.hpp"
#include "common/program/run.hpp"
#include "common/program/spread.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attn::multi_head {

// ---------------------------------------------------------------- tasks

/// How many kinds of symbols the trainings have.
inline constexpr std::size_t n_kinds = 8;

/// What a target is where there is none.
inline constexpr std::int64_t no_target = -100;

/// Sequences of one length.
struct SequenceBatch
{
    Array<float> inputs;               ///< [batch, n, n_inputs], one-hot
    std::vector<std::int64_t> targets; ///< [batch, n, n_targets], or no_target
};

/// A task.
struct SequenceTask
{
    std::size_t n_inputs;  ///< numbers at a position
    std::size_t n_classes; ///< of a target
    std::size_t n_targets; ///< at a position
    bool causal;           ///< whether a target depends only on what came so far

    /// Draws sequences, given how many, their length, and a generator that is advanced.
    std::function<SequenceBatch(std::size_t n_rows, std::size_t length, random::Generator&)>
        draw;
};

/// Name the symbol before, at every position but the first.
/// \param causal  whether later symbols are masked
SequenceTask previous_symbol(std::size_t n_symbols, bool causal = true);

/// The same on a ring: the first symbol's predecessor is the last one. It is not causal.
SequenceTask previous_on_ring(std::size_t n_symbols);

/// Name the letter before, the one three positions back, and the first one, where they exist.
SequenceTask three_earlier(std::size_t n_symbols);

/// Whether the count of ones so far is odd.
SequenceTask parity();

/// Chapter 6's recall, the key shown once at the end, with as many pairs as the length says,
/// less one. Only the last position has a target.
/// \param n_symbols  of keys and of values
SequenceTask recall(std::size_t n_symbols);

/// Symbols [n] as one-hot rows [1, n, n_symbols].
/// \throws ContractError if a symbol is too large
Array<float> one_hot_row(const std::vector<std::size_t>& symbols, std::size_t n_symbols);

// ---------------------------------------------------------------- the model

/// What carries information from position to position.
enum class Mixer
{
    softmax, ///< attention
    linear,  ///< attention with a kernel that factors, causal
    gru      ///< a recurrent network, causal
};

/// What may be chosen.
struct SequenceOptions
{
    Mixer mixer = Mixer::softmax;          ///< between the positions
    Positions positions = Positions::none; ///< of attention; a GRU needs none
    Tied tied = Tied::none;                ///< of attention
    std::size_t n_heads = 1;               ///< of attention, divides d
    std::size_t d = 32;                    ///< numbers at a position inside the mixer
    std::size_t d_embedding = 0;           ///< numbers of an embedding; 0: d
    std::size_t longest = 64;              ///< learnt positions have rows for so many
    bool network_readout = false;          ///< whether the readout has a hidden layer
};

/// The model.
class SequenceModel
{
public:
    /// Draws its first parameters.
    /// \throws ContractError if sizes do not fit
    SequenceModel(const SequenceTask& task, const SequenceOptions& options,
                  random::Generator& generator);

    /// Reads sequences.
    /// \param inputs  [batch, n, n_inputs]
    /// \param inside  if not null, receives what happened inside attention
    /// \returns       [batch, n, n_targets n_classes]
    /// \throws ContractError if a sequence is too long for learnt positions, or of other shape
    Variable<float> logits(const Array<float>& inputs, Inside<float>* inside = nullptr) const;

    nn::Parameters<float> parameters; ///< all of them, each once

private:
    Variable<float> mixed(const Variable<float>& x, Inside<float>* inside) const;

    SequenceOptions options_;
    AttentionMask mask_;
    nn::Linear<float> embedding_;
    std::optional<Variable<float>> positions_; // [longest, d_embedding], learnt or constant
    std::optional<MultiHeadAttention<float>> attention_;
    std::optional<nn::Linear<float>> to_mixer_; // [d_embedding, d]
    std::optional<nn::Gru<float>> gru_;
    nn::Mlp<float> readout_;
};

/// What is trained.
struct SequenceTraining
{
    SequenceTask task;         ///< what is to be learnt
    SequenceOptions options;   ///< the model
    std::size_t shortest = 16; ///< each batch has one length, from here
    std::size_t longest = 16;  ///< to here
    std::size_t n_steps = 600; ///< each on new sequences
    std::size_t batch = 32;    ///< so many
    double learning_rate =
        5e-3; ///< Adam's at first; it falls in a straight line to a twentieth
};

/// A model that has learnt.
struct TrainedSequence
{
    SequenceModel model;        ///< its parameters
    std::vector<double> losses; ///< [n_steps]
};

/// Trains a model, with Adam and gradients no longer than 1.
TrainedSequence train_sequence(const SequenceTraining& training, std::uint64_t seed);

// ---------------------------------------------------------------- evaluation

/// New sequences, which no training of the seed has learnt from.
SequenceBatch test_sequences(const SequenceTask& task, std::size_t n_rows, std::size_t length,
                             std::uint64_t seed);

/// How often a model is right on test sequences, position by position.
/// \returns [n, n_targets], shares; nan where there is no target
Matrix accuracy_by_position(const SequenceModel& model, const SequenceTask& task,
                            std::size_t length, std::size_t n_rows, std::uint64_t seed);

/// The mean of what is not nan; nan if there is nothing.
double mean_of(const Matrix& table);

/// The weights of a model's attention on inputs, [batch, H, n, n].
Array<float> weights_on(const SequenceModel& model, const Array<float>& inputs);

/// Saves square tables of weights [n, n], a named column each, for heat maps: query and key
/// count from 1.
void save_weights(program::Frame& frame, const char* file,
                  const std::vector<std::string>& names, const std::vector<Matrix>& tables);

// ---------------------------------------------------------------- trainings by position

/// A training with the name of its row.
struct NamedTraining
{
    std::string name;          ///< as the program prints it
    SequenceTraining training; ///< what is trained
};

/// The longest sequence that is trained on where positions are compared.
inline constexpr std::size_t trained_length = 16;
/// The longest sequence that is tested.
inline constexpr std::size_t tested_length = 64;

/// What a training gave, and how often it is right at each position of test sequences.
struct ByPosition
{
    TrainedSequence trained;      ///< with its losses
    std::vector<double> accuracy; ///< [length]
};

using AllByPosition = std::vector<std::vector<ByPosition>>; ///< [row][seed]

/// Each training from each seed, evaluated on 1000 test sequences.
AllByPosition train_by_position(const program::Frame& frame, const char* label,
                                const std::vector<NamedTraining>& trainings, std::size_t length,
                                std::size_t quick_steps);

/// The accuracy of several seeds at one position.
program::Spread at_position(const std::vector<ByPosition>& of, std::size_t position);

/// Saves medians and lowest accuracies from a position on, a column a row of the table.
void save_by_position(program::Frame& frame, const char* file,
                      const std::vector<std::string>& names, const AllByPosition& results,
                      std::size_t first);

} // namespace attn::multi_head
