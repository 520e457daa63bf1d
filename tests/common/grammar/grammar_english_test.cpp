/// \file
/// \brief What the English side must not hold: "a" before a vowel, sentences that could be cut
/// in two ways, and what nobody wants to read.
#include "tests/common/grammar/grammar_samples.hpp"
#include "tests/support/catch.hpp"

#include <set>

using namespace attn::testing;
using attn::text::SentencePair;
using attn::text::Words;

namespace {

using EnglishWords = std::set<std::string>;

/// Where the head of an object behind a verb stands: the noun, or the noun that it possesses.
std::optional<std::size_t> object_behind(const Words& words, std::size_t verb)
{
    auto noun = simple_noun_phrase(words, verb + 1);
    if (noun && words[*noun + 1] == "'s") {
        std::size_t position = *noun + 2;
        while (adjective_reading(words[position]) != nullptr) {
            ++position;
        }
        noun = position;
    }
    return noun;
}

/// Whether a head is the second half of "A and B" behind "and": the cut that is not made.
bool is_cut_in_two(const Words& words, std::size_t head)
{
    const auto start = start_of_noun_phrase(words, head);
    if (!start || *start < 2 || words[*start - 1] != "and" ||
        !noun_reading(words[*start - 2])) {
        return false;
    }
    const auto first = start_of_noun_phrase(words, *start - 2);
    return first && *first >= 2 && words[*first - 1] == "and" &&
           noun_reading(words[*first - 2]);
}

/// Whether a possible link leads from a noun to what stands behind it: a verb or "who".
bool is_inflected(const SentencePair& pair, const attn::text::Link& link)
{
    const auto word = sources_of(pair.sure, link.target);
    return !word.empty() && word[0] > link.source &&
           adjective_reading(pair.source[word[0]]) == nullptr &&
           noun_reading(pair.source[link.source]).has_value();
}

} // namespace

TEST_CASE("a stands before no vowel, and one alone does nothing together", "[text][property]")
{
    const std::vector<SentencePair> sample = grammar_sample(4000);
    CHECK(first_offender(sample, [](const SentencePair& pair) {
              for (std::size_t i = 0; i + 1 < pair.source.size(); ++i) {
                  if (pair.source[i] == "a" &&
                      std::string("aeiou").find(pair.source[i + 1][0]) != std::string::npos) {
                      return false;
                  }
              }
              return true;
          }) == "");
    for (const char* alone : {"i", "he", "she"}) {
        for (const char* verb : {"work", "works", "sing", "sings"}) {
            CHECK(first_offender(sample, [&](const SentencePair& pair) {
                      const Words part = {alone, verb, "together"};
                      return std::search(pair.source.begin(), pair.source.end(), part.begin(),
                                         part.end()) == pair.source.end();
                  }) == "");
        }
    }
}

TEST_CASE("and behind two nouns joined by and joins no clause", "[text][property]")
{
    CHECK(first_offender(grammar_sample(8000), [](const SentencePair& pair) {
              return std::none_of(pair.possible.begin(), pair.possible.end(),
                                  [&](const attn::text::Link& link) {
                                      return is_inflected(pair, link) &&
                                             is_cut_in_two(pair.source, link.source);
                                  });
          }) == "");
}

TEST_CASE("nobody is bought or sold, and nobody has a colour", "[text][property]")
{
    namespace lexicon = attn::text::lexicon;
    const std::vector<SentencePair> sample = grammar_sample(8000);
    CHECK(first_offender(sample, [](const SentencePair& pair) {
              static const EnglishWords trade = {"buy", "buys", "sell", "sells"};
              for (std::size_t i = 0; i + 1 < pair.source.size(); ++i) {
                  const auto object = object_behind(pair.source, i);
                  static const EnglishWords pronouns = {"me", "him", "us", "you", "them"};
                  if (trade.count(pair.source[i]) > 0 &&
                      (pronouns.count(pair.source[i + 1]) > 0 ||
                       (object &&
                        noun_reading(pair.source[*object])->noun->kind != lexicon::thing))) {
                      return false;
                  }
              }
              return true;
          }) == "");
    CHECK(first_offender(sample, [](const SentencePair& pair) {
              static const EnglishWords colours = {"red", "black", "white", "green"};
              for (std::size_t target = 0; target < pair.target.size(); ++target) {
                  const auto sure = sources_of(pair.sure, target);
                  if (sure.size() != 1 || colours.count(pair.source[sure[0]]) == 0) {
                      continue;
                  }
                  const auto noun =
                      noun_reading(pair.source[sources_of(pair.possible, target).at(0)]);
                  if (!noun || (noun->noun->kind & (lexicon::animal | lexicon::thing)) == 0) {
                      return false;
                  }
              }
              return true;
          }) == "");
}
