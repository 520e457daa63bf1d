#include "tests/bench/report.hpp"

#include "common/program/atomic_file.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/number.hpp"
#include "common/program/processor.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>
#include <thread>

namespace attn::bench {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) {
        parts.push_back(part);
    }
    return parts;
}

Goal goal_of(const std::string& line, const std::string& place)
{
    const std::vector<std::string> cells = split(line, ',');
    if (cells.size() != 6) {
        throw program::BadInput(
            fmt::format("{}: a goal has 6 cells, here are {}", place, cells.size()));
    }
    if (cells[3] != "at least" && cells[3] != "at most") {
        throw program::BadInput(
            fmt::format("{}: a bound is 'at least' or 'at most', not '{}'", place, cells[3]));
    }
    Goal goal{.what = cells[0],
              .sizes = cells[1],
              .unit = cells[2],
              .bound = program::parse_number(cells[4], place),
              .at_least = cells[3] == "at least",
              .measured = {}};
    for (const std::string& one : split(cells[5], ' ')) {
        goal.measured.push_back(program::parse_number(one, place));
    }
    return goal;
}

} // namespace

std::size_t Goal::n_reached() const
{
    return static_cast<std::size_t>(
        std::count_if(measured.begin(), measured.end(), [&](double number) {
            return at_least ? number >= bound : number <= bound;
        }));
}

void keep_goals(const std::vector<Goal>& goals, const fs::path& file)
{
    std::string text;
    for (const Goal& goal : goals) {
        text += fmt::format("{},{},{},{},{},{}\n", goal.what, goal.sizes, goal.unit,
                            goal.at_least ? "at least" : "at most", goal.bound,
                            fmt::join(goal.measured, " "));
    }
    fs::create_directories(fs::absolute(file).parent_path());
    program::write_file(file, text);
}

std::vector<Goal> kept_goals(const fs::path& file)
{
    const std::vector<std::string> lines = split(program::read_file(file), '\n');
    std::vector<Goal> goals;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        goals.push_back(goal_of(lines[i], fmt::format("{}, line {}", file.string(), i + 1)));
    }
    return goals;
}

int write_report(const std::string& report, int argc, char** argv,
                 const std::vector<Goal>& goals)
{
    const unsigned n = std::thread::hardware_concurrency();
    const std::string text = fmt::format("{}machine: {}, {} hardware threads\ncompiler: {}\n",
                                         report, program::processor(), n, program::compiler());
    std::fputs(text.c_str(), stdout);
    try {
        if (argc > 1) {
            program::write_file(argv[1], text);
        }
        if (argc > 2) {
            keep_goals(goals, argv[2]);
        }
    } catch (const program::BadInput& error) {
        fmt::print(stderr, "{}: {}\n", argv[0], error.what());
        return 2;
    }
    return 0;
}

} // namespace attn::bench
