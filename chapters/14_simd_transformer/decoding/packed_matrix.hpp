/// \file
/// \brief A matrix whose weights take four, two or one bytes, laid out in the order in which
/// decoding reads it. Deliberately for inference: nothing is learnt through it.
#pragma once

#include "chapters/14_simd_transformer/kernels.hpp"
#include "common/tensor/array.hpp"
#include "common/tensor/large_pages.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::simd_transformer {

/// "float", "bf16" or "int8".
std::string name_of(WeightFormat format);

/// Which scales the integers of a matrix have.
enum class Scales
{
    of_each_output, ///< one for the weights of an output
    of_the_matrix   ///< one for all: what is lost by it is shown, nothing else uses it
};

/// W [n_in, n_out] in a format, and a bias in floats. An int8 weight is the integer nearest to
/// w / s, of two as near the even one; \f$ s = \max |w| / 127 \f$ over its output's weights.
class PackedMatrix
{
public:
    /// \param weights       [n_in, n_out], or [n_out, n_in] if transposed
    /// \param bias          [n_out]; null for zeros
    /// \param format        what each weight becomes
    /// \param is_transposed whether a row holds the weights of an output
    /// \param scales        read if the format is int8
    /// \throws ContractError if weights is no matrix with numbers in it, the bias has another
    ///         length than its columns, or a weight is not finite
    PackedMatrix(const Array<float>& weights, const Array<float>* bias, WeightFormat format,
                 bool is_transposed = false, Scales scales = Scales::of_each_output);

    std::size_t n_in() const { return n_in_; }   ///< \returns numbers in a row of X
    std::size_t n_out() const { return n_out_; } ///< \returns numbers in a row of Y
    std::size_t bytes() const;                   ///< \returns of weights and scales

    /// Y = X W + b, the weights read once for all rows, by the kernels and threads of
    /// kernels::execution(): a thread takes some panels. A row has the same bits alone and among
    /// others, and, if the weights are floats, those of affine_product.
    /// \param n_rows  may be 0
    /// \param x       X, rows of n_in numbers
    /// \param ldx     numbers from one row of X to the next
    /// \param y       Y, rows of n_out numbers, written; not X
    /// \param ldy     numbers from one row of Y to the next
    void multiply(std::size_t n_rows, const float* x, std::size_t ldx, float* y,
                  std::size_t ldy) const;

    /// The weights of one output, as floats.
    /// \param output  below n_out
    /// \param to      [n_in], written
    void weights_of(std::size_t output, float* to) const;

private:
    template <typename T>
    using Numbers = std::vector<T, LargePageAllocator<T>>;

    WeightPanel panel(std::size_t index) const;
    std::size_t words_of_output() const; // [n_in / weights_in_word, rounded up]

    WeightFormat format_;
    std::size_t n_in_;
    std::size_t n_out_;
    Numbers<std::int32_t> words_; // [n_panels, words_of_output, panel_columns]
    Numbers<float> scales_;       // [n_panels, panel_columns], or empty; each over 2^24
    Numbers<float> bias_;         // [n_panels, panel_columns]
};

} // namespace attn::simd_transformer
