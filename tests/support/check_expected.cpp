/// \file
/// \brief Runs a chapter's program in an empty folder and compares what it prints and
/// writes with what is committed:
///
///     check_expected <program> <expected folder> <scratch folder> [--tolerance R] [--kind K]
///
/// Text must be the same, numbers may differ by the relative tolerance (0 unless given). Of
/// each file the first line that differs is shown. Deliberately blind to figures: a figure
/// is held to its numbers by its checksum.
///
/// Numbers that were trained in float differ from processor to processor. So a program says
/// which they are: a section of its output with a line "Trained in float on ...", and files
/// whose names begin with "trained_". With `--kind plain`, the default, there must be none of
/// them. With `--kind trained` the program is run twice. With --untrained it must print and
/// write everything else as it is committed. With --quick it must print the same trained
/// sections and write the same trained files, of any numbers: words, columns and rows of the
/// tables are the same, and so are the names of a file's columns and their count in every row;
/// of the data of an interactive figure all but the numbers. What stands in quotation marks
/// « ... » was written by a model, and may be any words.
///
/// Times differ from run to run. With `--kind timed` the program is run with --untimed, and what it
/// then prints and writes is what is committed.
#include "common/program/atomic_file.hpp"
#include "common/program/number.hpp"
#include "common/program/trained.hpp"
#include "tests/support/run_program.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

namespace {

/// What a heading is underlined with.
constexpr std::string_view underline = "═══";

/// What the command line asks for.
struct Request
{
    fs::path program;
    fs::path expected;
    fs::path scratch;
    double tolerance = 0;
    std::string kind = "plain";
};

/// Contents by the name of their file.
using Files = std::map<std::string, std::string>;

/// A tolerance under which any number equals any other.
constexpr double any_number = std::numeric_limits<double>::infinity();

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
            if (!take_blanks() && !take_numbers() && !take_rules() && !take_quotations() &&
                !take_character()) {
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
            (tolerance_ == any_number ||
             std::abs(*x - *y) <= tolerance_ * std::max(std::abs(*x), std::abs(*y)));
        if (near) {
            a_.remove_prefix(length_a);
            b_.remove_prefix(length_b);
        }
        return near;
    }

    /// The rule under a table's header is as long as the longest number of its column.
    bool take_rules()
    {
        constexpr std::string_view piece = "─";
        const bool any =
            a_.substr(0, piece.size()) == piece && b_.substr(0, piece.size()) == piece;
        for (std::string_view* text : {&a_, &b_}) {
            while (any && text->substr(0, piece.size()) == piece) {
                text->remove_prefix(piece.size());
            }
        }
        return any;
    }

    /// What a trained model writes stands in quotation marks: any words, as with numbers.
    bool take_quotations()
    {
        constexpr std::string_view opening = "«";
        constexpr std::string_view closing = "»";
        const auto quoted = [&](std::string_view text) {
            return text.substr(0, opening.size()) == opening &&
                   text.find(closing) != std::string_view::npos;
        };
        if (tolerance_ != any_number || !quoted(a_) || !quoted(b_)) {
            return false;
        }
        for (std::string_view* text : {&a_, &b_}) {
            text->remove_prefix(text->find(closing) + closing.size());
        }
        inside_word_ = false;
        return true;
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

/// The sections of an output, heading by heading; what stands before the first heading is one.
std::vector<std::string> sections_of(std::string_view text)
{
    std::vector<std::string> sections(1);
    const std::vector<std::string_view> lines = split_lines(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool heading =
            i + 1 < lines.size() && lines[i + 1].substr(0, underline.size()) == underline;
        if (heading && !(sections.size() == 1 && sections[0].empty())) {
            sections.emplace_back();
        }
        sections.back() += std::string(lines[i]) + (i + 1 < lines.size() ? "\n" : "");
    }
    return sections;
}

/// A text without the paragraphs that begin in a certain way.
std::string without_paragraphs(std::string_view text, std::string_view beginning)
{
    std::string rest;
    bool inside = false;
    for (const std::string_view line : split_lines(text)) {
        inside = line.substr(0, beginning.size()) == beginning || (inside && !line.empty());
        if (!inside) {
            rest += std::string(line) + "\n";
        }
    }
    return rest;
}

/// A text whose paragraphs are one line each, since where a line is broken depends on the digits
/// in it. Tables, which have a rule, stay as they are.
std::string unwrapped(std::string_view text)
{
    std::string joined;
    std::string block;
    for (const std::string_view line : split_lines(text)) {
        if (!line.empty()) {
            block += std::string(line) + "\n";
            continue;
        }
        if (block.find("─") == std::string::npos && !block.empty()) {
            std::replace(block.begin(), block.end() - 1, '\n', ' ');
        }
        joined += block + "\n";
        block.clear();
    }
    return joined + block;
}

/// Which part of what a program prints and writes is meant.
enum class Part
{
    untrained, ///< what every processor computes alike
    trained    ///< what was trained in float
};

/// The sections of one part, without the list of the files written, the note on the kind of
/// processor, and the empty lines at their ends.
std::string part_of(std::string_view output, Part part)
{
    std::string kept;
    for (const std::string& section : sections_of(output)) {
        const bool trained =
            section.find("\n" + std::string(attn::program::trained_mark)) != std::string::npos;
        if (trained == (part == Part::trained)) {
            std::string text = without_paragraphs(without_paragraphs(section, "written to "),
                                                  attn::program::trained_mark);
            text.erase(text.find_last_not_of('\n') + 1);
            kept += text + "\n\n";
        }
    }
    return kept;
}

bool is_trained(const std::string& file_name)
{
    return file_name.rfind(attn::program::trained_file, 0) == 0;
}

/// The files of one part, and that part of the output.
Files part_of(const Files& files, Part part)
{
    Files kept;
    for (const auto& [name, content] : files) {
        if (name == "output.txt") {
            kept[name] = part_of(content, part);
        } else if (is_trained(name) == (part == Part::trained)) {
            kept[name] = content;
        }
    }
    return kept;
}

/// What of a table is no number: the names of its columns, and how many cells a row has. Rows
/// are counted only as far as one that differs.
std::string shape_of_table(std::string_view content)
{
    const std::vector<std::string_view> lines = split_lines(content);
    const auto n_cells = [](std::string_view line) {
        return std::count(line.begin(), line.end(), ',');
    };
    std::string shape(lines.front());
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (!lines[i].empty() && n_cells(lines[i]) != n_cells(lines.front())) {
            return shape + "\na row of another length: " + std::string(lines[i]);
        }
    }
    return shape + (lines.size() > 2 ? "\nrows of this length" : "\nno rows");
}

/// What remains of the trained part if its numbers do not count.
Files shape_of(const Files& files)
{
    Files shapes = part_of(files, Part::trained);
    for (auto& [name, content] : shapes) {
        if (name == "output.txt") {
            content = unwrapped(content);
        } else if (fs::path(name).extension() != ".js") {
            content = shape_of_table(content);
        }
    }
    return shapes;
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
Files run_now(const Request& request, const std::vector<std::string>& options = {})
{
    const fs::path folder = fs::absolute(request.scratch) / "check_expected";
    fs::remove_all(folder);
    fs::create_directories(folder);
    Files files;
    const std::map<std::string, std::vector<std::string>> runs = {{"output.txt", options},
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
                                  "[--tolerance R] [--kind plain|trained|timed]";
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
        } else if (arguments[i] != "--kind" ||
                   (arguments[i + 1] != "plain" && arguments[i + 1] != "trained" &&
                    arguments[i + 1] != "timed")) {
            throw std::runtime_error(usage);
        } else {
            request.kind = arguments[i + 1];
        }
    }
    return request;
}

/// Whether anything among the files was trained.
bool has_trained(const Files& files)
{
    return std::any_of(files.begin(), files.end(), [](const auto& file) {
        return file.first == "output.txt" ? !part_of(file.second, Part::trained).empty()
                                          : is_trained(file.first);
    });
}

/// How many files differ, if nothing may be trained.
std::size_t check_plain(const Request& request, const Files& committed)
{
    if (has_trained(committed)) {
        throw std::runtime_error(
            "something committed was trained, and --kind trained is not given");
    }
    std::vector<std::string> options;
    if (request.kind == "timed") {
        options.push_back("--untimed");
    }
    return count_differences(committed, run_now(request, options), request.tolerance);
}

/// How many files differ, if part of them is trained.
std::size_t check_trained(const Request& request, const Files& committed)
{
    const Files shapes = shape_of(committed);
    if (!has_trained(committed)) {
        throw std::runtime_error("--kind trained is given, and nothing committed was trained");
    }
    return count_differences(part_of(committed, Part::untrained),
                             part_of(run_now(request, {"--untrained"}), Part::untrained),
                             request.tolerance) +
           count_differences(shapes, shape_of(run_now(request, {"--quick"})), any_number);
}

} // namespace

int main(int argc, char** argv)
{
    try {
        const Request request = read_request({argv + std::min(argc, 1), argv + argc});
        const Files committed = read_expected(request.expected);
        const std::size_t n_different = request.kind == "trained"
                                            ? check_trained(request, committed)
                                            : check_plain(request, committed);
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
