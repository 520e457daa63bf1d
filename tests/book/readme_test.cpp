/// \file
/// \brief What the README shows of a program's output is what the program printed, and its
/// chapters are the book's.
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

const std::filesystem::path source_folder = ATTN_SOURCE_DIR;

std::vector<std::string> lines_of(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    CAPTURE(file);
    REQUIRE(stream.good());
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// A run as the README shows it: the program behind "$ build/bin/", and what follows it.
struct ShownRun
{
    std::string program;
    std::vector<std::string> output;
};

std::vector<ShownRun> shown_runs(const std::vector<std::string>& lines)
{
    const std::string prompt = "$ build/bin/";
    std::vector<ShownRun> runs;
    bool inside = false;
    for (const std::string& line : lines) {
        if (line.rfind(prompt, 0) == 0) {
            runs.push_back({line.substr(prompt.size()), {}});
            inside = true;
        } else if (line.rfind("```", 0) == 0) {
            inside = false;
        } else if (inside && line != "...") {
            runs.back().output.push_back(line);
        }
    }
    return runs;
}

/// A source text on one line, its string literals in one piece each.
std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines) {
        text += line.substr(std::min(line.find_first_not_of(' '), line.size()));
    }
    for (std::size_t at = 0; (at = text.find("\"\"", at)) != std::string::npos;) {
        text.erase(at, 2);
    }
    return text;
}

} // namespace

TEST_CASE("the README shows what the programs print", "[book][claim]")
{
    const std::vector<ShownRun> runs = shown_runs(lines_of(source_folder / "README.md"));
    REQUIRE_FALSE(runs.empty());
    for (const ShownRun& run : runs) {
        CAPTURE(run.program);
        const std::vector<std::string> printed =
            lines_of(source_folder / "chapters" / run.program / "expected" / "output.txt");
        REQUIRE(run.output.size() >= 5);
        std::size_t next = 0; // each shown line is printed, in the same order
        for (const std::string& line : run.output) {
            CAPTURE(line);
            while (next < printed.size() && printed[next] != line) {
                ++next;
            }
            REQUIRE(next < printed.size());
        }
    }
}

TEST_CASE("the README lists every chapter by its question, in order, and so does each program",
          "[book]")
{
    std::vector<std::string> wanted;
    std::istringstream ids(ATTN_CHAPTERS);
    for (std::string id; std::getline(ids, id, ',');) {
        for (const std::string& line :
             lines_of(source_folder / "chapters" / id / "chapter.md")) {
            if (line.rfind("> ", 0) == 0) {
                const std::string question = line.substr(2);
                wanted.push_back("[" + question + "](chapters/" + id + "/chapter.md)");
                CHECK_THAT(joined(lines_of(source_folder / "chapters" / id / "main.cpp")),
                           attn::testing::contains('"' + question + '"'));
                break;
            }
        }
    }
    std::vector<std::string> listed;
    for (const std::string& line : lines_of(source_folder / "README.md")) {
        const std::size_t begin = line.find('[');
        const std::size_t end = line.find("/chapter.md)");
        if (begin != std::string::npos && end != std::string::npos) {
            listed.push_back(line.substr(begin, line.find(')', end) + 1 - begin));
        }
    }
    CHECK(listed == wanted);
}

TEST_CASE("the README has two commands, each one line", "[book]")
{
    std::vector<int> block_sizes;
    bool in_section = false;
    bool in_block = false;
    for (const std::string& line : lines_of(source_folder / "README.md")) {
        if (line.rfind("## ", 0) == 0) {
            in_section = line == "## Two commands";
        } else if (in_section && line == "```sh") {
            in_block = true;
            block_sizes.push_back(0);
        } else if (line == "```") {
            in_block = false;
        } else if (in_block) {
            ++block_sizes.back();
        }
    }
    CHECK(block_sizes == std::vector<int>{1, 1});
}
