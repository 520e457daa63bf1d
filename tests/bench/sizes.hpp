/// \file
/// \brief The models that training is timed with, the same for us and for whoever is timed
/// beside us.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attn::bench {

/// The sizes of a recurrent model.
struct RecurrentSizes
{
    std::size_t batch;      ///< sentences
    std::size_t n_steps;    ///< words in a sentence
    std::size_t n_features; ///< numbers in a word
    std::size_t hidden;     ///< numbers in a state
    std::size_t n_outputs;  ///< numbers in an answer
};

/// The sizes of a perceptron with one hidden layer.
struct PerceptronSizes
{
    std::size_t batch;      ///< rows
    std::size_t n_features; ///< numbers in a row
    std::size_t hidden;     ///< hidden units
    std::size_t n_classes;  ///< classes
};

/// The sentences that a model is trained on: all are as long.
struct SentenceSizes
{
    std::size_t batch;          ///< sentences
    std::size_t n_source;       ///< words in a source sentence
    std::size_t n_target;       ///< words in a target sentence, the end symbol among them
    std::size_t n_source_words; ///< of the language
    std::size_t n_target_words; ///< of the language
};

/// The sizes of a translator, and of its batch.
struct TranslatorSizes : SentenceSizes
{
    std::size_t d_embedding; ///< numbers in a word
    std::size_t hidden;      ///< numbers in a state, and under the tanh of the score
    bool attends;            ///< additive scores, or one vector for the sentence
};

/// The sizes of a transformer with a layer on either side, and of its batch.
struct TransformerSizes : SentenceSizes
{
    std::size_t d;          ///< numbers in a row
    std::size_t n_heads;    ///< of each attention
    std::size_t d_ff;       ///< numbers between the dense layers
    double label_smoothing; ///< of the loss
};

/// The sizes of one layer of an encoder, and of the batch that goes through it.
struct LayerSizes
{
    std::size_t batch;    ///< sentences
    std::size_t n_tokens; ///< in a sentence
    std::size_t d;        ///< numbers in a row
    std::size_t n_heads;  ///< of the attention
    std::size_t d_ff;     ///< numbers between the dense layers
};

inline constexpr RecurrentSizes gru_sizes = {32, 15, 32, 64, 1};
inline constexpr RecurrentSizes attentive_rnn_sizes = {64, 8, 16, 32, 8};
inline constexpr PerceptronSizes perceptron_sizes = {64, 784, 128, 10};
inline constexpr TranslatorSizes translator_sizes = {{32, 15, 16, 164, 270}, 64, 128, false};
inline constexpr TranslatorSizes aligner_sizes = {{32, 15, 16, 164, 270}, 32, 64, true};
inline constexpr TransformerSizes transformer_sizes = {{32, 15, 16, 164, 270}, 64, 4, 128, 0.1};
inline constexpr LayerSizes layer_sizes = {8, 128, 512, 8, 2048};
inline constexpr double learning_rate = 1e-3;

/// A parameter's initial values, in C order.
struct InitialValues
{
    std::string name;               ///< as the peer's function documents it
    std::vector<std::size_t> shape; ///< PyTorch's: [n_out, n_in]
    std::vector<float> values;      ///< as many as the shape holds
};

/// What a step is to tell, for the proof that both sides compute the same. Both pointers may
/// be null, and are to be null in a step that is timed: reading the loss takes time.
struct Report
{
    float* loss = nullptr; ///< every step writes its loss here, as it was before its update
    std::vector<InitialValues>* initial = nullptr; ///< written once, when the step is made
};

} // namespace attn::bench
