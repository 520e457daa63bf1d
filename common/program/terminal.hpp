/// \file
/// \brief What the reader of a program sees. The same lines go to the terminal, to a file and
/// into the book; only headings are bold on a terminal, and only there a line of progress comes
/// and goes.
#pragma once

#include "common/program/heat_map.hpp"
#include "common/program/table.hpp"

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <fmt/format.h>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace attn::program {

/// How many columns a paragraph takes, on a terminal that is not narrower.
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

    /// \returns how many there are; a very large number where there is no terminal
    std::size_t columns() const { return columns_; }

    /// Prints a line as it is; on a terminal that is too narrow, broken at its blanks.
    /// \param text  without a line break at its end; with some within it is several lines
    void line(std::string_view text = "");

    /// Prints bytes as they are and at once, the next ones behind them.
    /// \param bytes  of any kind, a part of a line
    void stream(std::string_view bytes);

    /// Prints text wrapped at 78 columns, or at the terminal's.
    void paragraph(std::string_view text);

    /// Prints a list of words: side by side on a terminal, else one a line, for other programs.
    void words(std::span<const std::string> words);

    /// Prints a table, cut to the terminal's width.
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
    std::size_t columns_; ///< of the terminal; far more than enough if there is none
    bool first_ = true;
    bool closed_ = false;
    int error_ = 0;
};

/// Counts steps and shows them. For use by one thread.
class Progress
{
public:
    /// \param err  where to show it, if that is a terminal
    Progress(std::string label, std::size_t total, std::FILE* err = stderr,
             std::chrono::milliseconds quiet = std::chrono::seconds(1));
    /// Ends the line, if it was shown.
    ~Progress();
    Progress(const Progress&) = delete;            ///< there is one line
    Progress& operator=(const Progress&) = delete; ///< there is one line

    /// Says something more at the end of the line.
    /// \param remark  asked whenever the line is written
    void remark(std::function<std::string()> remark) { remark_ = std::move(remark); }

    /// Counts steps.
    void advance(std::size_t n_steps = 1);

private:
    void show();

    using Clock = std::chrono::steady_clock;
    std::string label_;
    std::function<std::string()> remark_;
    std::size_t total_;
    std::size_t done_ = 0;
    std::FILE* err_;
    bool watched_;
    bool shown_ = false;
    Clock::time_point start_;
    Clock::time_point next_;
};

} // namespace attn::program
