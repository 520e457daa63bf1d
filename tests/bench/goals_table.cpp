/// \file
/// \brief One table of all that was to be reached and of what came of it, from what the
/// benchmarks of one run kept.
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "tests/bench/report.hpp"

#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

namespace {

using namespace attn;

/// Shares are given in per cent, how many times as fast with two decimals.
std::string as_text(double number, double bound)
{
    return program::fixed(number, bound >= 10 ? 0 : 2);
}

std::string verdict(const bench::Goal& goal)
{
    const std::size_t n = goal.n_reached();
    if (n == goal.measured.size()) {
        return "yes";
    }
    return n == 0 ? "no" : fmt::format("{} of {}", n, goal.measured.size());
}

std::vector<std::string> row_of(const bench::Goal& goal)
{
    std::vector<std::string> measured;
    for (const double number : goal.measured) {
        measured.push_back(as_text(number, goal.bound));
    }
    return {goal.what, goal.sizes, fmt::format("{}", fmt::join(measured, " ")),
            fmt::format("{} {} {}", goal.at_least ? "≥" : "≤", as_text(goal.bound, goal.bound),
                        goal.unit),
            verdict(goal)};
}

std::string table_of(int n_files, char** files)
{
    program::Table table({"what", "of", "measured", "wanted", "reached"});
    for (int i = 0; i < n_files; ++i) {
        for (const bench::Goal& goal : bench::kept_goals(files[i])) {
            table.row(row_of(goal));
        }
    }
    return table.to_string() + "\n";
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        fmt::print(stderr, "{} <file of the table> <file that a benchmark kept> ...\n",
                   argv[0]);
        return 2;
    }
    try {
        return bench::write_report(table_of(argc - 2, argv + 2), 2, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", argv[0], error.what());
        return 2;
    }
}
