/// \file
/// \brief Aligners that learn nothing: their links by hand, and the expectation of the random
/// one against all of its draws.
#include "common/random/random.hpp"
#include "common/tensor/check.hpp"
#include "common/text/alignment_error.hpp"
#include "tests/support/catch.hpp"

#include <cmath>

using attn::ContractError;
using namespace attn::text;
using Catch::Matchers::WithinAbs;

namespace {

using AlignerLinks = std::vector<Link>;

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
    CHECK(oracle_links(pair) == AlignerLinks{{2, 0}, {3, 1}, {0, 2}, {1, 3}});
    // |A| = 4, |S| = 5, all four right: 1 - 8/9. One link a word cannot do better here.
    CHECK_THAT(alignment_counts(oracle_links(pair), pair).error(), WithinAbs(1.0 / 9, 1e-15));
    SentencePair unaligned = pair;
    unaligned.sure = {{1, 3}};
    CHECK(oracle_links(unaligned) == AlignerLinks{{1, 3}});
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

TEST_CASE("the diagonal begins and ends with the sentences and never turns back",
          "[text][property]")
{
    for (std::size_t n_source = 1; n_source < 12; ++n_source) {
        for (std::size_t n_target = 2; n_target < 12; ++n_target) {
            const std::vector<std::size_t> sources = diagonal_sources(n_source, n_target);
            CHECK(sources.front() == 0);
            CHECK(sources.back() == n_source - 1);
            for (std::size_t j = 1; j < n_target; ++j) {
                CHECK(sources[j - 1] <= sources[j]);
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
            AlignerLinks{{draw % 3, 0}, {draw / 3 % 3, 1}, {draw / 9 % 3, 2}}, first);
        counts += alignment_counts(AlignerLinks{{draw / 27 % 2, 0}, {draw / 54, 1}}, second);
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
