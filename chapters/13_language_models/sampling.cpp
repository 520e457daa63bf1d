#include "chapters/13_language_models/sampling.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"
#include "common/tensor/finite.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn::language_models {

namespace {

void check(std::span<const float> scores, const Sampling& sampling)
{
    expect(std::isfinite(sampling.temperature) && sampling.temperature >= 0,
           "sampling: the temperature must be finite and not below 0, got {}",
           sampling.temperature);
    expect(sampling.top_k.value_or(1) >= 1, "sampling: top-k must be at least 1, got 0");
    expect(sampling.top_p > 0 && sampling.top_p <= 1,
           "sampling: top-p must be above 0 and at most 1, got {}", sampling.top_p);
    expect(
        !scores.empty() &&
            std::none_of(scores.begin(), scores.end(), [](float s) { return std::isnan(s); }) &&
            std::isfinite(*std::max_element(scores.begin(), scores.end())),
        "sampling: there must be scores, none of them nan and the largest finite");
}

/// The tokens by falling score, of equal ones the lower number first.
std::vector<std::size_t> by_score(std::span<const float> scores)
{
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [scores](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    return order;
}

} // namespace

// [sampling]
Vector next_probabilities(std::span<const float> scores, const Sampling& sampling)
{
    check(scores, sampling);
    Vector p = xt::zeros<double>({scores.size()});
    if (sampling.temperature == 0) {
        p(std::max_element(scores.begin(), scores.end()) - scores.begin()) = 1;
        return p;
    }
    const std::vector<std::size_t> order = by_score(scores);
    const std::size_t k = std::min(sampling.top_k.value_or(order.size()), order.size());
    const auto score = [&](std::size_t i) { return static_cast<double>(scores[order[i]]); };
    double sum = 0;
    for (std::size_t i = 0; i < k; ++i) {
        p(order[i]) = elementary::exp((score(i) - score(0)) / sampling.temperature);
        sum += p(order[i]);
    }
    double kept = 0; // the nucleus: the fewest tokens with top_p of that sum
    for (std::size_t i = 0; i < k; ++i) {
        if (i > 0 && kept >= sampling.top_p * sum) {
            p(order[i]) = 0;
        }
        kept += p(order[i]);
    }
    return p / kept;
}
// [sampling]

TokenId token_at(const Vector& probabilities, double u)
{
    expect(u >= 0 && u < 1, "token_at: u must be from 0 to below 1, got {}", u);
    double below = 0;
    std::size_t last = 0;
    for (std::size_t token = 0; token < probabilities.size(); ++token) {
        if (probabilities(token) > 0) {
            last = token;
            below += probabilities(token);
            if (u < below) {
                break;
            }
        }
    }
    return static_cast<TokenId>(last); // the last one if rounding left the sum below u
}

std::vector<TokenId> continue_text(const LanguageModel<float>& model,
                                   std::span<const TokenId> beginning, std::size_t n_tokens,
                                   const Sampling& sampling, random::Generator& generator,
                                   const std::function<bool(TokenId)>& written)
{
    const std::size_t n_positions = model.options().n_positions;
    expect(beginning.size() + n_tokens <= n_positions,
           "a text of {} tokens and {} more is longer than the model's {} positions",
           beginning.size(), n_tokens, n_positions);
    std::vector<TokenId> tokens;
    TextState<float> state;
    Array<float> scores;
    while (tokens.size() < n_tokens) {
        scores =
            tokens.empty() ? model.read(beginning, state) : model.step(tokens.back(), state);
        const std::span<const float> all(scores.data(), scores.size());
        expect_finite_scores(all, all.size()); // no model masks a token
        const Vector p = next_probabilities(all, sampling);
        tokens.push_back(token_at(p, sampling.temperature == 0 ? 0 : generator.uniform()));
        if (written && !written(tokens.back())) {
            break;
        }
    }
    return tokens;
}

} // namespace attn::language_models
