/// \file
/// \brief One layer that mixes the places of a sequence, between an embedding and a readout:
/// softmax attention, linear attention, or a GRU. And its training. Deliberately one layer, so
/// that what it can and cannot do is its own doing; a transformer has more (chapter 12).
#pragma once

#include "chapters/11_multi_head/multi_head.hpp"
#include "chapters/11_multi_head/positions.hpp"
#include "chapters/11_multi_head/experiments/sequence_tasks.hpp"
#include "common/nn/recurrent_layers.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attn::multi_head {

/// What carries information from place to place.
enum class Mixer
{
    softmax, ///< attention
    linear,  ///< attention with a kernel that factors, causal
    gru      ///< a recurrent network, causal
};

/// Which of the three projections are one and the same.
enum class Tied
{
    none,             ///< W_q, W_k and W_v are three
    queries_and_keys, ///< W_q = W_k: the score is symmetric
    keys_and_values,  ///< W_k = W_v
    all               ///< one matrix for all
};

/// \param tied  any
/// \returns     "W_q = W_k"
std::string name_of(Tied tied);

/// What may be chosen.
struct SequenceOptions
{
    Mixer mixer = Mixer::softmax;          ///< between the places
    Positions positions = Positions::none; ///< of attention; a GRU needs none
    Tied tied = Tied::none;                ///< of attention
    std::size_t n_heads = 1;               ///< of attention, divides d
    std::size_t d = 32;                    ///< numbers at a place inside the mixer
    std::size_t d_embedding = 0;           ///< numbers of an embedding; 0: d
    std::size_t longest = 64;              ///< places that learnt positions have rows for
    bool network_readout = false;          ///< whether the readout has a hidden layer
};

/// The model.
class SequenceModel
{
public:
    /// Draws its first parameters.
    /// \param task       whose inputs and answers
    /// \param options    what may be chosen
    /// \param generator  advanced
    /// \throws ContractError if sizes do not fit, or places are added to what is not d wide
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
    Visible visible_;
    nn::Linear<float> embedding_;
    std::optional<Variable<float>> places_; // [longest, d_embedding], learnt or constant
    std::optional<MultiHeadAttention<float>> attention_;
    std::optional<nn::Linear<float>> to_mixer_; // [d_embedding, d]
    std::optional<nn::Gru<float>> gru_;
    nn::Mlp<float> readout_;
};

/// How many numbers a model keeps of n places that it has read, to go on from there: keys and
/// values of all of them, a matrix and a vector, or a state.
/// \param options  of the model
/// \param n        places
/// \returns        numbers
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

/// Trains a model.
/// \param training  what
/// \param seed      of parameters and sequences
/// \returns         the model and its losses
TrainedSequence train_sequence(const SequenceTraining& training, std::uint64_t seed);

/// How often a model is right on new sequences, place by place.
/// \param model    any
/// \param task     which it has learnt
/// \param length   of the sequences
/// \param n_rows   how many
/// \param seed     of the sequences
/// \returns        [n, n_answers], shares; nan where there is no answer
Matrix accuracy_by_place(const SequenceModel& model, const SequenceTask& task,
                         std::size_t length, std::size_t n_rows, std::uint64_t seed);

/// The mean of a table over what is not nan.
/// \param table  any
/// \returns      the mean; nan if there is nothing
double mean_of(const Matrix& table);

} // namespace attn::multi_head
