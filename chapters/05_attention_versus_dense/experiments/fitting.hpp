/// \file
/// \brief How a model is fitted to the examples of a task, and the share of the variance that
/// it explains.
#pragma once

#include "chapters/05_attention_versus_dense/experiments/tasks.hpp"
#include "chapters/05_attention_versus_dense/models.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Chapter 5's random streams of one seed, far enough apart for a model's or a task's number to
/// be added: no two of them share their numbers.
namespace attn::attention_versus_dense::stream {

inline constexpr std::uint64_t training = 31ULL << 40U;   ///< examples to learn from
inline constexpr std::uint64_t validation = 32ULL << 40U; ///< examples to choose by
inline constexpr std::uint64_t test = 33ULL << 40U;       ///< fresh examples
inline constexpr std::uint64_t parameters = 34ULL << 40U; ///< first parameters of a model
inline constexpr std::uint64_t order = 35ULL << 40U;      ///< the order of the examples
inline constexpr std::uint64_t exact = 36ULL << 40U;      ///< for what holds without training

} // namespace attn::attention_versus_dense::stream

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
    std::size_t n_steps = 2000; ///< steps of Adam
    std::size_t batch = 64;     ///< examples a step
    /// Of the model's learning rate; none: 1, or the better of 1 and 3 where the model asks.
    std::optional<double> rate_factor = {};
    std::size_t n_evaluations = 20; ///< on the validation set
    std::size_t n_test = 10000;     ///< fresh examples of the last evaluation
    bool falls = false;             ///< whether the rate falls in a straight line to 0
    double weight_decay = 0;        ///< decoupled from the gradient
};

/// What came of it.
struct Fit
{
    double test;                ///< R^2 on the test set, at the best evaluation
    double validation;          ///< R^2 on the validation set, there
    double last_train;          ///< R^2 on the examples learnt from, at the end
    std::vector<double> losses; ///< [n_steps], of each step's batch
};

/// What a model says, [n, n_outputs], a few hundred examples at a time.
Array<float> predictions(const Model& model, const Examples& examples);

/// The weights of a model that attends, [n, n_steps].
/// \throws ContractError if the model does not attend
Matrix weights_of(const Model& model, const Examples& examples);

/// The share of the variance of each output that predictions explain,
///
/// \f[ R^2 = 1 - \frac{\sum (y - \hat y)^2}{\sum (y - \bar y)^2} , \f]
///
/// for arrays [n, n_outputs]. 0 for predictions of the mean, below 0 for worse ones.
/// \returns [n_outputs]
/// \throws ContractError if the shapes differ
Vector r_squared_of_each(const Array<float>& predicted, const Array<float>& Y);

/// The mean over the outputs of the share that is explained.
/// \throws ContractError if the shapes differ
double r_squared(const Array<float>& predicted, const Array<float>& Y);

/// The share of the predictions [n, n_outputs] that are off by less than a bound.
/// \throws ContractError if the shapes differ
double share_within(const Array<float>& predicted, const Array<float>& Y, double bound);

/// Fits by Adam to the mean squared error. The order of the examples is drawn anew each time
/// all have been seen; the model is left as it was when R^2 on the validation set was highest.
Fit fit(Model& model, const Split& split, const Training& training, double learning_rate,
        std::uint64_t seed);

/// A task: n examples, drawn from a generator.
using Draw = std::function<Examples(random::Generator& generator, std::size_t n)>;

/// The three sets of a task, from three streams, with 500 examples for validation.
Split draw_split(const Draw& draw, std::uint64_t seed, std::size_t n_train, std::size_t n_test);

/// A fit together with the model that came of it.
struct Fitted
{
    Model model;   ///< as it was best in validation
    Examples test; ///< what nothing was chosen by, the same for all models
    Fit fit;       ///< what the model is worth
};

/// Draws the three sets of a task and fits at the model's learning rate, or at several: of two
/// fits the one is returned that explains more of the validation set.
/// \param name      of the model, whose embedding has d_hidden units
Fitted fit_task(const std::string& name, const Draw& draw, std::uint64_t seed,
                std::size_t n_train, const Training& training, std::size_t d_hidden = 16);

/// How the program trains: in full, or with --quick a few steps.
/// \param n_steps  of the full training
Training training_of(const program::Frame& frame, std::size_t n_steps);

} // namespace attn::attention_versus_dense
