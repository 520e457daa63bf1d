/// \file
/// \brief What every head of a language model computes on one text, for the attention explorer.
#pragma once

#include "chapters/13_language_models/language_model.hpp"
#include "common/program/explorer.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace attn::language_models {

/// How a token is shown.
using TokenText = std::function<std::string(TokenId)>;

/// Reads a text and puts down what each layer's attention computes.
/// \param tokens  at most as many as the model has positions
/// \returns       [n_layers], named "layer 1" and so on
std::vector<program::ExploredAttention>
explored(LanguageModel<float> model, std::span<const TokenId> tokens, const TokenText& text);

/// Writes the explorer of a text, of its last tokens if the model has fewer positions.
/// \param title  above it
/// \throws BadInput as write_explorer
void explore(const std::string& file, const std::string& title,
             const LanguageModel<float>& model, std::span<const TokenId> tokens,
             const TokenText& text);

} // namespace attn::language_models
