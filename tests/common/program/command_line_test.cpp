/// \file
/// \brief Options in, values out; every slip ends in one sentence.
#include "common/program/bad_input.hpp"
#include "common/program/child.hpp"
#include "common/program/command_line.hpp"
#include "common/program/text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <unistd.h>

using namespace attn::program;
using attn::testing::complaint_of;
using attn::testing::contains;

namespace {

/// A program's options and what a command line makes of them.
struct Program
{
    bool heat_map = false;
    std::optional<std::string> data;
    std::string kernel = "gaussian";
    std::optional<double> bandwidth;
    std::size_t keys = 3;
    std::vector<double> query = {1, 2.5};
    CommandLine command_line{{"02_nadaraya_watson", "Can similarity alone predict?",
                              "build/bin/02_nadaraya_watson --quick\n"
                              "build/bin/02_nadaraya_watson --data cars.csv"}};

    Program()
    {
        command_line.add_flag("--heat-map", heat_map, "show the weights");
        command_line.add_input("--data", data, "FILE.csv", "your own numbers");
        command_line.add_choice("--kernel", kernel, {"gaussian", "boxcar"}, "its shape");
        command_line.add_number("--bandwidth", bandwidth, "H", "its width");
        command_line.add_count("--keys", keys, 2, "how many keys");
        command_line.add_numbers("--query", query, "X,Y", "what to look up");
    }

    bool parse(const std::vector<std::string>& arguments)
    {
        std::vector<const char*> argv = {"02_nadaraya_watson"};
        for (const std::string& argument : arguments) {
            argv.push_back(argument.c_str());
        }
        return command_line.parse(static_cast<int>(argv.size()), argv.data());
    }
};

/// What a command line is told, or nothing if it is accepted.
std::string complaint(const std::vector<std::string>& arguments)
{
    return complaint_of<BadInput>([&] { Program().parse(arguments); });
}

struct BadLine
{
    std::vector<std::string> arguments;
    std::string says;
};

} // namespace

TEST_CASE("without options everything has its default", "[program]")
{
    Program program;
    CHECK(program.parse({}));
    const CommonOptions& common = program.command_line.common();
    CHECK(common.seed == 1);
    CHECK_FALSE(common.quick);
    CHECK_FALSE(common.trace);
    CHECK(common.threads >= 1);
    CHECK(common.out == "out/02_nadaraya_watson");
    CHECK_FALSE(program.data);
    CHECK_FALSE(program.bandwidth);
    CHECK(program.query == std::vector<double>{1, 2.5});
}

TEST_CASE("OMP_NUM_THREADS is the default of --threads", "[program]")
{
    const std::string name = "OMP_NUM_THREADS is the default of --threads";
    if (const char* const expected = std::getenv("ATTN_EXPECTED_THREADS")) { // this test's child
        Program program;
        CHECK(program.parse({}));
        CHECK(std::to_string(program.command_line.common().threads) == expected);
        return;
    }
    const auto exit_code = [&name](const std::string& told, const std::string& expected) {
        return run_child("/proc/self/exe", {name}, {}, {},
                         {"OMP_NUM_THREADS=" + told, "ATTN_EXPECTED_THREADS=" + expected})
            ->exit_code;
    };
    CHECK(exit_code("3", "3") == 0);
    CHECK(exit_code("2", "3") != 0);
}

TEST_CASE("options fill their targets", "[program]")
{
    Program program;
    CHECK(program.parse({"--seed", "18446744073709551615", "--quick", "--trace", "--threads=3",
                         "--out", "it's here", "--heat-map", "--data", "a b.csv", "--kernel",
                         "boxcar", "--bandwidth", "-.5", "--keys", "7", "--query",
                         "-1,+2, 3e-1", "--checksums"}));
    const CommonOptions& common = program.command_line.common();
    CHECK(common.seed == 18446744073709551615u);
    CHECK(common.quick);
    CHECK(common.trace);
    CHECK(common.threads == 3);
    CHECK(common.out == "it's here");
    CHECK(common.checksums);
    CHECK(program.heat_map);
    CHECK(program.data == "a b.csv");
    CHECK(program.kernel == "boxcar");
    CHECK(program.bandwidth == -0.5);
    CHECK(program.keys == 7);
    CHECK(program.query == std::vector<double>{-1, 2, 0.3});
}

TEST_CASE("values may begin with a minus, be one, or hold what options hold", "[program]")
{
    Program program;
    CHECK(program.parse({"--data=--quick", "--bandwidth=-1", "--query", "-1"}));
    CHECK(program.data == "--quick");
    CHECK(program.bandwidth == -1.0);
    CHECK(program.query == std::vector<double>{-1});
    CHECK_FALSE(program.command_line.common().quick);

    const std::string odd =
        GENERATE("-", "[1,2]", "a=b", "\"quoted\"", "{x}", "%%", "a,b", "  ");
    CHECK(program.parse({"--data", odd}));
    CHECK(program.data == odd);
}

TEST_CASE("of an option given twice the last counts", "[program]")
{
    Program program;
    CHECK(program.parse({"--seed", "1", "--quick", "--seed", "2", "--quick"}));
    CHECK(program.command_line.common().seed == 2);
}

// What is no number, or no count, is number_test.cpp's.
TEST_CASE("every slip ends in one sentence", "[program]")
{
    const std::vector<BadLine> bad_lines = {
        {{"--bandwith", "3"}, "'--bandwith' is not an option; did you mean --bandwidth?"},
        {{"--bandwith=3"}, "'--bandwith' is not an option; did you mean --bandwidth?"},
        {{"--sed", "3"}, "'--sed' is not an option; did you mean --seed?"},
        {{"--colour"}, "'--colour' is not an option; --help lists them"},
        {{"-x"}, "'-x' is not an option; --help lists them"},
        {{"cars.csv"}, "'cars.csv' is not an option; --help lists them"},
        {{"--quick", "yes"}, "'yes' is not an option; --help lists them"},
        {{"--seed", "1", "2"}, "'2' is not an option; --help lists them"},
        {{"--quick=yes"}, "--quick takes no value"},
        {{"--seed"}, "--seed: a value is missing (N)"},
        {{"--seed="}, "--seed: a value is missing (N)"},
        {{"--seed=", "4"}, "--seed: a value is missing (N)"},
        {{"--data", ""}, "--data: a value is missing (FILE.csv)"},
        {{"--data", "--quick"}, "--data: a value is missing (FILE.csv)"},
        {{"--out="}, "--out: a value is missing (DIR)"},
        {{"--seed", "-1"}, "--seed: '-1' is not a whole number of at least 0"},
        {{"--seed", "18446744073709551616"},
         "--seed: '18446744073709551616' is more than 18446744073709551615"},
        {{"--threads", "0"}, "--threads: '0' is not a whole number of at least 1"},
        {{"--threads", "1025"}, "--threads: '1025' is more than 1024"},
        {{"--keys", "1"}, "--keys: '1' is not a whole number of at least 2"},
        {{"--kernel", "box"}, "--kernel: 'box' is not one of gaussian, boxcar"},
        {{"--bandwidth", "abc"}, "--bandwidth: 'abc' is not a number"},
        {{"--bandwidth", "nan"}, "--bandwidth: 'nan' is not a finite number"},
        {{"--query", "1,,2"}, "--query: a number is missing"},
        {{"--query", "1,2,"}, "--query: a number is missing"},
        {{"--query", "1;2"}, "--query: '1;2' is not a number"},
    };
    for (const BadLine& bad : bad_lines) {
        INFO(bad.says);
        CHECK(complaint(bad.arguments) == bad.says);
    }
}

TEST_CASE("a count whose default depends on others knows whether it was given", "[program]")
{
    std::optional<std::size_t> steps;
    CommandLine command_line({"08_bahdanau", "Why?", "08_bahdanau"});
    command_line.add_count("--steps", steps, 1, "how long (default: 640; of a corpus 3000)");
    const auto parse = [&](const std::vector<const char*>& argv) {
        return command_line.parse(static_cast<int>(argv.size()), argv.data());
    };
    CHECK(parse({"08_bahdanau"}));
    CHECK_FALSE(steps);
    CHECK_THROWS_WITH(parse({"08_bahdanau", "--steps", "0"}),
                      "--steps: '0' is not a whole number of at least 1");
    CHECK(parse({"08_bahdanau", "--steps", "640"}));
    CHECK(steps == 640);
    CHECK_THAT(command_line.help(), contains("how long (default: 640; of a corpus 3000)\n"));
}

TEST_CASE("options that do not go together are refused, with the reason", "[program]")
{
    const auto complaint = [](const std::vector<std::string>& arguments) {
        return complaint_of<BadInput>([&] {
            Program program;
            program.command_line.exclude_from_trace("--bandwidth --keys");
            program.command_line.exclude("--heat-map --query", "--not-there --data --kernel",
                                         "it is drawn of our numbers");
            program.command_line.need("--bandwidth --kernel", "--data --keys",
                                      "it is about a table; give one with --data");
            program.parse(arguments);
            CHECK(program.command_line.given("--not-there --data") == program.data.has_value());
        });
    };
    for (const std::vector<std::string>& accepted :
         std::vector<std::vector<std::string>>{{},
                                               {"--trace"},
                                               {"--trace", "--data", "a", "--kernel", "boxcar"},
                                               {"--keys", "3", "--bandwidth", "1"},
                                               {"--heat-map", "--query", "1", "--keys", "3"}}) {
        CHECK(complaint(accepted).empty());
    }
    CHECK(complaint({"--keys", "3", "--trace"}) ==
          "--trace: its example is fixed, so it does not go with --keys");
    CHECK(complaint({"--data", "a", "--kernel", "boxcar", "--query", "1"}) ==
          "--query: it is drawn of our numbers, so it does not go with --data");
    CHECK(complaint({"--kernel", "boxcar"}) ==
          "--kernel: it is about a table; give one with --data");
}

TEST_CASE("a file that cannot be written is refused at once", "[program][bad_input]")
{
    const attn::testing::ScratchFolder scratch;
    const auto complaint = [&](const std::string& file) {
        return complaint_of<BadInput>([&] {
            std::optional<std::string> save;
            CommandLine command_line({"id", "Why?", ""});
            command_line.add_output("--save", save, "FILE", "the model");
            const std::string path = (scratch.path() / file).string();
            const std::vector<const char*> argv = {"id", "--save", path.c_str()};
            command_line.parse(static_cast<int>(argv.size()), argv.data());
        });
    };
    CHECK(complaint("kept").empty());
    CHECK(std::filesystem::is_empty(scratch.path()));
    CHECK_THAT(complaint("no/where"), contains("--save: ") && contains("No such file"));
}

TEST_CASE("a complaint is a sentence, not a manual", "[program][property]")
{
    const std::string said = complaint({std::string("--\x1b\n") + std::string(5000, 'x')});
    CHECK(said.size() < 200);
    CHECK(said.find('\n') == std::string::npos);
    CHECK(said.find('\x1b') == std::string::npos);
}

TEST_CASE("help shows the question, the options and the examples", "[program]")
{
    const std::string help = Program().command_line.help();
    CHECK_THAT(help, contains("02_nadaraya_watson: Can similarity alone predict?\n\n"
                              "Usage: 02_nadaraya_watson [options]\n\nOptions:\n"
                              "  --heat-map       show the weights\n"
                              "  --data FILE.csv  your own numbers\n"
                              "  --kernel WORD    its shape: gaussian, boxcar (default: "
                              "gaussian)\n"));
    CHECK_THAT(help, contains("  --query X,Y      what to look up (default: 1,2.5)\n"));
    CHECK_THAT(help, contains("  --seed N         of all random numbers (default: 1)\n"));
    CHECK_THAT(help, contains("(default: out/02_nadaraya_watson)\n"));
    CHECK_THAT(help, contains("\nExample:\n  build/bin/02_nadaraya_watson --quick\n"
                              "  build/bin/02_nadaraya_watson --data cars.csv\n"));
}

TEST_CASE("long help is wrapped under itself", "[program]")
{
    CommandLine command_line({"id", "Why?", ""});
    bool flag = false;
    std::string words;
    for (int i = 0; i < 30; ++i) {
        words += "word ";
    }
    command_line.add_flag("--flag", flag, words);
    std::string help = command_line.help();
    CHECK(help.find("Example") == std::string::npos);
    CHECK_THAT(help, contains("word\n               word"));
    for (std::size_t begin = 0; begin < help.size();) {
        const std::size_t end = help.find('\n', begin);
        CHECK(end - begin <= 78);
        begin = end + 1;
    }
}

TEST_CASE("help fits a narrow terminal, with each option above what it does", "[program]")
{
    const std::string help = Program().command_line.help(36);
    const std::size_t options = help.find("Options:");
    std::string_view rest = help;
    rest = rest.substr(options, help.find("\nExample:") - options);
    CHECK_THAT(std::string(rest), contains("\n  --data FILE.csv\n      your own numbers\n"));
    while (!rest.empty()) {
        CHECK(take_line(rest).size() <= 36);
    }
}

TEST_CASE("what is read or written twice is not written over", "[program]")
{
    const auto said = [](const std::vector<std::string>& arguments) {
        return complaint_of<BadInput>([&] {
            std::optional<std::string> data, save, resume, explore;
            std::optional<std::pair<std::string, std::string>> two;
            CommandLine command_line({"id", "Why?", ""});
            command_line.add_output("--save", save, "FILE", "the model");
            command_line.add_input("--data", data, "FILE.csv", "your own numbers");
            command_line.add_two_inputs("--two", two, "A B", "two tables");
            command_line.add_input("--resume", resume, "FILE", "what goes on");
            command_line.add_output("--explore", explore, "FILE.html", "a page");
            std::vector<const char*> argv = {"id"};
            for (const std::string& argument : arguments) {
                argv.push_back(argument.c_str());
            }
            command_line.parse(static_cast<int>(argv.size()), argv.data());
            CHECK(command_line.files().size() == (data ? 1U : 0U) + (resume ? 1U : 0U) +
                                                     (two ? 2U : 0U) + (save ? 1U : 0U) +
                                                     (explore ? 1U : 0U));
        });
    };
    CHECK(said({"--save", "a", "--data", "./a"}) ==
          "--save: 'a' is the file of --data, which would be lost");
    CHECK(said({"--two", "a", "b", "--explore", "b"}) ==
          "--explore: 'b' is the file of --two, which would be lost");
    CHECK(said({"--save", "a", "--explore", "b/../a"}) ==
          "--explore: 'b/../a' is the file of --save, which would be lost");
    CHECK(said({"--resume", "a", "--explore", "a"}) ==
          "--explore: 'a' is the file of --resume, which would be lost");
    CHECK(said({"--resume", "a", "--save", "a"}).empty());
    CHECK(said({"--data", "a", "--two", "a", "a", "--save", "b", "--explore", "c"}).empty());

    const attn::testing::ScratchFolder scratch;
    const std::string piped_in = (scratch.path() / "piped_in").string();
    std::FILE* const file = std::fopen(piped_in.c_str(), "w+");
    REQUIRE(file != nullptr);
    const int before = dup(STDIN_FILENO);
    dup2(fileno(file), STDIN_FILENO);
    const std::string complaint = said({"--save", piped_in});
    dup2(before, STDIN_FILENO);
    close(before);
    std::fclose(file);
    CHECK(complaint ==
          "--save: '" + piped_in + "' is the file of standard input, which would be lost");
}
