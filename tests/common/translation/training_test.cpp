/// \file
/// \brief The loop that trains translators, watched through a model that learns nothing: which
/// batches, which rates, and a training that was stopped.
#include "common/translation/training.hpp"

#include "common/autograd/reductions.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <algorithm>
#include <csignal>

using namespace attn;
using namespace attn::translation;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

namespace {

/// One number whose gradient is 1, so that Adam moves it by the learning rate.
struct Watched
{
    Variable<float> number = autograd::parameter(filled<float>({1}, 0.0F));
    std::vector<std::vector<std::size_t>> batches; ///< the pairs of each
    std::vector<double> numbers;                   ///< before each step

    TranslationModel model()
    {
        TranslationModel model;
        model.parameters.add("number", number);
        model.loss = [this](const text::Batch& batch) {
            batches.push_back(batch.pairs);
            numbers.push_back(static_cast<double>(number.value().data()[0]));
            return sum(number);
        };
        return model;
    }
};

/// Nine pairs of one to nine words: three batches of at most four.
std::vector<text::NumberedPair> nine_pairs()
{
    std::vector<text::NumberedPair> pairs(9);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        pairs[i].source.assign(i + 1, 3);
        pairs[i].target = {4};
    }
    return pairs;
}

constexpr TrainingOptions two_epochs = {.n_steps = 6, .batch_size = 4, .n_warm_up = 2};

} // namespace

TEST_CASE("each epoch has each pair once, in an order of its own", "[translation]")
{
    const std::vector<text::NumberedPair> pairs = nine_pairs();
    const auto batches = [&](std::uint64_t seed) {
        Watched watched;
        TrainingOptions options = two_epochs;
        options.seed = seed;
        train(watched.model(), pairs, options, {.show_progress = false});
        return watched.batches;
    };
    const auto once = batches(1);
    REQUIRE(once.size() == 6);
    const auto epoch = [&](std::size_t first) {
        std::vector<std::size_t> all;
        for (std::size_t step = first; step < first + 3; ++step) {
            all.insert(all.end(), once[step].begin(), once[step].end());
        }
        return all;
    };
    for (const std::size_t first : {0U, 3U}) {
        std::vector<std::size_t> sorted = epoch(first);
        std::sort(sorted.begin(), sorted.end());
        CHECK(sorted == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8});
    }
    CHECK(epoch(0) != epoch(3));
    CHECK(once == batches(1));
    CHECK(once != batches(2));
}

TEST_CASE("the rate rises to its peak, and falls up to the last step", "[translation]")
{
    const std::vector<text::NumberedPair> pairs = nine_pairs();
    Watched watched;
    train(watched.model(), pairs,
          {.n_steps = 6, .peak_rate = 0.1, .n_warm_up = 2, .last_share = 0.2},
          {.show_progress = false});
    watched.numbers.push_back(static_cast<double>(watched.number.value().data()[0]));
    // Half and whole; then the fall to a fifth takes four steps, and would end with a seventh step.
    const std::vector<double> rates = {0.05, 0.1, 0.1, 0.08, 0.06, 0.04};
    for (std::size_t step = 0; step < rates.size(); ++step) {
        CAPTURE(step);
        CHECK_THAT(watched.numbers[step] - watched.numbers[step + 1],
                   WithinAbs(rates[step], 1e-5));
    }
}

TEST_CASE("a training stopped in its second epoch goes on with the same batches and bits",
          "[translation]")
{
    const ScratchFolder scratch;
    const std::string file = (scratch.path() / "model.safetensors").string();
    const std::vector<text::NumberedPair> pairs = nine_pairs();
    Watched whole;
    const std::vector<double> losses =
        train(whole.model(), pairs, two_epochs, {.show_progress = false});

    Watched first;
    const auto stop = [](std::size_t n_done) {
        if (n_done == 4) {
            std::raise(SIGINT); // Ctrl-C: the step ends, the training is saved
        }
    };
    CHECK_THROWS(train(first.model(), pairs, two_epochs,
                       {.show_progress = false, .files = {.save = file}}, stop));
    REQUIRE(first.batches.size() == 4);
    Watched second;
    CHECK(train(second.model(), pairs, two_epochs,
                {.show_progress = false, .files = {.resume = file}}) == losses);
    CHECK(second.batches == std::vector(whole.batches.begin() + 4, whole.batches.end()));
    CHECK(second.number.value().data()[0] == whole.number.value().data()[0]);
}

TEST_CASE("a training without pairs or with empty batches is refused",
          "[translation][bad_input]")
{
    Watched watched;
    const std::vector<text::NumberedPair> pairs = nine_pairs();
    TrainingOptions empty = two_epochs;
    empty.batch_size = 0;
    CHECK_THROWS_WITH(train(watched.model(), pairs, empty, {.show_progress = false}),
                      contains("9 and 0"));
    CHECK_THROWS_AS(train(watched.model(), {}, two_epochs, {.show_progress = false}),
                    ContractError);
    CHECK(watched.batches.empty());
}
