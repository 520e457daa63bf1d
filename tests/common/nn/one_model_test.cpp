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

const OneModelWords forecaster = {"forecaster", "--forecast", "forecast"};

/// What the options are refused with, or nothing.
std::string complaint(const OneModelOptions& one, const ChapterTrainings& chapter,
                      bool trace = false)
{
    program::CommonOptions options;
    options.trace = trace;
    return testing::complaint_of<program::BadInput>(
        [&] { expect_options_agree(forecaster, one, chapter, options); });
}

} // namespace

TEST_CASE("options about one model that go together", "[nn]")
{
    CHECK(!OneModelOptions{}.any());
    for (const OneModelOptions& one : std::vector<OneModelOptions>{
             {},
             {.asked = true},
             {.save = true},
             {.corpus = true},
             {.asked = true, .save = true, .resume = true, .corpus = true},
             {.save = true, .resume = true},
             {.resume = true, .corpus = true},
             {.asked = true, .resume = true}}) {
        CHECK(complaint(one, {}).empty());
        CHECK(complaint(one, {.steps = true}).empty());
    }
    CHECK(complaint({.asked = true, .load = true}, {}).empty());
    CHECK(complaint({}, {.steps = true, .seeds = true}).empty());
    CHECK(complaint({}, {.untrained = true}).empty());
    CHECK(complaint({}, {}, true).empty());
}

TEST_CASE("options about one model that do not go together", "[nn][bad_input]")
{
    const std::string one = "--forecast, --save, --resume, --load and --corpus are about one "
                            "forecaster, and go with neither --seeds nor --untrained";
    for (const OneModelOptions& any :
         std::vector<OneModelOptions>{{.asked = true},
                                      {.save = true},
                                      {.save = true, .resume = true},
                                      {.asked = true, .load = true},
                                      {.corpus = true}}) {
        CHECK(any.any());
        CHECK(complaint(any, {.seeds = true}) == one);
        CHECK(complaint(any, {.untrained = true}) == one);
        CHECK(complaint(any, {}, true) ==
              "--trace: its example is fixed, and goes with neither --forecast, --save, "
              "--resume and --load nor a corpus");
    }
    const std::string loaded = "--load: the forecaster is trained already, and goes with "
                               "neither --save and --resume nor a corpus";
    CHECK(complaint({.asked = true, .save = true, .load = true}, {}) == loaded);
    CHECK(complaint({.asked = true, .resume = true, .load = true}, {}) == loaded);
    CHECK(complaint({.asked = true, .load = true, .corpus = true}, {}) == loaded);
    CHECK(complaint({.resume = true}, {}) ==
          "--resume: say what to do with the forecaster, by --forecast or --save");
    CHECK(complaint({.load = true}, {}) ==
          "--load: say what to forecast with it, by --forecast");
    const std::string untrained = "--steps: nothing is trained with --load or --untrained";
    CHECK(complaint({.asked = true, .load = true}, {.steps = true}) == untrained);
    CHECK(complaint({}, {.steps = true, .untrained = true}) == untrained);
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
