/// \file
/// \brief Every construction of the grammar, found in its sentences by what it looks like; and what
/// the English side must not hold: "a" before a vowel, sentences that could be cut in two ways, and
/// what nobody wants to read.
#include "tests/common/grammar/grammar_samples.hpp"
#include "tests/support/catch.hpp"

#include <functional>
#include <set>

using namespace attn::testing;
using namespace attn::text;

namespace {

/// Whether some target word of a set of forms is linked surely to a source word.
bool translates(const SentencePair& pair, std::string_view english,
                const std::set<std::string>& french)
{
    return std::any_of(pair.sure.begin(), pair.sure.end(), [&](const Link& link) {
        return pair.source[link.source] == english &&
               french.count(pair.target[link.target]) > 0;
    });
}

/// Whether words stand side by side.
bool has_words(const Words& words, const Words& part)
{
    return std::search(words.begin(), words.end(), part.begin(), part.end()) != words.end();
}

/// What a construction looks like.
struct Construction
{
    std::string name;
    std::function<bool(const SentencePair&)> is_in;
};

/// "the king and the queen are ...": a plural verb whose head is a noun in the singular.
bool has_plural_by_coordination(const SentencePair& pair)
{
    return std::any_of(pair.possible.begin(), pair.possible.end(), [&](const Link& link) {
        const auto noun = noun_reading(pair.source[link.source]);
        return noun && noun->number == lexicon::Number::singular &&
               pair.target[link.target] == "sont" && pair.source[link.source + 1] == "and";
    });
}

/// "je ne vois pas de maison": a "de" that the negation demands.
bool has_de_under_negation(const SentencePair& pair)
{
    return std::any_of(pair.possible.begin(), pair.possible.end(), [&](const Link& link) {
        const std::string& french = pair.target[link.target];
        const std::string& english = pair.source[link.source];
        return (french == "de" || french == "d'") && (english == "not" || english == "never");
    });
}

/// "some small houses": de petites maisons.
bool has_de_before_adjective(const SentencePair& pair)
{
    return std::any_of(pair.possible.begin(), pair.possible.end(), [&](const Link& link) {
        return pair.target[link.target] == "de" && noun_reading(pair.source[link.source]) &&
               sources_of(pair.sure, link.target).size() == 1;
    });
}

/// A clitic: its sure link crosses that of its verb.
bool has_clitic(const SentencePair& pair)
{
    return std::any_of(pair.sure.begin(), pair.sure.end(), [&](const Link& link) {
        const std::string& english = pair.source[link.source];
        return (english == "him" || english == "them" || english == "us") &&
               std::any_of(pair.sure.begin(), pair.sure.end(), [&](const Link& verb) {
                   return verb.target == link.target + 1 && verb.source + 1 == link.source;
               });
    });
}

// ---------------------------------------------------------------- what must not be there

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
bool is_inflected(const SentencePair& pair, const Link& link)
{
    const auto word = sources_of(pair.sure, link.target);
    return !word.empty() && word[0] > link.source &&
           adjective_reading(pair.source[word[0]]) == nullptr &&
           noun_reading(pair.source[link.source]).has_value();
}

} // namespace

TEST_CASE("every construction is there", "[text]")
{
    const std::vector<Construction> constructions = {
        {"possessor",
         [](const SentencePair& p) {
             return translates(p, "'s", {"du", "de", "d'", "des"});
         }},
        {"of",
         [](const SentencePair& p) {
             return translates(p, "of", {"du", "de", "d'", "des"});
         }},
        {"coordination", has_plural_by_coordination},
        {"who", [](const SentencePair& p) { return translates(p, "who", {"qui"}); }},
        {"that as the subject",
         [](const SentencePair& p) { return translates(p, "that", {"qui"}); }},
        {"that as the object",
         [](const SentencePair& p) { return translates(p, "that", {"que"}); }},
        {"that before a vowel",
         [](const SentencePair& p) { return translates(p, "that", {"qu'"}); }},
        {"clitic", has_clitic},
        {"negation with adverb",
         [](const SentencePair& p) {
             return has_words(p.source, {"not", "often"}) &&
                    has_words(p.target, {"pas", "souvent"});
         }},
        {"never", [](const SentencePair& p) { return translates(p, "never", {"jamais"}); }},
        {"de under negation", has_de_under_negation},
        {"de before an adjective", has_de_before_adjective},
        {"near", [](const SentencePair& p) { return translates(p, "near", {"près"}); }},
        {"near merged", [](const SentencePair& p) { return translates(p, "near", {"du"}); }},
        {"to merged", [](const SentencePair& p) { return translates(p, "to", {"aux"}); }},
        {"because",
         [](const SentencePair& p) {
             return translates(p, "because", {"que", "qu'"});
         }},
        {"reported",
         [](const SentencePair& p) {
             return has_words(p.source, {"says", "that"});
         }},
        {"vieil", [](const SentencePair& p) { return has_words(p.target, {"vieil"}); }},
        {"s' before ils",
         [](const SentencePair& p) {
             return has_words(p.target, {"s'", "ils"});
         }},
        {"together",
         [](const SentencePair& p) { return translates(p, "together", {"ensemble"}); }},
    };
    const std::vector<SentencePair> sample = grammar_sample(4000);
    for (const Construction& construction : constructions) {
        INFO(construction.name);
        CHECK(std::count_if(sample.begin(), sample.end(), construction.is_in) >= 20);
    }
}

TEST_CASE("a stands before no vowel, and one alone does nothing together", "[text][property]")
{
    const std::vector<SentencePair> sample = grammar_sample(4000);
    const auto a_stands_well = [](const SentencePair& pair, std::size_t i) {
        return pair.source[i] != "a" ||
               std::string("aeiou").find(pair.source[i + 1][0]) == std::string::npos;
    };
    CHECK(first_offender(sample, at_every_word_of<&SentencePair::source>(a_stands_well)) == "");
    for (const char* alone : {"i", "he", "she"}) {
        for (const char* verb : {"work", "works", "sing", "sings"}) {
            CHECK(first_offender(sample, [&](const SentencePair& pair) {
                      return !has_words(pair.source, {alone, verb, "together"});
                  }) == "");
        }
    }
}

TEST_CASE("and behind two nouns joined by and joins no clause", "[text][property]")
{
    CHECK(first_offender(grammar_sample(8000), [](const SentencePair& pair) {
              return std::none_of(pair.possible.begin(), pair.possible.end(),
                                  [&](const Link& link) {
                                      return is_inflected(pair, link) &&
                                             is_cut_in_two(pair.source, link.source);
                                  });
          }) == "");
}

TEST_CASE("nobody is bought or sold, and nobody has a colour", "[text][property]")
{
    namespace lexicon = attn::text::lexicon;
    const std::vector<SentencePair> sample = grammar_sample(8000);
    const auto is_not_traded = [](const SentencePair& pair, std::size_t i) {
        static const EnglishWords trade = {"buy", "buys", "sell", "sells"};
        static const EnglishWords pronouns = {"me", "him", "us", "you", "them"};
        const auto object = object_behind(pair.source, i);
        return trade.count(pair.source[i]) == 0 ||
               (pronouns.count(pair.source[i + 1]) == 0 &&
                (!object || noun_reading(pair.source[*object])->noun->kind == lexicon::thing));
    };
    const auto may_have_colour = [](const SentencePair& pair, std::size_t target) {
        static const EnglishWords colours = {"red", "black", "white", "green"};
        const auto sure = sources_of(pair.sure, target);
        if (sure.size() != 1 || colours.count(pair.source[sure[0]]) == 0) {
            return true;
        }
        const auto noun = noun_reading(pair.source[sources_of(pair.possible, target).at(0)]);
        return noun && (noun->noun->kind & (lexicon::animal | lexicon::thing)) != 0;
    };
    CHECK(first_offender(sample, at_every_word_of<&SentencePair::source>(is_not_traded)) == "");
    CHECK(first_offender(sample, at_every_word_of<&SentencePair::target>(may_have_colour)) ==
          "");
}
