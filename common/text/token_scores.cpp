#include "common/text/token_scores.hpp"

#include "common/kernels/elementary.hpp"
#include "common/text/share.hpp"

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

} // namespace attn::text
