/// \file
/// \brief What a language model reads from memory for each token that it writes, counted, and what
/// weights of fewer bytes lose.
#pragma once

#include "chapters/14_simd_transformer/decoding/decoder.hpp"
#include "common/program/run.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string>

namespace attn::simd_transformer {

/// All of them, the one of most bytes first.
inline constexpr std::array weight_formats = {WeightFormat::float32, WeightFormat::bf16,
                                              WeightFormat::int8};

/// A number of bytes in millions, with one decimal.
std::string megabytes(double bytes);

/// The options of the smallest GPT-2 (\cite radford2019, table 2): 768 wide, 12 layers and heads.
language_models::LanguageModelOptions gpt2_options();

/// What a token reads from memory, counted from sizes alone.
struct BytesOfAToken
{
    double weights; ///< of all matrices, whatever the length of the text
    double cache;   ///< of keys and values of the tokens before it
};

/// Counts it.
/// \param n_before  tokens before this one
BytesOfAToken bytes_of_a_token(const language_models::LanguageModelOptions& options,
                               const DecoderOptions& kept, std::size_t n_before);

/// How far a decoder's scores are from those of another.
struct ScoreError
{
    double relative;    ///< root mean square of the difference, over that of the other's scores
                        ///< about the mean of their row
    double other_token; ///< share of rows whose largest score belongs to another token
};

/// Compares scores [n, n_tokens].
/// \throws ContractError if the shapes differ
ScoreError score_error(const Array<float>& scores, const Array<float>& wanted);

/// The scores of each next token of a text, which is read in windows.
/// \param text  more than n tokens; what is left after the last whole window, and the token after
///              that, is not read
/// \param n     tokens of a window
/// \returns     [n_windows n, n_tokens]
Array<float> scores_in_windows(const Decoder& decoder, std::span<const TokenId> text,
                               std::size_t n);

/// Prints what a token reads, counted, and what formats cost a trained model. No number depends on
/// the machine.
void show_decoding_formats(program::Frame& frame);

} // namespace attn::simd_transformer
