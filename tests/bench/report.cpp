#include "tests/bench/report.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/program/number.hpp"
#include "common/program/processor.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace attn::bench {

namespace {

namespace fs = std::filesystem;

/// Shares are given in per cent, how many times as fast with two decimals.
std::string as_text(double number, double bound)
{
    return program::fixed(number, bound >= 10 ? 0 : 2);
}

/// Whether all numbers keep the bound, or how many of them.
std::string verdict(const Goal& goal)
{
    const auto n = std::count_if(goal.measured.begin(), goal.measured.end(), [&](double x) {
        return goal.at_least ? x >= goal.bound : x <= goal.bound;
    });
    if (std::cmp_equal(n, goal.measured.size())) {
        return "yes";
    }
    return n == 0 ? "no" : fmt::format("{} of {}", n, goal.measured.size());
}

} // namespace

void keep_goals(const std::vector<Goal>& goals, const fs::path& file)
{
    std::string text;
    for (const Goal& goal : goals) {
        std::vector<std::string> measured;
        for (const double number : goal.measured) {
            measured.push_back(as_text(number, goal.bound));
        }
        text += fmt::format("{},{},{},{} {} {},{}\n", goal.what, goal.sizes,
                            fmt::join(measured, " "), goal.at_least ? "≥" : "≤",
                            as_text(goal.bound, goal.bound), goal.unit, verdict(goal));
    }
    fs::create_directories(fs::absolute(file).parent_path());
    program::write_file(file, text);
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
