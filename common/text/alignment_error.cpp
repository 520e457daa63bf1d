#include "common/text/alignment_error.hpp"

#include "common/tensor/check.hpp"
#include "common/text/share.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string_view>

namespace attn::text {

namespace {

/// Links in order; refuses those that occur twice or lie outside of the sentences.
std::vector<Link> sorted_links(std::vector<Link> links, const SentencePair& pair,
                               std::string_view which)
{
    std::sort(links.begin(), links.end());
    for (std::size_t i = 0; i < links.size(); ++i) {
        expect(links[i].source < pair.source.size() && links[i].target < pair.target.size(),
               "alignment: the {} link {}-{} lies outside of sentences of {} and {} words",
               which, links[i].source, links[i].target, pair.source.size(), pair.target.size());
        expect(i == 0 || links[i] != links[i - 1], "alignment: the {} link {}-{} occurs twice",
               which, links[i].source, links[i].target);
    }
    return links;
}

/// S, and S or P, both in order.
struct RightLinks
{
    std::vector<Link> sure;
    std::vector<Link> sure_or_possible;
};

RightLinks right_links(const SentencePair& pair)
{
    const std::vector<Link> possible = sorted_links(pair.possible, pair, "possible");
    RightLinks right{sorted_links(pair.sure, pair, "sure"), {}};
    std::merge(right.sure.begin(), right.sure.end(), possible.begin(), possible.end(),
               std::back_inserter(right.sure_or_possible));
    const auto both =
        std::adjacent_find(right.sure_or_possible.begin(), right.sure_or_possible.end());
    expect(both == right.sure_or_possible.end(),
           "alignment: a link of sentences of {} and {} words is both sure and possible",
           pair.source.size(), pair.target.size());
    return right;
}

double n_common(const std::vector<Link>& a, const std::vector<Link>& b)
{
    std::vector<Link> common;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
    return static_cast<double>(common.size());
}

void expect_attention_weights(const AttentionWeights& weights)
{
    for (std::size_t target = 0; target < weights.size(); ++target) {
        const std::vector<double>& row = weights[target];
        expect(
            !row.empty() && row.size() == weights[0].size(),
            "alignment: each row of weights must have {} entries, at least 1, but row {} has "
            "{}",
            weights[0].size(), target, row.size());
        for (const double weight : row) {
            expect(weight >= 0 && std::isfinite(weight),
                   "alignment: a weight must be finite and not below 0, got {} in row {}",
                   weight, target);
        }
    }
}

double weight_on(const AttentionWeights& weights, const std::vector<Link>& links)
{
    double sum = 0;
    for (const Link& link : links) {
        sum += weights[link.target][link.source];
    }
    return sum;
}

} // namespace

AlignmentCounts& AlignmentCounts::operator+=(const AlignmentCounts& other)
{
    n_links += other.n_links;
    n_sure += other.n_sure;
    n_in_sure += other.n_in_sure;
    n_in_sure_or_possible += other.n_in_sure_or_possible;
    return *this;
}

double AlignmentCounts::error() const
{
    return 1 - share_of(n_in_sure + n_in_sure_or_possible, n_links + n_sure);
}

double AlignmentCounts::precision() const
{
    return share_of(n_in_sure_or_possible, n_links);
}

double AlignmentCounts::share_in_sure() const
{
    return share_of(n_in_sure, n_links);
}

AlignmentCounts alignment_counts(const std::vector<Link>& links, const SentencePair& pair)
{
    const std::vector<Link> proposed = sorted_links(links, pair, "proposed");
    const RightLinks right = right_links(pair);
    return {static_cast<double>(proposed.size()), static_cast<double>(right.sure.size()),
            n_common(proposed, right.sure), n_common(proposed, right.sure_or_possible)};
}

std::vector<Link> links_of(const AttentionWeights& weights)
{
    expect_attention_weights(weights);
    std::vector<Link> links; // [n_target]
    for (std::size_t target = 0; target < weights.size(); ++target) {
        const std::vector<double>& row = weights[target];
        const auto largest = std::max_element(row.begin(), row.end()); // the first of several
        links.push_back({static_cast<std::size_t>(largest - row.begin()), target});
    }
    return links;
}

AttentionMass& AttentionMass::operator+=(const AttentionMass& other)
{
    on_sure += other.on_sure;
    on_sure_or_possible += other.on_sure_or_possible;
    n_target += other.n_target;
    return *this;
}

double AttentionMass::share_on_sure() const
{
    return share_of(on_sure, static_cast<double>(n_target));
}

double AttentionMass::share_on_sure_or_possible() const
{
    return share_of(on_sure_or_possible, static_cast<double>(n_target));
}

AttentionMass attention_mass(const AttentionWeights& weights, const SentencePair& pair)
{
    constexpr double rounding = 1e-4; // of a sum of weights in single precision
    expect_attention_weights(weights);
    expect(weights.size() == pair.target.size(),
           "attention_mass: {} target words need as many rows of weights, got {}",
           pair.target.size(), weights.size());
    for (const std::vector<double>& row : weights) {
        expect(row.size() == pair.source.size(),
               "attention_mass: {} source words need as many weights in a row, got {}",
               pair.source.size(), row.size());
        const double sum = std::accumulate(row.begin(), row.end(), 0.0);
        expect(sum <= 1 + rounding, "attention_mass: a row of weights sums to {}", sum);
    }
    const RightLinks right = right_links(pair);
    return {weight_on(weights, right.sure), weight_on(weights, right.sure_or_possible),
            weights.size()};
}

AttentionMass attention_mass(const std::vector<AttentionWeights>& weights,
                             const std::vector<SentencePair>& pairs)
{
    expect(weights.size() == pairs.size(),
           "attention_mass: {} sentence pairs need as many tables of weights, got {}",
           pairs.size(), weights.size());
    AttentionMass mass;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        mass += attention_mass(weights[i], pairs[i]);
    }
    return mass;
}

std::vector<Link> oracle_links(const SentencePair& pair)
{
    std::vector<Link> links = pair.sure;
    std::sort(links.begin(), links.end(), [](const Link& a, const Link& b) {
        return a.target != b.target ? a.target < b.target : a.source < b.source;
    });
    const auto same_target = [](const Link& a, const Link& b) { return a.target == b.target; };
    links.erase(std::unique(links.begin(), links.end(), same_target), links.end());
    return links;
}

std::vector<Link> diagonal_links(std::size_t n_source, std::size_t n_target)
{
    expect(n_source > 0 || n_target == 0,
           "diagonal_links: {} target words cannot be linked to 0 source words", n_target);
    std::vector<Link> links; // [n_target]
    const std::size_t steps = n_target > 1 ? n_target - 1 : 1;
    for (std::size_t target = 0; target < n_target; ++target) {
        links.push_back({(2 * target * (n_source - 1) + steps) / (2 * steps), target});
    }
    return links;
}

AlignmentCounts expected_uniform_counts(const SentencePair& pair)
{
    expect(!pair.source.empty() || pair.target.empty(),
           "expected_uniform_counts: {} target words cannot be linked to 0 source words",
           pair.target.size());
    // All links at once count each right link once; a random one finds it once in n_source
    // times.
    std::vector<Link> all;
    for (std::size_t source = 0; source < pair.source.size(); ++source) {
        for (std::size_t target = 0; target < pair.target.size(); ++target) {
            all.push_back({source, target});
        }
    }
    AlignmentCounts counts = alignment_counts(all, pair);
    const double n_source = std::max(1.0, static_cast<double>(pair.source.size()));
    counts.n_links /= n_source;
    counts.n_in_sure /= n_source;
    counts.n_in_sure_or_possible /= n_source;
    return counts;
}

const std::vector<TrivialAligner>& trivial_aligners()
{
    static const std::vector<TrivialAligner> table = {
        {"oracle",
         [](const SentencePair& pair) { return alignment_counts(oracle_links(pair), pair); }},
        {"diagonal",
         [](const SentencePair& pair) {
             return alignment_counts(diagonal_links(pair.source.size(), pair.target.size()),
                                     pair);
         }},
        {"uniform", expected_uniform_counts},
    };
    return table;
}

AlignmentCounts alignment_counts(const TrivialAligner& aligner,
                                 const std::vector<SentencePair>& pairs)
{
    AlignmentCounts counts;
    for (const SentencePair& pair : pairs) {
        counts += aligner.counts(pair);
    }
    return counts;
}

} // namespace attn::text
