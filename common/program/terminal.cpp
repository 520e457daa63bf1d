#include "common/program/terminal.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <sys/ioctl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace attn::program {

namespace {

/// Whether headings may be bold: see no-color.org.
bool wants_bold(std::FILE* file)
{
    const char* const no_color = std::getenv("NO_COLOR");
    const char* const term = std::getenv("TERM");
    const bool refused = no_color != nullptr && *no_color != '\0';
    const bool able = term != nullptr && std::string_view(term) != "dumb";
    return !refused && able && isatty(fileno(file)) == 1;
}

/// How many columns a terminal has; what is no terminal has room for everything.
std::size_t columns_of(std::FILE* file)
{
    constexpr std::size_t fewest = 20; // so that a word fits
    winsize size = {};
    const bool known = isatty(fileno(file)) == 1 &&
                       ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? std::max<std::size_t>(size.ws_col, fewest) : std::size_t{1} << 20U;
}

/// A text whose lines that are too wide are broken at their blanks, each below its own indent.
std::string fold(std::string_view text, std::size_t columns)
{
    if (text.size() <= columns) {
        return std::string(text);
    }
    std::string lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        const std::size_t indent =
            std::min({line.find_first_not_of(' '), line.size(), columns / 2});
        lines += display_width(line) <= columns
                     ? std::string(line)
                     : std::string(indent, ' ') + wrap(line, columns - indent, indent);
        lines += text.substr(end, 1);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

} // namespace

Terminal::Terminal(std::FILE* out, std::FILE* err)
    : out_(out), err_(err), bold_(wants_bold(out)), columns_(columns_of(out))
{
}

void Terminal::heading(std::string_view text)
{
    const std::string shown =
        display_width(text) > columns_ ? wrap(text, columns_) : std::string(text);
    std::string lines = first_ ? "" : "\n";
    lines += bold_ ? "\033[1m" + shown + "\033[0m" : shown;
    write(fmt::format("{}\n{:═<{}}\n", lines, "", std::min(display_width(text), columns_)));
}

void Terminal::line(std::string_view text)
{
    write(fold(text, columns_) + "\n");
}

void Terminal::stream(std::string_view bytes)
{
    write(bytes);
}

void Terminal::paragraph(std::string_view text)
{
    write(wrap(text, std::min(page_width, columns_)) + "\n");
}

void Terminal::words(std::span<const std::string> words)
{
    const bool side_by_side = isatty(fileno(out_)) == 1;
    const std::string all = fmt::format("{}", fmt::join(words, side_by_side ? " " : "\n"));
    write((side_by_side ? wrap(all, std::min(page_width, columns_)) : all) + "\n");
}

void Terminal::table(const Table& table)
{
    write(table.to_string(columns_));
}

void Terminal::heat_map(const HeatMap& map)
{
    constexpr std::size_t usual = 64;
    std::size_t beside = display_width(map.row_caption) + 2;
    for (const std::string& label : map.row_labels) {
        beside = std::max(beside, display_width(label));
    }
    beside += 3; // the frame
    const std::size_t room = columns_ - std::min(columns_ - 1, beside);
    write(fold(render(map, std::min(usual, room)), columns_));
}

void Terminal::warn(std::string_view text)
{
    std::fprintf(err_, "warning: %.*s\n", static_cast<int>(text.size()), text.data());
}

void Terminal::expect_written() const
{
    if (error_ != 0) {
        throw BadInput(fmt::format("the output cannot be written: {}",
                                   std::generic_category().message(error_)));
    }
}

// Flushing every block keeps the order of output and warnings, shows a long run's lines as
// they come, and tells at once when nobody reads any more.
void Terminal::write(std::string_view text)
{
    first_ = false;
    if (closed_ || error_ != 0) {
        return;
    }
    errno = 0;
    const bool written = std::fwrite(text.data(), 1, text.size(), out_) == text.size();
    if (std::fflush(out_) == 0 && written) {
        return;
    }
    if (errno == EPIPE) {
        closed_ = true;
    } else {
        error_ = errno == 0 ? EIO : errno;
    }
}

namespace {

constexpr std::chrono::milliseconds between_updates{100};
constexpr const char* clear_line = "\r\033[K";

} // namespace

Progress::Progress(std::string label, std::size_t total, std::FILE* err,
                   std::chrono::milliseconds quiet)
    : label_(std::move(label)), total_(total), err_(err), watched_(isatty(fileno(err)) == 1),
      start_(Clock::now()), next_(start_ + quiet)
{
}

Progress::~Progress()
{
    if (shown_) {
        std::fputs(clear_line, err_);
        std::fflush(err_);
    }
}

void Progress::advance(std::size_t n_steps)
{
    done_ += n_steps;
    if (watched_ && Clock::now() >= next_) {
        show();
    }
}

void Progress::show()
{
    const std::string steps = fmt::format("{} of {}", done_, total_);
    std::string line = label_ + ": " + steps;
    if (done_ > 0 && done_ < total_) {
        const std::chrono::duration<double> passed = Clock::now() - start_;
        const double left =
            passed.count() * static_cast<double>(total_ - done_) / static_cast<double>(done_);
        line += fmt::format(", about {:.0f} s left", left);
    }
    if (remark_) {
        line += ", " + remark_();
    }
    if (display_width(line) >= columns_of(err_)) { // a second line would stay
        line = steps;
    }
    std::fputs((clear_line + line).c_str(), err_);
    std::fflush(err_);
    shown_ = true;
    next_ = Clock::now() + between_updates;
}

} // namespace attn::program
