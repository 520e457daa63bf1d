/// \file
/// \brief Training and judging: the same bits again, taken up where it stopped, the losses that
/// are committed; and the identity of exact match and words foretold right.
#include "chapters/07_seq2seq/bottleneck.hpp"
#include "common/autograd/arithmetic.hpp"
#include "tests/07_seq2seq/samples.hpp"
#include "tests/support/committed_losses.hpp"
#include "tests/support/committed_table.hpp"
#include "tests/support/run_program.hpp"

#include <csignal>

using namespace attn;
using namespace attn::seq2seq;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

namespace {

const TranslationTask& small_task()
{
    static const TranslationTask task =
        grammar_task(2, {.train = 3000, .validation = 54, .test = 81, .longest_evaluation = 8});
    return task;
}

std::vector<double> numbers_of_model(const Translator<float>& translator)
{
    std::vector<double> numbers;
    for (const auto& one : translator.parameters()) {
        for (const double number : list_of(one.variable.value())) {
            numbers.push_back(number);
        }
    }
    return numbers;
}

/// A translation with two words right of three.
text::JudgedTranslation judged(std::size_t length, const text::Words& hypothesis,
                               const text::Words& reference, std::size_t n_right)
{
    return {length, hypothesis, reference, {reference.size() + 1, n_right, -1.0}};
}

} // namespace

TEST_CASE("the same seed gives the same bits, another seed others", "[07][train]")
{
    const auto trained = [](std::uint64_t seed) {
        Translator<float> translator = translator_of(models()[0], small_task(), seed);
        TrainingOptions options{.n_steps = 3, .seed = seed};
        const std::vector<double> losses = train(translator, small_task().train, options,
                                                 {.n_steps = 3, .show_progress = false});
        CHECK(losses.size() == 3);
        return numbers_of_model(translator);
    };
    const std::vector<double> once = trained(5);
    CHECK(once == trained(5));
    CHECK(once != trained(6));
}

TEST_CASE("a training that was stopped goes on with the same bits", "[07][train]")
{
    const ScratchFolder scratch;
    const std::string file = (scratch.path() / "model.safetensors").string();
    const TrainingOptions options{.n_steps = 5};
    const nn::TrainingPlan quiet{.n_steps = 5, .show_progress = false};
    Translator<float> whole = translator_of(models()[3], small_task(), 1);
    const std::vector<double> losses = train(whole, small_task().train, options, quiet);

    Translator<float> first = translator_of(models()[3], small_task(), 1);
    nn::TrainingPlan saving = quiet;
    saving.files.save = file;
    const auto stop = [](std::size_t n_done) {
        if (n_done == 3) {
            std::raise(SIGINT); // Ctrl-C: the step ends, the training is kept
        }
    };
    CHECK_THROWS(train(first, small_task().train, options, saving, stop));
    Translator<float> second = translator_of(models()[3], small_task(), 9);
    nn::TrainingPlan resuming = quiet;
    resuming.files.resume = file;
    CHECK(train(second, small_task().train, options, resuming) == losses);
    CHECK(numbers_of_model(second) == numbers_of_model(whole));
}

TEST_CASE(
    "every epoch has each pair once, in an order of its own, and the rate falls to the end",
    "[07][train]")
{
    const std::vector<text::NumberedPair> pairs(10, {{3}, {3}});
    const TrainingOptions options{.n_steps = 6, .batch_size = 4, .n_warm_up = 2};
    const ScratchFolder scratch;
    const std::string file = (scratch.path() / "model.safetensors").string();
    std::vector<std::vector<std::size_t>> batches;
    std::vector<double> numbers; // the model's only one, which Adam moves by the rate
    const auto run = [&](const nn::TrainingFiles& files, const Observer& observe = {}) {
        const Variable<float> number = autograd::parameter(filled<float>({}, 0.0F));
        TranslationModel model;
        model.parameters.add("number", number);
        model.loss = [&, number](const text::Batch& batch) {
            batches.push_back(batch.pairs);
            numbers.push_back(number.item());
            return 1.0F * number;
        };
        train(model, pairs, options, {.n_steps = 6, .show_progress = false, .files = files},
              observe);
        numbers.push_back(number.item());
    };
    run({});
    REQUIRE(batches.size() == 6);
    std::vector<std::vector<std::size_t>> epochs(2);
    for (std::size_t step = 0; step < 6; ++step) {
        epochs[step / 3].insert(epochs[step / 3].end(), batches[step].begin(),
                                batches[step].end());
        // Up in two steps, then down in four, the fifth of which would have a fiftieth.
        const double share = step < 2 ? (static_cast<double>(step) + 1) / 2
                                      : 1 - 0.98 * (static_cast<double>(step) - 2) / 4;
        CHECK_THAT(numbers[step] - numbers[step + 1], WithinAbs(5e-3 * share, 1e-7));
    }
    CHECK(epochs[0] != epochs[1]);
    for (std::vector<std::size_t>& epoch : epochs) {
        std::sort(epoch.begin(), epoch.end());
        CHECK(epoch == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    }

    // Stopped in the second epoch, it goes on there.
    const std::vector<std::vector<std::size_t>> last(batches.end() - 2, batches.end());
    const double end = numbers.back();
    CHECK_THROWS(run({.save = file}, [](std::size_t n_done) {
        if (n_done == 4) {
            std::raise(SIGINT);
        }
    }));
    batches.clear();
    run({.resume = file});
    CHECK(batches == last);
    CHECK(numbers.back() == end);
}

TEST_CASE("trainings and judgements of nothing, or of lists of two lengths, are refused",
          "[07][bad_input]")
{
    const Translator<float> translator = translator_of(models()[0], small_task(), 1);
    const std::vector<text::SentencePair>& test = small_task().pairs.test;
    const nn::TrainingPlan quiet{.n_steps = 1, .show_progress = false};
    CHECK_THROWS_WITH(train(translator, {}, {.n_steps = 1}, quiet),
                      contains("train: no batches of 32 sentences can be made of 0 pairs"));
    CHECK_THROWS_WITH(
        train(translator, small_task().train, {.n_steps = 1, .batch_size = 0}, quiet),
        contains("train: no batches of 0 sentences"));
    CHECK_THROWS_WITH(foretell(translator, test, small_task().validation),
                      contains("81 pairs in words and 54 in numbers"));
    CHECK_THROWS_WITH(judge(translator, small_task(), test, small_task().validation),
                      contains("81 pairs in words and 54 in numbers"));
    CHECK_THROWS_WITH(alignment_of({}, test), contains("81 pairs, and weights of 0"));
}

TEST_CASE("the first losses are those that are committed", "[07][train]")
{
    // The rate rises for 100 steps, however many there are in all.
    const program::NumericTable committed = committed_table("trained_losses.csv");
    const TranslationTask task = grammar_task(1);
    for (const std::size_t model : {0U, 3U}) {
        CAPTURE(models()[model].name);
        const Translator<float> translator = translator_of(models()[model], task, 1);
        check_first_losses(train(translator, task.train, {.n_steps = 100},
                                 {.n_steps = 100, .show_progress = false}),
                           committed.columns[model]);
    }
}

// [claim_identity]
TEST_CASE("a greedy translation is right where every forced word is", "[07][claim][train]")
{
    Translator<float> translator = translator_of(models()[0], small_task(), 1);
    TrainingOptions options{.n_steps = 150};
    options.n_warm_up = 20;
    train(translator, small_task().train, options, {.n_steps = 150, .show_progress = false});
    const std::vector<text::NumberedPair> learnt(small_task().train.begin(),
                                                 small_task().train.begin() + 100);
    const std::vector<text::SentencePair> pairs(small_task().pairs.train.begin(),
                                                small_task().pairs.train.begin() + 100);
    const Judgement judgement = judge(translator, small_task(), pairs, learnt);
    std::size_t n_right = 0;
    for (const text::JudgedTranslation& translation : judgement.translations) {
        const bool all_forced = translation.tokens.n_right == translation.tokens.n_tokens;
        CHECK(all_forced == (translation.hypothesis == translation.reference));
        n_right += all_forced ? 1 : 0;
    }
    CHECK(n_right > 0); // or the sentences above say nothing
    CHECK(n_right < 100);
    CHECK(all_words_right(judgement.translations) == static_cast<double>(n_right) / 100);
    CHECK(tokens_of(judgement).n_tokens > 400);
}
// [claim_identity]

TEST_CASE("shares of translations by hand", "[07][oracle]")
{
    const std::vector<text::JudgedTranslation> some = {
        judged(3, {"a", "b"}, {"a", "b"}, 3),      // with its end: 3 of 3
        judged(4, {"a", "c", "d"}, {"a", "b"}, 1), // the first word only
        judged(9, {}, {"a"}, 0)};                  // nothing
    CHECK_THAT(all_words_right(some), WithinAbs(1.0 / 3, 1e-12));
    CHECK_THAT(right_places(some), WithinAbs(4.0 / 8, 1e-12));
    CHECK(of_bucket(some, {3, 6}).size() == 2);
    CHECK_THAT(right_by_chance(some, {3, 6}, 0.5), WithinAbs(0.125, 1e-12));
    CHECK_THAT(right_by_chance(some, {3, 9}, 0.5),
               WithinAbs((0.125 + 0.125 + 0.25) / 3, 1e-12));
    CHECK(std::isnan(right_by_chance(some, {20, 30}, 0.5)));
    CHECK(std::isnan(all_words_right({})));
}

TEST_CASE("weights are equal for the mean, and zeros where nothing is weighed", "[07]")
{
    Translator<float> translator = translator_of(models()[1], small_task(), 1);
    const std::vector<text::SentencePair> pairs(small_task().pairs.test.begin(),
                                                small_task().pairs.test.begin() + 5);
    const std::vector<text::NumberedPair> numbered(small_task().test.begin(),
                                                   small_task().test.begin() + 5);
    const Judgement judgement = foretell(translator, pairs, numbered);
    REQUIRE(judgement.weights.size() == 5);
    CHECK(judgement.weights[0].size() == pairs[0].target.size());
    CHECK(judgement.weights[0][0].size() == pairs[0].source.size());
    CHECK(judgement.translations[0].hypothesis.empty());
    CHECK_THAT(judgement.weights[0][0][0],
               WithinAbs(1.0 / static_cast<double>(pairs[0].source.size()), 1e-6));

    const Translator<float> of_last = translator_of(models()[0], small_task(), 1);
    const Judgement last = foretell(of_last, pairs, numbered);
    for (const std::vector<double>& of_step : last.weights[0]) {
        CHECK(of_step == std::vector<double>(pairs[0].source.size(), 0.0));
    }
}

TEST_CASE("searches are compared on the test set", "[07][train]")
{
    const Translator<float> translator = translator_of(models()[0], small_task(), 1);
    const std::vector<SearchResult> results = compare_searches(translator, small_task());
    REQUIRE(results.size() == 3);
    CHECK(results[0].width == 1);
    CHECK(results[1].alpha == 0);
    CHECK(results[2].alpha == 1);
    CHECK(results[1].mean_log_probability >= results[2].mean_log_probability);
    CHECK(results[2].mean_length >= results[1].mean_length);
    CHECK(results[0].counts.n_sentences == small_task().test.size());
}

TEST_CASE("the end of a sentence counts in its length when lengths are weighed", "[07][oracle]")
{
    // The same at every step: one word has ln p = -.38, the end -2.1, all others share the rest.
    // With its end the empty sentence has -2.1 and one word -2.48 / (7/6) = -2.126; did the end
    // not count, they had -2.1 / (5/6) = -2.52 and -2.48.
    const Translator<float> translator = translator_of(models()[0], small_task(), 1);
    for (const nn::NamedParameter<float>& one : translator.parameters()) {
        Variable<float> variable = one.variable;
        variable.value().fill(0);
        if (one.name == "decoder.output.bias") {
            const auto n_others = static_cast<double>(variable.size() - 2);
            variable.value().fill(static_cast<float>(
                std::log((1 - std::exp(-0.38) - std::exp(-2.1)) / n_others)));
            variable.value()(text::end_id) = -2.1F;
            variable.value()(text::end_id + 1) = -0.38F;
        }
    }
    CHECK(compare_searches(translator, small_task())[2].mean_length == 0);
}
