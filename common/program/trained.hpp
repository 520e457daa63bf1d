/// \file
/// \brief What a program says of numbers that were trained in float: their last digits are
/// those of the processor they were trained on. Here is the sentence, how a section begins with
/// it, and what is kept of a training's beginning; what the tests make of it is in tests/support/check_expected.cpp.
#pragma once

#include "common/program/run.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace attn::program {

/// How the sentence begins. A section of a program's output with such a line is compared by its
/// words and its shape, not by its digits.
inline constexpr std::string_view trained_mark = "Trained in float on ";

/// How the names of files begin whose numbers were trained in float.
inline constexpr std::string_view trained_file = "trained_";

/// The sentence, with this computer's kind of processor.
/// \returns  "Trained in float on x86-64, SkylakeX kernels: another kind of processor ends ..."
std::string trained_note();

/// What a section begins with whose numbers are trained: its heading, the note on their digits.
/// \param frame    of the program
/// \param heading  of the section
/// \param text     what its numbers are, below the note
void begin_trained(Frame& frame, const char* heading, const std::string& text);

/// The first losses of a training, which are kept so that a test can see them again.
/// \param losses  of all steps
/// \returns       those of the first hundred, or all if there are fewer
std::vector<double> first_losses(const std::vector<double>& losses);

} // namespace attn::program
