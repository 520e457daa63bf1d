/// \file
/// \brief Measures by the length of the source, and the sums they stand on.
#include "common/tensor/check.hpp"
#include "common/text/translation_scores.hpp"
#include "tests/support/catch.hpp"

#include <cmath>

using attn::ContractError;
using namespace attn::text;
using Catch::Matchers::WithinAbs;

namespace {

EvaluatedTranslation judged(std::size_t source_length, const char* hypothesis,
                            const char* reference, TokenScores tokens = {})
{
    return {source_length, words_of(hypothesis), words_of(reference), tokens};
}

const std::vector<EvaluatedTranslation> evaluated_translations = {
    judged(3, "il dort .", "il dort .", {4, 4, -0.5}),
    judged(6, "la voiture est rouge .", "la voiture est noire .", {6, 5, -2.5}),
    judged(7, "les rois ne dorment pas .", "les rois ne dorment pas .", {7, 7, -1.0}),
    judged(30, "a b c d", "a b c d e", {6, 3, -8.0}),
    judged(31, "x", "y", {2, 0, -9.0}),
};

} // namespace

TEST_CASE("buckets hold each length once", "[text]")
{
    std::vector<std::string> names;
    for (const LengthBucket& bucket : length_buckets()) {
        names.push_back(bucket.name());
    }
    CHECK(names ==
          std::vector<std::string>{"3-6", "7-10", "11-14", "15-18", "19-22", "23-26", "27-30"});
    for (std::size_t length = 1; length < 40; ++length) {
        int n_holding = 0;
        for (const LengthBucket& bucket : length_buckets()) {
            n_holding += bucket.holds(length) ? 1 : 0;
        }
        CHECK(n_holding == (3 <= length && length <= 30 ? 1 : 0));
    }
    const std::vector<LengthBucket> cut_off = length_buckets(1, 10, 15);
    REQUIRE(cut_off.size() == 2);
    CHECK(cut_off[1].name() == "11-15");
    CHECK(length_buckets(5, 3, 5).size() == 1);
    CHECK_THROWS_AS(length_buckets(3, 0, 30), ContractError);
    CHECK_THROWS_AS(length_buckets(4, 1, 3), ContractError);
}

TEST_CASE("translations are counted by the length of their source", "[text]")
{
    const CountsByLength by_length = counts_by_length(evaluated_translations);
    REQUIRE(by_length.buckets.size() == 7);
    const TranslationCounts& shortest = by_length.buckets[0].counts;
    CHECK(by_length.buckets[0].bucket.name() == "3-6");
    CHECK(shortest.n_sentences == 2);
    CHECK(shortest.exact_match() == 0.5);
    CHECK(shortest.token_accuracy() == 0.9); // 9 of 10
    BleuCounts runs = bleu_counts(evaluated_translations[0].hypothesis,
                                  {evaluated_translations[0].reference});
    runs += bleu_counts(evaluated_translations[1].hypothesis,
                        {evaluated_translations[1].reference});
    CHECK(shortest.bleu() == bleu_of(runs).value);
    CHECK(by_length.buckets[1].counts.bleu() == 1);
    CHECK(by_length.buckets[1].counts.exact_match() == 1);
    const TranslationCounts& longest = by_length.buckets[6].counts;
    CHECK(longest.n_sentences == 1);
    CHECK(longest.exact_match() == 0); // one word is missing
    CHECK_THAT(longest.bleu(), WithinAbs(std::exp(1 - 5.0 / 4), 1e-15));
}

TEST_CASE("a bucket without sentences has no measures", "[text]")
{
    const CountsByLength by_length = counts_by_length(evaluated_translations);
    const TranslationCounts& none = by_length.buckets[2].counts;
    CHECK(none.n_sentences == 0);
    CHECK(std::isnan(none.exact_match()));
    CHECK(std::isnan(none.token_accuracy()));
    CHECK(std::isnan(none.bleu()));
    CHECK(std::isnan(counts_by_length({}).all.bleu()));
}

TEST_CASE("in all, every sentence counts, whatever its length", "[text][property]")
{
    const CountsByLength by_length = counts_by_length(evaluated_translations);
    CHECK(by_length.all.n_sentences == 5);
    CHECK(by_length.all.exact_match() == 0.4);
    CHECK(by_length.all.token_accuracy() == 19.0 / 25);
    // What lies in a bucket sums to what lies in all without the sentence of 31 words.
    std::size_t n_sentences = 0;
    std::size_t n_exact = 0;
    std::size_t n_runs = 0;
    for (const BucketCounts& bucket : by_length.buckets) {
        n_sentences += bucket.counts.n_sentences;
        n_exact += bucket.counts.n_exact;
        n_runs += bucket.counts.runs.totals[0];
    }
    CHECK(n_sentences == 4);
    CHECK(n_exact == by_length.all.n_exact);
    CHECK(n_runs == by_length.all.runs.totals[0] - 1);
}

TEST_CASE("buckets must not overlap", "[text]")
{
    CHECK_THROWS_WITH(counts_by_length({}, {{3, 6}, {6, 9}}),
                      "counts_by_length: bucket 6-9 must lie above bucket 3-6");
    CHECK_THROWS_AS(counts_by_length({}, {{3, 2}}), ContractError);
    CHECK(counts_by_length(evaluated_translations, {}).buckets.empty());
    CHECK(counts_by_length(evaluated_translations, {{6, 7}, {31, 31}})
              .buckets[0]
              .counts.n_sentences == 2);
}

TEST_CASE("perplexity is the number of words that a model is in doubt between", "[text]")
{
    // Ten words, each with the probability 1/8.
    TokenScores scores{10, 3, 10 * std::log(1.0 / 8)};
    CHECK_THAT(scores.perplexity(), WithinAbs(8, 1e-12));
    CHECK_THAT(scores.cross_entropy(), WithinAbs(std::log(8.0), 1e-12));
    CHECK(scores.accuracy() == 0.3);
    // Ten more, predicted with certainty: half the cross-entropy.
    scores += TokenScores{10, 10, 0};
    CHECK_THAT(scores.perplexity(), WithinAbs(std::sqrt(8.0), 1e-12));
    CHECK(scores.accuracy() == 0.65);
    CHECK(std::isnan(TokenScores().accuracy()));
    CHECK(std::isnan(TokenScores().perplexity()));
}
