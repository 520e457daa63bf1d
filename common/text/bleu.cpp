#include "common/text/bleu.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace attn::text {

namespace {

/// Runs of words and how often each occurs.
using RunCounts = std::map<std::vector<std::string_view>, std::size_t>;

std::size_t n_runs(const Words& words, std::size_t n)
{
    return words.size() < n ? 0 : words.size() - n + 1;
}

RunCounts count_runs(const Words& words, std::size_t n)
{
    RunCounts counts;
    for (std::size_t first = 0; first < n_runs(words, n); ++first) {
        const auto begin = words.begin() + static_cast<std::ptrdiff_t>(first);
        ++counts[std::vector<std::string_view>(begin, begin + static_cast<std::ptrdiff_t>(n))];
    }
    return counts;
}

/// How often runs of n words of the hypothesis stand in a reference, clipped.
std::size_t n_clipped_matches(const Words& hypothesis, const std::vector<Words>& references,
                              std::size_t n)
{
    RunCounts most; // in one reference
    for (const Words& reference : references) {
        for (const auto& [run, count] : count_runs(reference, n)) {
            std::size_t& so_far = most[run];
            so_far = std::max(so_far, count);
        }
    }
    std::size_t matches = 0;
    for (const auto& [run, count] : count_runs(hypothesis, n)) {
        const auto found = most.find(run);
        matches += found == most.end() ? 0 : std::min(count, found->second);
    }
    return matches;
}

std::size_t closest_length(std::size_t length, const std::vector<Words>& references)
{
    const auto distance = [length](std::size_t other) {
        return other < length ? length - other : other - length;
    };
    std::size_t closest = references[0].size();
    for (const Words& reference : references) {
        const std::size_t other = reference.size();
        if (distance(other) < distance(closest) ||
            (distance(other) == distance(closest) && other < closest)) {
            closest = other;
        }
    }
    return closest;
}

/// The factor for translations that are too short.
double brevity_penalty_for(std::size_t hypothesis_length, std::size_t reference_length)
{
    if (hypothesis_length >= reference_length) {
        return 1;
    }
    return elementary::exp(1 - static_cast<double>(reference_length) /
                                   static_cast<double>(hypothesis_length));
}

} // namespace

BleuCounts::BleuCounts(std::size_t max_n) : matches(max_n), totals(max_n)
{
    expect(max_n >= 1, "bleu: runs of words must have at least 1 word, got max_n = 0");
}

BleuCounts& BleuCounts::operator+=(const BleuCounts& other)
{
    expect(matches.size() == other.matches.size(),
           "bleu: counts of runs up to {} words cannot be added to those up to {}",
           other.matches.size(), matches.size());
    for (std::size_t i = 0; i < matches.size(); ++i) {
        matches[i] += other.matches[i];
        totals[i] += other.totals[i];
    }
    hypothesis_length += other.hypothesis_length;
    reference_length += other.reference_length;
    return *this;
}

BleuCounts bleu_counts(const Words& hypothesis, const std::vector<Words>& references,
                       std::size_t max_n)
{
    expect(!references.empty(), "bleu: a sentence needs at least one reference, got none");
    BleuCounts counts(max_n);
    for (std::size_t n = 1; n <= max_n; ++n) {
        counts.matches[n - 1] = n_clipped_matches(hypothesis, references, n);
        counts.totals[n - 1] = n_runs(hypothesis, n);
    }
    counts.hypothesis_length = hypothesis.size();
    counts.reference_length = closest_length(hypothesis.size(), references);
    return counts;
}

Bleu bleu_of(const BleuCounts& counts)
{
    Bleu bleu{{},
              brevity_penalty_for(counts.hypothesis_length, counts.reference_length),
              counts.hypothesis_length,
              counts.reference_length,
              0};
    double sum_of_logs = 0; // minus infinity as soon as one precision is 0
    for (std::size_t i = 0; i < counts.totals.size(); ++i) {
        const double precision = counts.totals[i] == 0
                                     ? 0.0
                                     : static_cast<double>(counts.matches[i]) /
                                           static_cast<double>(counts.totals[i]);
        bleu.precisions.push_back(precision);
        sum_of_logs += elementary::log(precision);
    }
    bleu.value = bleu.brevity_penalty *
                 elementary::exp(sum_of_logs / static_cast<double>(counts.totals.size()));
    return bleu;
}

} // namespace attn::text
