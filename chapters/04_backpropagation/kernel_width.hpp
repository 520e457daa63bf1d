/// \file
/// \brief The width of chapter 2's Gaussian kernel, learnt by descent on the leave-one-out
/// error instead of chosen by trying. Deliberately one parameter, so that everything about the
/// descent can be drawn.
#pragma once

#include "chapters/02_nadaraya_watson/experiments/experiments.hpp"
#include "common/autograd/softmax.hpp"
#include "common/autograd/tape.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn::backpropagation {

/// Whether a point takes part in its own prediction.
enum class Itself
{
    hidden, ///< the diagonal is masked: leave-one-out
    seen    ///< it does, and is its own nearest neighbour
};

/// A table as the descent on its width needs it: everything that does not depend on the width.
struct WidthProblem
{
    autograd::Variable<double> nearness; ///< [n, n], -(x_i - x_j)^2 / 2: the scores for h = 1
    autograd::Variable<double> values;   ///< [n, 1]
    autograd::Mask visible;              ///< [n, n], false on the diagonal, or true everywhere
    double range;                        ///< of the keys, from the lowest to the highest
};

/// Prepares a table.
/// \param sample  keys and values [n], n >= 2, the keys not all equal
/// \param itself  whether a point takes part in its own prediction
/// \returns       what does not depend on the width
/// \throws ContractError if there is not one value a key, a number is not finite, or there are
///         fewer than two different keys
WidthProblem width_problem(const nadaraya_watson::Sample& sample, Itself itself);

/// The mean squared error of the Gaussian kernel's predictions, as steps of the tape.
/// \param log_width  [1, 1], the natural logarithm of the width
/// \param problem    the table
/// \returns          one number
autograd::Variable<double> prediction_error(const autograd::Variable<double>& log_width,
                                            const WidthProblem& problem);

/// An error and which way it goes.
struct ErrorAndSlope
{
    double error; ///< in the square of the values' units
    double slope; ///< d error / d log h
};

/// The error of a width and its slope, forwards and backwards along the tape once.
/// \param width    h > 0
/// \param problem  the table
/// \returns        both
/// \throws ContractError if the width is not positive and finite
ErrorAndSlope error_and_slope(double width, const WidthProblem& problem);

/// Where a descent went.
struct Descent
{
    std::vector<double> widths; ///< [n_steps + 1], the first is the start, the last the end
    std::vector<double> errors; ///< [n_steps + 1], of these widths
};

/// How to descend.
struct DescentPlan
{
    double learning_rate = 0.02; ///< of Adam
    std::size_t n_steps = 2000;  ///< at most
    double settled = 1e-7;       ///< stops when log h moved less than this in each of 20 steps
};

/// Descends on the logarithm of the width by Adam.
/// \param problem  the table
/// \param start    the first width, above 0
/// \param plan     learning rate and when to stop
/// \returns        the path
/// \throws ContractError if the start or the learning rate is not positive and finite
Descent learn_width(const WidthProblem& problem, double start, const DescentPlan& plan = {});

/// A width at which the error is lower than on both sides.
struct Valley
{
    double width; ///< where the slope changes from down to up
    double error; ///< there
};

/// The valleys of the error between two widths: every change of the slope's sign from down to
/// up on a grid of 121 widths, each the same factor above the one before, refined by halving.
/// \param problem  the table
/// \param low      the lowest width, above 0
/// \param high     the highest width
/// \returns        from the narrowest to the widest
/// \throws ContractError unless 0 < low < high
std::vector<Valley> valleys(const WidthProblem& problem, double low, double high);

/// A table under its name.
struct NamedTable
{
    std::string name;               ///< "toy", "Old Faithful" or "cars"
    std::string keys;               ///< what a key is, with its unit
    std::string values;             ///< what a value is, with its unit
    nadaraya_watson::Sample sample; ///< keys and values
};

/// The three tables that chapter 2 carries: 40 points of y = 2 sin x + x + noise, the 272
/// eruptions of Old Faithful, and the stopping distances of 50 cars.
/// \returns  toy, Old Faithful, cars
std::vector<NamedTable> tables_of_chapter_2();

} // namespace attn::backpropagation
