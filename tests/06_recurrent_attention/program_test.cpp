/// \file
/// \brief The program of chapter 6 on a reader's table: units, digits, and a name of its own.
#include "common/program/csv_columns.hpp"
#include "tests/support/program_checks.hpp"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

using namespace attn::testing;

TEST_CASE("a series is forecast alike in any unit, and its files read back", "[06][train]")
{
    const ScratchFolder scratch;
    const auto errors = [&](int exponent) {
        std::ofstream table(scratch.path() / "table.csv");
        table << "y\n";
        for (int row = 0; row < 60; ++row) {
            table << fmt::format("{}\n", std::ldexp(std::sin(row * 0.7), exponent));
        }
        table.close();
        const ProgramRun run = run_program(ATTN_PROGRAM,
                                           {"--data", "table.csv", "--target", "y", "--quick",
                                            "--window", "8", "--out", "out"},
                                           scratch.path());
        INFO(run.err);
        CHECK(run.exit_code == 0);
        CHECK(run.out.find(" 0.000") == std::string::npos);
        std::ifstream file(scratch.path() / "out" / "trained_errors.csv");
        std::string line;
        std::getline(file, line);
        std::getline(file, line);
        return std::ldexp(std::stod(line.substr(2)), -exponent); // of persistence
    };
    const double wanted = errors(0);
    CHECK(wanted > 0.1);
    for (const int exponent : {-600, -30, 30, 500}) {
        CAPTURE(exponent);
        CHECK(std::abs(errors(exponent) - wanted) < 1e-12);
    }
}

TEST_CASE("a forecast far from zero has the digits by which its series varies", "[06]")
{
    const ScratchFolder scratch;
    std::ofstream table(scratch.path() / "far.csv");
    table << "y\n";
    for (int i = 0; i < 200; ++i) {
        table << 1000000000 + i % 7 << ".5\n"; // varies by 6 in a milliard
    }
    table.close();
    const ProgramRun run = run_program(
        ATTN_PROGRAM,
        {"--data", "far.csv", "--target", "y", "--quick", "--window", "8", "--out", "o"},
        scratch.path());
    INFO(run.out << run.err);
    REQUIRE(run.exit_code == 0);
    // Persistence, the first model, forecasts the last row, to the bit in the file.
    const double last = 1000000000 + 199 % 7 + 0.5;
    const auto next =
        attn::program::read_numeric_csv(scratch.path() / "o" / "trained_next.csv");
    CHECK(next.columns[1][0] == last);
    CHECK_THAT(run.out, contains("1000000003.5"));
}

TEST_CASE("a table with a name of the program's own is refused before the training",
          "[06][bad_input]")
{
    const ScratchFolder scratch;
    std::filesystem::create_directory(scratch.path() / "o");
    const std::filesystem::path table = scratch.path() / "o" / "trained_next.csv";
    std::ofstream(table) << "y\n1\n2\n";
    const ProgramRun run = run_program(
        ATTN_PROGRAM, {"--data", "o/trained_next.csv", "--target", "y", "--out", "./o"},
        scratch.path());
    CHECK(run.exit_code == 2);
    CHECK(run.out.empty());
    CHECK_THAT(run.err, contains("--data: 'o/trained_next.csv' may be the name of a file of"));
}
