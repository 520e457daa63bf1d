/// \file
/// \brief What the page says of sizes and costs, and of trained transformers: over three seeds
/// as committed.
#include "chapters/12_transformer/experiments/decoding_cost.hpp"
#include "chapters/12_transformer/experiments/variants.hpp"
#include "tests/12_transformer/samples.hpp"
#include "tests/support/committed_table.hpp"

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::transformer;
using attn::testing::committed_table;
using Catch::Matchers::WithinAbs;

namespace {

constexpr double diagonal = 0.370; // AER of the test set, as chapter 8's claims hold it

/// A number of the whole, or of Bahdanau's model, in each seed, the lowest first.
std::vector<double> seeds_of(bool whole, const std::string& column)
{
    const std::vector<double> numbers = testing::numbers_where(
        committed_table("trained_quality.csv"), column, {{"transformer", whole ? 1.0 : 0.0}});
    REQUIRE(numbers.size() == 3);
    return numbers;
}

/// The same number in one seed.
double of_seed(bool whole, double seed, const std::string& column)
{
    return testing::numbers_where(committed_table("trained_quality.csv"), column,
                                  {{"transformer", whole ? 1.0 : 0.0}, {"seed", seed}})
        .at(0);
}

/// A number of a variant, of either table.
double of(const std::string& short_name, const std::string& column)
{
    const auto row_in = [&](const std::vector<Variant>& variants) {
        const auto found =
            std::find_if(variants.begin(), variants.end(), [&](const Variant& variant) {
                return variant.short_name == short_name;
            });
        return static_cast<std::size_t>(found - variants.begin());
    };
    const std::size_t row = row_in(ablations());
    return row < ablations().size()
               ? committed_table("trained_ablation.csv").column(column).at(row)
               : committed_table("trained_norms.csv")
                     .column(column)
                     .at(row_in(norm_variants()));
}

/// A column of the table by length, from 3-6 words to 27-30.
std::vector<double> by_length(const std::string& column)
{
    return committed_table("trained_lengths.csv").column(column);
}

} // namespace

// [claim_parameters]
TEST_CASE("where the parameters sit", "[12][claim]")
{
    const nn::Parameters<float> all =
        make_transformer(options_of(ablations()[0], 164, 270), 1).parameters();
    const auto n_of = [&](const std::string& beginning) {
        std::size_t n = 0;
        for (const nn::NamedParameter<float>& one : all) {
            n += one.name.rfind(beginning, 0) == 0 ? one.variable.size() : 0;
        }
        return n;
    };
    CHECK(all.n_numbers() == 129294);
    CHECK(n_of("source") + n_of("target") + n_of("output") == 45326);
    CHECK(n_of("encoder.layers.0.self_attn") == 16640);
    CHECK(n_of("encoder.layers.0.linear") == 16576);
    const Variant& one_head = variant_named("one_head");
    CHECK(make_transformer(options_of(one_head, 164, 270), 1).parameters().n_numbers() ==
          all.n_numbers());
}
// [claim_parameters]

// [claim_cost]
TEST_CASE("what a word costs", "[12][claim]")
{
    constexpr DecodingSizes sizes;
    const auto ratio = [&](std::size_t n) {
        return static_cast<double>(uncached_cost(sizes, n)) /
               static_cast<double>(cached_cost(sizes, n));
    };
    CHECK_THAT(ratio(16), WithinAbs(13.4, 0.05));
    CHECK_THAT(ratio(256), WithinAbs(164.7, 0.05));
    CHECK(cached_cost(sizes, 100) - cached_cost(sizes, 99) == 2 * sizes.d_model);
}
// [claim_cost]

// [claim_copy]
TEST_CASE("copying is learnt within 200 steps", "[12][claim]")
{
    const program::NumericTable table = committed_table("trained_copying.csv");
    CHECK(table.column("steps")[2] == 200);
    for (const std::size_t row : {2U, 3U}) {
        CHECK(table.column("exact")[row] == 1);
        CHECK(table.column("words")[row] > 0.99);
        CHECK(table.column("on_place")[row] > 0.4);
    }
    CHECK(table.column("exact")[0] == 0); // not after 50
}
// [claim_copy]

// [claim_quality]
TEST_CASE("the transformer translates about as well as Bahdanau's model", "[12][claim]")
{
    const std::vector<double> exact = seeds_of(true, "exact");
    CHECK_THAT(exact.front(), WithinAbs(0.828, 5e-4));
    CHECK_THAT(exact.back(), WithinAbs(0.848, 5e-4));
    CHECK_THAT(seeds_of(true, "bleu").front(), WithinAbs(95.5, 0.051));
    CHECK_THAT(seeds_of(true, "bleu").back(), WithinAbs(96.4, 0.051));
    const std::vector<double> recurrent = seeds_of(false, "exact");
    CHECK_THAT(recurrent.front(), WithinAbs(0.834, 5e-4));
    CHECK_THAT(recurrent.back(), WithinAbs(0.854, 5e-4));
    CHECK_THAT(seeds_of(false, "bleu").front(), WithinAbs(96.1, 0.051));
    CHECK_THAT(seeds_of(false, "bleu").back(), WithinAbs(96.9, 0.051));
    for (const double seed : {0.0, 1.0, 2.0}) { // by 7 to 9 sentences of 1410
        const double ahead = of_seed(false, seed, "exact") - of_seed(true, seed, "exact");
        CHECK(ahead * 1410 > 6.5);
        CHECK(ahead * 1410 < 9.5);
        CHECK(of_seed(false, seed, "bleu") > of_seed(true, seed, "bleu"));
        CHECK(2 * ahead < exact.back() - exact.front());
        CHECK(2 * ahead < recurrent.back() - recurrent.front());
    }
    CHECK_THAT(seeds_of(true, "tokens")[1], WithinAbs(0.987, 5e-4)); // the median
    CHECK(seeds_of(true, "tokens").front() > 0.206 + 0.7);           // counted pairs of words

    CHECK_THAT(seeds_of(true, "alignment_error").front(), WithinAbs(0.048, 5.1e-4));
    CHECK_THAT(seeds_of(true, "alignment_error").back(), WithinAbs(0.074, 5e-4));
    CHECK_THAT(seeds_of(false, "alignment_error").front(), WithinAbs(0.079, 5e-4));
    CHECK_THAT(seeds_of(false, "alignment_error").back(), WithinAbs(0.096, 5e-4));
    CHECK(seeds_of(true, "on_sure").front() >= 0.75);
    CHECK(seeds_of(true, "alignment_error").back() < diagonal - 0.2);

    const std::vector<double> whole = by_length("exact_whole");
    const std::vector<double> other = by_length("exact_recurrent");
    for (const std::size_t bucket : {1U, 2U, 3U}) { // 7 to 18 words
        CHECK(whole[bucket] > other[bucket]);
    }
    CHECK_THAT(whole[3], WithinAbs(0.89, 5e-3));
    CHECK_THAT(other[3], WithinAbs(0.87, 5e-3));
    for (const std::size_t bucket : {5U, 6U}) { // 23 to 30 words
        CHECK(whole[bucket] < other[bucket]);
    }
    CHECK_THAT(whole[5], WithinAbs(0.75, 5e-3));
    CHECK_THAT(other[5], WithinAbs(0.79, 5e-3));
    CHECK_THAT(whole[6], WithinAbs(0.51, 5e-3));
    CHECK_THAT(other[6], WithinAbs(0.63, 5e-3));
}
// [claim_quality]

// [claim_short]
TEST_CASE("it breaks where its training ends", "[12][claim]")
{
    const std::vector<double> bleu = by_length("bleu_brief");
    CHECK_THAT(bleu[2], WithinAbs(97.7, 0.05));
    const std::vector<double> exact = by_length("exact_brief_high");
    for (std::size_t bucket = 4; bucket < exact.size(); ++bucket) {
        CHECK(exact[bucket] == 0);
    }

    const program::NumericTable recurrent = committed_table("trained_short.csv", "08_bahdanau");
    const std::vector<double> other_bleu = recurrent.column("bleu_additive_before");
    const std::vector<double> other_exact = recurrent.column("exact_additive_before");
    const std::vector<std::vector<double>> table = {{62.3, 39.7, 40.8, 39.5},
                                                    {87.9, 66.3, 48.2, 37.2},
                                                    {0.41, 0, 0, 0},
                                                    {0.58, 0.15, 0, 0}};
    for (std::size_t i = 0; i < 4; ++i) {
        CAPTURE(i);
        CHECK_THAT(bleu[3 + i], WithinAbs(table[0][i], 0.051));
        CHECK_THAT(other_bleu[3 + i], WithinAbs(table[1][i], 0.051));
        CHECK_THAT(by_length("exact_brief")[3 + i], WithinAbs(table[2][i], 5e-3));
        CHECK_THAT(other_exact[3 + i], WithinAbs(table[3][i], 5e-3));
    }
    CHECK(recurrent.column("exact_additive_before_high")[5] <= 0.01); // 23 to 26 words
    CHECK(recurrent.column("exact_additive_before_high")[6] == 0);    // from 27 on
}
// [claim_short]

// [claim_ablation]
TEST_CASE("what breaks without a part, and what hardly does", "[12][claim]")
{
    const auto is = [](const char* name, double exact) {
        CAPTURE(name);
        CHECK_THAT(of(name, "exact"), WithinAbs(exact, 5.1e-4));
    };
    is("whole", 0.834);
    is("no_residual", 0.091);
    is("no_places", 0.184);
    is("no_forward", 0.804);
    is("no_past", 0.790);
    is("one_head", 0.740);
    is("no_norm", 0.816);
    is("no_smoothing", 0.834);
    is("dropout", 0.762);
    for (const char* name : {"no_forward", "no_past", "one_head", "dropout"}) {
        CHECK(of(name, "exact_high") < of("whole", "exact_low")); // every seed
    }
    for (const Variant& variant : ablations()) { // nothing else costs nearly as much
        const double lost = of("whole", "exact") - of(variant.short_name, "exact");
        CAPTURE(variant.name);
        CHECK((lost > 0.6) ==
              (variant.short_name == "no_residual" || variant.short_name == "no_places"));
        CHECK((lost > 0.09) == (lost > 0.6 || variant.short_name == "one_head"));
        CHECK((lost > 0.05) == (lost > 0.09 || variant.short_name == "dropout"));
    }
    CHECK_THAT(of("whole", "exact") - of("one_head", "exact"), WithinAbs(0.094, 6e-4));
    CHECK_THAT(of("no_residual", "tokens"), WithinAbs(0.683, 6e-4));
    CHECK_THAT(of("no_residual", "bleu"), WithinAbs(31.0, 0.06));
    CHECK_THAT(of("no_residual", "aer"), WithinAbs(0.612, 6e-4));
    CHECK_THAT(of("no_residual", "exact_low"), WithinAbs(0.059, 6e-4));
    CHECK_THAT(of("no_residual", "exact_high"), WithinAbs(0.214, 6e-4));
    CHECK_THAT(of("one_head", "aer"), WithinAbs(0.057, 6e-4));
    CHECK_THAT(of("whole", "aer"), WithinAbs(0.048, 6e-4));
    CHECK(of("whole", "parameters") - of("no_forward", "parameters") == 33408);
    CHECK(of("whole", "parameters") == of("one_head", "parameters"));
}
// [claim_ablation]

// [claim_residuals]
TEST_CASE("the encoder's residual connections are worth most", "[12][claim]")
{
    const program::NumericTable table = committed_table("trained_residuals.csv");
    const auto exact = [&](const char* name, const char* column = "exact") {
        const auto found =
            std::find_if(residual_variants().begin(), residual_variants().end(),
                         [&](const Variant& variant) { return variant.short_name == name; });
        return table.column(column).at(
            static_cast<std::size_t>(found - residual_variants().begin()));
    };
    CHECK_THAT(exact("encoder_adds"), WithinAbs(0.798, 5e-4));
    CHECK_THAT(exact("decoder_adds"), WithinAbs(0.670, 5e-4));
    CHECK_THAT(exact("half_rate"), WithinAbs(0.401, 6e-4));
    CHECK_THAT(exact("no_encoder_self"), WithinAbs(0.587, 6e-4));
    // In every seed: each of these is better than none of them.
    for (const Variant& variant : residual_variants()) {
        CAPTURE(variant.name);
        CHECK(exact(variant.short_name.c_str(), "exact_low") > of("no_residual", "exact_high"));
    }
    CHECK(exact("encoder_adds", "exact_low") > exact("decoder_adds", "exact_high"));
    CHECK(exact("encoder_adds", "exact_high") < of("whole", "exact_low"));
}
// [claim_residuals]

// [claim_norms]
TEST_CASE("warm-up is needed by post-norm at the higher rate", "[12][claim]")
{
    for (const char* name :
         {"pre_warm_slow", "pre_cold_slow", "post_warm_slow", "post_cold_slow"}) {
        CHECK(of(name, "exact") > 0.2254);
        CHECK(of(name, "exact") < 0.2485);
        CHECK(of(name, "exact") >= of("post_warm_slow", "exact")); // the last
    }
    CHECK_THAT(of("post_warm_slow", "exact_low"), WithinAbs(0.222, 6e-4));
    CHECK_THAT(of("post_warm_slow", "exact_high"), WithinAbs(0.226, 6e-4));
    // In every seed it is below post-norm without warm-up.
    CHECK(of("post_cold_slow", "exact_low") > of("post_warm_slow", "exact_high"));
    CHECK(of("pre_cold_slow", "aer") > of("pre_warm_slow", "aer"));
    CHECK_THAT(of("post_cold_slow", "aer"), WithinAbs(0.364, 5e-4));
    CHECK_THAT(of("post_warm_slow", "aer"), WithinAbs(0.285, 5e-4));
    CHECK_THAT(of("pre_cold_fast", "exact"), WithinAbs(0.248, 5e-4));
    CHECK_THAT(of("post_warm_fast", "exact"), WithinAbs(0.218, 5e-4));
    CHECK(of("post_cold_fast", "exact_low") == 0);
    CHECK_THAT(of("post_cold_fast", "exact"), WithinAbs(0.006, 5e-4));
    CHECK_THAT(of("post_cold_fast", "exact_high"), WithinAbs(0.170, 5e-4));
    CHECK(of("post_warm_fast", "exact_low") > of("post_cold_fast", "exact_high") + 0.03);

    const program::NumericTable curves = committed_table("trained_curves.csv");
    CHECK(curves.column("pre_cold_slow")[3] < curves.column("pre_warm_slow")[3] - 0.5);
}
// [claim_norms]

// [claim_heads]
TEST_CASE("heads share the work, and one looks at what decides the form", "[12][claim]")
{
    const program::NumericTable heads = committed_table("trained_heads.csv");
    std::vector<double> chosen;
    std::size_t mean_is_best = 0;
    for (std::size_t seed = 0; seed < 3; ++seed) {
        const double mean = heads.column("test")[5 * seed];
        double best = 1;
        for (std::size_t row = 5 * seed + 1; row < 5 * seed + 5; ++row) {
            best = std::min(best, heads.column("test")[row]);
            if (heads.column("chosen")[row] == 1) {
                chosen.push_back(heads.column("test")[row]);
                CHECK(std::min(mean, heads.column("test")[row]) <= 0.10);
            }
        }
        mean_is_best += mean < best ? 1U : 0U;
    }
    REQUIRE(chosen.size() == 3);
    CHECK_THAT(*std::min_element(chosen.begin(), chosen.end()), WithinAbs(0.058, 5e-4));
    CHECK_THAT(*std::max_element(chosen.begin(), chosen.end()), WithinAbs(0.078, 5e-4));
    CHECK(mean_is_best == 2);
    CHECK_THAT(heads.column("test")[3], WithinAbs(0.224, 5e-4)); // head 3, first seed
    CHECK_THAT(heads.column("on_sure")[3], WithinAbs(0.677, 5e-4));
    CHECK_THAT(heads.column("on_sure_or_possible")[3], WithinAbs(0.816, 5e-4));

    const std::vector<double> on_possible = {0.14, 0.18, 0.08}; // of the head with most of it
    for (std::size_t seed = 0; seed < 3; ++seed) {
        double most = 0;
        for (std::size_t row = 5 * seed + 1; row < 5 * seed + 5; ++row) {
            most = std::max(most, heads.column("on_sure_or_possible")[row] -
                                      heads.column("on_sure")[row]);
        }
        CHECK_THAT(most, WithinAbs(on_possible[seed], 5e-3));
    }

    // The telling sentence: our woman 's friend sells our white houses .
    const std::string text = testing::committed_text("trained_alignment.csv");
    for (const char* row : {"7,6,houses,nos,0.2168,0.0004,0.0111,0.8518",
                            "1,3,woman,notre,0.2402,0.0005,0.0004,0.9181",
                            "3,0,friend,l',0.2497,0.0123,0.0000,0.9865"}) {
        CHECK(text.find(row) != std::string::npos);
    }
    const program::NumericTable nouns = committed_table("trained_nouns.csv");
    for (const double weight : nouns.column("weight_noun")) {
        CHECK(weight > 0.145);
        CHECK(weight < 0.195);
    }
    const program::NumericTable other = committed_table("trained_nouns.csv", "08_bahdanau");
    for (const double weight : other.column("weight_noun")) {
        CHECK(weight > 0.005);
        CHECK(weight < 0.055);
    }
}
// [claim_heads]

// [claim_reasons]
TEST_CASE("the mean of the heads names what deletion names", "[12][claim]")
{
    const program::NumericTable table = committed_table("trained_agreement.csv");
    const auto share = [&](const char* column, std::size_t row) {
        return table.column(column)[row] / table.column("n_words")[row];
    };
    CHECK_THAT(share("weight", 0), WithinAbs(0.909, 5e-4));
    const program::NumericTable recurrent =
        committed_table("trained_agreement.csv", "08_bahdanau");
    CHECK_THAT(recurrent.column("weight")[0] / recurrent.column("n_words")[0],
               WithinAbs(0.702, 5e-4));
    CHECK_THAT(share("gradient", 0), WithinAbs(0.530, 5e-4));
    CHECK_THAT(share("sure_weight", 0), WithinAbs(0.962, 5e-4));
    CHECK_THAT(share("sure_deletion", 0), WithinAbs(0.943, 5e-4));
    CHECK_THAT(share("weight", 3), WithinAbs(0.715, 5e-4));
    CHECK_THAT(std::max({share("weight", 1), share("weight", 2), share("weight", 4)}),
               WithinAbs(0.868, 5e-4));
    CHECK_THAT(table.column("drop_attended")[0], WithinAbs(5.28, 5e-3));
    CHECK_THAT(table.column("drop_other")[0], WithinAbs(0.15, 5e-3));

    const program::NumericTable nouns = committed_table("trained_nouns.csv");
    for (const double drop : nouns.column("drop_opposite")) {
        CHECK(drop > 4.895);
        CHECK(drop < 6.285);
    }
    CHECK(nouns.column("drop_same")[2] < 0.02); // un
    CHECK(nouns.column("drop_same")[3] < 0.02); // une
}
// [claim_reasons]
