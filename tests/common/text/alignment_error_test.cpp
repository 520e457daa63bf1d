/// \file
/// \brief The alignment error rate and the mass of attention, by hand and by properties; and
/// aligners that learn nothing: the links by hand, the expectation of the random one against all of
/// its draws.
#include "common/random/random.hpp"
#include "common/tensor/check.hpp"
#include "common/text/alignment_error.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using attn::ContractError;
using attn::testing::complaint_of;
using attn::testing::contains;
using namespace attn::text;
using Catch::Matchers::WithinAbs;

namespace {

using LinkList = std::vector<Link>;

/// "the cars" and "les voitures": "les" comes from "the", and owes its plural to "cars".
SentencePair the_cars()
{
    return {{"the", "cars"}, {"les", "voitures"}, {{0, 0}, {1, 1}}, {{1, 0}}};
}

/// A pair whose links are drawn: each is sure with probability 1/5, possible with 1/5.
SentencePair random_pair(std::uint64_t stream)
{
    attn::random::Generator generator(23, stream);
    const std::size_t n_source = 1 + generator.below(7);
    const std::size_t n_target = 1 + generator.below(7);
    SentencePair pair{Words(n_source, "s"), Words(n_target, "t"), {}, {}};
    for (std::size_t source = 0; source < n_source; ++source) {
        for (std::size_t target = 0; target < n_target; ++target) {
            const std::uint64_t kind = generator.below(5);
            if (kind == 0) {
                pair.sure.push_back({source, target});
            } else if (kind == 1) {
                pair.possible.push_back({source, target});
            }
        }
    }
    return pair;
}

/// Positive weights whose rows sum to 1.
AttentionWeights random_weights(const SentencePair& pair, std::uint64_t stream)
{
    attn::random::Generator generator(29, stream);
    AttentionWeights weights(pair.target.size());
    for (std::vector<double>& row : weights) {
        double sum = 0;
        for (std::size_t source = 0; source < pair.source.size(); ++source) {
            row.push_back(-std::log(1 - generator.uniform()));
            sum += row.back();
        }
        for (double& weight : row) {
            weight /= sum;
        }
    }
    return weights;
}

/// What the counts say about links, or nothing if they accept them.
std::string link_complaint(const LinkList& links, const SentencePair& pair)
{
    return complaint_of<ContractError>([&] { alignment_counts(links, pair); });
}

} // namespace

TEST_CASE("the alignment error rate is that of Och and Ney", "[text]")
{
    // A = {0-0, 1-1} is S: 1 - (2 + 2) / (2 + 2). With 1-0, which is possible, 1 - (1 + 2) / 4
    // for {1-0, 1-1}. With 0-1, which is wrong, 1 - (1 + 1) / 4.
    const SentencePair pair = the_cars();
    CHECK(alignment_counts({{0, 0}, {1, 1}}, pair).error() == 0);
    const AlignmentCounts agreed = alignment_counts({{1, 0}, {1, 1}}, pair);
    CHECK(agreed.error() == 0.25);
    CHECK(agreed.precision() == 1);
    CHECK(agreed.share_in_sure() == 0.5);
    const AlignmentCounts wrong = alignment_counts({{0, 0}, {0, 1}}, pair);
    CHECK(wrong.error() == 0.5);
    CHECK(wrong.precision() == 0.5);
    // All of S and the possible one besides: 1 - (2 + 3) / (3 + 2).
    CHECK(alignment_counts({{0, 0}, {1, 0}, {1, 1}}, pair).error() == 0);
}

TEST_CASE("a corpus is evaluated by its sums, not by the mean of its sentences", "[text]")
{
    // The one above with A = {1-0, 1-1}, and a pair of one sure link that was not found:
    // |A| = 3, |S| = 3, |A and S| = 1, |A and (S or P)| = 2: 1 - 3/6, while the mean of
    // 1/4 and 1 would be 5/8.
    const SentencePair one{{"a", "b"}, {"c"}, {{0, 0}}, {}};
    AlignmentCounts counts = alignment_counts({{1, 0}, {1, 1}}, the_cars());
    counts += alignment_counts({{1, 0}}, one);
    CHECK(counts.error() == 0.5);
    CHECK_THAT(counts.precision(), WithinAbs(2.0 / 3, 1e-15));
}

TEST_CASE("the error is 0 for the sure links, 1 for none that is right, and never outside",
          "[text][property]")
{
    for (std::uint64_t stream = 0; stream < 40; ++stream) {
        const SentencePair pair = random_pair(stream);
        LinkList right = pair.sure;
        right.insert(right.end(), pair.possible.begin(), pair.possible.end());
        LinkList wrong;
        for (std::size_t source = 0; source < pair.source.size(); ++source) {
            for (std::size_t target = 0; target < pair.target.size(); ++target) {
                if (std::find(right.begin(), right.end(), Link{source, target}) ==
                    right.end()) {
                    wrong.push_back({source, target});
                }
            }
        }
        if (!pair.sure.empty()) {
            CHECK(alignment_counts(pair.sure, pair).error() == 0);
            CHECK(alignment_counts(right, pair).error() == 0);
            CHECK(alignment_counts(LinkList(), pair).error() == 1);
        }
        if (!wrong.empty()) {
            CHECK(alignment_counts(wrong, pair).error() == 1);
        }
        const LinkList drawn = links_of(random_weights(pair, stream));
        CHECK(alignment_counts(drawn, pair).error() >= 0);
        CHECK(alignment_counts(drawn, pair).error() <= 1);
    }
}

TEST_CASE("a possible link never costs anything, neither there nor missing", "[text][property]")
{
    for (std::uint64_t stream = 0; stream < 40; ++stream) {
        const SentencePair pair = random_pair(stream);
        LinkList drawn = links_of(random_weights(pair, stream));
        const double error = alignment_counts(drawn, pair).error();
        for (const Link& link : pair.possible) {
            // With it in A, the error is at most what it was, and what it is if it is unknown.
            if (std::find(drawn.begin(), drawn.end(), link) == drawn.end()) {
                LinkList more = drawn;
                more.push_back(link);
                CHECK(alignment_counts(more, pair).error() <= error);
                SentencePair without = pair;
                without.possible.erase(
                    std::find(without.possible.begin(), without.possible.end(), link));
                CHECK(alignment_counts(drawn, without).error() == error);
            }
        }
    }
}

TEST_CASE("the order of links does not matter", "[text][property]")
{
    for (std::uint64_t stream = 0; stream < 20; ++stream) {
        SentencePair pair = random_pair(stream);
        LinkList drawn = links_of(random_weights(pair, stream));
        const AlignmentCounts counts = alignment_counts(drawn, pair);
        std::reverse(drawn.begin(), drawn.end());
        std::reverse(pair.sure.begin(), pair.sure.end());
        std::reverse(pair.possible.begin(), pair.possible.end());
        const AlignmentCounts reversed = alignment_counts(drawn, pair);
        CHECK(reversed.error() == counts.error());
        CHECK(reversed.precision() == counts.precision());
    }
}

TEST_CASE("where there is nothing to judge, nothing is said", "[text]")
{
    const SentencePair unaligned{{"a"}, {"b"}, {}, {}};
    CHECK(std::isnan(alignment_counts(LinkList(), unaligned).error()));
    CHECK(std::isnan(alignment_counts(LinkList(), unaligned).precision()));
    CHECK(alignment_counts({{0, 0}}, unaligned).error() == 1);
    CHECK(std::isnan(AttentionMass().share_on_sure()));
}

TEST_CASE("links that cannot be are refused", "[text]")
{
    const SentencePair pair = the_cars();
    CHECK(link_complaint({{2, 0}}, pair) ==
          "alignment: the proposed link 2-0 lies outside of sentences of 2 and 2 words");
    CHECK_THAT(link_complaint({{0, 2}}, pair), contains("the proposed link 0-2 lies outside"));
    CHECK(link_complaint({{0, 1}, {1, 1}, {0, 1}}, pair) ==
          "alignment: the proposed link 0-1 occurs twice");
    SentencePair twice = pair;
    twice.sure.push_back({0, 0});
    CHECK_THAT(link_complaint({}, twice), contains("the sure link 0-0 occurs twice"));
    SentencePair outside = pair;
    outside.possible.push_back({5, 0});
    CHECK_THAT(link_complaint({}, outside), contains("the possible link 5-0 lies outside"));
    SentencePair both = pair;
    both.possible.push_back({1, 1});
    CHECK_THAT(link_complaint({}, both), contains("both sure and possible"));
}

TEST_CASE("attention speaks for the source word with the largest weight, the first of several",
          "[text]")
{
    const AttentionWeights weights = {{.1, .7, .2}, {.4, .2, .4}, {0, 0, 0}, {.2, .3, .5}};
    CHECK(links_of(weights) == LinkList{{1, 0}, {0, 1}, {0, 2}, {2, 3}});
    CHECK(links_of({}).empty());
    const double not_a_number = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_WITH(links_of({{.5, .5}, {.5, not_a_number}}),
                      contains("must be finite and not below 0, got nan in row 1"));
    CHECK_THROWS_AS(links_of({{.5, -.5}}), ContractError);
    CHECK_THROWS_AS(links_of({{.5, .5}, {1}}), ContractError);
    CHECK_THROWS_AS(links_of(AttentionWeights(1)), ContractError);
}

TEST_CASE("the mass of attention on right links is a mean over target words", "[text]")
{
    // Row "les": .75 on "the", sure, and .25 on "cars", possible. Row "voitures": .5 is right.
    const AttentionMass mass = attention_mass({{.75, .25}, {.5, .5}}, the_cars());
    CHECK(mass.share_on_sure() == 0.625);            // (.75 + .5) / 2
    CHECK(mass.share_on_sure_or_possible() == 0.75); // (1 + .5) / 2
    // With a pair of one target word, of which nothing is right: 1.25 / 3 and 1.5 / 3.
    const SentencePair one{{"a", "b"}, {"c"}, {{0, 0}}, {}};
    const AttentionMass both = attention_mass(
        std::vector<AttentionWeights>{{{.75, .25}, {.5, .5}}, {{0, 1}}}, {the_cars(), one});
    CHECK_THAT(both.share_on_sure(), WithinAbs(1.25 / 3, 1e-15));
    CHECK_THAT(both.share_on_sure_or_possible(), WithinAbs(0.5, 1e-15));
}

TEST_CASE("masses lie between 0 and 1, and all is on S or P if all is right",
          "[text][property]")
{
    for (std::uint64_t stream = 0; stream < 40; ++stream) {
        SentencePair pair = random_pair(stream);
        const AttentionWeights weights = random_weights(pair, stream);
        const AttentionMass mass = attention_mass(weights, pair);
        CHECK(mass.share_on_sure() >= 0);
        CHECK(mass.share_on_sure() <= mass.share_on_sure_or_possible());
        CHECK(mass.share_on_sure_or_possible() <= 1 + 1e-12);

        // One-hot weights put on right links what their links have in common with them.
        const LinkList links = links_of(weights);
        AttentionWeights one_hot(pair.target.size(), std::vector<double>(pair.source.size()));
        for (const Link& link : links) {
            one_hot[link.target][link.source] = 1;
        }
        const AlignmentCounts counts = alignment_counts(links, pair);
        CHECK(attention_mass(one_hot, pair).share_on_sure() == counts.share_in_sure());
        CHECK(attention_mass(one_hot, pair).share_on_sure_or_possible() == counts.precision());

        pair.possible.clear();
        pair.sure.clear();
        for (std::size_t source = 0; source < pair.source.size(); ++source) {
            for (std::size_t target = 0; target < pair.target.size(); ++target) {
                (source % 2 == 0 ? pair.sure : pair.possible).push_back({source, target});
            }
        }
        CHECK_THAT(attention_mass(weights, pair).share_on_sure_or_possible(),
                   WithinAbs(1, 1e-12));
    }
}

TEST_CASE("weights that do not belong to the sentences are refused", "[text]")
{
    const SentencePair pair = the_cars();
    CHECK_THROWS_WITH(attention_mass({{1, 0}}, pair),
                      "attention_mass: 2 target words need as many rows of weights, got 1");
    CHECK_THROWS_WITH(attention_mass({{1, 0, 0}, {1, 0, 0}}, pair),
                      "attention_mass: 2 source words need as many weights in a row, got 3");
    CHECK_THROWS_WITH(attention_mass({{1, 0}, {1, 1}}, pair),
                      "attention_mass: a row of weights sums to 2");
    CHECK_THROWS_AS(attention_mass(std::vector<AttentionWeights>(1), {}), ContractError);
}

namespace {

std::vector<std::size_t> diagonal_sources(std::size_t n_source, std::size_t n_target)
{
    std::vector<std::size_t> sources;
    for (const Link& link : diagonal_links(n_source, n_target)) {
        CHECK(link.target == sources.size());
        sources.push_back(link.source);
    }
    return sources;
}

/// "the king 's car" and "la voiture du roi": "du" comes from two words.
SentencePair car_of_the_king()
{
    return {{"the", "king", "'s", "car"},
            {"la", "voiture", "du", "roi"},
            {{2, 0}, {3, 1}, {2, 2}, {0, 2}, {1, 3}},
            {{3, 0}, {1, 2}}};
}

} // namespace

TEST_CASE("the oracle takes one sure link for each target word that has one", "[text]")
{
    const SentencePair pair = car_of_the_king();
    CHECK(oracle_links(pair) == LinkList{{2, 0}, {3, 1}, {0, 2}, {1, 3}});
    // |A| = 4, |S| = 5, all four right: 1 - 8/9. One link a word cannot do better here.
    CHECK_THAT(alignment_counts(oracle_links(pair), pair).error(), WithinAbs(1.0 / 9, 1e-15));
    SentencePair unaligned = pair;
    unaligned.sure = {{1, 3}};
    CHECK(oracle_links(unaligned) == LinkList{{1, 3}});
    unaligned.sure.clear();
    CHECK(oracle_links(unaligned).empty());
}

TEST_CASE("the diagonal joins words at the same relative place", "[text]")
{
    CHECK(diagonal_sources(4, 4) == std::vector<std::size_t>{0, 1, 2, 3});
    CHECK(diagonal_sources(3, 5) == std::vector<std::size_t>{0, 1, 1, 2, 2}); // 0 .5 1 1.5 2
    CHECK(diagonal_sources(5, 3) == std::vector<std::size_t>{0, 2, 4});
    CHECK(diagonal_sources(6, 4) == std::vector<std::size_t>{0, 2, 3, 5}); // 0 1.67 3.33 5
    CHECK(diagonal_sources(1, 3) == std::vector<std::size_t>{0, 0, 0});
    CHECK(diagonal_sources(5, 1) == std::vector<std::size_t>{0});
    CHECK(diagonal_sources(5, 0).empty());
    CHECK(diagonal_sources(0, 0).empty());
    CHECK_THROWS_AS(diagonal_links(0, 1), ContractError);
}

TEST_CASE("the diagonal joins the word that is nearest to the same relative place",
          "[text][property]")
{
    for (std::size_t n_source = 1; n_source < 12; ++n_source) {
        for (std::size_t n_target = 2; n_target < 12; ++n_target) {
            const std::vector<std::size_t> sources = diagonal_sources(n_source, n_target);
            for (std::size_t j = 0; j < n_target; ++j) {
                const double place =
                    static_cast<double>(j * (n_source - 1)) / static_cast<double>(n_target - 1);
                CHECK(std::abs(place - static_cast<double>(sources[j])) <= 0.5 + 1e-12);
            }
        }
    }
}

TEST_CASE("the uniform aligner's error is the mean over all of its draws", "[text][property]")
{
    // Two pairs, of 3 source and 3 target words and of 2 and 2: 27 times 4 draws, each as
    // probable as the others; the mean of the corpus' error over all of them.
    const SentencePair first{Words(3, "s"), Words(3, "t"), {{0, 0}, {1, 1}, {2, 1}}, {{0, 1}}};
    const SentencePair second{Words(2, "s"), Words(2, "t"), {{1, 0}}, {{0, 1}, {1, 1}}};
    double sum = 0;
    double precision = 0;
    for (std::size_t draw = 0; draw < 108; ++draw) {
        AlignmentCounts counts = alignment_counts(
            LinkList{{draw % 3, 0}, {draw / 3 % 3, 1}, {draw / 9 % 3, 2}}, first);
        counts += alignment_counts(LinkList{{draw / 27 % 2, 0}, {draw / 54, 1}}, second);
        sum += counts.error() / 108;
        precision += counts.precision() / 108;
    }
    AlignmentCounts expected = expected_uniform_counts(first);
    expected += expected_uniform_counts(second);
    CHECK_THAT(expected.error(), WithinAbs(sum, 1e-12));
    CHECK_THAT(expected.precision(), WithinAbs(precision, 1e-12));
    CHECK(expected.n_links == 5);
    CHECK(expected.n_sure == 4);
}

TEST_CASE("the uniform aligner needs source words if there are target words", "[text]")
{
    CHECK(expected_uniform_counts(SentencePair()).n_links == 0);
    CHECK_THROWS_AS(expected_uniform_counts({{}, {"a"}, {}, {}}), ContractError);
    CHECK(expected_uniform_counts({{"a"}, {"b"}, {{0, 0}}, {}}).error() == 0);
}

TEST_CASE("the table of trivial aligners goes from the best to chance", "[text]")
{
    const std::vector<SentencePair> pairs = {
        car_of_the_king(), {{"a", "b", "c"}, {"d", "e", "f"}, {{0, 0}, {1, 1}, {2, 2}}, {}}};
    std::vector<std::string> names;
    std::vector<double> errors;
    for (const TrivialAligner& aligner : trivial_aligners()) {
        names.push_back(aligner.name);
        errors.push_back(alignment_counts(aligner, pairs).error());
    }
    CHECK(names == std::vector<std::string>{"oracle", "diagonal", "uniform"});
    // |A| = 7, |S| = 8. Oracle: all 7 right, 1 - 14/15. Diagonal: in the first pair 2-2 is
    // sure, and no other link right; in the second all: 1 - (4 + 4)/15. Uniform: 5/4 + 3/3 =
    // 2.25 in S, 7/4 + 1 = 2.75 in S or P: 1 - 5/15.
    CHECK_THAT(errors[0], WithinAbs(1.0 / 15, 1e-12));
    CHECK_THAT(errors[1], WithinAbs(7.0 / 15, 1e-12));
    CHECK_THAT(errors[2], WithinAbs(10.0 / 15, 1e-12));
}
