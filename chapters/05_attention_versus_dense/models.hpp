/// \file
/// \brief The layers as models that predict something from a sequence: each with the simplest
/// readout that makes numbers of what it returns.
#pragma once

#include "chapters/05_attention_versus_dense/layers.hpp"
#include "common/nn/parameters.hpp"
#include "common/random/random.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attn::attention_versus_dense {

/// What a model says.
struct Prediction
{
    Variable<float> y;                      ///< [batch, n_outputs]
    std::optional<Variable<float>> weights; ///< [batch, n_steps, 1], if it attends
};

/// A model with its parameters.
struct Model
{
    std::string name;                 ///< as in the tables
    nn::Parameters<float> parameters; ///< what is learnt
    /// From sequences [batch, n_steps, n_features], and their mask.
    std::function<Prediction(const Variable<float>& X, const std::optional<Mask>& mask)>
        predict;
};

/// Sizes of a task.
struct ModelSizes
{
    std::size_t n_steps;       ///< T
    std::size_t n_features;    ///< K
    std::size_t n_outputs;     ///< numbers to predict
    std::size_t d_hidden = 16; ///< units of an embedding
    std::size_t d_head = 32;   ///< hidden units after a pooling
};

/// How to make a model.
struct ModelMaker
{
    std::string name;     ///< as in the tables
    double learning_rate; ///< of Adam
    bool thrice;          ///< whether three times that rate is tried, too
    bool any_length;      ///< whether it can be asked about other lengths than it was made for
    /// Starts with random parameters.
    std::function<Model(const ModelSizes& sizes, random::Generator& generator)> make;
};

/// All models: attention with and without tanh and with each bias, a gated sum, the mean of the
/// steps, the three dense layers, each followed by a linear readout; networks over the flattened
/// sequence with rectifiers and with gates; and an embedding that is pooled by attention, mean or
/// maximum, with a head.
const std::vector<ModelMaker>& model_makers();

/// One of them.
/// \throws ContractError if there is none of that name
const ModelMaker& maker_named(const std::string& name);

} // namespace attn::attention_versus_dense
