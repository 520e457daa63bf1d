#include "common/text/translation_scores.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"
#include "common/text/share.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace attn::text {

TokenScores& TokenScores::operator+=(const TokenScores& other)
{
    n_tokens += other.n_tokens;
    n_right += other.n_right;
    log_probability += other.log_probability;
    return *this;
}

double TokenScores::accuracy() const
{
    return share_of(static_cast<double>(n_right), static_cast<double>(n_tokens));
}

double TokenScores::cross_entropy() const
{
    return share_of(-log_probability, static_cast<double>(n_tokens));
}

double TokenScores::perplexity() const
{
    return elementary::exp(cross_entropy());
}

std::string LengthBucket::name() const
{
    return fmt::format("{}-{}", shortest, longest);
}

std::vector<LengthBucket> length_buckets(std::size_t shortest, std::size_t width,
                                         std::size_t longest)
{
    expect(width >= 1, "length_buckets: the width must be at least 1, got 0");
    expect(shortest <= longest, "length_buckets: there is no length from {} to {}", shortest,
           longest);
    std::vector<LengthBucket> buckets;
    for (std::size_t first = shortest; first <= longest; first += width) {
        buckets.push_back({first, std::min(first + width - 1, longest)});
    }
    return buckets;
}

void TranslationCounts::add(const EvaluatedTranslation& translation)
{
    ++n_sentences;
    n_exact += translation.hypothesis == translation.reference ? 1U : 0U;
    tokens += translation.tokens;
    runs += bleu_counts(translation.hypothesis, {translation.reference});
}

double TranslationCounts::exact_match() const
{
    return share_of(static_cast<double>(n_exact), static_cast<double>(n_sentences));
}

double TranslationCounts::bleu() const
{
    return n_sentences == 0 ? share_of(0, 0) : bleu_of(runs).value;
}

CountsByLength counts_by_length(const std::vector<EvaluatedTranslation>& translations,
                                const std::vector<LengthBucket>& buckets)
{
    CountsByLength by_length;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        expect(buckets[i].shortest <= buckets[i].longest,
               "counts_by_length: there is no length from {} to {}", buckets[i].shortest,
               buckets[i].longest);
        expect(i == 0 || buckets[i - 1].longest < buckets[i].shortest,
               "counts_by_length: bucket {} must lie above bucket {}", buckets[i].name(),
               buckets[i == 0 ? 0 : i - 1].name());
        by_length.buckets.push_back({buckets[i], {}});
    }
    for (const EvaluatedTranslation& translation : translations) {
        by_length.all.add(translation);
        for (BucketCounts& bucket : by_length.buckets) {
            if (bucket.bucket.holds(translation.source_length)) {
                bucket.counts.add(translation);
            }
        }
    }
    return by_length;
}

} // namespace attn::text
