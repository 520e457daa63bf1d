/// \file
/// \brief Words and texts, and which part of a corpus a pair belongs to, whatever stands beside it.
#include "common/text/sentence_pair.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

using namespace attn::text;

namespace {

/// Sentences that differ in their last word only, two translations each.
std::vector<SentencePair> twice_translated(std::size_t n_sources)
{
    std::vector<SentencePair> pairs;
    for (std::size_t i = 0; i < n_sources; ++i) {
        const Words source = {"this", "is", "sentence", std::to_string(i)};
        pairs.push_back({source, {"un", std::to_string(i)}, {}, {}});
        pairs.push_back({source, {"une", std::to_string(i)}, {}, {}});
    }
    return pairs;
}

std::vector<std::string> source_texts_of(const std::vector<SentencePair>& pairs)
{
    std::vector<std::string> sources;
    for (const SentencePair& pair : pairs) {
        sources.push_back(text_of(pair.source));
    }
    std::sort(sources.begin(), sources.end());
    return sources;
}

} // namespace

TEST_CASE("a sentence's hash is the same on every machine", "[text]")
{
    // FNV-1a of "", "a" and "go ." mixed by SplitMix64, computed in Python.
    CHECK(hash_of({}) == 0xc3817c016ba4ff30ULL);
    CHECK(hash_of({"a"}) == 0x5f29c2aadd9b8527ULL);
    CHECK(hash_of({"go", "."}) == 0x7d103c465e9811caULL);
    CHECK(hash_of({"go", "."}) == hash_of({"go ."}));
    CHECK(hash_of({"ab"}) != hash_of({"a", "b"}));
}

TEST_CASE("every pair is in one part, all translations of a source in the same",
          "[text][property]")
{
    const std::vector<SentencePair> pairs = twice_translated(5000);
    const CorpusParts parts = split_by_source(pairs);
    CHECK(parts.train.size() + parts.validation.size() + parts.test.size() == pairs.size());

    // Four standard deviations of a binomial count around 80, 10 and 10 of 100.
    CHECK(std::abs(static_cast<double>(parts.train.size()) / 2 - 4000) < 4 * 28.3);
    CHECK(std::abs(static_cast<double>(parts.validation.size()) / 2 - 500) < 4 * 21.2);
    CHECK(std::abs(static_cast<double>(parts.test.size()) / 2 - 500) < 4 * 21.2);

    std::vector<std::string> common;
    const auto train = source_texts_of(parts.train);
    const auto validation = source_texts_of(parts.validation);
    const auto test = source_texts_of(parts.test);
    std::set_intersection(train.begin(), train.end(), validation.begin(), validation.end(),
                          std::back_inserter(common));
    std::set_intersection(train.begin(), train.end(), test.begin(), test.end(),
                          std::back_inserter(common));
    std::set_intersection(validation.begin(), validation.end(), test.begin(), test.end(),
                          std::back_inserter(common));
    CHECK(common.empty());
    CHECK(std::is_sorted(parts.test.begin(), parts.test.end(),
                         [](const SentencePair& a, const SentencePair& b) {
                             return std::stoi(a.source.back()) < std::stoi(b.source.back());
                         }));
}

TEST_CASE("a pair's part does not depend on other pairs", "[text][property]")
{
    const std::vector<SentencePair> pairs = twice_translated(300);
    const std::vector<std::string> test = source_texts_of(split_by_source(pairs).test);
    for (std::size_t i = 0; i < pairs.size(); i += 7) {
        const bool in_test =
            std::binary_search(test.begin(), test.end(), text_of(pairs[i].source));
        CHECK((part_of(pairs[i].source) == CorpusPart::test) == in_test);
        CHECK(split_by_source({pairs[i]}).test.size() == (in_test ? 1 : 0));
    }
    std::vector<SentencePair> reversed(pairs.rbegin(), pairs.rend());
    CHECK(source_texts_of(split_by_source(reversed).test) == test);
    CHECK(split_by_source({}).train.empty());
}

TEST_CASE("a text is taken apart at its blanks and put together again", "[text]")
{
    CHECK(words_of("the king 's car .") == Words{"the", "king", "'s", "car", "."});
    CHECK(words_of(" \t a\r\n b  ") == Words{"a", "b"});
    CHECK(words_of("").empty());
    CHECK(words_of(" \n").empty());
    CHECK(text_of({"a", "b", "."}) == "a b .");
    CHECK(text_of({}).empty());
}
