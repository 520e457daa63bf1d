/// \file
/// \brief The bodies of comparison.hpp.
#include "chapters/08_bahdanau/comparison.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace attn::bahdanau {

JudgedPart every_nth(const std::vector<text::SentencePair>& pairs,
                     const std::vector<text::NumberedPair>& numbered, std::size_t every)
{
    expect(every >= 1 && pairs.size() == numbered.size(),
           "every_nth: each {}th of {} pairs in words and {} in numbers", every, pairs.size(),
           numbered.size());
    JudgedPart part;
    for (std::size_t i = 0; i < pairs.size(); i += every) {
        part.pairs.push_back(pairs[i]);
        part.numbered.push_back(numbered[i]);
    }
    return part;
}

JudgedPart first_of_lengths(const std::vector<text::SentencePair>& pairs,
                            const std::vector<text::NumberedPair>& numbered,
                            const std::vector<std::size_t>& lengths)
{
    expect(pairs.size() == numbered.size(),
           "first_of_lengths: {} pairs in words and {} in numbers", pairs.size(),
           numbered.size());
    JudgedPart part;
    for (const std::size_t length : lengths) {
        const auto found =
            std::find_if(pairs.begin(), pairs.end(), [&](const text::SentencePair& pair) {
                return pair.source.size() == length;
            });
        if (found != pairs.end()) {
            part.pairs.push_back(*found);
            part.numbered.push_back(numbered[static_cast<std::size_t>(found - pairs.begin())]);
        }
    }
    return part;
}

Trial try_kind(const AlignmentKind& kind, const TranslationTask& task, const JudgedPart& part,
               const LearningOptions& options)
{
    Learnt learnt = learn(kind, task, options);
    Judgement judgement = judge(learnt.translator, task, part.pairs, part.numbered);
    return {&kind, options.seed, std::move(learnt), std::move(judgement)};
}

Measures measures_of(const Judgement& judgement, const std::vector<text::SentencePair>& pairs,
                     bool attends)
{
    const text::TranslationCounts all = counts_by_length(judgement.translations).all;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    Measures measures{all.token_accuracy(), all.exact_match(), all.bleu(), none, none, none};
    if (attends) {
        measures.alignment_error = alignment_of(judgement, pairs).error();
        const text::AttentionMass mass = attention_mass(judgement.weights, pairs);
        measures.on_sure = mass.share_on_sure();
        measures.on_sure_or_possible = mass.share_on_sure_or_possible();
    }
    return measures;
}

LooksOfWord looks_of(const Judgement& judgement, const std::vector<text::SentencePair>& pairs,
                     const std::string& word)
{
    LooksOfWord looks;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto is_it = [&](std::size_t target) { return pairs[i].target[target] == word; };
        for (std::size_t t = 0; t < pairs[i].target.size(); ++t) {
            looks.n += is_it(t) ? 1U : 0U;
        }
        for (const text::Link& link : pairs[i].sure) {
            looks.sure +=
                is_it(link.target) ? judgement.weights[i][link.target][link.source] : 0.0;
        }
        for (const text::Link& link : pairs[i].possible) {
            looks.possible +=
                is_it(link.target) ? judgement.weights[i][link.target][link.source] : 0.0;
        }
    }
    return looks;
}

namespace {

/// Whether two neighbours of the source stand the other way round in the target, as an adjective
/// and its noun do.
bool has_neighbours_that_cross(const text::SentencePair& pair)
{
    const auto sure = [&](std::size_t source, std::size_t target) {
        return std::find(pair.sure.begin(), pair.sure.end(), text::Link{source, target}) !=
               pair.sure.end();
    };
    for (std::size_t i = 0; i + 1 < pair.source.size(); ++i) {
        for (std::size_t j = 0; j + 1 < pair.target.size(); ++j) {
            if (sure(i, j + 1) && sure(i + 1, j) && pair.source[i] != "'s" &&
                pair.source[i + 1] != "'s") {
                return true;
            }
        }
    }
    return false;
}

} // namespace

std::size_t telling_sentence(std::span<const text::SentencePair> pairs)
{
    const auto found =
        std::find_if(pairs.begin(), pairs.end(), [](const text::SentencePair& pair) {
            const std::size_t n = pair.source.size();
            const text::Words& words = pair.source;
            return n >= 8 && n <= 11 && !pair.possible.empty() &&
                   std::find(words.begin(), words.end(), "'s") != words.end() &&
                   has_neighbours_that_cross(pair);
        });
    expect(found != pairs.end(), "telling_sentence: none of {} sentences is like that",
           pairs.size());
    return static_cast<std::size_t>(found - pairs.begin());
}

} // namespace attn::bahdanau
