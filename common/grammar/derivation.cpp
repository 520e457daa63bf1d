/// \file
/// \brief Sentences and clauses: the top of the grammar, and how the links of a finished
/// sentence are read off its words.
#include "common/grammar/derivation.hpp"

#include "common/grammar/grammar.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace attn::text {

namespace {

/// How many words most sentences have room for.
constexpr std::size_t usual_length = 48;

/// Appends the links of one target word, with positions for the numbers of the source words.
void add_links(std::vector<Link>& links, const EnglishIds& words,
               const std::vector<std::size_t>& position_of, std::size_t target)
{
    for (const EnglishId word : words) {
        links.push_back({position_of[word], target});
    }
}

/// A finished sentence: its words as text, its links by position.
SentencePair finished_pair(const std::vector<EnglishWord>& english,
                           const std::vector<FrenchWord>& french)
{
    SentencePair pair;
    std::vector<std::size_t> position_of(english.size()); // [n_source]
    pair.source.reserve(english.size());
    for (const EnglishWord& word : english) {
        position_of[word.id] = pair.source.size();
        pair.source.emplace_back(word.text);
    }

    pair.target.reserve(french.size());
    for (const FrenchWord& word : french) {
        add_links(pair.sure, word.sure, position_of, pair.target.size());
        add_links(pair.possible, word.possible, position_of, pair.target.size());
        pair.target.emplace_back(word.text);
    }
    std::sort(pair.sure.begin(), pair.sure.end());
    std::sort(pair.possible.begin(), pair.possible.end());
    return pair;
}

} // namespace

Derivation::Derivation(random::Generator& random, double richness)
    : random_(random), richness_(richness)
{
    english_.reserve(usual_length);
    french_.reserve(usual_length);
}

EnglishId Derivation::add_english(std::string_view text)
{
    english_.push_back(new_word(text));
    return english_.back().id;
}

EnglishId Derivation::add_word(std::string_view english, std::string_view french)
{
    const EnglishId word = add_english(english);
    french_.push_back({french, {word}});
    return word;
}

Agreement Derivation::add_pronoun()
{
    const lexicon::SubjectPronoun& pronoun = choose(lexicon::subject_pronouns);
    const EnglishId head = add_word(pronoun.english, pronoun.french);
    return {pronoun.person, pronoun.gender, pronoun.number, lexicon::adult, head};
}

Agreement Derivation::add_subject(std::size_t depth, bool living)
{
    if (chance(0.5)) {
        return add_pronoun();
    }
    NounPhraseRules rules;
    rules.kinds = living || !chance(0.25) ? lexicon::living : lexicon::thing;
    return add_noun_phrase(depth, rules);
}

void Derivation::add_clause(std::size_t depth)
{
    const bool reports = depth > 0 && chance(0.24 * richness_);
    const Agreement subject = add_subject(depth, reports);
    if (!reports) {
        add_verb_phrase(depth, subject, false);
        return;
    }
    // Who does not believe that something is so would need the subjunctive.
    const lexicon::Verb& verb = choose(lexicon::saying_verbs);
    const bool negatable = verb.base != "believe";
    add_verb(subject, verb, nullptr, negatable);
    add_word("that", "que");
    add_clause(depth - 1);
}

/// "A sees B and C and D sleep" could be cut in two ways; behind "B and C" no clause goes on
/// with "and", so that it is always "A sees B" and "C and D sleep".
void Derivation::add_conjunction()
{
    const bool behind_coordination = french_.size() == coordination_end_;
    const lexicon::Conjunction& conjunction =
        choose(std::span(lexicon::conjunctions).subspan(behind_coordination ? 1 : 0));
    const EnglishId word = add_word(conjunction.english, conjunction.french);
    if (!conjunction.french_second.empty()) {
        french_.push_back({conjunction.french_second, {word}});
    }
}

SentencePair Derivation::sentence()
{
    constexpr std::array<std::size_t, 5> depths = {0, 0, 1, 1, 2};
    add_clause(depths[random_.below(depths.size())]);
    constexpr int most_further_clauses = 2;
    for (int i = 0; i < most_further_clauses && chance(0.6 * richness_); ++i) {
        add_conjunction();
        add_clause(random_.below(2));
    }
    add_word(".", ".");
    return finished_pair(english_, fit_together(std::move(french_)));
}

Grammar::Grammar(std::uint64_t seed, std::uint64_t stream, double richness)
    : random_(seed, stream), richness_(richness)
{
    expect(richness >= 0.0 && richness <= 1.0,
           "Grammar: richness must lie between 0 and 1, got {}", richness);
}

SentencePair Grammar::sentence()
{
    return Derivation(random_, richness_).sentence();
}

} // namespace attn::text
