/// \file
/// \brief Runs a chapter's program in an empty folder and compares what it prints and
/// writes with what is committed:
///
///     check_expected <program> <expected folder> <scratch folder> [--tolerance R] [--kind plain]
///
/// Text must be the same, numbers may differ by the relative tolerance (0 unless given). Of
/// each file the first line that differs is shown. Deliberately blind to figures: a figure
/// is held to its numbers by its checksum.
#include "common/program/atomic_file.hpp"
#include "common/program/number.hpp"
#include "tests/support/run_program.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

namespace {

/// What the command line asks for.
struct Request
{
    fs::path program;
    fs::path expected;
    fs::path scratch;
    double tolerance = 0;
};

/// Contents by the name of their file.
using Files = std::map<std::string, std::string>;

/// Two texts compared from left to right.
class Comparison
{
public:
    Comparison(std::string_view a, std::string_view b, double tolerance)
        : a_(a), b_(b), tolerance_(tolerance)
    {
    }

    bool same()
    {
        if (tolerance_ == 0) {
            return a_ == b_;
        }
        while (!a_.empty() && !b_.empty()) {
            if (!take_blanks() && !take_numbers() && !take_character()) {
                return false;
            }
        }
        take_blanks();
        return a_.empty() && b_.empty();
    }

private:
    /// Padding depends on the digits of numbers: any blanks equal any other.
    bool take_blanks()
    {
        if (!starts_with_blank(a_) || !starts_with_blank(b_)) {
            return a_.empty() ? drop_blanks(b_) : b_.empty() && drop_blanks(a_);
        }
        drop_blanks(a_);
        drop_blanks(b_);
        inside_word_ = false;
        return true;
    }

    /// Takes a number from both if both begin with one and they are near each other.
    bool take_numbers()
    {
        std::size_t length_a = 0;
        std::size_t length_b = 0;
        const std::optional<double> x = number_at_front(a_, length_a);
        const std::optional<double> y = number_at_front(b_, length_b);
        const bool near =
            x && y && !inside_word_ &&
            std::abs(*x - *y) <= tolerance_ * std::max(std::abs(*x), std::abs(*y));
        if (near) {
            a_.remove_prefix(length_a);
            b_.remove_prefix(length_b);
        }
        return near;
    }

    bool take_character()
    {
        const char character = a_[0];
        if (character != b_[0]) {
            return false;
        }
        inside_word_ = std::isalnum(static_cast<unsigned char>(character)) != 0 ||
                       character == '_' || character == '.';
        a_.remove_prefix(1);
        b_.remove_prefix(1);
        return true;
    }

    static bool starts_with_blank(std::string_view text)
    {
        return !text.empty() && text[0] == ' ';
    }

    static bool drop_blanks(std::string_view& text)
    {
        const bool any = starts_with_blank(text);
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        return any;
    }

    static std::optional<double> number_at_front(std::string_view text, std::size_t& length)
    {
        double number = 0;
        const auto [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), number);
        length = static_cast<std::size_t>(end - text.data());
        return error == std::errc() && std::isfinite(number) ? std::optional(number)
                                                             : std::nullopt;
    }

    std::string_view a_;
    std::string_view b_;
    double tolerance_;
    bool inside_word_ = false; ///< digits of a name are no number
};

/// The lines of a text; what stands behind the last line break is one as well.
std::vector<std::string_view> split_lines(std::string_view text)
{
    std::vector<std::string_view> lines;
    for (std::size_t end = 0; end != std::string_view::npos;) {
        end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

void show(const char* label, const std::vector<std::string_view>& lines, std::size_t i)
{
    const std::string_view line = i < lines.size() ? lines[i] : "(the file has ended)";
    std::printf("  %s %.*s\n", label, static_cast<int>(line.size()), line.data());
}

/// Compares two files and shows the first line that differs.
bool same_file(const std::string& name, const std::string& expected, const std::string& got,
               double tolerance)
{
    const std::vector<std::string_view> committed = split_lines(expected);
    const std::vector<std::string_view> written = split_lines(got);
    for (std::size_t i = 0; i < std::max(committed.size(), written.size()); ++i) {
        if (i < committed.size() && i < written.size() &&
            Comparison(committed[i], written[i], tolerance).same()) {
            continue;
        }
        std::printf("%s, line %zu differs\n", name.c_str(), i + 1);
        show("committed:", committed, i);
        show("now:      ", written, i);
        return false;
    }
    return true;
}

/// The CSV and JavaScript files of a folder, which need not exist.
Files read_numbers(const fs::path& folder)
{
    Files files;
    if (!fs::is_directory(folder)) {
        return files;
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const fs::path extension = entry.path().extension();
        if (extension == ".csv" || extension == ".js") {
            files[entry.path().filename().string()] = attn::program::read_file(entry.path());
        }
    }
    return files;
}

/// What is committed.
Files read_expected(const fs::path& folder)
{
    Files files = read_numbers(folder);
    for (const char* name : {"output.txt", "trace.txt"}) {
        if (fs::exists(folder / name)) {
            files[name] = attn::program::read_file(folder / name);
        }
    }
    return files;
}

/// What the program prints and writes now, in an empty folder below the scratch folder.
Files run_now(const Request& request)
{
    const fs::path folder = fs::absolute(request.scratch) / "check_expected";
    fs::remove_all(folder);
    fs::create_directories(folder);
    Files files;
    const std::map<std::string, std::vector<std::string>> runs = {{"output.txt", {}},
                                                                  {"trace.txt", {"--trace"}}};
    for (const auto& [name, arguments] : runs) {
        const attn::testing::ProgramRun run =
            attn::testing::run_program(request.program, arguments, folder);
        if (run.exit_code != 0 || !run.err.empty()) {
            throw std::runtime_error("for " + name + " the program ended with exit code " +
                                     std::to_string(run.exit_code) + " and said: " + run.err);
        }
        files[name] = run.out;
    }
    files.merge(read_numbers(folder / "out" / request.program.filename()));
    return files;
}

/// How many files differ; each is reported.
std::size_t count_differences(const Files& committed, const Files& now, double tolerance)
{
    std::size_t n_different = 0;
    for (const auto& [name, content] : committed) {
        const auto found = now.find(name);
        if (found == now.end()) {
            std::printf("%s is committed, and the program does not write it\n", name.c_str());
            ++n_different;
        } else {
            n_different += same_file(name, content, found->second, tolerance) ? 0 : 1;
        }
    }
    for (const auto& [name, content] : now) {
        if (committed.count(name) == 0) {
            std::printf("%s is written by the program, and not committed\n", name.c_str());
            ++n_different;
        }
    }
    return n_different;
}

/// Reads the command line.
Request read_request(const std::vector<std::string>& arguments)
{
    constexpr const char* usage = "check_expected <program> <expected folder> <scratch folder> "
                                  "[--tolerance R] [--kind plain]";
    Request request;
    if (arguments.size() < 3 || arguments.size() % 2 == 0) {
        throw std::runtime_error(usage);
    }
    request.program = arguments[0];
    request.expected = arguments[1];
    request.scratch = arguments[2];
    for (std::size_t i = 3; i < arguments.size(); i += 2) {
        if (arguments[i] == "--tolerance") {
            request.tolerance = attn::program::parse_number(arguments[i + 1], "--tolerance");
        } else if (arguments[i] != "--kind" || arguments[i + 1] != "plain") {
            throw std::runtime_error(usage);
        }
    }
    return request;
}

} // namespace

int main(int argc, char** argv)
{
    try {
        const Request request = read_request({argv + std::min(argc, 1), argv + argc});
        const std::size_t n_different = count_differences(read_expected(request.expected),
                                                          run_now(request), request.tolerance);
        if (n_different == 0) {
            return 0;
        }
        std::printf("%zu %s; if the change is meant: cmake --build build --target figures_%s\n",
                    n_different, n_different == 1 ? "file differs" : "files differ",
                    request.program.filename().c_str());
        return 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "check_expected: %s\n", error.what());
        return 2;
    }
}
