/// \file
/// \brief The program of chapter 6: one clear sentence for what it cannot use, the contest on a
/// reader's table, and the same output from the same seed.
#include "common/program/csv_columns.hpp"
#include "common/random/random.hpp"
#include "tests/support/program_checks.hpp"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

using namespace attn::testing;

namespace {

/// A seasonal column with noise, one that follows it, and one that never varies if asked for.
std::string table_of(std::size_t n_rows, bool constant)
{
    attn::random::Generator generator(3);
    std::string text = constant ? "date,sold,law\n" : "date,sold\n";
    for (std::size_t row = 0; row < n_rows; ++row) {
        text += fmt::format("{},{:.3f}{}\n", row,
                            10 + 3 * std::sin(static_cast<double>(row) * 0.5236) +
                                generator.normal(0, 0.2),
                            constant ? ",0" : "");
    }
    return text;
}

std::vector<std::string> asked(const std::string& target, std::vector<std::string> more = {})
{
    std::vector<std::string> arguments = {"--data", "table.csv", "--target", target};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

} // namespace

TEST_CASE("bad options and tables end in one sentence and exit code 2", "[06][bad_input]")
{
    const std::string good = table_of(120, false);
    for (const BadInputCase& bad : std::vector<BadInputCase>{
             {"an unknown option", "", {"--lag", "1"}, {"--lag"}},
             {"no steps", "", {"--steps", "0"}, {"--steps"}},
             {"no target", good, {"--data", "table.csv"}, {"--target COLUMN"}},
             {"no table", "", {"--target", "sold"}, {"--data"}},
             {"no such file", "", {"--data", "none.csv", "--target", "y"}, {"none.csv"}},
             {"no such column", good, asked("rain"), {"rain", "date, sold"}},
             {"a horizon of 0", good, asked("sold", {"--horizon", "0"}), {"--horizon"}},
             {"a season that is too long",
              good,
              asked("sold", {"--season", "40"}),
              {"--season", "--window"}},
             {"a table and the trace", good, asked("sold", {"--trace"}), {"--trace"}},
             {"too few rows",
              table_of(40, false),
              asked("sold"),
              {"table.csv", "40 rows are too few", "window of 24"}},
             {"a horizon that is too far",
              table_of(200, false),
              asked("sold", {"--horizon", "60"}),
              {"too few"}},
             {"a column without variance",
              table_of(120, true),
              asked("sold"),
              {"column 'law'", "does not vary"}},
             {"a missing value", good + "120,\n", asked("sold"), {"table.csv, line 122"}},
             {"a word", good + "120,NA\n", asked("sold"), {"'NA'", "line 122"}}}) {
        check_refused(ATTN_PROGRAM, bad);
    }
}

TEST_CASE("a reader's table is forecast beyond its last row", "[06][train]")
{
    const ScratchFolder scratch;
    std::ofstream(scratch.path() / "table.csv") << table_of(160, false);
    const ProgramRun run = run_program(
        ATTN_PROGRAM,
        asked("sold", {"--quick", "--horizon", "3", "--window", "12", "--season", "12"}),
        scratch.path());
    CHECK(run.exit_code == 0);
    CHECK(run.err.empty());
    CHECK_THAT(run.out, contains("seasonal naive"));
    CHECK_THAT(run.out, contains("3 ahead"));
    CHECK_THAT(run.out, contains("What comes after the last row of 'sold'"));
    CHECK_THAT(run.out, contains("trained_next.csv"));
}

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
        const ProgramRun run =
            run_program(ATTN_PROGRAM, asked("y", {"--quick", "--window", "8", "--out", "out"}),
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

TEST_CASE("a table of one column is forecast recursively as well", "[06][train]")
{
    const ScratchFolder scratch;
    std::string text = "y\n";
    for (int row = 0; row < 120; ++row) {
        text += fmt::format("{:.4f}\n", std::sin(row * 0.7));
    }
    std::ofstream(scratch.path() / "table.csv") << text;
    const ProgramRun run =
        run_program(ATTN_PROGRAM, asked("y", {"--quick", "--horizon", "4", "--window", "8"}),
                    scratch.path());
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.out, contains("ridge, recursive"));
    CHECK_THAT(run.out, contains("LSTM, multi-output"));
}

TEST_CASE("the trace writes no file", "[06]")
{
    CHECK_THAT(checked_trace(ATTN_PROGRAM), contains("c [batch = 2, d = 2]: A v"));
}

TEST_CASE("same seed, same output, with any number of threads", "[06][train]")
{
    check_same_with_threads(ATTN_PROGRAM);
}

TEST_CASE("without the trainings nothing is said of them", "[06]")
{
    check_untrained(ATTN_PROGRAM, "How much of a gradient is left");
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

TEST_CASE("a row that would hide what the others differ by is refused by its place",
          "[06][bad_input]")
{
    std::string wave = "y\n";
    std::string barely = "y\n";
    for (int i = 0; i < 200; ++i) {
        wave += i == 20 ? "1e9\n" : std::to_string(i % 7) + ".5\n";
        barely += std::to_string(1000000000000000 + i % 3) + "\n";
    }
    const std::vector<std::string> asked = {"--data", "table.csv", "--target", "y", "--quick"};
    check_refused(ATTN_PROGRAM,
                  {"one far away", wave, asked, {"row 21", "1000000000", "lost"}});
    check_refused(ATTN_PROGRAM, {"a part in 10^15", barely, asked, {"varies too little"}});
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
