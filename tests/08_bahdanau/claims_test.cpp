/// \file
/// \brief What the page says of trained translators: over three seeds as committed.
#include "chapters/08_bahdanau/alignment_kinds.hpp"
#include "common/grammar/grammar_corpus.hpp"
#include "common/text/alignment_error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/committed_table.hpp"

#include <algorithm>
#include <cmath>

using namespace attn;
using attn::testing::committed_table;
using Catch::Matchers::WithinAbs;

namespace {

/// A number of a kind in each seed, the lowest first.
std::vector<double> seeds_of(const std::string& kind, const std::string& column)
{
    const auto& kinds = bahdanau::alignment_kinds();
    const auto found = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const auto& one) { return one.short_name == kind; });
    REQUIRE(found != kinds.end());
    const std::vector<double> numbers =
        testing::numbers_where(testing::committed_table_with_gaps("trained_kinds.csv"), column,
                               {{"kind", static_cast<double>(found - kinds.begin())}});
    REQUIRE(numbers.size() == 3);
    return numbers;
}

double lowest(const std::string& kind, const std::string& column)
{
    return seeds_of(kind, column).front();
}

double median(const std::string& kind, const std::string& column)
{
    return seeds_of(kind, column)[1];
}

double highest(const std::string& kind, const std::string& column)
{
    return seeds_of(kind, column).back();
}

/// A column of a table by length, from 3-6 words to 27-30.
std::vector<double> by_length(const char* file, const std::string& column)
{
    return committed_table(file).column(column);
}

constexpr double diagonal = 0.370; // of the test set, as the case of trivial aligners says

} // namespace

// [claim_trivial]
TEST_CASE("errors of aligners that learn nothing", "[08][claim]")
{
    const std::vector<text::SentencePair> pairs = text::grammar_corpus(1, {.train = 0}).test;
    REQUIRE(pairs.size() == 1410);
    const auto& aligners = text::trivial_aligners();
    CHECK_THAT(text::alignment_counts(aligners[0], pairs).error(), WithinAbs(0.011, 5e-4));
    CHECK_THAT(text::alignment_counts(aligners[1], pairs).error(), WithinAbs(diagonal, 5e-4));
    CHECK_THAT(text::alignment_counts(aligners[2], pairs).error(), WithinAbs(0.926, 5e-4));
}
// [claim_trivial]

// [claim_length]
TEST_CASE("with attention long sentences keep their quality", "[08][claim]")
{
    CHECK(lowest("additive_before", "tokens") >= 0.975);
    CHECK(lowest("additive_before", "exact") >= 0.75);
    CHECK(lowest("additive_before", "bleu") >= 94);
    CHECK(lowest("general_after", "exact") >= 0.70);
    CHECK(lowest("general_after", "bleu") >= 92);
    CHECK(lowest("dot_after", "exact") >= 0.65);
    CHECK(lowest("dot_after", "bleu") >= 90);
    CHECK(lowest("additive_before", "exact") > highest("none", "exact") + 0.3);
    const std::vector<double> attends =
        by_length("trained_lengths.csv", "bleu_additive_before_low");
    const std::vector<double> none = by_length("trained_lengths.csv", "bleu_none_high");
    CHECK(attends.back() >= 90);
    CHECK(attends.front() - attends.back() <= 9);
    CHECK(none.back() <= 15);
    CHECK(by_length("trained_lengths.csv", "bleu_none_low").front() - none.back() >= 75);
    // How far BLEU falls, as printed.
    const std::vector<std::pair<std::string, double>> falls = {
        {"additive_before", 4.8}, {"additive_after", 4.8}, {"general_after", 8.4},
        {"dot_after", 9.5},       {"location", 10.6},      {"tutorial", 31.0}};
    for (const auto& [kind, fall] : falls) {
        const std::vector<double> bleu = by_length("trained_lengths.csv", "bleu_" + kind);
        CAPTURE(kind);
        CHECK_THAT(bleu.front() - bleu.back(), WithinAbs(fall, 0.06));
        const std::vector<double> exact = by_length("trained_lengths.csv", "exact_" + kind);
        CHECK(exact.back() < exact.front() - 0.2);
    }
    // Not flat: words of 30 have to be right all together.
    const std::vector<double> exact = by_length("trained_lengths.csv", "exact_additive_before");
    CHECK(exact.front() >= 0.95);
    CHECK(exact.back() <= exact.front() - 0.2);
}
// [claim_length]

// [claim_longer]
TEST_CASE("attention is ahead of one vector that learns for ten times the steps", "[08][claim]")
{
    const program::NumericTable one_vector =
        committed_table("trained_longer.csv", "07_seq2seq");
    const auto of_vector = [&](double shortest, const char* column) {
        const std::vector<double> seeds = testing::numbers_where(
            one_vector, column, {{"training", 2}, {"shortest", shortest}}); // 20000 steps
        REQUIRE(seeds.size() == 3);
        return seeds;
    };
    const auto of_attention = [](std::size_t bucket, const char* column) {
        return by_length("trained_lengths.csv", column).at(bucket);
    };
    for (std::size_t bucket = 2; bucket < 7; ++bucket) { // from 11 words on, every seed
        CAPTURE(bucket);
        const double shortest = 3 + 4 * static_cast<double>(bucket);
        CHECK(of_attention(bucket, "exact_additive_before_low") >
              of_vector(shortest, "exact").back());
        CHECK(of_attention(bucket, "bleu_additive_before_low") >
              of_vector(shortest, "bleu").back());
    }
    CHECK_THAT(of_vector(27, "bleu")[1], WithinAbs(37.6, 0.06)); // as printed
    CHECK_THAT(of_vector(15, "exact")[1], WithinAbs(0.611, 6e-4));
    CHECK_THAT(of_vector(27, "exact")[1], WithinAbs(0.010, 6e-4));
    CHECK_THAT(of_attention(3, "exact_additive_before"), WithinAbs(0.865, 6e-4));
    // After more steps it gets further, and from 8000 on hardly anywhere.
    const auto longest = [](const char* column) {
        return by_length("trained_longer.csv", column).back();
    };
    CHECK_THAT(longest("exact_times_4"), WithinAbs(0.87, 5e-3));
    CHECK(longest("exact_times_4") > longest("exact_once_high") + 0.15);
    CHECK(std::abs(longest("exact_times_10") - longest("exact_times_4")) < 0.02);
    CHECK(std::abs(longest("bleu_times_10") - longest("bleu_times_4")) < 0.5);
}
// [claim_longer]

// [claim_short]
TEST_CASE("attention is better beyond what was learnt from, and not good", "[08][claim]")
{
    const std::vector<double> attends = by_length("trained_short.csv", "bleu_additive_before");
    const std::vector<double> none = by_length("trained_lengths.csv", "bleu_none");
    const std::vector<double> of_all = by_length("trained_lengths.csv", "bleu_additive_before");
    CHECK(by_length("trained_short.csv", "bleu_none").back() <= 15);
    for (std::size_t bucket = 1; bucket < 7; ++bucket) {
        CHECK(attends[bucket] > none[bucket] + 5);
    }
    CHECK(attends[2] >= 93);                     // 11 to 14 words
    CHECK(attends[3] >= 80);                     // 15 to 18
    CHECK(attends.back() <= of_all.back() - 40); // 27 to 30
    CHECK(attends.back() >= 25);
}
// [claim_short]

// [claim_alignment]
TEST_CASE("the largest weights stand at the words that are translated", "[08][claim]")
{
    CHECK(highest("additive_before", "alignment_error") <= 0.12);
    CHECK(lowest("additive_before", "on_sure_or_possible") >= 0.75);
    CHECK(lowest("additive_before", "on_sure") >= 0.75);
    CHECK(median("general_after", "alignment_error") <= 0.08);
    CHECK(median("general_after", "on_sure") >= 0.88);
    CHECK(highest("dot_after", "alignment_error") <= 0.08);
    CHECK(highest("general_after", "alignment_error") < diagonal - 0.2);
    CHECK(lowest("general_after", "on_sure") > highest("additive_before", "on_sure"));
    // The figure's sentence: a noun and its adjective across each other.
    const program::NumericTable links = committed_table("trained_alignment_links.csv");
    CHECK(std::count(links.column("sure").begin(), links.column("sure").end(), 1.0) >= 8);
}
// [claim_alignment]

// [claim_location]
TEST_CASE("a decoder that sees places only", "[08][claim]")
{
    CHECK(lowest("location", "exact") >= 0.6);
    CHECK(lowest("location", "bleu") >= 88);
    CHECK(lowest("location", "alignment_error") >= diagonal - 0.06); // like the diagonal
    CHECK(highest("location", "alignment_error") <= diagonal + 0.06);
    CHECK(highest("location", "on_sure") <= 0.55);
    CHECK(highest("location", "exact") < lowest("additive_before", "exact") - 0.1);
    CHECK(by_length("trained_lengths.csv", "exact_location_high").back() <
          by_length("trained_lengths.csv", "exact_additive_before_low").back() - 0.15);
}
// [claim_location]

// [claim_tutorial]
TEST_CASE("weights by place in the tutorial's own decoder", "[08][claim]")
{
    CHECK(lowest("tutorial", "exact") >= 0.35);
    CHECK(highest("tutorial", "exact") <= 0.65);
    CHECK(lowest("tutorial", "bleu") >= 74);
    CHECK(lowest("tutorial", "alignment_error") >= diagonal - 0.05); // like the diagonal
    CHECK(highest("tutorial", "alignment_error") <= diagonal + 0.05);
    CHECK(by_length("trained_lengths.csv", "exact_tutorial_high").back() <= 0.10);
    // What the weights cost, and what the rest of the decoder costs on top of it.
    const double weights = median("additive_before", "exact") - median("location", "exact");
    const double architecture = median("location", "exact") - median("tutorial", "exact");
    CHECK(weights >= 0.1);
    CHECK(architecture >= 0.1);
    CHECK(architecture > weights);
    CHECK(by_length("trained_lengths.csv", "exact_location_low").back() >=
          by_length("trained_lengths.csv", "exact_tutorial_high").back() + 0.15);
}
// [claim_tutorial]

// [claim_reasons]
TEST_CASE("the weight, and what deleting a word does", "[08][claim]")
{
    enum Kind : std::size_t
    {
        additive,
        general,
        location
    };
    const program::NumericTable table = committed_table("trained_agreement.csv");
    const auto share = [&](const char* column, Kind kind) {
        return table.column(column)[kind] / table.column("n_words")[kind];
    };
    for (const Kind kind : {additive, general, location}) {
        CHECK(table.column("drop_attended")[kind] > 4 * table.column("drop_other")[kind]);
    }
    CHECK(share("weight", additive) >= 0.6);
    CHECK(share("weight", general) >= 0.75);
    CHECK(share("weight", location) <= 0.6);
    for (const Kind kind : {additive, general}) { // a better guess than gradient times input
        CHECK(share("weight", kind) > share("gradient", kind) + 0.1);
        CHECK(share("sure_weight", kind) > share("sure_gradient", kind) + 0.1);
    }
    // A second intervention agrees with deletion about as well as the weight does, but by position.
    CHECK_THAT(share("replacement", additive), WithinAbs(0.682, 0.0005));
    CHECK_THAT(share("replacement", general), WithinAbs(0.828, 0.0005));
    CHECK(share("replacement", location) > share("weight", location) + 0.15);
    CHECK(share("sure_deletion", additive) < share("sure_weight", additive) - 0.1);
    CHECK(share("sure_deletion", general) > share("sure_weight", general)); // a little ahead
    CHECK(share("sure_deletion", general) < share("sure_weight", general) + 0.02);
    CHECK(share("sure_weight", location) < 0.602 + 0.06); // the diagonal has 0.602
    CHECK(share("sure_deletion", location) > share("sure_weight", location) + 0.1);

    const program::NumericTable drops = committed_table("trained_reasons.csv");
    CHECK(drops.column("sure_additive_before").front() >= 2); // weights up to 0.01
    CHECK(drops.column("n_sure_additive_before").front() >= 5);
    CHECK(drops.column("none_additive_before").back() <= 3); // weights from 0.9
    CHECK(drops.column("sure_additive_before").back() >= 6);
    for (const double drop : drops.column("sure_additive_before")) {
        CHECK(drop > 2); // a linked word matters, whatever its weight
    }
}
// [claim_reasons]

// [claim_two]
TEST_CASE("the state that has read the last word aligns better", "[08][claim]")
{
    CHECK(median("additive_after", "alignment_error") <
          median("additive_before", "alignment_error") - 0.02);
    CHECK(median("general_after", "alignment_error") <
          median("general_before", "alignment_error") - 0.02);
    CHECK(median("additive_before", "exact") > highest("general_before", "exact") + 0.05);
    CHECK(median("additive_after", "exact") > highest("general_after", "exact") + 0.05);
    // Aligning well is not translating well.
    CHECK(highest("dot_after", "alignment_error") <
          lowest("additive_before", "alignment_error"));
    CHECK(highest("dot_after", "exact") < lowest("additive_before", "exact") - 0.1);
    CHECK(highest("additive_after", "bleu") > lowest("additive_after", "bleu") + 5); // seeds
}
// [claim_two]

// [claim_agreement]
TEST_CASE("the noun decides on the article, and has next to no weight", "[08][claim]")
{
    const program::NumericTable nouns = committed_table("trained_nouns.csv");
    REQUIRE(nouns.n_rows() == 4); // le, la, un, une
    for (std::size_t article = 0; article < 4; ++article) {
        CAPTURE(article);
        CHECK(nouns.column("times")[article] >= 20);
        CHECK(nouns.column("weight_noun")[article] <= 0.1);
        CHECK(nouns.column("weight_own")[article] >= 0.7);
        CHECK(nouns.column("drop_opposite")[article] >= 4);
        CHECK(nouns.column("drop_same")[article] <=
              0.4 * nouns.column("drop_opposite")[article]);
    }
    CHECK(nouns.column("drop_same")[2] <= 0.2); // un and une do not care for a vowel
    CHECK(nouns.column("drop_same")[3] <= 0.2);
    const program::NumericTable words = committed_table("trained_words.csv");
    for (std::size_t word = 0; word < 3; ++word) { // le, la, les
        CHECK(words.column("additive_possible")[word] >= 0.08);
        CHECK(words.column("additive_possible")[word] <= 0.25);
    }
    CHECK(words.column("additive_possible")[3] <= 0.05); // un, une
    CHECK(words.column("additive_possible")[4] <= 0.05);
}
// [claim_agreement]

// [claim_click]
TEST_CASE("alignments come about within some hundred steps", "[08][claim]")
{
    const program::NumericTable looks = committed_table("trained_click.csv");
    const auto at = [&](const char* column, double steps) {
        for (std::size_t i = 0; i < looks.n_rows(); ++i) {
            if (looks.column("steps")[i] == steps) {
                return looks.column(column)[i];
            }
        }
        FAIL("nobody looked after " << steps << " steps");
        return 0.0;
    };
    CHECK(at("aer_additive_before", 100) >= 0.7);
    CHECK(at("aer_additive_before", 400) <= 0.4);
    CHECK(at("entropy_additive_before", 100) >= 2);
    CHECK(at("entropy_additive_before", 2000) <= 0.7);
    CHECK(at("accuracy_additive_before", 100) <= 0.45);
    CHECK(at("accuracy_additive_before", 400) >= 0.7);
    CHECK(at("aer_location", 100) < at("aer_additive_before", 100) - 0.1);
    CHECK(std::abs(at("aer_location", 500) - diagonal) <= 0.05);
    CHECK(at("aer_location", 2000) >= diagonal - 0.1);
}
// [claim_click]

// [claim_one_word]
TEST_CASE("of one word: 's is known and not read, friend is read", "[08][claim]")
{
    const program::NumericTable table = committed_table("trained_one_word.csv");
    REQUIRE(table.n_rows() == 9); // our woman 's friend sells our white houses .
    constexpr std::size_t our = 0;
    constexpr std::size_t possessive = 2;
    constexpr std::size_t friend_ = 3;
    const auto largest_in = [&](const char* column) {
        const std::vector<double>& numbers = table.column(column);
        return static_cast<std::size_t>(std::max_element(numbers.begin(), numbers.end()) -
                                        numbers.begin());
    };
    CHECK(largest_in("weight") == friend_);
    CHECK(largest_in("knockout") == friend_);
    CHECK(largest_in("deletion") == possessive);
    CHECK(largest_in("replacement") == possessive);
    CHECK_THAT(table.column("weight")[friend_], WithinAbs(0.97, 0.005));
    CHECK_THAT(table.column("weight")[possessive], WithinAbs(0.02, 0.005));
    CHECK(std::abs(table.column("knockout")[possessive]) < 0.01);
    // The step before, which wrote l', has read 's.
    CHECK_THAT(testing::committed_text("trained_alignment.csv"),
               testing::contains("\n2,0,0.92")); // source 's, target l'
    for (const char* column : {"deletion", "replacement", "knockout"}) {
        CHECK(table.column(column)[friend_] > 2);
    }
    CHECK(std::abs(table.column("deletion")[our]) < 0.01); // another word has its own meaning
    CHECK_THAT(table.column("replacement")[our], WithinAbs(2.54, 0.005));
}
// [claim_one_word]

// [claim_knockout]
TEST_CASE("the largest weight names the annotation that is read", "[08][claim]")
{
    const program::NumericTable table = committed_table("trained_knockout.csv");
    for (std::size_t kind = 0; kind < 3; ++kind) { // Bahdanau's, Luong's, location only
        const double n = table.column("n_words")[kind];
        const double weight = table.column("weight")[kind] / n;
        CHECK_THAT(weight, WithinAbs(std::vector<double>{0.897, 0.960, 0.841}[kind], 0.0005));
        CHECK(table.column("deletion")[kind] / n < weight - 0.1);
        CHECK(table.column("drop_other")[kind] < 0.05);
        CHECK(table.column("drop_attended")[kind] > 2);
    }
}
// [claim_knockout]
