/// \file
/// \brief The bodies of reasons.hpp.
#include "chapters/08_bahdanau/reasons.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace attn::bahdanau {

std::vector<text::WordId> other_words(const std::vector<text::WordId>& source,
                                      const text::Vocabulary& vocabulary,
                                      random::Generator& generator)
{
    const std::size_t first =
        static_cast<std::size_t>(text::end_id) + (vocabulary.has_unknown() ? 2 : 1);
    expect(vocabulary.size() >= first + 2,
           "other_words: one word has no other, and there are {}", vocabulary.size() - first);
    std::vector<text::WordId> others;
    for (const text::WordId word : source) {
        text::WordId other = word;
        while (other == word) {
            other =
                static_cast<text::WordId>(first + generator.below(vocabulary.size() - first));
        }
        others.push_back(other);
    }
    return others;
}

std::size_t class_of(double weight)
{
    const auto* const above =
        std::upper_bound(weight_bounds.begin(), weight_bounds.end() - 1, weight);
    return static_cast<std::size_t>(above - weight_bounds.begin());
}

namespace {

bool holds(const std::vector<text::Link>& links, const text::Link& link)
{
    return std::find(links.begin(), links.end(), link) != links.end();
}

} // namespace

Reasons intervene(const TranslationModel& model, const TranslationTask& task,
                  const JudgedPart& part, std::uint64_t seed)
{
    constexpr std::uint64_t stream = 83ULL << 40U;
    random::Generator generator(seed, stream);
    Reasons reasons;
    for (std::size_t i = 0; i < part.pairs.size(); ++i) {
        const text::SentencePair& pair = part.pairs[i];
        const std::vector<text::WordId> others =
            other_words(part.numbered[i].source, task.source, generator);
        const Effects effects = effects_of(model, part.numbered[i], others);
        reasons.agreement.add(effects, pair);
        for (std::size_t t = 0; t < pair.target.size(); ++t) {
            for (std::size_t j = 0; j < pair.source.size(); ++j) {
                DropsOfClass& drops = reasons.by_weight[class_of(effects.weights(t, j))];
                if (holds(pair.sure, {j, t})) {
                    drops.linked.push_back(effects.deletion(t, j));
                } else if (!holds(pair.possible, {j, t})) {
                    drops.unlinked.push_back(effects.deletion(t, j));
                }
            }
        }
    }
    return reasons;
}

// ---------------------------------------------------------------- nouns of another gender

namespace {

struct Article
{
    const char* word;
    const char* opposite; // of the other gender
    const char* source;   // le and la are pronouns too, which translate something else
};
constexpr std::array<Article, 4> articles = {
    {{"le", "la", "the"}, {"la", "le", "the"}, {"un", "une", "a"}, {"une", "un", "a"}}};

/// One of the nouns, another one than that given.
text::WordId drawn_noun(const std::set<text::WordId>& nouns, text::WordId not_this,
                        random::Generator& generator)
{
    std::vector<text::WordId> others(nouns.begin(), nouns.end());
    others.erase(std::remove(others.begin(), others.end(), not_this), others.end());
    expect(!others.empty(), "swap_nouns: there is no other noun");
    return others[generator.below(others.size())];
}

/// The source word at the other end of a target word's only link, if there is one.
std::optional<std::size_t> only_link(const std::vector<text::Link>& links, std::size_t target)
{
    std::optional<std::size_t> found;
    for (const text::Link& link : links) {
        if (link.target == target) {
            if (found) {
                return std::nullopt;
            }
            found = link.source;
        }
    }
    return found;
}

/// Where an article and its noun stand in the source.
struct Place
{
    std::size_t own;
    std::size_t noun;
};

/// The places of an article's source words, if a target word is that article.
std::optional<Place> place_of(const Article& article, const text::SentencePair& pair,
                              std::size_t target)
{
    const std::optional<std::size_t> own = only_link(pair.sure, target);
    const std::optional<std::size_t> noun = only_link(pair.possible, target);
    const bool is_it = pair.target[target] == article.word && own && noun &&
                       pair.source[*own] == article.source;
    return is_it ? std::optional(Place{*own, *noun}) : std::nullopt;
}

/// The nouns that stand with each article.
using NounsOf = std::map<std::string, std::set<text::WordId>>;

NounsOf nouns_by_article(const TranslationTask& task)
{
    NounsOf nouns;
    for (std::size_t i = 0; i < task.train.size(); ++i) {
        const text::SentencePair& pair = task.pairs.train[i];
        for (std::size_t t = 0; t < pair.target.size(); ++t) {
            for (const Article& article : articles) {
                if (const auto place = place_of(article, pair, t)) {
                    nouns[article.word].insert(task.train[i].source[place->noun]);
                }
            }
        }
    }
    return nouns;
}

} // namespace

std::vector<SwappedNouns> swap_nouns(const TranslationModel& model, const TranslationTask& task,
                                     const JudgedPart& part, std::uint64_t seed)
{
    constexpr std::uint64_t stream = 86ULL << 40U;
    random::Generator generator(seed, stream);
    const NounsOf nouns = nouns_by_article(task);
    std::vector<SwappedNouns> results;
    for (const Article& article : articles) {
        SwappedNouns result{article.word};
        for (std::size_t i = 0; i < part.pairs.size(); ++i) {
            const text::SentencePair& pair = part.pairs[i];
            for (std::size_t t = 0; t < pair.target.size(); ++t) {
                if (const auto place = place_of(article, pair, t)) {
                    std::vector<text::WordId> others = part.numbered[i].source;
                    const text::WordId noun = others[place->noun];
                    others[place->noun] = drawn_noun(nouns.at(article.word), noun, generator);
                    const Effects same = effects_of(model, part.numbered[i], others);
                    others[place->noun] =
                        drawn_noun(nouns.at(article.opposite), noun, generator);
                    const Effects opposite = effects_of(model, part.numbered[i], others);
                    result.n += 1;
                    result.weight_own += same.weights(t, place->own);
                    result.weight_noun += same.weights(t, place->noun);
                    result.drop_same += same.replacement(t, place->noun);
                    result.drop_opposite += opposite.replacement(t, place->noun);
                }
            }
        }
        for (double* const sum : {&result.weight_own, &result.weight_noun, &result.drop_same,
                                  &result.drop_opposite}) {
            *sum /= std::max(1.0, static_cast<double>(result.n));
        }
        results.push_back(result);
    }
    return results;
}

} // namespace attn::bahdanau
