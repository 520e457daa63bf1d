/// \file
/// \brief One layer that mixes the positions of a sequence, between an embedding and a readout:
/// softmax attention, linear attention, or a GRU. And its training. It is one layer, so that what
/// it can and cannot do is its own doing.
#pragma once

#include "chapters/11_multi_head/experiments/sequence_tasks.hpp"
#include "chapters/11_multi_head/multi_head.hpp"
#include "chapters/11_multi_head/positions.hpp"
#include "common/nn/recurrent_layers.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attn::multi_head {

/// What carries information from position to position.
enum class Mixer
{
    softmax, ///< attention
    linear,  ///< attention with a kernel that factors, causal
    gru      ///< a recurrent network, causal
};

std::string name_of(Tied tied); ///< \returns "all free", "W_q = W_k", ...

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
    /// \returns       [batch, n, n_answers n_classes]
    /// \throws ContractError if a sequence is longer than learnt positions, or shapes do not
    ///                       fit
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

/// How many numbers a model keeps of n positions that it has read, to go on from there: keys and
/// values of all of them, a matrix and a vector, or a state.
std::size_t numbers_kept(const SequenceOptions& options, std::size_t n);

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

/// How often a model is right on new sequences, position by position.
/// \returns [n, n_answers], shares; nan where there is no answer
Matrix accuracy_by_position(const SequenceModel& model, const SequenceTask& task,
                            std::size_t length, std::size_t n_rows, std::uint64_t seed);

/// The mean of what is not nan; nan if there is nothing.
double mean_of(const Matrix& table);

} // namespace attn::multi_head
