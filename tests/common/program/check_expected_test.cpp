/// \file
/// \brief The program that holds outputs to what is committed must itself be held to it:
/// it sees every change and passes what is the same.
#include "common/program/atomic_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/run_program.hpp"

using attn::program::read_file;
using attn::program::write_file;
using namespace attn::testing;

namespace fs = std::filesystem;

namespace {

/// A program that prints and writes what it is told, and what is committed for it.
class Toy
{
public:
    Toy()
    {
        for (const char* folder : {"files", "quick_files", "expected"}) {
            fs::create_directories(scratch_.path() / folder);
            write_file(scratch_.path() / folder / "a.csv", "x,y\n1,0.25\n2,0.5\n");
            write_file(scratch_.path() / folder / "b.data.js", "window.b = [1,2];\n");
        }
        write_file(scratch_.path() / "quick_files" / "a.csv", "x,y\n1,0.75\n");
        write_file(expected() / "output.txt", "lookup  error\n  soft   0.25\n");
        write_file(expected() / "quick.txt", "quick\n");
        write_file(expected() / "trace.txt", "Q 1\n");
        write_file(output(), "lookup  error\n  soft   0.25\n");
        write_file(quick(), "quick\n");
        program("cat \"$0.out\"");
    }

    fs::path expected() const { return scratch_.path() / "expected"; }
    fs::path written() const { return scratch_.path() / "files"; }
    fs::path written_quickly() const { return scratch_.path() / "quick_files"; }
    fs::path output() const { return scratch_.path() / "07_toy.out"; }
    fs::path quick() const { return scratch_.path() / "07_toy.quick"; }

    /// What the program does without --trace and --quick; these are asked for in one way each.
    void program(const std::string& print) const
    {
        const fs::path file = scratch_.path() / "07_toy";
        write_file(file, "#!/bin/sh\n"
                         "write() { mkdir -p out/07_toy && cp \"$1\"/* out/07_toy; }\n"
                         "case \"$*\" in\n"
                         "--trace) echo 'Q 1'; exit;;\n"
                         "'--quick --checksums'*)\n"
                         "write \"${0%/*}/quick_files\"; cat \"$0.quick\"; exit;;\n"
                         "esac\n"
                         "write \"${0%/*}/files\"\n" +
                             print + "\n");
        fs::permissions(file, fs::perms::owner_all);
    }

    ProgramRun check(const std::vector<std::string>& options = {"--full"}) const
    {
        std::vector<std::string> arguments = {(scratch_.path() / "07_toy").string(),
                                              expected().string(),
                                              (scratch_.path() / "scratch").string()};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return run_program(ATTN_CHECK_EXPECTED, arguments, scratch_.path());
    }

private:
    WithEnvironment simd_{"ATTN_SIMD", "scalar"}; // the toy has no kernels
    ScratchFolder scratch_;
};

} // namespace

TEST_CASE("what is as committed passes, again and again", "[program]")
{
    const Toy toy;
    for (int i = 0; i < 2; ++i) {
        const ProgramRun run = toy.check();
        CHECK(run.exit_code == 0);
        CHECK(run.out.empty());
        CHECK(run.err.empty());
    }
}

TEST_CASE("the first line that differs is shown with both versions", "[program]")
{
    const Toy toy;
    write_file(toy.output(), "lookup  error\n  soft   0.26\n");
    write_file(toy.quick(), "quick\nor not\n");
    write_file(toy.written() / "a.csv", "x,y\n1,0.25\n2,0.51\n3,4\n");
    const ProgramRun run = toy.check();
    CHECK(run.exit_code == 1);
    CHECK(run.out == "a.csv, line 3 differs\n"
                     "  committed: 2,0.5\n"
                     "  now:       2,0.51\n"
                     "output.txt, line 2 differs\n"
                     "  committed:   soft   0.25\n"
                     "  now:         soft   0.26\n"
                     "quick.txt, line 2 differs\n"
                     "  committed: \n"
                     "  now:       or not\n"
                     "3 files differ; if the change is meant: cmake --build build --target "
                     "figures_07_toy\n");
}

TEST_CASE("missing, surplus and shortened files are differences", "[program]")
{
    const Toy toy;
    fs::remove(toy.expected() / "b.data.js");
    fs::remove(toy.expected() / "trace.txt");
    fs::remove(toy.expected() / "quick.txt");
    fs::rename(toy.written() / "a.csv", toy.written() / "c.csv");
    write_file(toy.output(), "lookup  error\n  soft   0.25");
    const ProgramRun run = toy.check();
    CHECK(run.exit_code == 1);
    CHECK_THAT(run.out, contains("a.csv is committed, and the program does not write it\n"));
    CHECK_THAT(run.out, contains("b.data.js is written by the program, and not committed\n"));
    CHECK_THAT(run.out, contains("c.csv is written by the program, and not committed\n"));
    CHECK_THAT(run.out, contains("quick.txt is written by the program, and not committed\n"));
    CHECK_THAT(run.out, contains("trace.txt is written by the program, and not committed\n"));
    CHECK_THAT(run.out, contains("output.txt, line 3 differs\n  committed: \n"
                                 "  now:       (the file has ended)\n"));
    CHECK_THAT(run.out, contains("6 files differ"));
}

TEST_CASE("a long run is not asked for: what is quick is compared, and the names of files",
          "[program]")
{
    const Toy toy;
    toy.program("exit 9");
    CHECK(toy.check({}).exit_code == 0);
    write_file(toy.quick(), "slow\n");
    CHECK_THAT(toy.check({}).out, contains("quick.txt, line 1 differs"));
    write_file(toy.quick(), "quick\n");
    write_file(toy.written_quickly() / "c.csv", "x,y\n");
    CHECK_THAT(toy.check({}).out, contains("c.csv is written by the program, and not"));
    fs::rename(toy.written_quickly() / "c.csv", toy.expected() / "c.csv");
    CHECK(toy.check({}).exit_code == 1);
}

TEST_CASE("a program that times is run without its times", "[program]")
{
    const Toy toy;
    toy.program("echo \"$*\"; exec cat \"$0.out\"");
    write_file(toy.expected() / "output.txt", "--untimed\nlookup  error\n  soft   0.25\n");
    CHECK(toy.check({"--full", "--untimed"}).exit_code == 0);
    CHECK_THAT(toy.check({"--full"}).out, contains("output.txt, line 1 differs"));
}

TEST_CASE("without fused operations nothing is compared, and that is said", "[program]")
{
    const Toy toy;
    write_file(toy.quick(), "other digits\n");
    const WithEnvironment simd("ATTN_SIMD", "sse4_2");
    const ProgramRun run = toy.check();
    CHECK(run.exit_code == 77);
    CHECK(run.out ==
          "not compared: ATTN_SIMD asks for kernels without fused multiplication and "
          "addition\n");
}

TEST_CASE("a program that fails or warns is told from one that differs", "[program]")
{
    const Toy toy;
    toy.program("echo careful >&2");
    CHECK(toy.check().exit_code == 2);
    CHECK_THAT(toy.check().err, contains("careful"));
    toy.program("exit 3");
    CHECK_THAT(toy.check().err, contains("exit code 3"));
    toy.program("kill -SEGV $$");
    CHECK_THAT(toy.check().err, contains("ended by a signal: Segmentation fault"));
    CHECK(toy.check({"--tolerance"}).exit_code == 2);
}
