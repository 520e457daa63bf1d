/// \file
/// \brief A tape for single numbers: reverse-mode differentiation in some forty lines, and
/// deliberately nothing else. Arrays, memory and errors are the affair of common/autograd.
///
/// A number is named by its index on the tape, which every function here returns or takes.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

/// A tape for single numbers.
namespace attn::backpropagation::toy {

// [toy_tape]
/// What a step read, and how fast its result changes with that.
struct Input
{
    std::size_t index; ///< on the tape
    double derivative; ///< d result / d input
};

/// A step of the computation, or a number that was given: that has no inputs.
struct Step
{
    double value;              ///< the result
    std::vector<Input> inputs; ///< what it was computed from
    double gradient = 0;       ///< d loss / d value, as far as it has been added up
};

using Tape = std::vector<Step>; ///< in the order in which the steps were taken
// [toy_tape]

// [toy_record]
/// Writes a step down.
inline std::size_t record(Tape& tape, double value, std::vector<Input> inputs = {})
{
    tape.push_back({value, std::move(inputs)});
    return tape.size() - 1;
}

/// Multiplies two numbers.
inline std::size_t multiply(Tape& tape, std::size_t x, std::size_t y)
{
    const double result = tape[x].value * tape[y].value;
    return record(tape, result, {{x, tape[y].value}, {y, tape[x].value}});
}
// [toy_record]

/// Adds two numbers.
inline std::size_t add(Tape& tape, std::size_t x, std::size_t y)
{
    return record(tape, tape[x].value + tape[y].value, {{x, 1}, {y, 1}});
}

// [toy_backward]
/// Passes a step's gradient on to what the step read.
inline void pass_on(Tape& tape, std::size_t index)
{
    for (const auto& [input, derivative] : tape[index].inputs) {
        tape[input].gradient += tape[index].gradient * derivative; // added, not overwritten
    }
}

/// Reads the tape from the loss back to its beginning. To be called once.
inline void backward(Tape& tape, std::size_t loss)
{
    tape[loss].gradient = 1;
    for (std::size_t index = loss + 1; index-- > 0;) {
        pass_on(tape, index);
    }
}
// [toy_backward]

} // namespace attn::backpropagation::toy
