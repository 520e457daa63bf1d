/// \file
/// \brief What the page says of the trained models: a training that begins as the committed one, and
/// their evaluation by hand.
#include "chapters/07_seq2seq/experiments/experiments.hpp"
#include "common/text/bleu.hpp"
#include "common/translation/task.hpp"
#include "common/translation/training.hpp"
#include "common/translation/trivial_rules.hpp"
#include "tests/07_seq2seq/samples.hpp"
#include "tests/support/committed_table.hpp"

#include <numeric>

using namespace attn;
using namespace attn::seq2seq;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

namespace {

const TranslationTask& short_sentences()
{
    static const TranslationTask task = translation::grammar_task(
        2, {.train = 3000, .validation = 54, .test = 81, .longest_evaluation = 8});
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
text::EvaluatedTranslation judged(std::size_t length, const text::Words& hypothesis,
                                  const text::Words& reference, std::size_t n_right)
{
    return {length, hypothesis, reference, {reference.size() + 1, n_right, -1.0}};
}

/// A training of 6 steps has the losses of the committed one, which rises for 100 of 2000.
void check_committed_losses(std::size_t model, const char* column)
{
    static const TranslationTask task = translation::grammar_task(1);
    translation::TrainingOptions options{
        .n_steps = 6, .peak_rate = 5e-3 * 6 / 100, .n_warm_up = 6};
    const Translator<float> translator = translator_of(models()[model], task, 1);
    const std::vector<double> losses =
        translation::train(model_of(translator), task.train, options, {.show_progress = false});
    const std::vector<double> expected = committed_table("trained_losses.csv").column(column);
    for (std::size_t step = 0; step < 6; ++step) {
        CAPTURE(column, step);
        CHECK_THAT(losses[step], WithinAbs(expected[step], 1e-3));
    }
}

} // namespace

// [claim_bleu]
TEST_CASE("BLEU-2 of the page's example: clipped counts, and a brevity penalty", "[07][claim]")
{
    const text::BleuCounts counts = text::bleu_counts(
        {"the", "cat", "the", "cat"}, {{"the", "cat", "sat", "there", "now"}}, 2);
    CHECK(counts.matches == std::vector<std::size_t>{2, 1});
    CHECK(counts.totals == std::vector<std::size_t>{4, 3});
    CHECK_THAT(text::bleu_of(counts).brevity_penalty, WithinAbs(0.779, 5e-4));
    CHECK_THAT(text::bleu_of(counts).value, WithinAbs(0.318, 5e-4));
}
// [claim_bleu]

// [claim_rules]
TEST_CASE("words alike have a perplexity of their number", "[07][claim]")
{
    const translation::TranslationTask task =
        translation::grammar_task(1, {.train = 3000, .validation = 54, .test = 54});
    const std::size_t n_words = task.target.size();
    CHECK_THAT(
        translation::scores_of(translation::equal_words(n_words), task.test).perplexity(),
        WithinAbs(static_cast<double>(n_words), 1e-6));
}
// [claim_rules]

// ---------------------------------------------------------------- trainings and evaluations

TEST_CASE("the same seed gives the same bits, another seed others", "[07]")
{
    const auto numbers = [](std::uint64_t seed) {
        return numbers_of_model(translator_of(models()[3], short_sentences(), seed));
    };
    CHECK(numbers(5) == numbers(5));
    CHECK(numbers(5) != numbers(6));
}

TEST_CASE("a long sentence is a third as frequent among those learnt from", "[07][claim]")
{
    std::vector<std::size_t> n_of_length(31);
    for (const text::SentencePair& pair : translation::grammar_task(1).pairs.train) {
        ++n_of_length.at(pair.source.size());
    }
    const auto n_up_to = [&](std::ptrdiff_t shortest, std::ptrdiff_t longest) {
        return std::accumulate(n_of_length.begin() + shortest,
                               n_of_length.begin() + longest + 1, std::size_t{0});
    };
    CHECK(n_up_to(0, 30) == 38760); // as printed
    CHECK(n_up_to(0, 3) == 0);      // from 4 words on
    CHECK(n_of_length[4] > 0);
    for (std::size_t length = 5; length <= 10; ++length) {
        CHECK(n_of_length[length] >= 2285);
        CHECK(n_of_length[length] <= 2286);
    }
    for (std::size_t length = 21; length <= 30; ++length) {
        CHECK(n_of_length[length] == 800);
    }
}

// [claim_identity]
TEST_CASE("a greedy translation is right where every forced word is", "[07][claim][train]")
{
    check_committed_losses(0, "GRU_last_state");
    check_committed_losses(3, "LSTM_last_state");
    const Translator<float> translator = translator_of(models()[0], short_sentences(), 1);
    translation::train(model_of(translator), short_sentences().train,
                       {.n_steps = 150, .n_warm_up = 20}, {.show_progress = false});
    const TranslationTask& task = short_sentences();
    const EvaluationSet learnt = {{task.pairs.train.begin(), task.pairs.train.begin() + 100},
                                  {task.train.begin(), task.train.begin() + 100}};
    const Evaluation evaluation = translation::evaluate(model_of(translator), task, learnt);
    std::size_t n_right = 0;
    for (const text::EvaluatedTranslation& translation : evaluation.translations) {
        const bool all_forced = translation.tokens.n_right == translation.tokens.n_tokens;
        CHECK(all_forced == (translation.hypothesis == translation.reference));
        n_right += all_forced ? 1 : 0;
    }
    CHECK(n_right > 0); // or the sentences above say nothing
    CHECK(n_right < 100);
    CHECK(all_words_right(evaluation.translations) == static_cast<double>(n_right) / 100);
    CHECK(translation::tokens_of(evaluation).n_tokens > 400);
}
// [claim_identity]

TEST_CASE("shares of translations by hand", "[07][oracle]")
{
    const std::vector<text::EvaluatedTranslation> some = {
        judged(3, {"a", "b"}, {"a", "b"}, 3),      // with its end: 3 of 3
        judged(4, {"a", "c", "d"}, {"a", "b"}, 1), // the first word only
        judged(9, {}, {"a"}, 0)};                  // nothing
    CHECK_THAT(all_words_right(some), WithinAbs(1.0 / 3, 1e-12));
    CHECK_THAT(right_positions(some), WithinAbs(4.0 / 8, 1e-12));
    CHECK(of_bucket(some, {3, 6}).size() == 2);
    CHECK_THAT(right_by_chance(some, {3, 6}, 0.5), WithinAbs(0.125, 1e-12));
    CHECK_THAT(right_by_chance(some, {3, 9}, 0.5),
               WithinAbs((0.125 + 0.125 + 0.25) / 3, 1e-12));
    CHECK(std::isnan(right_by_chance(some, {20, 30}, 0.5)));
    CHECK(std::isnan(all_words_right({})));
}

TEST_CASE("weights are equal for the mean, and zeros where nothing is weighed", "[07]")
{
    const Translator<float> of_mean = translator_of(models()[1], short_sentences(), 1);
    const EvaluationSet set =
        translation::every_nth(short_sentences().pairs.test, short_sentences().test, 20);
    const std::vector<text::SentencePair>& pairs = set.pairs;
    const Evaluation evaluation = translation::predict(model_of(of_mean), set);
    REQUIRE(evaluation.weights.size() == 5);
    CHECK(evaluation.weights[0].size() == pairs[0].target.size());
    CHECK(evaluation.weights[0][0].size() == pairs[0].source.size());
    CHECK(evaluation.translations[0].hypothesis.empty());
    CHECK_THAT(evaluation.weights[0][0][0],
               WithinAbs(1.0 / static_cast<double>(pairs[0].source.size()), 1e-6));

    const Translator<float> of_last = translator_of(models()[0], short_sentences(), 1);
    const Evaluation last = translation::predict(model_of(of_last), set);
    for (const std::vector<double>& of_step : last.weights[0]) {
        CHECK(of_step == std::vector<double>(pairs[0].source.size(), 0.0));
    }
}

TEST_CASE("a length penalty counts the end symbol, and ended sentences go first",
          "[07][oracle]")
{
    // Google's divisor of n steps, with alpha = 1, is (5 + n) / 6: 1 word and its end have 7/6.
    const text::LengthPenalty penalty = text::gnmt_length_penalty(1);
    const text::Hypothesis one_word{{4}, -7.0, 0, true};          // -6 a step
    const text::Hypothesis three_words{{4, 5, 6}, -8.9, 0, true}; // -5.93; without ends -6.68
    const text::Hypothesis cut_off{{4}, -1.0, 0, false};
    CHECK(preferred({one_word, three_words}, penalty).words.size() == 3);
    CHECK(preferred({{{4}, -6.9, 0, true}, three_words}, penalty).words.size() == 1);
    CHECK(preferred({cut_off, one_word}, penalty).finished);
}

TEST_CASE("searches are compared on the test set", "[07]")
{
    TranslationTask task = short_sentences();
    task.test.resize(6);
    const Translator<float> translator = translator_of(models()[0], task, 1);
    const std::vector<SearchResult> results = compare_searches(translator, task);
    REQUIRE(results.size() == 3);
    CHECK(results[0].width == 1);
    CHECK(results[1].alpha == 0);
    CHECK(results[2].alpha == 1);
    CHECK(results[1].mean_log_probability >= results[2].mean_log_probability);
    CHECK(results[2].mean_length >= results[1].mean_length);
    CHECK(results[0].counts.n_sentences == 6);
}
