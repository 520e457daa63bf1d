/// \file
/// \brief What the page says of sizes and costs, and of trained transformers: over three seeds
/// as committed.
#include "chapters/12_transformer/decoding_cost.hpp"
#include "chapters/12_transformer/variants.hpp"
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
    CHECK(table.column("exact")[2] == 1);
    CHECK(table.column("exact")[0] == 0); // not after 50
}
// [claim_copy]

// [claim_quality]
TEST_CASE("the transformer translates as well as Bahdanau's model", "[12][claim]")
{
    const std::vector<double> exact = seeds_of(true, "exact");
    CHECK(exact.front() >= 0.75);
    CHECK(seeds_of(true, "bleu").front() >= 93.5);
    CHECK_THAT(exact.front(), WithinAbs(0.833, 5e-4));
    CHECK_THAT(exact.back(), WithinAbs(0.856, 5e-4));
    CHECK_THAT(seeds_of(true, "bleu").front(), WithinAbs(96.0, 0.05));
    CHECK_THAT(seeds_of(true, "bleu").back(), WithinAbs(96.6, 0.05));
    const std::vector<double> recurrent = seeds_of(false, "exact");
    CHECK_THAT(recurrent.front(), WithinAbs(0.834, 5e-4));
    CHECK_THAT(recurrent.back(), WithinAbs(0.854, 5e-4));
    CHECK(exact.front() < recurrent.front()); // mixed
    CHECK(exact.back() > recurrent.back());
    CHECK(seeds_of(true, "tokens").front() > 0.206 + 0.7); // counted pairs of words

    CHECK(seeds_of(true, "alignment_error").back() <= 0.10);
    CHECK_THAT(seeds_of(true, "alignment_error").front(), WithinAbs(0.048, 5e-4));
    CHECK_THAT(seeds_of(true, "alignment_error").back(), WithinAbs(0.082, 5e-4));
    CHECK(seeds_of(true, "on_sure").front() >= 0.75);
    CHECK(seeds_of(true, "alignment_error").back() < diagonal - 0.2);

    const std::vector<double> whole = by_length("exact_whole");
    const std::vector<double> other = by_length("exact_recurrent");
    for (const std::size_t bucket : {1U, 2U, 3U}) { // 7 to 18 words
        CHECK(whole[bucket] > other[bucket]);
    }
    CHECK_THAT(whole[3], WithinAbs(0.93, 5e-3));
    CHECK_THAT(other[3], WithinAbs(0.87, 5e-3));
    for (const std::size_t bucket : {5U, 6U}) { // 23 to 30 words
        CHECK(whole[bucket] < other[bucket]);
    }
    CHECK_THAT(whole[5], WithinAbs(0.74, 5e-3));
    CHECK_THAT(other[5], WithinAbs(0.79, 5e-3));
    CHECK_THAT(whole[6], WithinAbs(0.53, 5e-3));
    CHECK_THAT(other[6], WithinAbs(0.63, 5e-3));
}
// [claim_quality]

// [claim_short]
TEST_CASE("it breaks where its training ends", "[12][claim]")
{
    const std::vector<double> bleu = by_length("bleu_brief");
    CHECK_THAT(bleu[2], WithinAbs(97.8, 0.05));
    CHECK_THAT(bleu[3], WithinAbs(67.35, 0.01));
    const std::vector<double> exact = by_length("exact_brief_high");
    for (std::size_t bucket = 4; bucket < exact.size(); ++bucket) {
        CHECK(exact[bucket] == 0);
    }

    const program::NumericTable recurrent = committed_table("trained_short.csv", "08_bahdanau");
    const std::vector<double> other_bleu = recurrent.column("bleu_additive_before");
    const std::vector<double> other_exact = recurrent.column("exact_additive_before");
    const std::vector<std::vector<double>> table = {{67.35, 43.3, 45.4, 41.2},
                                                    {87.9, 66.25, 48.2, 37.2},
                                                    {0.41, 0, 0, 0},
                                                    {0.58, 0.15, 0, 0}};
    for (std::size_t i = 0; i < 4; ++i) {
        CAPTURE(i);
        CHECK_THAT(bleu[3 + i], WithinAbs(table[0][i], 0.05));
        CHECK_THAT(other_bleu[3 + i], WithinAbs(table[1][i], 0.05));
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
    is("whole", 0.850);
    is("no_residual", 0.102);
    is("no_places", 0.188);
    is("no_forward", 0.796);
    is("no_past", 0.785);
    is("one_head", 0.734);
    is("no_norm", 0.826);
    is("no_smoothing", 0.824);
    is("dropout", 0.760);
    for (const char* name : {"no_forward", "no_past", "one_head", "dropout"}) {
        CHECK(of(name, "exact_high") < of("whole", "exact_low")); // every seed
    }
    for (const Variant& variant : ablations()) { // nothing else costs nearly as much
        const double lost = of("whole", "exact") - of(variant.short_name, "exact");
        CAPTURE(variant.name);
        CHECK((lost > 0.6) ==
              (variant.short_name == "no_residual" || variant.short_name == "no_places"));
        CHECK((lost > 0.1) == (lost > 0.6 || variant.short_name == "one_head"));
    }
    CHECK_THAT(of("whole", "exact") - of("one_head", "exact"), WithinAbs(0.116, 6e-4));
    CHECK_THAT(of("no_residual", "tokens"), WithinAbs(0.700, 6e-4));
    CHECK_THAT(of("no_residual", "bleu"), WithinAbs(32.3, 0.06));
    CHECK_THAT(of("no_residual", "aer"), WithinAbs(0.562, 6e-4));
    CHECK_THAT(of("one_head", "aer"), WithinAbs(0.053, 6e-4));
    CHECK(of("whole", "parameters") - of("no_forward", "parameters") == 33408);
    CHECK(of("whole", "parameters") == of("one_head", "parameters"));
}
// [claim_ablation]

// [claim_norms]
TEST_CASE("warm-up is needed by post-norm at the higher rate", "[12][claim]")
{
    for (const char* name :
         {"pre_warm_slow", "pre_cold_slow", "post_warm_slow", "post_cold_slow"}) {
        CHECK(of(name, "exact") > 0.2195);
        CHECK(of(name, "exact") < 0.2525);
    }
    CHECK_THAT(of("post_warm_slow", "exact_low"), WithinAbs(0.218, 6e-4));
    CHECK_THAT(of("post_warm_slow", "exact_high"), WithinAbs(0.229, 6e-4));
    for (const char* name : {"pre_warm_slow", "post_cold_slow"}) {
        CHECK(of(name, "exact_low") > of("post_warm_slow", "exact_high")); // every seed
    }
    CHECK(of("pre_cold_slow", "aer") > of("pre_warm_slow", "aer"));
    CHECK_THAT(of("post_cold_slow", "aer"), WithinAbs(0.372, 5e-4));
    CHECK_THAT(of("post_warm_slow", "aer"), WithinAbs(0.286, 5e-4));
    CHECK_THAT(of("pre_cold_fast", "exact"), WithinAbs(0.256, 5e-4));
    CHECK_THAT(of("post_warm_fast", "exact"), WithinAbs(0.219, 5e-4));
    CHECK(of("post_cold_fast", "exact_low") == 0);
    CHECK_THAT(of("post_cold_fast", "exact"), WithinAbs(0.002, 5e-4));
    CHECK_THAT(of("post_cold_fast", "exact_high"), WithinAbs(0.168, 5e-4));
    CHECK(of("post_warm_fast", "exact_low") > of("post_cold_fast", "exact_high") + 0.04);

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
    CHECK_THAT(*std::min_element(chosen.begin(), chosen.end()), WithinAbs(0.066, 5e-4));
    CHECK_THAT(*std::max_element(chosen.begin(), chosen.end()), WithinAbs(0.083, 5e-4));
    CHECK(mean_is_best == 2);
    CHECK_THAT(heads.column("test")[3], WithinAbs(0.218, 5e-4)); // head 3, first seed
    CHECK_THAT(heads.column("on_sure")[3], WithinAbs(0.687, 5e-4));
    CHECK_THAT(heads.column("on_sure_or_possible")[3], WithinAbs(0.819, 5e-4));

    const std::vector<double> on_possible = {0.13, 0.17, 0.07}; // of the head with most of it
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
    for (const char* row : {"7,6,houses,nos,0.2310,0.0005,0.0025,0.9199",
                            "1,3,woman,notre,0.3096,0.0004,0.0020,0.9590",
                            "3,0,friend,l',0.2587,0.0469,0.0003,0.9876"}) {
        CHECK(text.find(row) != std::string::npos);
    }
    const program::NumericTable nouns = committed_table("trained_nouns.csv");
    for (const double weight : nouns.column("weight_noun")) {
        CHECK(weight > 0.145);
        CHECK(weight < 0.205);
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
    CHECK_THAT(share("weight", 0), WithinAbs(0.902, 5e-4));
    CHECK_THAT(share("gradient", 0), WithinAbs(0.534, 5e-4));
    CHECK_THAT(share("sure_weight", 0), WithinAbs(0.960, 5e-4));
    CHECK_THAT(share("sure_deletion", 0), WithinAbs(0.938, 5e-4));
    CHECK_THAT(share("weight", 3), WithinAbs(0.725, 5e-4));
    CHECK_THAT(share("weight", 2), WithinAbs(0.854, 5e-4));
    CHECK_THAT(table.column("drop_attended")[0], WithinAbs(5.24, 5e-3));
    CHECK_THAT(table.column("drop_other")[0], WithinAbs(0.14, 5e-3));

    const program::NumericTable nouns = committed_table("trained_nouns.csv");
    for (const double drop : nouns.column("drop_opposite")) {
        CHECK(drop > 4.825);
        CHECK(drop < 6.055);
    }
    CHECK(nouns.column("drop_same")[2] < 0.02); // un
    CHECK(nouns.column("drop_same")[3] < 0.02); // une
}
// [claim_reasons]
