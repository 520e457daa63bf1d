#include "chapters/04_backpropagation/experiments/experiments.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/kernels/elementary.hpp"
#include "common/program/number.hpp"
#include "common/program/table.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace attn::backpropagation {

using program::fixed;
using program::Frame;
using program::significant;

toy::Tape toy_example(double a_value, double b_value)
{
    toy::Tape tape;
    const std::size_t a = toy::record(tape, a_value);
    const std::size_t b = toy::record(tape, b_value);
    const std::size_t u = toy::multiply(tape, a, b);
    const std::size_t v = toy::add(tape, u, a);
    toy::multiply(tape, v, v);
    return tape;
}

namespace {

constexpr std::array<const char*, 5> toy_names = {"a", "b", "u", "v", "L"};

/// What each input of a step receives: "16 * 3 = 48 to a, 16 * 2 = 32 to b".
std::string passed_on(const toy::Tape& tape, std::size_t index)
{
    std::string text;
    for (const auto& [input, derivative] : tape[index].inputs) {
        const double gradient = tape[index].gradient;
        text += fmt::format("{}{} * {} = {} to {}", text.empty() ? "" : ", ",
                            fixed(gradient, 0), fixed(derivative, 0),
                            fixed(gradient * derivative, 0), toy_names.at(input));
    }
    return text;
}

/// The gradients so far, from the loss to what was given.
std::vector<std::string> gradients_so_far(const toy::Tape& tape)
{
    std::vector<std::string> texts;
    for (std::size_t index = tape.size(); index-- > 0;) {
        texts.push_back(fixed(tape[index].gradient, 0));
    }
    return texts;
}

/// The gradients of a and b by the book's own tape, after some backward passes.
std::string gradients_by_tape(double a_value, double b_value, int n_passes)
{
    const auto number = [](double x) { return autograd::parameter(Array<double>(Shape{}, x)); };
    const autograd::Variable<double> a = number(a_value);
    const autograd::Variable<double> b = number(b_value);
    for (int pass = 0; pass < n_passes; ++pass) {
        const autograd::Tape<double> tape;
        backward(squared(a * b + a));
    }
    return fmt::format("{} and {}", fixed(a.gradient()(), 0), fixed(b.gradient()(), 0));
}

} // namespace

void show_toy_tape(Frame& frame)
{
    toy::Tape tape = toy_example(2, 3);
    frame.terminal.introduce(
        "A tape forwards",
        "L = (a b + a)^2 at a = 2 and b = 3, a step a row, in the order of the computation. A "
        "step's inputs stand with the derivative of its result with respect to each.");
    const std::array<const char*, 5> formulas = {"a, given", "b, given", "u = a b", "v = u + a",
                                                 "L = v v"};
    program::Table forwards({"step", "result", "inputs and derivatives"});
    for (std::size_t index = 0; index < tape.size(); ++index) {
        std::string inputs;
        for (const auto& [input, derivative] : tape[index].inputs) {
            inputs += fmt::format("{}{}: {}", inputs.empty() ? "" : ", ", toy_names.at(input),
                                  fixed(derivative, 0));
        }
        forwards.row({formulas.at(index), fixed(tape[index].value, 0), inputs});
    }
    frame.terminal.table(forwards);

    frame.terminal.introduce(
        "The tape backwards",
        "The last row first. At its turn a step passes on its gradient times each of its "
        "derivatives. The columns: what has been added up by then.");
    program::Table backwards({"turn of", "passes on", "dL", "dv", "du", "db", "da"});
    const auto row = [&](const std::string& turn, const std::string& text) {
        std::vector<std::string> cells = {turn, text};
        for (const std::string& gradient : gradients_so_far(tape)) {
            cells.push_back(gradient);
        }
        backwards.row(cells);
    };
    tape.back().gradient = 1;
    row("", "the loss begins with 1");
    for (std::size_t index = tape.size(); index-- > 2;) {
        const std::string text = passed_on(tape, index);
        toy::pass_on(tape, index);
        row(toy_names.at(index), text);
    }
    frame.terminal.table(backwards);
    frame.terminal.line();
    frame.terminal.paragraph(fmt::format(
        "The tape of common/autograd, da and db: {}. Recorded again from the same a and b "
        "and read backwards, nothing cleared: {}.",
        gradients_by_tape(2, 3, 1), gradients_by_tape(2, 3, 2)));
}

DifferenceErrors difference_errors(double h)
{
    DifferenceErrors worst{0, 0};
    for (int tenths = 10; tenths <= 20; ++tenths) {
        const double x = 0.1 * tenths;
        const double exact = elementary::exp(x);
        const auto central = [x](double step) {
            return (elementary::exp(x + step) - elementary::exp(x - step)) / (2 * step);
        };
        const double extrapolated = (4 * central(h / 2) - central(h)) / 3;
        worst.central = std::max(worst.central, std::abs(central(h) / exact - 1));
        worst.extrapolated = std::max(worst.extrapolated, std::abs(extrapolated / exact - 1));
    }
    return worst;
}

void show_step_sizes(Frame& frame)
{
    frame.terminal.introduce(
        "How large a step?",
        "The derivative of the exponential is the exponential. The largest relative error at "
        "eleven points from 1 to 2: of central differences with a step of h, and of two of "
        "them, h and h / 2, extrapolated to 0.");
    program::Table table({"h", "central", "extrapolated"});
    for (const double h : {1e-1, 1e-2, 1e-3, 1e-5, 1e-7, 1e-9, 1e-11}) {
        const DifferenceErrors errors = difference_errors(h);
        table.row({significant(h, 1), significant(errors.central, 1),
                   significant(errors.extrapolated, 1)});
    }
    frame.terminal.table(table);
}

} // namespace attn::backpropagation
