/// \file
/// \brief What the page says of the trained models: over three seeds as committed; a training that
/// begins as the committed one; and their evaluation by hand.
#include "chapters/07_seq2seq/experiments/decoding.hpp"
#include "common/text/bleu.hpp"
#include "common/translation/task.hpp"
#include "common/translation/trivial_rules.hpp"
#include "tests/07_seq2seq/samples.hpp"
#include "tests/support/committed_table.hpp"

#include <numeric>

using namespace attn;
using namespace attn::seq2seq;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

namespace {

enum CommittedModel
{
    gru_last,
    gru_mean,
    gru_maximum,
    lstm_last
};

/// A column for a model and the lengths from shortest on (0: all lengths), a number a seed.
std::vector<double> of_seeds(CommittedModel model, int shortest, const std::string& column)
{
    const std::vector<double> numbers = numbers_where(
        committed_table("trained_lengths.csv"), column,
        {{"model", static_cast<double>(model)}, {"shortest", static_cast<double>(shortest)}});
    REQUIRE(numbers.size() == 3);
    return numbers;
}

/// Of the page's longer trainings, as they are numbered in their table.
enum CommittedTraining
{
    last_8000,
    mean_8000,
    last_20000
};

/// The same as of_seeds, of a longer training.
std::vector<double> of_longer(CommittedTraining training, int shortest,
                              const std::string& column)
{
    const std::vector<double> numbers =
        numbers_where(committed_table("trained_longer.csv"), column,
                      {{"training", static_cast<double>(training)},
                       {"shortest", static_cast<double>(shortest)}});
    REQUIRE(numbers.size() == 3);
    return numbers;
}

/// The length at which half of the sentences are right, on straight lines between the points of
/// the figure.
double length_of_half(const std::string& training)
{
    const program::NumericTable curves = committed_table("trained_longer_exact.csv");
    const std::vector<double>& lengths = curves.column("length");
    const std::vector<double>& exact = curves.column(training);
    for (std::size_t i = 1; i < lengths.size(); ++i) {
        if (exact[i] < 0.5) {
            return lengths[i - 1] + (lengths[i] - lengths[i - 1]) * (exact[i - 1] - 0.5) /
                                        (exact[i - 1] - exact[i]);
        }
    }
    FAIL("more than half of the longest sentences are right");
    return 0;
}

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
    TrainingOptions options{.n_steps = 6, .peak_rate = 5e-3 * 6 / 100, .n_warm_up = 6};
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

// [claim_bottleneck]
TEST_CASE("one vector does for short sentences, and for no long one", "[07][claim]")
{
    CHECK(of_seeds(gru_last, 3, "exact").front() >= 0.90); // no straw man
    CHECK(of_seeds(gru_last, 7, "exact")[1] <= 0.75);      // the median
    CHECK(of_seeds(gru_last, 7, "exact").back() <= 0.8);   // every seed
    CHECK(of_seeds(gru_last, 11, "exact").back() <= 0.3);
    for (const int shortest : {15, 19, 23, 27}) {
        CHECK(of_seeds(gru_last, shortest, "exact").back() <= 0.03);
    }
    CHECK(of_seeds(gru_last, 27, "bleu").back() <= 15);
    CHECK(of_seeds(gru_last, 3, "bleu").front() >= 90);
    CHECK_THAT(of_seeds(gru_last, 3, "exact")[1], WithinAbs(1.0, 5e-4)); // as printed
    CHECK_THAT(of_seeds(gru_last, 11, "exact")[1], WithinAbs(0.236, 5e-4));
    CHECK_THAT(of_seeds(gru_last, 3, "bleu")[1], WithinAbs(100.0, 0.05));
    CHECK_THAT(of_seeds(gru_last, 27, "bleu")[1], WithinAbs(14.0, 0.05));
}
// [claim_bottleneck]

// [claim_training]
TEST_CASE("ten times the steps move the break by seven to eight words, and no more",
          "[07][claim]")
{
    CHECK_THAT(length_of_half("2000 steps"), WithinAbs(10.3, 0.05)); // as printed
    CHECK_THAT(length_of_half("20000 steps"), WithinAbs(18.0, 0.05));
    CHECK_THAT(length_of_half("20000 steps") - length_of_half("2000 steps"),
               WithinAbs(7.5, 0.5));
    CHECK_THAT(of_longer(last_20000, 11, "exact")[1], WithinAbs(0.846, 6e-4));
    CHECK_THAT(of_longer(last_20000, 15, "exact")[1], WithinAbs(0.611, 6e-4));
    CHECK_THAT(of_longer(last_20000, 19, "exact")[1], WithinAbs(0.308, 6e-4));
    CHECK_THAT(of_longer(last_20000, 27, "exact")[1], WithinAbs(0.010, 6e-4));
    CHECK_THAT(of_longer(last_20000, 27, "bleu")[1], WithinAbs(37.6, 0.06));
    // Every seed gains with the steps, at every length that is not right already or not yet.
    for (const int shortest : {7, 11, 15, 19}) {
        CAPTURE(shortest);
        CHECK(of_longer(last_8000, shortest, "exact").front() >
              of_seeds(gru_last, shortest, "exact").back() + 0.05);
        CHECK(of_longer(last_20000, shortest, "exact").front() >
              of_longer(last_8000, shortest, "exact").back());
    }
    // The decline remains.
    for (const CommittedTraining training : {last_8000, mean_8000, last_20000}) {
        double shorter = 2;
        for (const int shortest : {3, 7, 11, 15, 19, 23}) {
            const double exact = of_longer(training, shortest, "exact")[1];
            CHECK(exact < shorter);
            shorter = exact;
        }
        CHECK(of_longer(training, 27, "exact").back() <= 0.01);
        CHECK(of_longer(training, 27, "words_right").back() <
              of_longer(training, 3, "words_right").front() - 0.15);
    }
    CHECK_THAT(of_longer(mean_8000, 15, "exact")[1], WithinAbs(0.317, 6e-4));
    CHECK_THAT(of_seeds(gru_mean, 15, "exact")[1], WithinAbs(0.034, 6e-4));
}
// [claim_training]

// [claim_contexts]
TEST_CASE("no way to one vector, and no unit, takes the bottleneck away", "[07][claim]")
{
    for (const CommittedModel model : {gru_last, gru_mean, gru_maximum, lstm_last}) {
        CAPTURE(model);
        CHECK(of_seeds(model, 3, "exact").front() >= 0.85);
        CHECK(of_seeds(model, 15, "exact").back() <= 0.05);
        CHECK(of_seeds(model, 19, "exact").back() <= 0.01);
        CHECK(of_seeds(model, 27, "bleu").back() <= 20);
        CHECK(of_seeds(model, 0, "exact").back() <= 0.35);
        CHECK(of_seeds(model, 27, "words_right").back() <
              of_seeds(model, 3, "words_right").front() - 0.3);
    }
    CHECK_THAT(of_seeds(gru_last, 0, "exact")[1], WithinAbs(0.259, 6e-4)); // as printed
    CHECK_THAT(of_seeds(gru_mean, 0, "exact")[1], WithinAbs(0.261, 6e-4));
    CHECK_THAT(of_seeds(gru_maximum, 0, "exact")[1], WithinAbs(0.232, 6e-4));
    CHECK_THAT(of_seeds(lstm_last, 0, "exact")[1], WithinAbs(0.233, 6e-4));
}
// [claim_contexts]

// [claim_reading]
TEST_CASE("every model predicts better than rules that do not read", "[07][claim]")
{
    const program::NumericTable rules = committed_table("rules.csv");
    for (const CommittedModel model : {gru_last, gru_mean, gru_maximum, lstm_last}) {
        CHECK(of_seeds(model, 0, "loss").back() < rules.column("cross_entropy")[2] - 1);
        CHECK(of_seeds(model, 0, "words_right").front() > 2 * rules.column("accuracy")[2]);
        CHECK(of_seeds(model, 27, "loss").back() < rules.column("cross_entropy")[2]);
    }
    const program::NumericTable learning = committed_table("trained_learning.csv");
    const double pairs = learning.column("pairs")[0];
    for (const char* model : {"GRU_last_state", "GRU_mean", "GRU_maximum", "LSTM_last_state"}) {
        CHECK(learning.column(model)[2] > pairs); // steps 41 to 60
        CHECK(learning.column(model)[6] < pairs); // steps 121 to 140
    }
}
// [claim_reading]

// [claim_forced]
TEST_CASE("free translations are right as often as all forced words are", "[07][claim]")
{
    const program::NumericTable table = committed_table("trained_forced.csv");
    for (std::size_t i = 0; i < table.n_rows(); ++i) {
        CHECK(std::abs(table.column("all_forced")[i] - table.column("exact")[i]) <= 0.0015);
        CHECK(table.column("free")[i] <= table.column("forced")[i]);
    }
    CHECK_THAT(table.column("forced").back(),
               WithinAbs(0.718, 6e-4)); // all lengths, as printed
    CHECK_THAT(table.column("free").back(), WithinAbs(0.361, 6e-4));
    CHECK_THAT(table.column("forced").front(), WithinAbs(1.0, 6e-4));
    CHECK_THAT(table.column("forced")[table.n_rows() - 2], WithinAbs(0.570, 6e-4));
}
// [claim_forced]

// [claim_beam]
TEST_CASE("a beam finds more probable sentences, shorter ones, and little more", "[07][claim]")
{
    const program::NumericTable table = committed_table("trained_searches.csv");
    REQUIRE(table.n_rows() == 3);
    const auto at = [&](const char* column, std::size_t row) {
        return table.column(column)[row];
    };
    CHECK(at("log_p", 1) > at("log_p", 0) + 0.5);
    CHECK(at("words", 1) < at("words", 0));
    CHECK(at("words", 2) > at("words", 1));
    CHECK(std::abs(at("exact", 1) - at("exact", 0)) < 0.05);
    CHECK(at("bleu", 1) > at("bleu", 0) + 2);
    CHECK(at("bleu", 2) < at("bleu", 1) + 1);
    CHECK_THAT(at("exact", 0), WithinAbs(0.259, 6e-4)); // as printed
    CHECK_THAT(at("exact", 1), WithinAbs(0.284, 6e-4));
    CHECK_THAT(at("bleu", 1), WithinAbs(35.4, 0.06));
    CHECK_THAT(at("bleu", 2), WithinAbs(35.9, 0.06));
}
// [claim_beam]

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

// [claim_power]
TEST_CASE("words of short sentences are right more often than those of all", "[07][claim]")
{
    const program::NumericTable curves = committed_table("trained_curves.csv");
    const std::vector<double>& power = curves.column("power");
    const std::vector<double>& exact = curves.column("GRU_last_state_exact");
    CHECK(exact[0] > power[0] + 0.5); // words of short sentences are right more often than p
    CHECK(exact[1] > power[1]);
    CHECK(power.back() < 0.001);
}
// [claim_power]

// [claim_rules]
TEST_CASE("words alike have a perplexity of their number", "[07][claim]")
{
    const translation::TranslationTask task =
        translation::grammar_task(1, {.train = 3000, .validation = 54, .test = 54});
    const std::size_t n_words = task.target.size();
    CHECK_THAT(
        translation::scores_of(translation::equal_words(n_words), task.test).perplexity(),
        WithinAbs(static_cast<double>(n_words), 1e-6));
    const program::NumericTable rules = committed_table("rules.csv");
    CHECK_THAT(std::exp(rules.column("cross_entropy")[0]), WithinAbs(270, 0.02));
    CHECK(rules.column("cross_entropy")[2] < rules.column("cross_entropy")[1]);
    CHECK_THAT(std::exp(rules.column("cross_entropy")[1]), WithinAbs(135.6, 0.06));
    CHECK_THAT(std::exp(rules.column("cross_entropy")[2]), WithinAbs(19.9, 0.06));
    CHECK_THAT(rules.column("accuracy")[2], WithinAbs(0.206, 6e-4));
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
    const text::Hypothesis<> one_word{{4}, -7.0, 0, true, {}}; // -6 a step
    const text::Hypothesis<> three_words{
        {4, 5, 6}, -8.9, 0, true, {}}; // -5.93; without ends -6.68
    const text::Hypothesis<> cut_off{{4}, -1.0, 0, false, {}};
    CHECK(preferred({one_word, three_words}, penalty).words.size() == 3);
    CHECK(preferred({{{4}, -6.9, 0, true, {}}, three_words}, penalty).words.size() == 1);
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
