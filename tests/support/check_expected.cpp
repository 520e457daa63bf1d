/// \file
/// \brief Runs a chapter's program in an empty folder and compares what it prints and writes with
/// what is committed, byte for byte:
///
///     check_expected <program> <expected folder> <scratch folder> [--full] [--untimed]
///     check_expected <program> <expected folder> <scratch folder> --example
///
/// | committed   | what the program prints with                                          |
/// |-------------|-----------------------------------------------------------------------|
/// | quick.txt   | --quick --checksums: the output, and a checksum of each file           |
/// | trace.txt   | --trace                                                                |
/// | output.txt  | no option, only asked with --full; its files are compared as well      |
/// | example.txt | nothing; with --example, and then alone                                |
///
/// Without --full the names of the committed files must be those that the program writes with
/// --quick. With --untimed the program is run so, but for the trace: it prints no time. Of each
/// file the first line that differs is shown. Ends with 77, and says why, where no run can have
/// the committed bits. Deliberately blind to figures: a figure is held to its numbers by its
/// checksum.
#include "common/kernels/instruction_sets.hpp"
#include "common/program/files.hpp"
#include "tests/support/run_program.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

namespace {

constexpr int skipped = 77; ///< as ctest is told by SKIP_RETURN_CODE

/// What the command line asks for.
struct Request
{
    fs::path program;
    fs::path expected;
    fs::path scratch;
    bool full = false;
    bool example = false;
    std::vector<std::string> untimed = {}; ///< "--untimed", or nothing
};

/// Contents by the name of their file.
using Files = std::map<std::string, std::string>;

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

/// Shows the first line in which two texts differ.
void show_difference(const std::string& name, const std::string& expected,
                     const std::string& got)
{
    const std::vector<std::string_view> committed = split_lines(expected);
    const std::vector<std::string_view> written = split_lines(got);
    const auto [a, b] =
        std::mismatch(committed.begin(), committed.end(), written.begin(), written.end());
    const auto i = static_cast<std::size_t>(a - committed.begin());
    std::printf("%s, line %zu differs\n", name.c_str(), i + 1);
    show("committed:", committed, i);
    show("now:      ", written, i);
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

/// What is committed: without --full only the names of the numbers count.
Files read_expected(const Request& request)
{
    Files files = request.example ? Files() : read_numbers(request.expected);
    std::vector<std::string> texts = request.example
                                         ? std::vector<std::string>{"example.txt"}
                                         : std::vector<std::string>{"quick.txt", "trace.txt"};
    if (request.full) {
        texts.push_back("output.txt");
    }
    for (const std::string& name : texts) {
        if (fs::exists(request.expected / name)) {
            files[name] = attn::program::read_file(request.expected / name);
        }
    }
    return files;
}

/// What the program prints and writes now, in an empty folder below the scratch folder.
Files run_now(const Request& request)
{
    std::vector<std::string> quick = {"--quick", "--checksums"};
    quick.insert(quick.end(), request.untimed.begin(), request.untimed.end());
    std::vector<std::pair<std::string, std::vector<std::string>>> runs = {
        {"trace.txt", {"--trace"}}, {"quick.txt", quick}};
    if (request.full) {
        runs.emplace_back("output.txt", request.untimed);
    }
    if (request.example) {
        runs = {{"example.txt", {}}};
    }

    const fs::path folder = fs::absolute(request.scratch) / "check_expected";
    Files files;
    for (const auto& [name, arguments] : runs) {
        fs::remove_all(folder);
        fs::create_directories(folder);
        const attn::testing::ProgramRun run =
            attn::testing::run_program(request.program, arguments, folder);
        if (run.exit_code != 0 || !run.err.empty()) {
            throw std::runtime_error("for " + name + " the program ended with exit code " +
                                     std::to_string(run.exit_code) + " and said: " + run.err);
        }
        files[name] = run.out;
    }
    files.merge(read_numbers(folder / "out" / request.program.filename())); // of the last run
    return files;
}

/// How many files differ; each is reported.
std::size_t count_differences(const Request& request, const Files& committed, const Files& now)
{
    std::size_t n_different = 0;
    for (const auto& [name, content] : committed) {
        const auto found = now.find(name);
        // Only the figures ask for --longer.
        const bool longer = !request.full && name.rfind("trained_longer", 0) == 0;
        if (found == now.end() && longer) {
            continue;
        }
        if (found == now.end()) {
            std::printf("%s is committed, and the program does not write it\n", name.c_str());
            ++n_different;
        } else if (content != found->second &&
                   (request.full || fs::path(name).extension() == ".txt")) {
            show_difference(name, content, found->second);
            ++n_different;
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
                                  "[--full] [--untimed] [--example]";
    if (arguments.size() < 3) {
        throw std::runtime_error(usage);
    }
    Request request{arguments[0], arguments[1], arguments[2]};
    for (std::size_t i = 3; i < arguments.size(); ++i) {
        if (arguments[i] == "--full") {
            request.full = true;
        } else if (arguments[i] == "--example") {
            request.example = true;
        } else if (arguments[i] == "--untimed") {
            request.untimed = {arguments[i]};
        } else {
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
        if (!attn::kernels::default_kernels().fused) {
            std::printf("not compared: kernels for %s round a product before it is added\n",
                        attn::kernels::default_kernels().name);
            return skipped;
        }
        const std::size_t n_different =
            count_differences(request, read_expected(request), run_now(request));
        if (n_different == 0) {
            return 0;
        }
        std::printf("%zu %s; if the change is meant: cmake --build build --target %s\n",
                    n_different, n_different == 1 ? "file differs" : "files differ",
                    request.example
                        ? "quick_expected"
                        : ("figures_" + request.program.filename().string()).c_str());
        return 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "check_expected: %s\n", error.what());
        return 2;
    }
}
