#include "chapters/13_language_models/experiments/experiments.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace attn::language_models {

std::vector<program::ExploredAttention>
explored(LanguageModel<float> model, std::span<const TokenId> tokens, const TokenText& text)
{
    const autograd::NoGradient<float> forwards;
    std::vector<program::ExploredAttention> attentions;
    for (EncoderLayer<float>& layer : model.layers()) { // copies of the caller's
        layer.self.attend = program::recording(layer.self.attend, attentions);
    }
    model.rows({.n_texts = 1, .tokens = {tokens.begin(), tokens.end()}});
    std::vector<std::string> words;
    std::transform(tokens.begin(), tokens.end(), std::back_inserter(words), text);
    for (std::size_t i = 0; i < attentions.size(); ++i) {
        attentions[i].name = fmt::format("layer {}", i + 1);
        attentions[i].query_words = attentions[i].key_words = words;
    }
    return attentions;
}

void explore(const std::string& file, const std::string& title,
             const LanguageModel<float>& model, std::span<const TokenId> tokens,
             const TokenText& text)
{
    const std::size_t n = std::min(tokens.size(), model.options().n_positions);
    program::write_explorer(file, title, explored(model, tokens.last(n), text));
}

} // namespace attn::language_models
