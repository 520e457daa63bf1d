/// \file
/// \brief The inner loops of what a network does with one row at a time: softmax, normalisation,
/// activation, the loss, and what a row adds up to; for one instruction set. Without products,
/// threads and memory of their own.
#pragma once

#include <cstddef>

namespace attn::kernels {

/// Sums along a row, in 16 parts (8 in double) that are folded in halves.
template <class T>
struct ReductionKernels
{
    /// The sum of n numbers, 0 of none.
    T (*sum)(std::size_t n, const T* x);
    /// The inner product of two lists of n numbers, by fused steps; 0 of none.
    T (*dot)(std::size_t n, const T* x, const T* y);
    /// The largest of n numbers, -inf of none; nans are passed over.
    T (*largest)(std::size_t n, const T* x);
};

/// A matrix, or some of its columns.
struct RowsSize
{
    std::size_t n_rows; ///< may be 0
    std::size_t n;      ///< numbers in a row
    std::size_t step;   ///< numbers from one row to the next, of every matrix of the call
};

/// What a row is multiplied by and what is added, once it is normalised.
template <class T>
struct NormScale
{
    const T* gain; ///< [n]
    const T* bias; ///< [n]
    T epsilon;     ///< added to the variance
};

/// Each row's mean, and one over its standard deviation.
template <class T>
struct RowMoments
{
    T* mean;              ///< [n_rows]
    T* inverse_deviation; ///< [n_rows]
};

/// What the gradient of a normalisation is computed from.
template <class T>
struct NormGradient
{
    const T* x;            ///< [n_rows, n], what was normalised
    const T* dy;           ///< [n_rows, n], the gradient of the result
    RowMoments<T> moments; ///< of x; only read
};

/// What a cross entropy asks of a row of logits.
template <class T>
struct LogitSums
{
    T largest;      ///< of the row
    T exponentials; ///< sum of e^(x_c - largest)
    T differences;  ///< sum of x_c - largest
};

/// dx_c = factor e^(x_c - largest) - constant.
template <class T>
struct LogitGradient
{
    T largest;  ///< of the row
    T factor;   ///< what a row counts, over the sum of the exponentials
    T constant; ///< what is subtracted from every entry
    bool adds;  ///< whether dx holds something already; else it is replaced
};

/// The inner loops of what a network does with one row at a time. Sums along a row are
/// ReductionKernels'; a column is added up in the order of the rows.
template <class T>
struct RowKernels
{
    /// y_j = e^(x_j - largest) / sum, the quotient as a product with one over the sum; zeros if
    /// every x_j is -inf. y may be x.
    void (*softmax)(std::size_t n, const T* x, T* y);
    /// dx_j = y_j (dy_j - sum over l of y_l dy_l), 0 where y_j is 0, whatever dy_j is there. dx may
    /// be dy.
    void (*softmax_backward)(std::size_t n, const T* y, const T* dy, T* dx);

    /// y_ij = max(y_ij, 0), in place; a nan stays.
    void (*relu)(RowsSize size, T* y);
    /// dz_ij = dy_ij where y_ij > 0, else 0.
    void (*relu_backward)(RowsSize size, const T* y, const T* dy, T* dz);
    /// sum_j += sum over i of dy_ij.
    void (*add_columns)(RowsSize size, const T* dy, T* sum);

    /// y_ij = gain_j (x_ij - mean_i) / deviation_i + bias_j.
    void (*normalise)(RowsSize size, const T* x, const NormScale<T>& scale, T* y,
                      RowMoments<T> moments);
    /// sum = x + y, and the same of the sum.
    void (*add_and_normalise)(RowsSize size, const T* x, const T* y, const NormScale<T>& scale,
                              T* sum, T* normalised, RowMoments<T> moments);
    /// With g = gain dy and z = (x - mean) / deviation:
    /// dx_j = (g_j - mean of g - z_j mean of g z) / deviation.
    /// \param adds  whether dx holds something already; else it is replaced
    void (*normalise_backward)(RowsSize size, const NormGradient<T>& from, const T* gain,
                               bool adds, T* dx);
    /// dgain_j += sum over i of dy_ij z_ij, dbias_j += sum over i of dy_ij; either may be null.
    void (*add_norm_columns)(RowsSize size, const NormGradient<T>& from, T* dgain, T* dbias);

    /// One row's largest logit and sums.
    LogitSums<T> (*logit_sums)(std::size_t n, const T* x);
    /// One row's gradient but for the target's own term.
    void (*logit_gradient)(std::size_t n, const T* x, const LogitGradient<T>& how, T* dx);
};

} // namespace attn::kernels
