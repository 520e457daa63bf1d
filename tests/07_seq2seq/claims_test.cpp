/// \file
/// \brief What the page says of the trained models: over three seeds as committed.
#include "common/translation/task.hpp"
#include "common/translation/trivial_rules.hpp"
#include "tests/07_seq2seq/samples.hpp"
#include "tests/support/committed_table.hpp"

using namespace attn;
using attn::testing::committed_table;

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
    const std::vector<double> numbers = testing::numbers_where(
        committed_table("trained_lengths.csv"), column,
        {{"model", static_cast<double>(model)}, {"shortest", static_cast<double>(shortest)}});
    REQUIRE(numbers.size() == 3);
    return numbers;
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
}
// [claim_bottleneck]

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
}
// [claim_beam]

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
        Catch::Matchers::WithinAbs(static_cast<double>(n_words), 1e-6));
    const program::NumericTable rules = committed_table("rules.csv");
    CHECK_THAT(std::exp(rules.column("cross_entropy")[0]),
               Catch::Matchers::WithinAbs(270, 0.02));
    CHECK(rules.column("cross_entropy")[2] < rules.column("cross_entropy")[1]);
    CHECK_THAT(std::exp(rules.column("cross_entropy")[1]),
               Catch::Matchers::WithinAbs(135.6, 0.06));
    CHECK_THAT(std::exp(rules.column("cross_entropy")[2]),
               Catch::Matchers::WithinAbs(19.9, 0.06));
    CHECK_THAT(rules.column("accuracy")[2], Catch::Matchers::WithinAbs(0.206, 6e-4));
}
// [claim_rules]
