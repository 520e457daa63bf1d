/// \file
/// \brief What the tests ask of every program that trains one translator if a reader wants one,
/// chapter 8's, 12's and 14's: the options of one_translator.hpp, a corpus of a reader's, a
/// translator that is kept.
#pragma once

#include "common/kernels/instruction_sets.hpp"
#include "common/program/files.hpp"
#include "tests/support/program_checks.hpp"
#include "tests/support/run_program.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace attn::testing {

/// Pairs of a language in which every sentence is reversed.
inline std::string mirrored_pairs(std::size_t n)
{
    std::string text;
    const std::vector<std::string> words = {"red", "car", "big", "house", "old", "tree"};
    for (std::size_t i = 0; i < n; ++i) {
        const std::string& a = words[i % 6];
        const std::string& b = words[(i / 6) % 6];
        const std::string& c = words[(i / 36) % 6];
        text += fmt::format("{} {} {} .\t{}o {}o {}o .\n", a, b, c, c, b, a);
    }
    return text;
}

/// What a program says of lines on its standard input.
inline ProgramRun run_on_lines(const std::filesystem::path& program, const std::string& options,
                               const std::string& lines,
                               const std::filesystem::path& working_directory)
{
    std::ofstream(working_directory / "lines.txt") << lines;
    return run_program(
        "/bin/sh",
        {"-c", "exec '" + program.string() + "' " + options + " --translate - < lines.txt"},
        working_directory);
}

/// Checks that sentences are read from standard input, and that one which cannot be read does not
/// keep the others from being translated.
inline void check_lines(const std::filesystem::path& program)
{
    const ScratchFolder scratch;
    const std::string load = "--load kept.safetensors";
    const ProgramRun trained =
        run_on_lines(program, "--quick --save kept.safetensors",
                     "The king's red car is here.\r\n\n  \ni sleep .", scratch.path());
    CHECK(trained.exit_code == 0);
    CHECK(trained.err.empty());
    CHECK_THAT(trained.out, contains("\nthe king 's red car is here . → ") &&
                                contains("\ni sleep . → ") && contains("Of 101 sentences"));
    const ProgramRun some =
        run_on_lines(program, load, "i sleep .\n\na zebra .\n()\nhe works .\n", scratch.path());
    CHECK(some.exit_code == 2);
    CHECK_THAT(some.out, contains("\ni sleep . → ") && contains("\nhe works . → "));
    CHECK_THAT(some.err,
               contains("warning: line 3: the sentences to learn from have no zebra") &&
                   contains("warning: line 4: there are no words") &&
                   contains("2 of 4 sentences could not be read"));
    const ProgramRun none = run_on_lines(program, load, "\n \n", scratch.path());
    CHECK(none.exit_code == 2);
    CHECK_THAT(none.err, contains("no sentences on standard input"));
}

/// Checks that the words are listed that a translator can read, one a line, and none is trained.
inline void check_known_words(const std::filesystem::path& program)
{
    const ProgramRun run = run_leaving_nothing(program, {"--words"});
    CHECK(run.exit_code == 0);
    CHECK(std::count(run.out.begin(), run.out.end(), '\n') == 161);
    CHECK_THAT(run.out, contains("\nking\nkings\nknow\n") && !contains("<pad>"));

    const ScratchFolder scratch;
    std::ofstream(scratch.path() / "pairs.txt") << mirrored_pairs(216);
    CHECK(run_program(program, {"--words", "--corpus", "pairs.txt"}, scratch.path()).out ==
          ".\nbig\ncar\nhouse\nold\nred\ntree\n");
}

/// Checks that a translator which nobody told how long to learn translates: the sentence of --help
/// and others, as people write them, and nearly all sentences that it has not seen.
/// \param committed  what the page shows of the first sentence, if it does
inline void check_translates(const std::filesystem::path& program,
                             const std::string& committed = "")
{
    const ScratchFolder scratch;
    const ProgramRun run = run_on_lines(program, "--save kept",
                                        "the king 's red car is here .\nThe king's red car is "
                                        "here\nI do not know the old man.\n"
                                        "He looks for his letter in the house.\n",
                                        scratch.path());
    INFO(run.out << run.err);
    CHECK(run.exit_code == 0);
    const std::string answer =
        "the king 's red car is here . → la voiture rouge du roi est ici .\n";
    CHECK_THAT(run.out, contains(answer + answer));
    CHECK_THAT(run.out, contains("→ je ne connais pas le vieil homme .\n") &&
                            contains("→ il cherche sa lettre dans la maison .\n"));
    std::smatch found;
    const std::regex says(
        "gets ([0-9.]+) % right\\sto\\sthe\\slast\\sword\\s\\(([0-9.]+) % of");
    REQUIRE(std::regex_search(run.out, found, says));
    CHECK(std::stod(found[1]) >= 85);
    CHECK(std::stod(found[2]) >= 97);
    if (!committed.empty() && kernels::default_kernels().fused) {
        CHECK(run_program(program,
                          {"--load", "kept", "--translate", "the king 's red car is here ."},
                          scratch.path())
                  .out == committed);
    }
}

/// Checks that Ctrl-C keeps what was learnt so far: it can be loaded, and a training that is taken
/// up ends with the bits of one that was never stopped, if the steps are as many.
inline void check_stopped_training(const std::filesystem::path& program, std::size_t n_steps,
                                   const std::vector<std::string>& options = {})
{
    const ScratchFolder scratch;
    const auto training = [&](std::size_t steps, const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"--steps", std::to_string(steps)};
        arguments.insert(arguments.end(), options.begin(), options.end());
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    };
    const ProgramRun stopped = run_interrupted(
        program, training(n_steps, {"--save", "kept.safetensors"}), scratch.path());
    INFO(stopped.err);
    REQUIRE(stopped.exit_code == 130);
    CHECK_THAT(stopped.err, contains("was interrupted after step"));
    CHECK_THAT(stopped.err,
               contains(fmt::format("of {}; --resume 'kept.safetensors' goes on from there, "
                                    "and --load translates with what was learnt so far",
                                    n_steps)));
    CHECK(std::count(stopped.err.begin(), stopped.err.end(), '\n') == 1);
    const ProgramRun early = run_program(
        program, {"--load", "kept.safetensors", "--translate", "the king ."}, scratch.path());
    CHECK(early.exit_code == 0);
    CHECK_THAT(early.out, contains("How well this translator translates was not measured."));
    const std::vector<std::string> resume = {"--resume", "kept.safetensors", "--save", "again"};
    const ProgramRun other_steps =
        run_program(program, training(n_steps - 10, resume), scratch.path());
    CHECK(other_steps.exit_code == 2);
    CHECK_THAT(other_steps.err, contains("steps"));

    const ProgramRun resumed = run_program(program, training(n_steps, resume), scratch.path());
    CHECK(resumed.exit_code == 0);
    const ProgramRun whole =
        run_program(program, training(n_steps, {"--save", "whole"}), scratch.path());
    CHECK(whole.exit_code == 0);
    CHECK(program::read_file(scratch.path() / "again") ==
          program::read_file(scratch.path() / "whole"));
}

/// Checks that a sentence is translated, and the same way by the translator that was kept, which
/// can be explored.
inline std::string check_saved_sentence(const std::filesystem::path& program)
{
    const ScratchFolder scratch;
    const std::string sentence = "the king 's red car is here .";
    const auto translated = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--translate", sentence});
        const ProgramRun run = run_program(program, arguments, scratch.path());
        CHECK(run.exit_code == 0);
        CHECK_THAT(run.out, contains("translation ↓  source →"));
        CHECK_THAT(run.out, contains("Of 101 sentences that it has not seen"));
        const std::size_t begin = run.out.find("Your sentence");
        REQUIRE(begin != std::string::npos);
        return run.out.substr(begin);
    };
    const std::string first =
        translated({"--quick", "--save", "kept.safetensors", "--threads", "1"});
    CHECK(run_program(program, {"--quick", "--save", "two", "--threads", "2"}, scratch.path())
              .exit_code == 0);
    CHECK(program::read_file(scratch.path() / "two") ==
          program::read_file(scratch.path() / "kept.safetensors"));
    const std::string again =
        translated({"--load", "kept.safetensors", "--explore", "weights.html"});
    CHECK(again == first + "\nto be explored in weights.html\n");
    const std::string page = program::read_file(scratch.path() / "weights.html");
    CHECK_THAT(page, contains(R"("king","'s","red","car")") && contains("\"drops_") &&
                         contains("\\u003c/s>"));
    return first;
}

/// Checks that a reader's corpus is learnt from and judged.
inline std::string check_readers_corpus(const std::filesystem::path& program,
                                        const std::vector<std::string>& more = {})
{
    const ScratchFolder scratch;
    std::ofstream(scratch.path() / "pairs.txt") << mirrored_pairs(216);
    std::vector<std::string> arguments = {"--quick", "--corpus", "pairs.txt"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramRun run = run_program(program, arguments, scratch.path());
    CHECK(run.exit_code == 0);
    CHECK(run.err.empty());
    CHECK_THAT(run.out, contains("BLEU"));
    CHECK_THAT(run.out, contains("reference"));
    CHECK_THAT(run.out, contains("trained_readers_losses.csv"));
    return run.out;
}

} // namespace attn::testing
