/// \file
/// \brief The grammar as a source of pairs: one translation a sentence, links that are links,
/// every construction there, the same sentences on every run.
#include "common/program/files.hpp"
#include "common/tensor/check.hpp"
#include "tests/common/grammar/grammar_samples.hpp"
#include "tests/support/catch.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

using attn::testing::first_offender;
using attn::testing::grammar_sample;
using namespace attn::text;

namespace {

/// A checksum over words and links.
std::string fingerprint_of(Grammar grammar, int n_sentences)
{
    std::string bytes;
    for (int i = 0; i < n_sentences; ++i) {
        const SentencePair pair = grammar.sentence();
        for (const Words& words : {pair.source, pair.target}) {
            bytes += text_of(words) + '\0';
        }
        for (const std::vector<Link>& links : {pair.sure, pair.possible}) {
            for (const Link& link : links) {
                bytes += {static_cast<char>(link.source), static_cast<char>(link.target)};
            }
            bytes += '\xff';
        }
    }
    return attn::program::checksum(bytes);
}

bool in_range(const std::vector<Link>& links, const SentencePair& pair)
{
    return std::all_of(links.begin(), links.end(), [&](const Link& link) {
        return link.source < pair.source.size() && link.target < pair.target.size();
    });
}

/// Ascending without repetition.
bool strictly_sorted(const std::vector<Link>& links)
{
    return std::adjacent_find(links.begin(), links.end(), std::greater_equal<>()) ==
           links.end();
}

const std::array worked_sentences = {
    SentencePair{{"i", "see", "him", "."},
                 {"je", "le", "vois", "."},
                 {{0, 0}, {1, 2}, {2, 1}, {3, 3}},
                 {{0, 2}, {1, 1}}},
    SentencePair{{"she", "does", "not", "sleep", "."},
                 {"elle", "ne", "dort", "pas", "."},
                 {{0, 0}, {2, 1}, {2, 3}, {3, 2}, {4, 4}},
                 {{0, 2}, {1, 2}}},
    SentencePair{{"he", "looks", "for", "them", "."},
                 {"il", "les", "cherche", "."},
                 {{0, 0}, {1, 2}, {2, 2}, {3, 1}, {4, 3}},
                 {{0, 2}, {1, 1}, {2, 1}}},
    SentencePair{{"i", "love", "you", "."},
                 {"je", "vous", "aime", "."},
                 {{0, 0}, {1, 2}, {2, 1}, {3, 3}},
                 {{0, 2}, {1, 1}}},
    SentencePair{{"we", "are", "never", "tired", "."},
                 {"nous", "ne", "sommes", "jamais", "fatigués", "."},
                 {{0, 0}, {1, 2}, {2, 1}, {2, 3}, {3, 4}, {4, 5}},
                 {{0, 2}, {0, 4}}},
    SentencePair{{"she", "obeys", "the", "king", "."},
                 {"elle", "obéit", "au", "roi", "."},
                 {{0, 0}, {1, 1}, {1, 2}, {2, 2}, {3, 3}, {4, 4}},
                 {{0, 1}, {3, 2}}},
    SentencePair{{"the", "cat", "is", "black", "."},
                 {"le", "chat", "est", "noir", "."},
                 {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}},
                 {{1, 0}, {1, 2}, {1, 3}}},
};

/// Draws short sentences until all of those are among them.
std::map<std::string, SentencePair> draw_worked_sentences()
{
    std::set<std::string> wanted;
    for (const SentencePair& pair : worked_sentences) {
        wanted.insert(text_of(pair.source));
    }
    std::map<std::string, SentencePair> drawn;
    Grammar grammar(3, 0, 0.0);
    for (int i = 0; i < 400000 && drawn.size() < wanted.size(); ++i) {
        SentencePair pair = grammar.sentence();
        std::string source = text_of(pair.source);
        if (wanted.count(source) > 0) {
            drawn.emplace(std::move(source), std::move(pair));
        }
    }
    return drawn;
}

} // namespace

TEST_CASE("a sentence has one translation and one alignment", "[text][property]")
{
    std::map<std::string, SentencePair> known;
    int n_repeats = 0;
    int n_conflicts = 0;
    std::uint64_t stream = 10;
    for (const double richness : attn::testing::sample_richnesses) {
        Grammar grammar(4, stream++, richness);
        for (int i = 0; i < 20000; ++i) {
            SentencePair pair = grammar.sentence();
            const std::string source = text_of(pair.source);
            const auto [entry, is_new] = known.emplace(source, pair);
            n_repeats += is_new ? 0 : 1;
            const bool same = entry->second.target == pair.target &&
                              entry->second.sure == pair.sure &&
                              entry->second.possible == pair.possible;
            n_conflicts += same ? 0 : 1;
        }
    }
    CHECK(n_conflicts == 0);
    CHECK(n_repeats >= 10000);
}

TEST_CASE("links join words that are there, once, and leave no target word alone",
          "[text][property]")
{
    CHECK(first_offender(grammar_sample(4000), [](const SentencePair& pair) {
              std::vector<Link> both;
              std::set_intersection(pair.sure.begin(), pair.sure.end(), pair.possible.begin(),
                                    pair.possible.end(), std::back_inserter(both));
              std::set<std::size_t> linked;
              for (const Link& link : pair.sure) {
                  linked.insert(link.target);
              }
              return in_range(pair.sure, pair) && in_range(pair.possible, pair) &&
                     strictly_sorted(pair.sure) && strictly_sorted(pair.possible) &&
                     both.empty() && linked.size() == pair.target.size();
          }) == "");
}

TEST_CASE("a sentence has three words or more and one full stop, at its end",
          "[text][property]")
{
    CHECK(first_offender(grammar_sample(4000), [](const SentencePair& pair) {
              const auto one_stop = [](const Words& words) {
                  return words.size() >= 3 && words.back() == "." &&
                         std::count(words.begin(), words.end(), ".") == 1;
              };
              return one_stop(pair.source) && one_stop(pair.target);
          }) == "");
}

TEST_CASE("short sentences are translated and aligned as by hand", "[text]")
{
    const std::map<std::string, SentencePair> drawn = draw_worked_sentences();
    for (const SentencePair& wanted : worked_sentences) {
        INFO(attn::testing::shown(wanted));
        const auto found = drawn.find(text_of(wanted.source));
        REQUIRE(found != drawn.end());
        CHECK(found->second.target == wanted.target);
        CHECK(found->second.sure == wanted.sure);
        CHECK(found->second.possible == wanted.possible);
    }
}

TEST_CASE("the same seed and stream make the same sentences, another one others", "[text]")
{
    const std::string first = fingerprint_of(Grammar(1, 0, 0.5), 200);
    CHECK(fingerprint_of(Grammar(1, 0, 0.5), 200) == first);
    CHECK(fingerprint_of(Grammar(2, 0, 0.5), 200) != first);
    CHECK(fingerprint_of(Grammar(1, 1, 0.5), 200) != first);
    CHECK(fingerprint_of(Grammar(1, 0, 0.6), 200) != first);
}

TEST_CASE("the sentences are these on every machine", "[text][golden]")
{
    Grammar grammar(1, 0, 0.5);
    CHECK(attn::testing::shown(grammar.sentence()) ==
          "their woman always sells the car that she looks for for the dangerous tree . | "
          "leur femme vend toujours la voiture qu' elle cherche pour l' arbre dangereux .");
    CHECK(attn::testing::shown(grammar.sentence()) ==
          "she listens to her . | elle l' écoute .");
    CHECK(attn::testing::shown(grammar.sentence()) ==
          "their gardens are in the hotel if you are behind his flower . | "
          "leurs jardins sont dans l' hôtel si vous êtes derrière sa fleur .");
    CHECK(fingerprint_of(Grammar(1, 0, 0.5), 5000) == "e0c97bced8014a93");
}

TEST_CASE("richer sentences are longer, and nothing else is a richness", "[text]")
{
    const std::vector<SentencePair> sample = grammar_sample(4000);
    std::vector<double> mean_lengths(std::size(attn::testing::sample_richnesses), 0.0);
    for (std::size_t i = 0; i < sample.size(); ++i) {
        mean_lengths[i / 4000] += static_cast<double>(sample[i].source.size()) / 4000.0;
    }
    CHECK(mean_lengths.front() > 6.0);
    CHECK(mean_lengths.front() < 8.0);
    CHECK(mean_lengths.back() > 16.0);
    CHECK(mean_lengths.back() < 20.0);
    CHECK(std::is_sorted(mean_lengths.begin(), mean_lengths.end()));

    CHECK_NOTHROW(Grammar(1, 0, 0.0).sentence());
    CHECK_NOTHROW(Grammar(1, 0, 1.0).sentence());
    CHECK_THROWS_AS(Grammar(1, 0, -0.1), attn::ContractError);
    CHECK_THROWS_AS(Grammar(1, 0, 1.1), attn::ContractError);
    CHECK_THROWS_AS(Grammar(1, 0, std::nan("")), attn::ContractError);
}
