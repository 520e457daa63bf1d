/// \file
/// \brief What the tests ask of every program that trains one translator if a reader wants one,
/// chapter 8's and chapter 12's: the options of one_translator.hpp, a corpus of a reader's, a
/// translator that is kept.
#pragma once

#include "common/program/files.hpp"
#include "tests/support/program_checks.hpp"
#include "tests/support/run_program.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
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

/// What none of these programs can use: options that do not go together, files that are none.
inline std::vector<BadInputCase> refused_by_translators()
{
    const std::vector<std::string> corpus = {"--corpus", "table.csv"};
    return {{"no steps", "", {"--steps", "0"}, {"--steps"}},
            {"no seeds", "", {"--seeds", "0"}, {"--seeds"}},
            {"steps of nothing", "", {"--untrained", "--steps", "7"}, {"--steps"}},
            {"kept as a folder", "", {"--translate", "a", "--save", "/"}, {"--save", "folder"}},
            {"the trace and a sentence", "", {"--trace", "--translate", "a"}, {"--trace"}},
            {"a sentence and seeds", "", {"--translate", "a", "--seeds", "2"}, {"--seeds"}},
            {"a sentence, and no training",
             "",
             {"--translate", "a", "--untrained"},
             {"--translate", "--untrained"}},
            {"load and save",
             "",
             {"--load", "table.csv", "--save", "a", "--translate", "a"},
             {"--load", "--save"}},
            {"load without a sentence", "", {"--load", "table.csv"}, {"--translate"}},
            {"steps of a loaded one",
             "",
             {"--load", "table.csv", "--translate", "a", "--steps", "7"},
             {"--steps", "--load"}},
            {"no such translator",
             "",
             {"--load", "none.safetensors", "--translate", "a"},
             {"none.safetensors"}},
            {"no translator at all",
             "nothing",
             {"--load", "table.csv", "--translate", "a"},
             {"table.csv"}},
            {"nowhere to keep it",
             "",
             {"--translate", "a", "--save", "no/where.safetensors"},
             {"--save", "no/where.safetensors", "No such file or directory"}},
            {"a file as a folder",
             "",
             {"--save", "table.csv/kept.safetensors"},
             {"--save", "cannot be written"}},
            {"a closed folder",
             "",
             {"--save", "/proc/kept.safetensors"},
             {"--save", "No such file"}},
            {"nowhere to keep it, and a corpus",
             mirrored_pairs(216),
             {"--corpus", "table.csv", "--save", "no/where.safetensors"},
             {"--save", "no/where.safetensors"}},
            {"a training taken up for nothing",
             "",
             {"--resume", "table.csv"},
             {"--resume", "--translate"}},
            {"no such training",
             "",
             {"--resume", "none.safetensors", "--save", "a"},
             {"none.safetensors"}},
            {"load and resume",
             "",
             {"--load", "table.csv", "--resume", "a", "--translate", "a"},
             {"--load", "--resume"}},
            {"nothing to explore", "", {"--explore", "a.html"}, {"--explore", "--translate"}},
            {"nowhere to explore it",
             "",
             {"--translate", "the king .", "--explore", "no/a.html"},
             {"--explore", "no/a.html", "No such file or directory"}},
            {"no corpus", "", {"--corpus", "none.txt"}, {"none.txt"}},
            {"options of a corpus alone", "", {"--reversed"}, {"--corpus"}},
            {"a corpus without a tab", "one column\n", corpus, {"table.csv"}}};
}

/// Sentences that no training can teach, and of which the programs say so before they train.
inline std::vector<BadInputCase> unreadable_sentences()
{
    const std::string for_ever = "100000000";
    return {{"no words", "", {"--steps", for_ever, "--translate", " ( )"}, {"no words"}},
            {"words that the grammar does not have",
             "",
             {"--steps", for_ever, "--translate", "the zebra eats a gnu ."},
             {"--translate", "zebra, eats, gnu"}},
            {"words that a corpus does not have",
             mirrored_pairs(216),
             {"--corpus", "table.csv", "--translate", "red zebra ."},
             {"--translate", "no zebra;", "--min-frequency 2"}}};
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
        const std::size_t begin = run.out.find("Your sentence");
        REQUIRE(begin != std::string::npos);
        return run.out.substr(begin);
    };
    const std::string first = translated({"--quick", "--save", "kept.safetensors"});
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
