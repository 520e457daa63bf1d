/// \file
/// \brief What the reader of a program sees. The same lines go to the terminal, to a file and
/// into the book; only headings are bold on a terminal.
#pragma once

#include "common/program/heat_map.hpp"
#include "common/program/table.hpp"

#include <cstddef>
#include <cstdio>
#include <fmt/format.h>
#include <string_view>

namespace attn::program {

/// How many columns a paragraph takes on a terminal.
inline constexpr std::size_t page_width = 78;

/// Prints to standard output, and warnings to standard error.
///
/// When a pipe is closed at its other end (`program | head`), the reader has seen enough:
/// what follows is dropped and the program goes on to write its files.
class Terminal
{
public:
    /// \param out  where text goes; headings are bold if it is a terminal and the environment
    ///             has no NO_COLOR
    explicit Terminal(std::FILE* out = stdout, std::FILE* err = stderr);

    /// Prints a heading, underlined, with an empty line before it unless it comes first.
    void heading(std::string_view text);

    /// Begins an experiment: a heading, below it what the numbers are, and an empty line.
    /// \param text  one paragraph, with a {} for each of the arguments
    template <typename... Arguments>
    void introduce(std::string_view title, fmt::format_string<const Arguments&...> text,
                   const Arguments&... arguments)
    {
        heading(title);
        paragraph(fmt::format(text, arguments...));
        line();
    }

    /// Prints a line as it is.
    /// \param text  without a line break at its end
    void line(std::string_view text = "");

    /// Prints text wrapped at 78 columns.
    void paragraph(std::string_view text);

    /// Prints a table.
    void table(const Table& table);

    /// Prints a heat map.
    void heat_map(const HeatMap& map);

    /// Prints a warning to standard error.
    void warn(std::string_view text);

    /// Demands that no text for the reader was lost.
    /// \throws BadInput with the reason of the first write that failed; a closed pipe does not
    ///         count
    void expect_written() const;

private:
    void write(std::string_view text);

    std::FILE* out_;
    std::FILE* err_;
    bool bold_;
    bool first_ = true;
    bool closed_ = false;
    int error_ = 0;
};

} // namespace attn::program
