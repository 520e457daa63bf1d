/// \file
/// \brief How a model is fitted to examples, and the share of the variance that it explains.
#pragma once

#include "chapters/05_attention_versus_dense/experiments/tasks.hpp"
#include "chapters/05_attention_versus_dense/models.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::attention_versus_dense {

/// The examples of a fit.
struct Split
{
    Examples train;      ///< what the gradients are made of
    Examples validation; ///< what the moment to stop is chosen by
    Examples test;       ///< what nothing was chosen by
};

/// How long and how fast.
struct Training
{
    std::size_t n_steps = 2000;     ///< steps of Adam
    std::size_t batch = 64;         ///< examples a step
    double learning_rate = 0.01;    ///< of Adam
    std::size_t n_evaluations = 20; ///< how often the validation set is asked
    std::size_t n_test = 10000;     ///< fresh examples that are asked about in the end
};

/// What came of it.
struct Fit
{
    double test;                ///< R^2 on the test set, at the best look
    double last_train;          ///< R^2 on the examples learnt from, at the end
    std::vector<double> losses; ///< [n_steps], of each step's batch
};

/// What a model says, a few hundred examples at a time.
/// \param examples  [n]
/// \returns         [n, n_outputs]
Array<float> predictions(const Model& model, const Examples& examples);

/// The weights of a model that attends.
/// \param examples  [n]
/// \returns         [n, n_steps]
/// \throws ContractError if the model does not attend
Matrix weights_of(const Model& model, const Examples& examples);

/// The share of the variance that predictions explain,
///
/// \f[ R^2 = 1 - \frac{\sum (y - \hat y)^2}{\sum (y - \bar y)^2} , \f]
///
/// the mean over the outputs. 0 for whoever says the mean, below 0 for whoever does worse.
/// \param predicted  [n, n_outputs]
/// \param Y          [n, n_outputs]
/// \returns          at most 1
/// \throws ContractError if the shapes differ
double r_squared(const Array<float>& predicted, const Array<float>& Y);

/// The share of the predictions that are off by less than a bound.
/// \param predicted  [n, n_outputs]
/// \param Y          [n, n_outputs]
/// \param bound      above 0
/// \returns          from 0 to 1
/// \throws ContractError if the shapes differ
double share_within(const Array<float>& predicted, const Array<float>& Y, double bound);

/// Fits by Adam to the mean squared error. The order of the examples is drawn anew each time
/// all have been seen; the model is left as it was when the validation set liked it best.
Fit fit(Model& model, const Split& split, const Training& training, std::uint64_t seed);

} // namespace attn::attention_versus_dense
