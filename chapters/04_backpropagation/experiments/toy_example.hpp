/// \file
/// \brief The smallest example on a tape, L = (a b + a)^2, forwards and backwards; and how far
/// central differences are from a derivative that is known, over the size of their step.
#pragma once

#include "chapters/04_backpropagation/toy_tape.hpp"
#include "common/program/run.hpp"

#include <array>
#include <cstddef>

namespace attn::backpropagation {

/// L = (a b + a)^2 on a tape: a, b, u = a b, v = u + a and L = v v, in this order.
/// \returns the tape, with its five steps, read in no direction yet
toy::Tape toy_example(double a, double b);

/// Prints the example's tape forwards and backwards, and the same by the book's own tape.
void show_toy_tape(program::Frame& frame);

/// How far differences are at most from the derivative of the exponential, relative to it, at
/// eleven points from 1 to 2: one point alone may be lucky in its rounding.
struct DifferenceErrors
{
    double central;      ///< of (f(x + h) - f(x - h)) / 2h
    double extrapolated; ///< of the same with h and h / 2, extrapolated to 0
};

/// The errors of differences with one step.
/// \param h  above 0
DifferenceErrors difference_errors(double h);

/// Prints these errors for steps from a tenth to a hundred-thousand-millionth.
void show_step_sizes(program::Frame& frame);

} // namespace attn::backpropagation
