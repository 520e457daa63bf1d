/// \file
/// \brief What the program of chapter 5 trains: a model, a task, a seed.
#pragma once

#include "chapters/05_attention_versus_dense/experiments/fitting.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace attn::attention_versus_dense {

/// A fit together with the model that came of it.
struct Fitted
{
    Model model; ///< as it was best in validation
    Fit fit;     ///< what it is worth
};

/// How many steps and values the marked step has where nothing else is said.
inline constexpr std::size_t n_marked_steps = 20;

/// Learns to say what stands at the marked step.
/// \param training  how long; the rate is the model's own
Fitted fit_marked(const std::string& name, std::uint64_t seed, std::size_t n_train,
                  std::size_t n_steps, const Training& training, std::size_t n_values = 4);

/// Fresh examples of the marked step that no fit has seen, the same for all models.
Examples marked_test(std::uint64_t seed, std::size_t n, std::size_t n_steps,
                     std::size_t n_values = 4);

/// Learns a sum with fixed lags.
/// \param task      one of lag_tasks()
/// \param training  how long; the rate is the model's own
Fitted fit_lags(const std::string& name, const LagTask& task, std::uint64_t seed,
                std::size_t n_train, const Training& training);

/// What came of one of Raffel and Ellis' tasks.
struct ArithmeticResult
{
    double r_squared; ///< on fresh sequences of the length that it learnt from
    double near;      ///< share of them with an error below .04
    double twice;     ///< R^2 on sequences twice as long; nan if it cannot be asked
};

/// Learns one of Raffel and Ellis' tasks at T_0 = 50.
/// \param name      of the model; its embedding and its head have 32 units
/// \param training  how long; the rate is the model's own
ArithmeticResult fit_arithmetic(const std::string& name, Arithmetic arithmetic,
                                std::uint64_t seed, std::size_t n_train,
                                const Training& training);

/// Learns which of two symbols came first.
/// \param training  how long; the rate is the model's own
/// \returns         the share of fresh examples that it is right about
double fit_order(const std::string& name, std::uint64_t seed, std::size_t n_train,
                 const Training& training);

/// Where a tanh with one number a step hides that number.
struct ScalarTrap
{
    double r_squared; ///< of the prediction
    double of_value;  ///< squared correlation of the answer with the context's value
    double of_weight; ///< and with the weight of the marked step, which is the context's marker
};

/// Learns the marked step with one number a step, and looks where it is found.
/// \param training  how long; the rate is the model's own
/// \returns         of "attention, tanh, b_t"
ScalarTrap fit_scalar_trap(std::uint64_t seed, std::size_t n_train, const Training& training);

} // namespace attn::attention_versus_dense
