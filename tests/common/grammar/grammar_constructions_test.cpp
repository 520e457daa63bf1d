/// \file
/// \brief Every construction of the grammar, found in its sentences by what it looks like.
#include "tests/common/grammar/grammar_samples.hpp"
#include "tests/support/catch.hpp"

#include <functional>
#include <set>

using attn::testing::grammar_sample;
using attn::testing::sources_of;
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
        const auto noun = attn::testing::noun_reading(pair.source[link.source]);
        return noun && noun->number == attn::text::lexicon::Number::singular &&
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
        return pair.target[link.target] == "de" &&
               attn::testing::noun_reading(pair.source[link.source]) &&
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
