#include "common/program/terminal.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <unistd.h>

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

} // namespace

Terminal::Terminal(std::FILE* out, std::FILE* err)
    : out_(out), err_(err), bold_(wants_bold(out))
{
}

void Terminal::heading(std::string_view text)
{
    std::string lines = first_ ? "" : "\n";
    lines += bold_ ? "\033[1m" + std::string(text) + "\033[0m" : std::string(text);
    write(fmt::format("{}\n{:═<{}}\n", lines, "", display_width(text)));
}

void Terminal::line(std::string_view text)
{
    write(std::string(text) + "\n");
}

void Terminal::paragraph(std::string_view text)
{
    write(wrap(text, page_width) + "\n");
}

void Terminal::table(const Table& table)
{
    write(table.to_string());
}

void Terminal::heat_map(const HeatMap& map)
{
    write(render(map));
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

} // namespace attn::program
