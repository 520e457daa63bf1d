/// \file
/// \brief The inner loop of decoding over weights of four, two or one bytes, for one instruction
/// set: few rows meet a matrix that comes from memory once. Deliberately without threads and
/// memory of its own: packed_matrix.hpp has these.
#pragma once

#include <cstddef>
#include <cstdint>

namespace attn::simd_transformer {

/// How a weight is kept.
enum class WeightFormat
{
    float32, ///< four bytes, as it was learnt
    bf16,    ///< two bytes, the upper half of a float
    int8 ///< one byte, an integer from -127 to 127, and a scale for all weights of an output
};

/// Columns that are stored together, row after row: a matrix is then read from its first byte to
/// its last. A multiple of the columns of every set's register tile.
constexpr std::size_t panel_columns = 48;

/// How many weights of an output a word of 32 bits holds: those of neighbouring inputs, the first
/// in the lowest bits.
constexpr std::size_t weights_in_word(WeightFormat format)
{
    return format == WeightFormat::float32 ? 1 : format == WeightFormat::bf16 ? 2 : 4;
}

/// Weights of panel_columns outputs.
struct WeightPanel
{
    WeightFormat format;       ///< of the weights
    std::size_t n_in;          ///< inputs, at least 1
    const std::int32_t* words; ///< [n_in / weights_in_word, rounded up; panel_columns]
    const float* scale;        ///< [panel_columns] of int8, each over 2^24; not read otherwise
    const float* bias;         ///< [panel_columns], zeros if there is none
};

/// The rows that a panel is multiplied with, and where the results go.
struct PanelRows
{
    std::size_t n;   ///< rows
    const float* x;  ///< [n, n_in]
    std::size_t ldx; ///< numbers from one row of x to the next
    float* y;        ///< [n, panel_columns], written
    std::size_t ldy; ///< numbers from one row of y to the next
};

/// Decoding's kernels.
struct DecodingPanelKernels
{
    /// Y = X W + b, each number one chain of fused steps from the first row of W to the last. It
    /// begins with the bias; of int8 it begins with 0 and runs over 2^24 times the integers, and at
    /// the end comes one fused step more, sum * scale + bias.
    void (*multiply)(const WeightPanel& panel, const PanelRows& rows);
};

} // namespace attn::simd_transformer
