/// \file
/// \brief One model of several: which options go together, and what a stopped training says.
#include "common/nn/one_model.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/command_line.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <vector>

using namespace attn;
using namespace attn::nn;

namespace {

const OneModelWords forecaster = {"forecaster", "--forecast --words", "forecast"};

/// What a program's options are refused with, or nothing.
std::string complaint(const std::vector<const char*>& options)
{
    bool flag = false;
    program::CommandLine command_line({"id", "Why?", ""});
    for (const char* name : {"--forecast", "--words", "--save", "--resume", "--load",
                             "--corpus", "--seeds", "--untrained", "--steps"}) {
        command_line.add_flag(name, flag, "");
    }
    add_one_model_rules(command_line, forecaster);
    std::vector<const char*> argv = {"id"};
    argv.insert(argv.end(), options.begin(), options.end());
    return testing::complaint_of<program::BadInput>(
        [&] { command_line.parse(static_cast<int>(argv.size()), argv.data()); });
}

} // namespace

TEST_CASE("options about one model that go together", "[nn]")
{
    for (std::vector<const char*> options :
         std::vector<std::vector<const char*>>{{},
                                               {"--forecast"},
                                               {"--save"},
                                               {"--corpus"},
                                               {"--forecast", "--save", "--resume", "--corpus"},
                                               {"--save", "--resume"},
                                               {"--resume", "--corpus"},
                                               {"--words", "--resume"}}) {
        CHECK(complaint(options).empty());
        options.push_back("--steps");
        CHECK(complaint(options).empty());
    }
    CHECK(complaint({"--words", "--load"}).empty());
    CHECK(complaint({"--steps", "--seeds"}).empty());
    CHECK(complaint({"--untrained"}).empty());
    CHECK(complaint({"--trace"}).empty());
}

TEST_CASE("options about one model that do not go together", "[nn][bad_input]")
{
    for (const std::vector<const char*>& one :
         std::vector<std::vector<const char*>>{{"--forecast"},
                                               {"--save"},
                                               {"--save", "--resume"},
                                               {"--words", "--load"},
                                               {"--corpus"}}) {
        for (const char* chapters : {"--seeds", "--untrained"}) {
            std::vector<const char*> both = one;
            both.push_back(chapters);
            CHECK(complaint(both) ==
                  std::string(one[0]) +
                      ": it is about one forecaster, so it does not go with " + chapters);
        }
        std::vector<const char*> traced = one;
        traced.push_back("--trace");
        CHECK(complaint(traced) ==
              std::string("--trace: its example is fixed, so it does not go with ") + one[0]);
    }
    for (const char* other : {"--save", "--resume", "--corpus"}) {
        CHECK(
            complaint({"--forecast", "--load", other}) ==
            std::string("--load: the forecaster is trained already, so it does not go with ") +
                other);
    }
    CHECK(complaint({"--resume"}) ==
          "--resume: say what to do with the forecaster, by --forecast or --save");
    CHECK(complaint({"--load"}) == "--load: say what to forecast with it, by --forecast");
    CHECK(complaint({"--forecast", "--load", "--steps"}) ==
          "--steps: it is the length of a training, so it does not go with --load");
    CHECK(complaint({"--untrained", "--steps"}) ==
          "--steps: it is the length of a training, so it does not go with --untrained");
}

TEST_CASE("a stopped training speaks of loading if it was kept", "[nn]")
{
    const auto stopped = []() -> int { throw program::Interrupted("it was interrupted"); };
    const auto message = [&](const TrainingFiles& files) {
        return testing::complaint_of<program::Interrupted>(
            [&] { train_loadable(forecaster, files, stopped); });
    };
    CHECK(message({}) == "it was interrupted");
    CHECK(message({.save = "kept"}) ==
          "it was interrupted, and --load forecasts with what was learnt so far");
    CHECK(train_loadable(forecaster, {.save = "kept"}, [] { return 7; }) == 7);
}
