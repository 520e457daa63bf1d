#include "chapters/13_language_models/exercises/solutions.hpp"

#include "common/tensor/check.hpp"

#include <numbers>
#include <numeric>

namespace attn::language_models::solutions {

std::size_t numbers_in_gpt2(std::size_t n_layers, std::size_t d, std::size_t n_tokens,
                            std::size_t n_positions)
{
    const std::size_t layer = 4 * (d * d + d)     // four projections and their biases
                              + 8 * d * d + 5 * d // two dense layers, 4 d between them
                              + 4 * d;            // two norms
    return n_tokens * d + n_positions * d + n_layers * layer + 2 * d;
}

double tokens_a_second(double weights, double position, std::size_t n_before, double bandwidth)
{
    const double read = weights + position * static_cast<double>(n_before);
    expect(bandwidth > 0 && read > 0,
           "tokens_a_second: bytes and bandwidth must be above 0, got {} and {}", read,
           bandwidth);
    return bandwidth / read;
}

double bits_per_character(double loss, double characters)
{
    expect(characters > 0, "bits_per_character: a token must have characters, got {}",
           characters);
    return loss / characters / std::numbers::ln2;
}

std::size_t causal_answers(std::size_t n_texts, std::size_t n_words)
{
    return n_texts * (n_words + 1);
}

double masked_answers(std::size_t n_texts, std::size_t n_words, double share)
{
    return share * static_cast<double>(n_texts * n_words);
}

double agreeing_at_once(std::span<const double> p)
{
    return std::inner_product(p.begin(), p.end(), p.begin(), 0.0);
}

} // namespace attn::language_models::solutions
