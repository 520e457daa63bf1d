/// \file
/// \brief The corpus of the grammar: sizes, lengths, disjoint sets, and the figures that say
/// how far English and French lie apart.
#include "common/grammar/grammar_corpus.hpp"
#include "common/tensor/check.hpp"
#include "tests/common/grammar/grammar_samples.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <map>
#include <set>

using namespace attn::text;

namespace {

using Pairs = std::vector<SentencePair>;

std::map<std::size_t, std::size_t> pairs_by_length(const Pairs& pairs)
{
    std::map<std::size_t, std::size_t> counts;
    for (const SentencePair& pair : pairs) {
        ++counts[pair.source.size()];
    }
    return counts;
}

bool same_pairs(const Pairs& a, const Pairs& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const SentencePair& x, const SentencePair& y) {
                          return x.source == y.source && x.target == y.target &&
                                 x.sure == y.sure && x.possible == y.possible;
                      });
}

std::set<std::string> sources_in(const CorpusParts& corpus)
{
    std::set<std::string> sources;
    for (const Pairs* pairs : {&corpus.train, &corpus.validation, &corpus.test}) {
        for (const SentencePair& pair : *pairs) {
            sources.insert(text_of(pair.source));
        }
    }
    return sources;
}

std::size_t n_pairs_in(const CorpusParts& corpus)
{
    return corpus.train.size() + corpus.validation.size() + corpus.test.size();
}

/// How far apart the two languages are in a set of pairs.
struct AlignmentFigures
{
    double crossing = 0.0;        ///< share of sentences with two sure links that cross
    double far = 0.0;             ///< share of sure links that move by two positions or more
    double untranslated = 0.0;    ///< share of source words without a sure link
    double translated_once = 0.0; ///< share of source words with one
    double from_two = 0.0;        ///< share of target words with two sure links
};

bool has_crossing(const SentencePair& pair)
{
    for (const Link& a : pair.sure) {
        for (const Link& b : pair.sure) {
            if (a.source < b.source && a.target > b.target) {
                return true;
            }
        }
    }
    return false;
}

AlignmentFigures figures_of(const Pairs& pairs)
{
    AlignmentFigures sums;
    double n_links = 0.0;
    double n_source = 0.0;
    double n_target = 0.0;
    for (const SentencePair& pair : pairs) {
        std::vector<int> of_source(pair.source.size(), 0); // [n_source] links of each word
        std::vector<int> of_target(pair.target.size(), 0); // [n_target]
        for (const Link& link : pair.sure) {
            ++of_source[link.source];
            ++of_target[link.target];
            const std::size_t apart = link.source < link.target ? link.target - link.source
                                                                : link.source - link.target;
            sums.far += apart >= 2 ? 1.0 : 0.0;
        }
        sums.crossing += has_crossing(pair) ? 1.0 : 0.0;
        sums.untranslated +=
            static_cast<double>(std::count(of_source.begin(), of_source.end(), 0));
        sums.translated_once +=
            static_cast<double>(std::count(of_source.begin(), of_source.end(), 1));
        sums.from_two += static_cast<double>(std::count(of_target.begin(), of_target.end(), 2));
        n_links += static_cast<double>(pair.sure.size());
        n_source += static_cast<double>(pair.source.size());
        n_target += static_cast<double>(pair.target.size());
    }
    return {sums.crossing / static_cast<double>(pairs.size()), sums.far / n_links,
            sums.untranslated / n_source, sums.translated_once / n_source,
            sums.from_two / n_target};
}

bool is_near(double value, double wanted, double tolerance)
{
    return std::abs(value - wanted) <= tolerance;
}

} // namespace

TEST_CASE("the default corpus has its sizes, lengths and words", "[text]")
{
    const CorpusParts corpus = grammar_corpus(1);
    CHECK(corpus.train.size() >= 38600);
    CHECK(corpus.train.size() <= 39000);
    CHECK(corpus.validation.size() == 705);
    CHECK(corpus.test.size() == 1410);
    CHECK(sources_in(corpus).size() == n_pairs_in(corpus)); // none twice, none in two sets

    // 40,000 in proportion to 7 lengths of weight 1, 10 of .7 and 10 of .35.
    for (const auto& [length, count] : pairs_by_length(corpus.train)) {
        INFO(length);
        const double weight = length <= 10 ? 1.0 : length <= 20 ? 0.7 : 0.35;
        CHECK((length >= 4 && length <= 30));
        CHECK((length == 4 ? count > 800
                           : is_near(static_cast<double>(count), 40000 * weight / 17.5, 1.0)));
    }

    double n_source = 0.0;
    double n_target = 0.0;
    std::size_t longest_in_target = 0;
    std::map<std::string, int> english;
    std::map<std::string, int> french;
    for (const SentencePair& pair : corpus.train) {
        longest_in_target = std::max(longest_in_target, pair.target.size());
        n_source += static_cast<double>(pair.source.size());
        n_target += static_cast<double>(pair.target.size());
        std::for_each(pair.source.begin(), pair.source.end(),
                      [&](const auto& w) { ++english[w]; });
        std::for_each(pair.target.begin(), pair.target.end(),
                      [&](const auto& w) { ++french[w]; });
    }
    CHECK(longest_in_target <= 40);
    const auto n_train = static_cast<double>(corpus.train.size());
    CHECK(is_near(n_source / n_train, 14.3, 0.3));
    CHECK(is_near(n_target / n_train, 14.6, 0.3));
    CHECK(english.size() == 161);
    CHECK(french.size() == 267);
    CHECK(std::all_of(french.begin(), french.end(),
                      [](const auto& w) { return w.second >= 50; }));
}

TEST_CASE("validation and test have every length as often, the shortest excepted", "[text]")
{
    const CorpusParts corpus = grammar_corpus(1, {.train = 0});
    CHECK(corpus.train.empty());
    const auto in_test = pairs_by_length(corpus.test);
    const auto in_validation = pairs_by_length(corpus.validation);
    CHECK(in_test.size() == 28);
    CHECK(in_validation.size() == 28);
    CHECK(in_test.at(3) == 6);
    CHECK(in_validation.at(3) == 3);
    for (std::size_t length = 4; length <= 30; ++length) {
        INFO(length);
        CHECK(in_test.at(length) == 52);
        CHECK(in_validation.at(length) == 26);
    }
}

TEST_CASE("the languages lie as far apart as the grammar was made for", "[text]")
{
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        INFO(seed);
        const AlignmentFigures figures = figures_of(grammar_corpus(seed, {.train = 0}).test);
        CHECK(is_near(figures.crossing, 0.88, 0.03));
        CHECK(is_near(figures.far, 0.17, 0.02));
        CHECK(is_near(figures.untranslated, 0.02, 0.005));
        CHECK(is_near(figures.translated_once, 0.91, 0.015));
        CHECK(is_near(figures.from_two, 0.023, 0.005));
    }
}

TEST_CASE("a corpus is decided by its seed", "[text]")
{
    const CorpusSizes sizes{.train = 500, .validation = 50, .test = 100};
    const CorpusParts first = grammar_corpus(5, sizes);
    const CorpusParts again = grammar_corpus(5, sizes);
    const CorpusParts other = grammar_corpus(6, sizes);
    CHECK(same_pairs(first.train, again.train));
    CHECK(same_pairs(first.validation, again.validation));
    CHECK(same_pairs(first.test, again.test));
    CHECK_FALSE(same_pairs(first.train, other.train));
    CHECK_FALSE(same_pairs(first.test, other.test));
}

TEST_CASE("what is asked of the training set changes no other", "[text]")
{
    const CorpusParts all = grammar_corpus(7, {.train = 300});
    const CorpusParts short_train = grammar_corpus(7, {.train = 300, .longest_train = 15});
    CHECK(same_pairs(all.test, short_train.test));
    CHECK(same_pairs(all.validation, short_train.validation));
    CHECK(pairs_by_length(all.train).rbegin()->first == 30);
    CHECK(pairs_by_length(short_train.train).rbegin()->first == 15);
    CHECK(pairs_by_length(short_train.test).rbegin()->first == 30);
    CHECK(short_train.train.size() == 300);
    CHECK(sources_in(short_train).size() == n_pairs_in(short_train));
}

TEST_CASE("small corpora have the number of pairs that was asked for", "[text]")
{
    for (const std::size_t n : {0u, 1u, 7u, 100u, 1000u}) {
        INFO(n);
        const CorpusParts corpus = grammar_corpus(
            8, {.train = n, .validation = n, .test = n, .longest_evaluation = 20});
        CHECK(corpus.train.size() == n);
        CHECK(corpus.validation.size() == n);
        CHECK(corpus.test.size() == n);
        CHECK(sources_in(corpus).size() == n_pairs_in(corpus));
        CHECK((n == 0 || pairs_by_length(corpus.test).rbegin()->first <= 20));
    }
}

TEST_CASE("where sentences run out, the drawing ends", "[text]")
{
    const std::size_t n = // there are less than 2,000 of four words
        grammar_corpus(9, {.train = 20000, .validation = 0, .test = 0, .longest_train = 4})
            .train.size();
    CHECK(n > 500);
    CHECK(n < 2000);
}

TEST_CASE("a corpus of impossible lengths is refused", "[text]")
{
    CHECK_THROWS_WITH(grammar_corpus(1, {.longest_train = 3}),
                      "grammar_corpus: longest_train must lie between 4 and 30, got 3");
    CHECK_THROWS_WITH(grammar_corpus(1, {.longest_evaluation = 31}),
                      "grammar_corpus: longest_evaluation must lie between 4 and 30, got 31");
}
