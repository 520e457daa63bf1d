/// \file
/// \brief An attention for the explorer, with numbers that are drawn.
#pragma once

#include "common/kernels/elementary.hpp"
#include "common/program/explorer.hpp"

#include <cmath>
#include <cstdint>
#include <string>

namespace attn::testing {

/// Causal attention with queries and keys drawn from -2 to 2, and their weights.
/// \param n      words
/// \param width  numbers of a query in each head
inline program::ExploredAttention drawn_attention(std::size_t n_heads, std::size_t n,
                                                  std::size_t width, std::uint64_t seed)
{
    program::ExploredAttention one{.name = "layer " + std::to_string(seed), .causal = true};
    for (std::size_t i = 0; i < n; ++i) {
        one.query_words.push_back("word" + std::to_string(i + 1));
    }
    one.key_words = one.query_words;
    const auto drawn = [&] { // a linear congruential generator
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        return static_cast<float>(seed >> 40U) / static_cast<float>(1U << 22U) - 2.0F;
    };
    one.queries = one.keys = Array<float>::from_shape({1, n, n_heads * width});
    for (Array<float>* rows : {&one.queries, &one.keys}) {
        for (float& number : *rows) {
            number = drawn();
        }
    }
    one.weights = Array<float>::from_shape({1, n_heads, n, n});
    one.weights.fill(0.0F);
    for (std::size_t h = 0; h < n_heads; ++h) {
        for (std::size_t i = 0; i < n; ++i) {
            double total = 0;
            std::vector<double> powers;
            for (std::size_t j = 0; j <= i; ++j) {
                double score = 0;
                for (std::size_t d = h * width; d < (h + 1) * width; ++d) {
                    score += static_cast<double>(one.queries(0, i, d)) *
                             static_cast<double>(one.keys(0, j, d));
                }
                powers.push_back(
                    elementary::exp(score / std::sqrt(static_cast<double>(width))));
                total += powers.back();
            }
            for (std::size_t j = 0; j <= i; ++j) {
                one.weights(0, h, i, j) = static_cast<float>(powers[j] / total);
            }
        }
    }
    return one;
}

} // namespace attn::testing
