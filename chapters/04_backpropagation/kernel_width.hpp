/// \file
/// \brief The width of chapter 2's Gaussian kernel, learnt by gradient descent on the
/// leave-one-out error instead of chosen by trying: one parameter, so that everything about the
/// descent can be drawn.
#pragma once

#include "chapters/02_nadaraya_watson/nadaraya_watson.hpp"
#include "common/autograd/softmax.hpp"
#include "common/autograd/tape.hpp"

#include <cstddef>
#include <vector>

namespace attn::backpropagation {

/// Whether a point takes part in its own prediction.
enum class Diagonal
{
    masked,  ///< it does not: leave-one-out
    unmasked ///< it does, and is its own nearest neighbour
};

/// A table as the descent on its width needs it: everything that does not depend on the width.
struct WidthProblem
{
    autograd::Variable<double> nearness; ///< [n, n], -(x_i - x_j)^2 / 2: the scores for h = 1
    autograd::Variable<double> values;   ///< [n, 1]
    autograd::Mask mask;                 ///< [n, n], false on the diagonal, or true everywhere
    double range;                        ///< of the keys, from the lowest to the highest
};

/// Prepares a table.
/// \param sample    keys and values [n], n >= 2, the keys not all equal
/// \param diagonal  whether a point takes part in its own prediction
/// \throws ContractError if there is not one value a key, a number is not finite, or there are
///         fewer than two different keys
WidthProblem width_problem(const nadaraya_watson::Sample& sample, Diagonal diagonal);

/// The mean squared error of the Gaussian kernel's predictions, as operations on the tape.
/// \param log_width  [1, 1], the natural logarithm of the width
/// \param problem    the table
/// \returns          one number
autograd::Variable<double> prediction_error(const autograd::Variable<double>& log_width,
                                            const WidthProblem& problem);

/// An error and its derivative.
struct ErrorAndDerivative
{
    double error;      ///< in the square of the values' units
    double derivative; ///< d error / d log h
};

/// The error of a width and its derivative, by one forward and one backward pass.
/// \throws ContractError if the width is not positive and finite
ErrorAndDerivative error_and_derivative(double width, const WidthProblem& problem);

/// The path of a descent.
struct Descent
{
    std::vector<double> widths; ///< [n_steps + 1], from the start to the end
    std::vector<double> errors; ///< [n_steps + 1], of these widths
};

/// How to descend.
struct DescentOptions
{
    double learning_rate = 0.02; ///< of Adam
    std::size_t n_steps = 2000;  ///< at most
    double tolerance = 1e-7;     ///< stops when log h moved less than this in each of 20 steps
};

/// Descends on the logarithm of the width by Adam.
/// \throws ContractError if the start or the learning rate is not positive and finite
Descent learn_width(const WidthProblem& problem, double start,
                    const DescentOptions& options = {});

} // namespace attn::backpropagation
