/// \file
/// \brief The inner loops of what a transformer does with one row at a time: bias and activation
/// behind a product, normalisation, the loss; for one instruction set. Deliberately without
/// products, threads and memory of their own; fused.hpp has those.
#pragma once

#include <cstddef>

namespace attn::simd_transformer {

/// How large a piece of a matrix is whose rows lie in memory without gaps.
struct RowsSize
{
    std::size_t n_rows; ///< may be 0
    std::size_t n;      ///< numbers in a row
};

/// What a row is multiplied by and what is added, once it is normalised.
struct NormScale
{
    const float* gain; ///< [n]
    const float* bias; ///< [n]
    float epsilon;     ///< added to the variance
};

/// Each row's mean, and one over its standard deviation.
struct RowMoments
{
    float* mean;              ///< [n_rows]
    float* inverse_deviation; ///< [n_rows]
};

/// What the way back through a normalisation is given.
struct NormGradient
{
    const float* x;     ///< [n_rows, n], what was normalised
    const float* dy;    ///< [n_rows, n], the gradient of the result
    const float* gain;  ///< [n]
    RowMoments moments; ///< of x; only read
};

/// What the way back through a normalisation adds to.
struct NormGradientSums
{
    float* dx;    ///< [n_rows, n], or null for none
    bool adds;    ///< whether dx holds something already; else it is replaced
    float* dgain; ///< [n]
    float* dbias; ///< [n]
};

/// What a cross entropy asks of a row of logits.
struct LogitSums
{
    float largest;     ///< of the row
    float powers;      ///< sum of e^(x_c - largest)
    float differences; ///< sum of x_c - largest
};

/// dx_c = factor e^(x_c - largest) - constant.
struct LogitGradient
{
    float largest;  ///< of the row
    float factor;   ///< what a row counts, over the sum of the powers
    float constant; ///< what is subtracted from every entry
    bool adds;      ///< whether dx holds something already; else it is replaced
};

/// The inner loops of what a transformer does with one row at a time.
struct RowKernels
{
    /// y_ij += b_j.
    void (*add_bias)(RowsSize size, const float* bias, float* y);
    /// y_ij = max(y_ij + b_j, 0); a nan stays.
    void (*bias_relu)(RowsSize size, const float* bias, float* y);
    /// y_ij = z Phi(z) of z = y_ij + b_j, with the normal distribution function Phi.
    /// \param slope  [n_rows, n], receives Phi(z) + z Phi'(z), or null if nobody asks
    void (*bias_gelu)(RowsSize size, const float* bias, float* y, float* slope);

    /// db_j += sum over i of dy_ij.
    void (*sum_columns)(RowsSize size, const float* dy, float* dbias);
    /// dz_ij = dy_ij where y_ij > 0, else 0, and db_j += sum over i of dz_ij.
    void (*relu_back)(RowsSize size, const float* y, const float* dy, float* dz, float* dbias);
    /// dz_ij = dy_ij slope_ij, and db_j += sum over i of dz_ij.
    void (*gelu_back)(RowsSize size, const float* slope, const float* dy, float* dz,
                      float* dbias);

    /// y_ij = gain_j (x_ij - mean_i) / deviation_i + bias_j.
    void (*normalise)(RowsSize size, const float* x, const NormScale& scale, float* y,
                      RowMoments moments);
    /// sum = x + y, and the same of the sum.
    void (*add_and_normalise)(RowsSize size, const float* x, const float* y,
                              const NormScale& scale, float* sum, float* normalised,
                              RowMoments moments);
    /// The way back, with g = gain dy and z = (x - mean) / deviation:
    /// dx_j = (g_j - mean of g - z_j mean of g z) / deviation, dgain += dy z, dbias += dy.
    void (*normalise_back)(RowsSize size, const NormGradient& from, const NormGradientSums& to);

    /// One row's largest logit and sums.
    LogitSums (*logit_sums)(std::size_t n, const float* x);
    /// One row's gradient but for the target's own term.
    void (*logit_gradient)(std::size_t n, const float* x, const LogitGradient& how, float* dx);
};

} // namespace attn::simd_transformer
