/// \file
/// \brief The program of chapter 7: a reader's sentences, a training taken up again, and longer
/// trainings.
#include "common/program/files.hpp"
#include "tests/support/program_checks.hpp"

#include <fmt/format.h>
#include <fstream>

using namespace attn;
using namespace attn::testing;

namespace {

/// Sentences of two to seven words with translations.
std::string sentences(std::size_t n)
{
    std::string text;
    for (std::size_t i = 0; i < n; ++i) {
        std::string source = fmt::format("w{}", i % 9);
        std::string target = fmt::format("v{}", i % 9);
        for (std::size_t j = 0; j < i % 6; ++j) {
            source += fmt::format(" a{}", (i / 9 + j) % 7);
            target += fmt::format(" b{}", (i / 9 + j) % 7);
        }
        text += source + " .\t" + target + " .\n";
    }
    return text;
}

std::vector<std::string> with_corpus(std::vector<std::string> more = {})
{
    std::vector<std::string> arguments = {"--corpus", "table.csv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

} // namespace

TEST_CASE("a reader's sentences are translated", "[07][train]")
{
    const ScratchFolder scratch;
    std::ofstream(scratch.path() / "table.csv") << sentences(400) << "no tab\n";
    const ProgramRun run = run_program(
        ATTN_PROGRAM, with_corpus({"--quick", "--min-frequency", "2"}), scratch.path());
    CHECK(run.exit_code == 0);
    CHECK(run.err.empty());
    CHECK_THAT(run.out, contains("400"));
    CHECK_THAT(run.out, contains("perplexity"));
    CHECK_THAT(run.out, contains("pairs of words counted"));
    CHECK_THAT(run.out, contains("translation «"));
    CHECK_THAT(run.out, contains("trained_readers_lengths.csv"));
}

TEST_CASE("a reader's training is kept and taken up", "[07][train]")
{
    const ScratchFolder scratch;
    std::ofstream(scratch.path() / "table.csv") << sentences(300);
    const ProgramRun first = run_program(
        ATTN_PROGRAM, with_corpus({"--steps", "4", "--save", "m.st"}), scratch.path());
    CHECK(first.exit_code == 0);
    CHECK(std::filesystem::exists(scratch.path() / "m.st"));
    const ProgramRun again = run_program(
        ATTN_PROGRAM, with_corpus({"--steps", "4", "--resume", "m.st"}), scratch.path());
    CHECK(again.exit_code == 0);
    CHECK(again.out == first.out);
    const ProgramRun other = run_program(
        ATTN_PROGRAM, with_corpus({"--steps", "4", "--reversed", "--resume", "m.st"}),
        scratch.path());
    CHECK(other.exit_code == 2); // the other way round
    std::ofstream(scratch.path() / "table.csv") << sentences(300) << "a b.\tc d.\n";
    const ProgramRun more = run_program(
        ATTN_PROGRAM, with_corpus({"--steps", "4", "--resume", "m.st"}), scratch.path());
    CHECK(more.exit_code == 2); // one pair more
}

TEST_CASE("longer trainings take four and ten times the steps", "[07][train]")
{
    const ScratchFolder scratch;
    const ProgramRun run =
        run_program(ATTN_PROGRAM, {"--quick", "--longer", "--steps", "2"}, scratch.path());
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.out, contains("The same after longer trainings"));
    const std::string header =
        program::read_file(scratch.path() / "out" / "07_seq2seq" / "trained_longer_exact.csv");
    for (const char* training : {"2 steps", "8 steps", "20 steps", "mean 2", "mean 8"}) {
        CHECK_THAT(header, contains(std::string(",") + training + ","));
    }
}
