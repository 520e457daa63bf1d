/// \file
/// \brief What a program says of numbers that were trained in float: their last digits are
/// those of the processor they were trained on. Deliberately only the sentence; what the tests
/// make of it is in tests/support/check_expected.cpp.
#pragma once

#include <string>
#include <string_view>

namespace attn::program {

/// How the sentence begins. A section of a program's output with such a line is compared by its
/// words and its shape, not by its digits.
inline constexpr std::string_view trained_mark = "Trained in float on ";

/// How the names of files begin whose numbers were trained in float.
inline constexpr std::string_view trained_file = "trained_";

/// The sentence, with this computer's kind of processor.
/// \returns  "Trained in float on x86-64, SkylakeX kernels: another kind of processor ends ..."
std::string trained_note();

} // namespace attn::program
