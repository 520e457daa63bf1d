#include "chapters/13_language_models/masked_words/masked_words.hpp"

#include "common/autograd/embedding.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/softmax.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <utility>

namespace attn::language_models {

TokenBatch side_by_side(std::span<const std::vector<TokenId>> texts)
{
    expect(!texts.empty() && std::none_of(texts.begin(), texts.end(),
                                          [](const auto& text) { return text.empty(); }),
           "side_by_side: there must be texts, none of them empty");
    TokenBatch batch{.n_texts = texts.size()};
    for (const std::vector<TokenId>& text : texts) {
        batch.lengths.push_back(text.size());
    }
    const std::size_t n = *std::max_element(batch.lengths.begin(), batch.lengths.end());
    batch.answers.assign(texts.size() * n, not_asked);
    for (const std::vector<TokenId>& text : texts) {
        batch.tokens.insert(batch.tokens.end(), text.begin(), text.end());
        batch.tokens.resize((batch.tokens.size() + n - 1) / n * n, TokenId{0});
    }
    return batch;
}

TokenBatch mask_tokens(TokenBatch batch, const Masking& masking, random::Generator& generator)
{
    expect(masking.share >= 0 && masking.share <= 1 && masking.share_mask >= 0 &&
               masking.share_random >= 0 && masking.share_mask + masking.share_random <= 1,
           "mask_tokens: {} of the tokens, of these {} and {} are no shares", masking.share,
           masking.share_mask, masking.share_random);
    expect(masking.first_random >= 0 && masking.first_random < masking.mask,
           "mask_tokens: there is no token from {} to below the mask symbol {}",
           masking.first_random, masking.mask);
    const std::size_t n = batch.tokens.size() / batch.n_texts;
    batch.answers.assign(batch.tokens.size(), not_asked);
    // [mask_tokens]
    for (std::size_t at = 0; at < batch.tokens.size(); ++at) {
        const bool padding = !batch.lengths.empty() && at % n >= batch.lengths[at / n];
        if (padding || generator.uniform() >= masking.share) {
            continue;
        }
        batch.answers[at] = batch.tokens[at];
        const double u = generator.uniform();
        if (u < masking.share_mask) {
            batch.tokens[at] = masking.mask;
        } else if (u < masking.share_mask + masking.share_random) {
            const auto n_random =
                static_cast<std::uint64_t>(masking.mask - masking.first_random);
            batch.tokens[at] =
                masking.first_random + static_cast<TokenId>(generator.below(n_random));
        }
    }
    // [mask_tokens]
    return batch;
}

std::vector<std::size_t> gaps_of(const TokenBatch& batch, TokenId mask)
{
    std::vector<std::size_t> gaps;
    for (std::size_t at = 0; at < batch.tokens.size(); ++at) {
        if (batch.tokens[at] == mask) {
            gaps.push_back(at);
        }
    }
    return gaps;
}

namespace {

/// The scores of every token at some places [n_places, n_tokens].
Variable<float> logits_at(const LanguageModel<float>& model, const TokenBatch& batch,
                          std::span<const std::size_t> places)
{
    const std::vector<TokenId> chosen(places.begin(), places.end());
    const Variable<float> rows =
        reshape(model.rows(batch), {batch.tokens.size(), model.options().layer.d_model});
    return model.logits(autograd::gather_rows(rows, chosen, {chosen.size()}));
}

std::vector<std::size_t> gaps_to_fill(const LanguageModel<float>& model,
                                      const TokenBatch& batch, TokenId mask)
{
    std::vector<std::size_t> gaps = gaps_of(batch, mask);
    expect(!model.options().causal, "gaps are filled by a model that attends both ways");
    expect(!gaps.empty(), "there must be a gap");
    return gaps;
}

} // namespace

Array<float> probabilities_at(const LanguageModel<float>& model, const TokenBatch& batch,
                              std::span<const std::size_t> places)
{
    const autograd::NoGradient<float> forwards;
    return softmax(logits_at(model, batch, places)).value();
}

Array<float> fill_probabilities(const LanguageModel<float>& model, const TokenBatch& batch,
                                TokenId mask)
{
    return probabilities_at(model, batch, gaps_to_fill(model, batch, mask));
}

std::vector<TokenId> fill_gaps(const LanguageModel<float>& model, std::vector<TokenId> text,
                               TokenId mask, FillOrder order, const Sampling& sampling,
                               random::Generator& generator)
{
    const autograd::NoGradient<float> forwards;
    const std::size_t n_tokens = model.options().n_tokens;
    const auto n_words = static_cast<std::size_t>(mask); // it is never drawn itself
    // [fill]
    for (bool done = false; !done;) {
        const TokenBatch batch{.n_texts = 1, .tokens = text};
        const std::vector<std::size_t> gaps = gaps_to_fill(model, batch, mask);
        const Array<float> scores = logits_at(model, batch, gaps).value();
        const std::size_t n_filled = order == FillOrder::at_once ? gaps.size() : 1;
        for (std::size_t i = 0; i < n_filled; ++i) {
            const Vector p =
                next_probabilities({scores.data() + i * n_tokens, n_words}, sampling);
            text[gaps[i]] = token_at(p, sampling.temperature == 0 ? 0 : generator.uniform());
        }
        done = n_filled == gaps.size();
    }
    // [fill]
    return text;
}

} // namespace attn::language_models
