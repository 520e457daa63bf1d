/// \file
/// \brief The body of trained.hpp.
#include "common/program/trained.hpp"

#include "common/tensor/gemm.hpp"

#include <fmt/format.h>

namespace attn::program {

std::string trained_note()
{
    return fmt::format("{}{}; another kind of processor has other digits.", trained_mark,
                       kind_of_processor());
}

void begin_trained(Frame& frame, const char* heading, const std::string& text)
{
    frame.terminal.heading(heading);
    frame.terminal.paragraph(trained_note());
    frame.terminal.line();
    frame.terminal.paragraph(text);
    frame.terminal.line();
}

} // namespace attn::program
