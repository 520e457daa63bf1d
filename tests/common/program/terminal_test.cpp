/// \file
/// \brief What the reader sees, on a terminal and in a file; traces and progress lines.
#include "common/program/table.hpp"
#include "common/program/terminal.hpp"
#include "common/program/text.hpp"
#include "common/program/trace.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <limits>
#include <memory>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

using namespace attn::program;
using namespace attn::testing;
using attn::Matrix;
using attn::Vector;

namespace {

/// Both ends of a terminal, if the system has any. What a program writes to it can be read back,
/// nothing is typed.
class PseudoTerminal
{
public:
    PseudoTerminal() : reading_(posix_openpt(O_RDWR | O_NOCTTY)) ///< Opens both ends.
    {
        if (reading_ < 0 || grantpt(reading_) != 0 || unlockpt(reading_) != 0) {
            return;
        }
        const char* const name = ptsname(reading_);
        writing_ = name == nullptr ? nullptr : std::fopen(name, "w");
        if (writing_ == nullptr) {
            return;
        }
        termios settings{};
        tcgetattr(fileno(writing_), &settings);
        settings.c_oflag &= ~static_cast<tcflag_t>(OPOST); // line breaks as they are
        tcsetattr(fileno(writing_), TCSANOW, &settings);
    }
    ~PseudoTerminal()
    {
        if (writing_ != nullptr) {
            std::fclose(writing_);
        }
        if (reading_ >= 0) {
            close(reading_);
        }
    }
    PseudoTerminal(const PseudoTerminal&) = delete;            ///< one terminal, one owner
    PseudoTerminal& operator=(const PseudoTerminal&) = delete; ///< one terminal, one owner

    /// \returns where a program writes; null, with a warning, where there is no such terminal
    std::FILE* file()
    {
        if (writing_ == nullptr) {
            WARN("not tested: there is no pseudo-terminal here");
        }
        return writing_;
    }

    /// \returns what has been written since the last call
    std::string text()
    {
        std::fflush(writing_);
        std::string all;
        std::array<char, 4096> block{};
        pollfd watched{reading_, POLLIN, 0};
        while (poll(&watched, 1, 50) > 0 && (watched.revents & POLLIN) != 0) {
            const ssize_t n_bytes = read(reading_, block.data(), block.size());
            if (n_bytes <= 0) {
                break;
            }
            all.append(block.data(), static_cast<std::size_t>(n_bytes));
        }
        return all;
    }

private:
    int reading_;
    std::FILE* writing_ = nullptr;
};

std::string content(std::FILE* file)
{
    std::string text;
    std::rewind(file);
    for (int byte = std::fgetc(file); byte != EOF; byte = std::fgetc(file)) {
        text += static_cast<char>(byte);
    }
    return text;
}

/// What is printed into a file.
std::string printed(const std::function<void(Terminal&)>& print)
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::tmpfile(), std::fclose);
    Terminal terminal(out.get(), out.get());
    print(terminal);
    return content(out.get());
}

} // namespace

TEST_CASE("headings are underlined and set apart", "[program]")
{
    const std::string text = printed([](Terminal& terminal) {
        terminal.heading("Été");
        terminal.line("text");
        terminal.heading("Two");
    });
    CHECK(text == "Été\n═══\ntext\n\nTwo\n═══\n");
}

TEST_CASE("an experiment begins with a heading, a paragraph and an empty line", "[program]")
{
    const std::string text = printed([](Terminal& terminal) {
        terminal.introduce("One", "what it is");
        terminal.introduce("Two", "{} {}", std::string(77, 'x'), 'y');
    });
    CHECK(text == "One\n═══\nwhat it is\n\n\nTwo\n═══\n" + std::string(77, 'x') + "\ny\n\n");
}

TEST_CASE("paragraphs are wrapped, tables and heat maps printed, warnings marked", "[program]")
{
    const std::string text = printed([](Terminal& terminal) {
        terminal.paragraph(std::string(77, 'x') + " y");
        terminal.table(Table({"a"}));
        terminal.heat_map({Matrix{{1}}, {}, "", "", {}});
        terminal.line();
        terminal.warn("careful");
    });
    CHECK_THAT(text, contains("x\ny\na\n─\n │██│\n"));
    CHECK_THAT(text, contains("\n\nwarning: careful\n"));
}

TEST_CASE("headings are bold on a terminal, unless that is refused", "[program]")
{
    const WithEnvironment term("TERM", "xterm");
    const auto heading = [](std::FILE* out) { Terminal(out, out).heading("H"); };
    PseudoTerminal screen;
    if (screen.file() == nullptr) {
        return;
    }
    {
        const WithEnvironment no_color("NO_COLOR", std::nullopt);
        heading(screen.file());
        CHECK(screen.text() == "\033[1mH\033[0m\n═\n");
        const WithEnvironment dumb("TERM", "dumb");
        heading(screen.file());
        CHECK(screen.text() == "H\n═\n");
    }
    {
        const WithEnvironment empty("NO_COLOR", "");
        heading(screen.file());
        CHECK_THAT(screen.text(), contains("\033[1m"));
    }
    const WithEnvironment no_color("NO_COLOR", "1");
    heading(screen.file());
    CHECK(screen.text() == "H\n═\n");
}

TEST_CASE("words stand one a line for other programs, and side by side on a terminal",
          "[program]")
{
    const std::vector<std::string> words = {std::string(70, 'x'), "one", "two", "three"};
    CHECK(printed([&](Terminal& terminal) { terminal.words(words); }) ==
          words[0] + "\none\ntwo\nthree\n");
    PseudoTerminal screen;
    if (screen.file() != nullptr) {
        Terminal(screen.file(), screen.file()).words(words);
        CHECK(screen.text() == words[0] + " one two\nthree\n");
    }
}

TEST_CASE("a full disk is remembered, a closed pipe is not an error", "[program]")
{
    std::FILE* const full = std::fopen("/dev/full", "w");
    REQUIRE(full != nullptr);
    Terminal lost(full, stderr);
    CHECK_NOTHROW(lost.expect_written());
    lost.line("text");
    lost.line("more");
    CHECK_THROWS_WITH(lost.expect_written(),
                      "the output cannot be written: No space left on device");
    std::fclose(full);

    const auto before = std::signal(SIGPIPE, SIG_IGN);
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    close(ends[0]);
    std::FILE* const closed = fdopen(ends[1], "w");
    Terminal unread(closed, stderr);
    unread.line("text");
    unread.line("more");
    CHECK_NOTHROW(unread.expect_written());
    std::fclose(closed);
    std::signal(SIGPIPE, before);
}

TEST_CASE("a trace shows name, shape, meaning and entries", "[program]")
{
    const std::string text = printed([](Terminal& terminal) {
        trace(terminal, "Q", "the queries", "n_queries, d", Matrix{{1, 0, -2}, {10, 2, 3}});
        trace(terminal, "a", "weights", "n_keys", Vector{0.5, 0.25, 1});
    });
    CHECK(text == "Q [n_queries = 2, d = 3]: the queries\n"
                  "   1   0  -2\n"
                  "  10   2   3\n"
                  "a [n_keys = 3]: weights\n"
                  "  0.50  0.25  1.00\n");
}

TEST_CASE("every trace begins with queries, keys and values", "[program]")
{
    const std::string text = printed([](Terminal& terminal) {
        trace_inputs(terminal, Matrix{{1, 0}}, Matrix{{1, 2}, {3, 4}}, Matrix{{5}, {6}});
    });
    CHECK(text == "Q [n_queries = 1, d = 2]: the queries\n"
                  "  1  0\n"
                  "K [n_keys = 2, d = 2]: the keys\n"
                  "  1  2\n"
                  "  3  4\n"
                  "V [n_keys = 2, d_v = 1]: the values\n"
                  "  5\n"
                  "  6\n");
}

TEST_CASE("a trace has four decimals at most, and exponents where those say nothing",
          "[program]")
{
    const double inf = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto traced = [](const Vector& values) {
        const std::string text =
            printed([&](Terminal& terminal) { trace(terminal, "x", "", "n", values); });
        return text.substr(text.find('\n') + 1);
    };
    CHECK(traced({1.0 / 3, 2}) == "  0.3333  2.0000\n");
    CHECK(traced({1, -inf, nan}) == "     1  -inf   nan\n");
    CHECK(traced({1.2345e-7, 0}) == "  1.235e-07          0\n");
    CHECK(traced({2.5e9}) == "  2.5e+09\n");
    CHECK(traced({0.1 + 0.2, -0.0}) == "  0.3  0.0\n");
}

TEST_CASE("a trace names as many dimensions as there are", "[program]")
{
    Terminal terminal;
    CHECK_THROWS_AS(trace(terminal, "x", "", "n", Matrix{{1}}), attn::ContractError);
    CHECK_THROWS_AS(trace(terminal, "x", "", "n, d", Vector{1}), attn::ContractError);
}

TEST_CASE("progress is shown on a terminal only, and vanishes", "[program]")
{
    const auto work = [](std::FILE* file, std::chrono::milliseconds quiet) {
        Progress progress("training", 4, file, quiet);
        progress.remark([] { return "loss 0.5"; });
        progress.advance();
        progress.advance(3);
    };
    PseudoTerminal screen;
    if (screen.file() == nullptr) {
        return;
    }
    work(screen.file(), std::chrono::milliseconds(0));
    const std::string line = screen.text();
    CHECK_THAT(line, contains("training: 1 of 4, about 0 s left, loss 0.5"));
    CHECK(line.substr(line.size() - 4) == "\r\033[K");
    CHECK(line.find('\n') == std::string::npos);

    work(screen.file(), std::chrono::hours(1));
    CHECK(screen.text().empty());

    CHECK(printed([&](Terminal&) {
              const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(),
                                                                         std::fclose);
              work(file.get(), std::chrono::milliseconds(0));
              CHECK(content(file.get()).empty());
          }).empty());
}

TEST_CASE("columns are aligned, numbers to the right", "[program]")
{
    Table table({"kernel", "width", "error"});
    table.row({"Gaussian", "0.2614", "32"}).row({"Épanechnikov", "0.4", "nan"});
    CHECK(table.to_string() == "kernel         width  error\n"
                               "────────────  ──────  ─────\n"
                               "Gaussian      0.2614     32\n"
                               "Épanechnikov     0.4    nan\n");
}

TEST_CASE("a column of numbers may hold a few words, dashes and gaps", "[program]")
{
    Table words({"n", "m", "of both"});
    words.row({"1", "1", "1"})
        .row({"no row", "", "one"})
        .row({"3", "-", ""})
        .row({"4", "100", "x"});
    CHECK(words.to_string() == "     n    m  of both\n"
                               "──────  ───  ───────\n"
                               "     1    1  1\n"
                               "no row       one\n"
                               "     3    -\n"
                               "     4  100  x\n");
}

TEST_CASE("a table without rows is its header", "[program]")
{
    CHECK(Table({"a", "b"}).row({"e\u0301t", "x"}).row({"\u6ce8", "y"}).to_string() ==
          "a   b\n──  ─\ne\u0301t  x\n\u6ce8  y\n");
    CHECK(Table({"a", "b"}).to_string() == "a  b\n─  ─\n");
}

TEST_CASE("a table that is wider than the terminal is cut between columns", "[program]")
{
    Table table({"kernel", "width", "error", "its root"});
    table.row({"Gaussian", "0.2614", "32", "5.6"}).row({"boxcar", "0.3", "nan", "5.7"});
    CHECK(table.to_string(33) == table.to_string());
    CHECK(table.to_string(32) == "kernel     width  error\n"
                                 "────────  ──────  ─────\n"
                                 "Gaussian  0.2614     32\n"
                                 "boxcar       0.3    nan\n"
                                 "\n"
                                 "kernel    its root\n"
                                 "────────  ────────\n"
                                 "Gaussian       5.6\n"
                                 "boxcar         5.7\n");
    CHECK(table.to_string(17) == "Gaussian\n"
                                 "  width: 0.2614\n"
                                 "  error: 32\n"
                                 "  its root: 5.6\n"
                                 "\n"
                                 "boxcar\n"
                                 "  width: 0.3\n"
                                 "  error: nan\n"
                                 "  its root: 5.7\n");
}

TEST_CASE("on a narrow terminal no line is wider than it", "[program]")
{
    PseudoTerminal pseudo;
    if (pseudo.file() == nullptr) {
        return;
    }
    const winsize narrow = {24, 40, 0, 0};
    REQUIRE(ioctl(fileno(pseudo.file()), TIOCSWINSZ, &narrow) == 0);
    const WithEnvironment plain("NO_COLOR", "1");
    Terminal terminal(pseudo.file(), pseudo.file());
    terminal.introduce("A heading of a few more words than there is room for", "{}",
                       "a paragraph of more than forty columns, in words that can be parted");
    terminal.line("  a line as it is, of more than forty columns\n  and another");
    Table table({"a long name of a column", "another name", "a third"});
    terminal.table(table.row({"a cell with words", "1", "2"}));
    terminal.heat_map(
        {Matrix::from_shape({2, 60}) * 0.0 + 0.5, {"a label", "b"}, "query", "key", {}});
    {
        Progress progress("a label as long as a name may become", 3, pseudo.file(),
                          std::chrono::milliseconds(0));
        progress.advance();
    }
    const std::string text = pseudo.text();
    CHECK_THAT(text, contains("a third") && contains("1 of 3"));
    CHECK_THAT(text,
               contains("  a line as it is, of more than forty\n  columns\n  and another\n"));
    std::string_view rest = text;
    while (!rest.empty()) {
        std::string_view line = take_line(rest);
        if (const std::size_t progress = line.find("\033[K"); progress != line.npos) {
            line = line.substr(progress + 3, line.find('\r', progress) - progress - 3);
        }
        INFO(line);
        CHECK(display_width(line) <= 40);
    }
}

TEST_CASE("a row must fit its table", "[program]")
{
    Table table({"a", "b"});
    CHECK_THROWS_AS(table.row({"1"}), attn::ContractError);
    CHECK_THROWS_AS(table.row({"1", "2", "3"}), attn::ContractError);
}
