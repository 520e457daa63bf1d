#include "common/text/trivial_aligners.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>

namespace attn::text {

namespace {

AlignmentCounts oracle_counts(const SentencePair& pair)
{
    return alignment_counts(oracle_links(pair), pair);
}

AlignmentCounts diagonal_counts(const SentencePair& pair)
{
    return alignment_counts(diagonal_links(pair.source.size(), pair.target.size()), pair);
}

} // namespace

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
        {"oracle", oracle_counts},
        {"diagonal", diagonal_counts},
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
