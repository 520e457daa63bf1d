/// \file
/// \brief Runs a chapter's program where its makers do not: in other locales and in none, where
/// nothing can be written, into a folder with a strange name, without an output.
///
///     run_elsewhere <program> <expected folder> <scratch folder> [--untimed]
///
/// Each row of the table below is asked, and each that fails is shown.
#include "common/kernels/instruction_sets.hpp"
#include "common/program/files.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/run_program.hpp"

#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;
using attn::testing::ProgramRun;
using attn::testing::run_program;
using attn::testing::WithEnvironment;

namespace {

/// A place, and what the program is asked there.
struct Elsewhere
{
    std::string name;
    std::optional<std::string> locale; ///< LC_ALL; nothing: no variable of the language at all
    std::string folder;                ///< the current one; empty: an empty folder
    std::vector<std::string> arguments;
    std::string prints = {}; ///< a committed file, to the byte; empty: whatever it likes
};

/// The folder that is given by --out: blanks, quotes, letters of several alphabets.
fs::path strange_folder(const fs::path& scratch)
{
    return scratch / "it's \"größer\"  日本 $HOME";
}

std::vector<Elsewhere> places(const fs::path& scratch, const std::vector<std::string>& untimed)
{
    std::vector<Elsewhere> all;
    for (const char* locale : {"C", "POSIX", "de_DE.UTF-8", "tr_TR.UTF-8", "absent"}) {
        all.push_back(
            {std::string("the locale ") + locale, locale, "", {"--trace"}, "trace.txt"});
    }
    all.push_back({"no variables", std::nullopt, "", {"--trace"}, "trace.txt"});
    std::vector<std::string> quick = {"--quick", "--out", strange_folder(scratch)};
    quick.insert(quick.end(), untimed.begin(), untimed.end());
    // Nobody can write to /proc, root included.
    all.push_back({"a folder where nothing can be written", "de_DE.UTF-8", "/proc", quick});
    return all;
}

/// Why a program has not done its work; nothing if it has.
std::string complaint(const fs::path& program, const fs::path& expected,
                      const fs::path& scratch, const Elsewhere& place)
{
    fs::remove_all(scratch);
    fs::create_directories(scratch);
    const WithEnvironment all("LC_ALL", place.locale);
    const WithEnvironment language("LANG", place.locale);
    const WithEnvironment numbers("LC_NUMERIC", std::nullopt);
    const WithEnvironment home("HOME", std::nullopt);
    const WithEnvironment term("TERM", std::nullopt);
    const ProgramRun run = run_program(program, place.arguments,
                                       place.folder.empty() ? scratch : fs::path(place.folder));
    if (run.exit_code != 0 || !run.err.empty()) {
        return "it ended with exit code " + std::to_string(run.exit_code) +
               " and said: " + run.err;
    }
    const bool has_the_bits = attn::kernels::default_kernels().fused;
    if (has_the_bits && !place.prints.empty() &&
        run.out != attn::program::read_file(expected / place.prints)) {
        return "it did not print what " + place.prints + " holds";
    }
    const bool says_so = run.out.find("written to ") != std::string::npos;
    if (!place.folder.empty() && says_so && !fs::exists(strange_folder(scratch))) {
        return "it has written nothing where it should";
    }
    return "";
}

/// The same for a program whose standard output is closed: it must say so and do nothing.
std::string complaint_without_output(const fs::path& program, const fs::path& scratch)
{
    const ProgramRun run =
        run_program("sh", {"-c", "exec \"$0\" --quick >&-", program.string()}, scratch);
    const bool said = run.err.find("standard output is closed") != std::string::npos;
    return run.exit_code == 2 && said ? "" : "it did not refuse, and said: " + run.err;
}

} // namespace

int main(int argc, char** argv)
{
    try {
        const std::vector<std::string> arguments(argv + 1, argv + argc);
        if (arguments.size() < 3) {
            throw std::runtime_error(
                "run_elsewhere <program> <expected folder> <scratch folder>");
        }
        const fs::path program = fs::absolute(arguments[0]);
        const fs::path scratch = fs::absolute(arguments[2]) / "elsewhere";
        int n_failed = 0;
        const auto report = [&](const std::string& name, const std::string& what) {
            if (!what.empty()) {
                std::printf("%s: %s\n", name.c_str(), what.c_str());
                ++n_failed;
            }
        };
        for (const Elsewhere& place :
             places(scratch, {arguments.begin() + 3, arguments.end()})) {
            report(place.name, complaint(program, fs::absolute(arguments[1]), scratch, place));
        }
        report("no output", complaint_without_output(program, scratch));
        return n_failed == 0 ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "run_elsewhere: %s\n", error.what());
        return 2;
    }
}
