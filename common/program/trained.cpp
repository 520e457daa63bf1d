/// \file
/// \brief The bodies of trained.hpp.
#include "common/program/trained.hpp"

#include "common/kernels/gemm.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>

namespace attn::program {

std::string trained_note()
{
    return fmt::format("{}{}; another kind of processor has other digits.", trained_mark,
                       "any processor");
}

void begin_trained(Frame& frame, const char* heading, const std::string& text)
{
    frame.terminal.heading(heading);
    frame.terminal.paragraph(trained_note());
    frame.terminal.line();
    frame.terminal.paragraph(text);
    frame.terminal.line();
}

std::vector<double> first_losses(const std::vector<double>& losses)
{
    const auto n = static_cast<std::ptrdiff_t>(std::min<std::size_t>(losses.size(), 100));
    return {losses.begin(), losses.begin() + n};
}

} // namespace attn::program
