/// \file
/// \brief One table of all that was to be reached and of what came of it, from what the
/// benchmarks of one run kept.
#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/program/table.hpp"
#include "tests/bench/report.hpp"

#include <exception>
#include <fmt/format.h>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace attn;

std::string table_of(int n_files, char** files)
{
    program::Table table({"what", "of", "measured", "wanted", "reached"});
    for (int i = 0; i < n_files; ++i) {
        std::istringstream lines(program::read_file(files[i]));
        std::string line;
        for (int number = 1; std::getline(lines, line); ++number) {
            std::vector<std::string> cells;
            std::istringstream rest(line);
            for (std::string cell; std::getline(rest, cell, ',');) {
                cells.push_back(cell);
            }
            if (cells.size() != 5) {
                throw program::BadInput(
                    fmt::format("{}, line {}: a goal has 5 cells, here are {}", files[i],
                                number, cells.size()));
            }
            table.row(cells);
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
