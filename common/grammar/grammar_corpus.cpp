#include "common/grammar/grammar_corpus.hpp"

#include "common/grammar/grammar.hpp"
#include "common/tensor/check.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace attn::text {

namespace {

/// How much of something there is for every source length.
template <typename Value>
using ByLength = std::array<Value, longest_source + 1>;

using Lengths = ByLength<std::size_t>;

constexpr std::array richnesses = {0.1, 0.3, 0.5, 0.8, 1.0};
constexpr std::uint64_t n_grammars = richnesses.size();

/// Source sentences that are taken. Only asked for membership: their order decides nothing.
using Taken = std::unordered_set<std::string>;

ByLength<double> train_weights(std::size_t longest)
{
    ByLength<double> weights = {};
    for (std::size_t length = shortest_source + 1; length <= longest; ++length) {
        weights[length] = length <= 10 ? 1.0 : length <= 20 ? 0.7 : 0.35;
    }
    return weights;
}

/// Even, but for the shortest: there are only 36 sentences of 3 words.
ByLength<double> evaluation_weights(std::size_t longest)
{
    ByLength<double> weights = {};
    weights[shortest_source] = 6.0 / 52.0;
    for (std::size_t length = shortest_source + 1; length <= longest; ++length) {
        weights[length] = 1.0;
    }
    return weights;
}

/// How many pairs of every length, n altogether: the sums up to every length are rounded, so
/// that no rounding adds up.
Lengths quotas(std::size_t n, const ByLength<double>& weights)
{
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    Lengths wanted = {};
    double weight = 0.0;
    std::size_t n_before = 0;
    for (std::size_t length = 0; length < wanted.size(); ++length) {
        weight += weights[length];
        const auto n_up_to =
            static_cast<std::size_t>(std::llround(static_cast<double>(n) * weight / total));
        wanted[length] = n_up_to - n_before;
        n_before = n_up_to;
    }
    return wanted;
}

/// Draws until every length has its number of pairs, or nothing wanted comes any more.
std::vector<SentencePair> draw_pairs(std::uint64_t seed, std::uint64_t split, Lengths wanted,
                                     Taken& taken)
{
    std::vector<Grammar> grammars;
    for (std::uint64_t i = 0; i < n_grammars; ++i) {
        grammars.emplace_back(seed, split * n_grammars + i, richnesses[i]);
    }
    std::vector<SentencePair> pairs;
    std::size_t n_missing = std::accumulate(wanted.begin(), wanted.end(), std::size_t{0});
    pairs.reserve(n_missing);
    constexpr std::size_t most_rejected = 2000; // one after the other
    std::size_t n_rejected = 0;
    for (std::size_t i = 0; n_missing > 0 && n_rejected < most_rejected; ++i) {
        SentencePair pair = grammars[i % n_grammars].sentence();
        const std::size_t length = pair.source.size();
        ++n_rejected;
        if (length <= longest_source && wanted[length] > 0 &&
            pair.target.size() <= longest_target && taken.insert(text_of(pair.source)).second) {
            --wanted[length];
            --n_missing;
            n_rejected = 0;
            pairs.push_back(std::move(pair));
        }
    }
    return pairs;
}

void expect_length(std::size_t longest, std::string_view name)
{
    expect(longest > shortest_source && longest <= longest_source,
           "grammar_corpus: {} must lie between {} and {}, got {}", name, shortest_source + 1,
           longest_source, longest);
}

} // namespace

CorpusParts grammar_corpus(std::uint64_t seed, const CorpusSizes& sizes)
{
    expect_length(sizes.longest_train, "longest_train");
    expect_length(sizes.longest_evaluation, "longest_evaluation");
    const ByLength<double> even = evaluation_weights(sizes.longest_evaluation);
    CorpusParts corpus;
    Taken taken;
    corpus.test = draw_pairs(seed, 0, quotas(sizes.test, even), taken);
    corpus.validation = draw_pairs(seed, 1, quotas(sizes.validation, even), taken);
    const ByLength<double> weights = train_weights(sizes.longest_train);
    corpus.train = draw_pairs(seed, 2, quotas(sizes.train, weights), taken);
    return corpus;
}

} // namespace attn::text
