/// \file
/// \brief The program that holds outputs to what is committed must itself be held to it:
/// it sees every change and passes what is the same.
#include "common/program/atomic_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using attn::program::read_file;
using attn::program::write_file;
using attn::testing::contains;
using attn::testing::ProgramRun;
using attn::testing::run_program;
using attn::testing::ScratchFolder;

namespace fs = std::filesystem;

namespace {

/// A program that prints and writes what it is told, and what is committed for it.
class Toy
{
public:
    Toy()
    {
        for (const char* folder : {"files", "expected"}) {
            fs::create_directories(scratch_.path() / folder);
            write_file(scratch_.path() / folder / "a.csv", "x,y\n1,0.25\n2,0.5\n");
            write_file(scratch_.path() / folder / "b.data.js", "window.b = [1,2];\n");
        }
        write_file(expected() / "output.txt", "lookup  error\n  soft   0.25\n");
        write_file(expected() / "trace.txt", "Q 1\n");
        program("cat \"$0.out\"");
        write_file(scratch_.path() / "07_toy.out", "lookup  error\n  soft   0.25\n");
    }

    fs::path expected() const { return scratch_.path() / "expected"; }
    fs::path written() const { return scratch_.path() / "files"; }
    fs::path output() const { return scratch_.path() / "07_toy.out"; }

    /// What the program does without --trace.
    void program(const std::string& print) const
    {
        const fs::path file = scratch_.path() / "07_toy";
        write_file(file, "#!/bin/sh\nif [ \"$1\" = --trace ]; then echo 'Q 1'; exit; fi\n"
                         "mkdir -p out/07_toy && cp \"${0%/*}\"/files/* out/07_toy\n" +
                             print + "\n");
        fs::permissions(file, fs::perms::owner_all);
    }

    ProgramRun check(const std::vector<std::string>& options = {}) const
    {
        std::vector<std::string> arguments = {(scratch_.path() / "07_toy").string(),
                                              expected().string(),
                                              (scratch_.path() / "scratch").string()};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return run_program(ATTN_CHECK_EXPECTED, arguments, scratch_.path());
    }

private:
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
    CHECK(toy.check({"--kind", "plain", "--tolerance", "1e-3"}).exit_code == 0);
}

TEST_CASE("the first line that differs is shown with both versions", "[program]")
{
    const Toy toy;
    write_file(toy.output(), "lookup  error\n  soft   0.26\n");
    write_file(toy.written() / "a.csv", "x,y\n1,0.25\n2,0.51\n3,4\n");
    const ProgramRun run = toy.check();
    CHECK(run.exit_code == 1);
    CHECK(run.out == "a.csv, line 3 differs\n"
                     "  committed: 2,0.5\n"
                     "  now:       2,0.51\n"
                     "output.txt, line 2 differs\n"
                     "  committed:   soft   0.25\n"
                     "  now:         soft   0.26\n"
                     "2 files differ; if the change is meant: cmake --build build --target "
                     "figures_07_toy\n");
}

TEST_CASE("missing, surplus and shortened files are differences", "[program]")
{
    const Toy toy;
    fs::remove(toy.expected() / "b.data.js");
    fs::remove(toy.expected() / "trace.txt");
    fs::rename(toy.written() / "a.csv", toy.written() / "c.csv");
    write_file(toy.output(), "lookup  error\n  soft   0.25");
    const ProgramRun run = toy.check();
    CHECK(run.exit_code == 1);
    CHECK_THAT(run.out, contains("a.csv is committed, and the program does not write it\n"));
    CHECK_THAT(run.out, contains("b.data.js is written by the program, and not committed\n"));
    CHECK_THAT(run.out, contains("c.csv is written by the program, and not committed\n"));
    CHECK_THAT(run.out, contains("trace.txt is written by the program, and not committed\n"));
    CHECK_THAT(run.out, contains("output.txt, line 3 differs\n  committed: \n"
                                 "  now:       (the file has ended)\n"));
    CHECK_THAT(run.out, contains("5 files differ"));
}

TEST_CASE("what an earlier run has left behind does not count", "[program]")
{
    const Toy toy;
    write_file(toy.written() / "old.csv", "1\n");
    CHECK(toy.check().exit_code == 1);
    fs::remove(toy.written() / "old.csv");
    CHECK(toy.check().exit_code == 0);
}

TEST_CASE("figures are not compared", "[program]")
{
    const Toy toy;
    write_file(toy.written() / "a.svg", "drawn");
    CHECK(toy.check().exit_code == 0);
}

TEST_CASE("within a tolerance numbers may differ, and nothing else", "[program]")
{
    struct Case
    {
        std::string committed, now;
        bool same;
    };
    const std::vector<Case> cases = {
        {"soft 0.2500", "soft 0.2501", true},
        {"soft 0.25", "soft 0.26", false},
        {"soft   9.999", "soft  10.0", true}, // padding follows the digits
        {"[1,2.0001,3e-5]", "[1,2,3.0001e-5]", true},
        {"[1,2,3]", "[1,2,3,4]", false},
        {"-1 b", "1 b", false},
        {"-1.0001,b", "-1,b", true},
        {"weight_1000", "weight_1001", false}, // a name, not a number
        {"1000 b", "1000.1 c", false},
        {"nan", "nan", true},
        {"nan", "1", false},
        {"0", "1e-300", false},
        {"", "x", false},
        {"x ", "x", true},
        {"a b", "ab", false},
    };
    const Toy toy;
    for (const Case& test : cases) {
        INFO(test.committed << " and " << test.now);
        write_file(toy.expected() / "output.txt", test.committed + "\n");
        write_file(toy.output(), test.now + "\n");
        CHECK((toy.check({"--tolerance", "1e-3"}).exit_code == 0) == test.same);
        CHECK((toy.check().exit_code == 0) == (test.committed == test.now));
    }
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
    CHECK(toy.check({"--tolerance", "much"}).exit_code == 2);
    CHECK(toy.check({"--kind", "of processor"}).exit_code == 2);
}

namespace {

/// What a program prints that computes something, and then trains something.
std::string output_of(const std::string& computed, const std::string& processor,
                      const std::string& trained, const std::string& files)
{
    return "Computed\n════════\n" + computed + "\n\nTrained\n═══════\nTrained in float on " +
           processor + "\nkernels.\n\nAfter " + trained + "\n\nwritten to out: " + files + "\n";
}

/// A toy part of which is trained: without --untrained or --quick it must not be asked.
class TrainedToy : public Toy
{
public:
    TrainedToy()
    {
        program("case \"$1\" in --untrained) cat \"$0.untrained\";; "
                "--quick) cp \"${0%/*}\"/quick_files/* out/07_toy; cat \"$0.quick\";; "
                "*) exit 9;; esac");
        fs::create_directories(folder() / "quick_files");
        write_file(expected() / "output.txt",
                   output_of("x 0.25", "A",
                             "600 steps:\n\nscore   loss\n─────  ─────\ndot   "
                             " 12.25",
                             "a.csv, trained_c.csv"));
        write_file(expected() / "trained_c.csv", "step,loss\n0,1.25\n1,0.5\n");
        computes("x 0.25");
        trains("20\nsteps:\n\nscore  loss\n─────  ────\ndot    1.75");
        writes("step,loss\n0,1.3\n");
    }

    fs::path folder() const { return expected().parent_path(); }
    void computes(const std::string& text) const
    {
        write_file(folder() / "07_toy.untrained",
                   "Computed\n════════\n" + text + "\n\nwritten to out: a.csv\n");
    }
    void trains(const std::string& text) const
    {
        write_file(folder() / "07_toy.quick", output_of("x 7", "B", text, "a.csv"));
    }
    void writes(const std::string& text) const
    {
        write_file(folder() / "quick_files" / "trained_c.csv", text);
    }
    ProgramRun check_trained() const { return check({"--kind", "trained"}); }
};

} // namespace

TEST_CASE("trained data of an interactive figure may have other numbers, not fewer",
          "[program]")
{
    const TrainedToy toy;
    write_file(toy.expected() / "trained_w.data.js", "w = {\n  \"z\": [0.5,-1e-4]\n};\n");
    const auto check = [&](const std::string& text) {
        write_file(toy.folder() / "quick_files" / "trained_w.data.js", text);
        return toy.check_trained();
    };
    CHECK(check("w = {\n  \"z\": [-7,0]\n};\n").exit_code == 0);
    CHECK_THAT(check("w = {\n  \"z\": [-7]\n};\n").out,
               contains("trained_w.data.js, line 2 differs"));
    CHECK(check("w = {\n  \"y\": [-7,0]\n};\n").exit_code == 1);
}

TEST_CASE("what was trained may have other digits, and nothing else may", "[program]")
{
    const TrainedToy toy;
    const ProgramRun same = toy.check_trained();
    CHECK(same.out.empty());
    CHECK(same.err.empty());
    CHECK(same.exit_code == 0);

    toy.computes("x 0.26");
    CHECK_THAT(toy.check_trained().out, contains("output.txt, line 3 differs"));
    toy.computes("x 0.25");
    write_file(toy.written() / "a.csv", "x,y\n1,0.25\n2,0.51\n");
    CHECK_THAT(toy.check_trained().out, contains("a.csv, line 3 differs"));
}

TEST_CASE("what was trained keeps its words and its shape", "[program]")
{
    const TrainedToy toy;
    const auto refused = [&](const std::string& text) {
        toy.trains(text);
        const ProgramRun run = toy.check_trained();
        CAPTURE(text, run.out);
        CHECK(run.exit_code == 1);
    };
    refused("20 rounds:\n\nscore  loss\n─────  ────\ndot    1.75");
    refused("20 steps:\n\nscore  loss\n─────  ────\ndot    nan");
    refused("20 steps:\n\nscore  loss\n─────  ────\ncos    1.75");
    refused("20 steps:\n\nscore  loss\n─────  ────\ndot    1.75\ncos    1.5");
    refused("20 steps:\n\nscore  loss\n─────  ────");
    refused("20 steps:\n\nscore  loss\n─────  ────\ndot    1.75  2");
    refused("");
    toy.trains("20 steps:\n\nscore  loss\n─────  ────\ndot    1.75");
    CHECK(toy.check_trained().exit_code == 0);
    for (const char* table :
         {"step,error\n0,1.3\n", "step,loss\n", "step,loss\n0\n", "step,loss\n0,1\n0,1,2\n"}) {
        CAPTURE(table);
        toy.writes(table);
        CHECK(toy.check_trained().exit_code == 1);
    }
}

TEST_CASE("what a trained model wrote stands in quotation marks and may be any words",
          "[program]")
{
    const TrainedToy toy;
    write_file(
        toy.expected() / "output.txt",
        output_of("x 0.25", "A", "600 steps:\nit wrote « le chat dort » and « oui »", ""));
    const auto exit_code = [&](const std::string& text) {
        toy.trains(text);
        return toy.check_trained().exit_code;
    };
    CHECK(exit_code("20 steps:\nit wrote « un très\nlong texte . » and « »") == 0);
    CHECK(exit_code("20 steps:\nit wrote « le chat dort » or « oui »") == 1);
    CHECK(exit_code("20 steps:\nit wrote « le chat dort » and oui") == 1);
    CHECK(exit_code("20 steps:\nit wrote « le chat dort and oui") == 1);
}

TEST_CASE("which kind of program it is must be said", "[program]")
{
    const TrainedToy trained;
    CHECK_THAT(trained.check().err, contains("--kind trained is not given"));
    const Toy plain;
    CHECK_THAT(plain.check({"--kind", "trained"}).err,
               contains("nothing committed was trained"));
}
