/// \file
/// \brief The body of layer_norm.hpp.
#include "common/autograd/layer_norm.hpp"

#include "common/autograd/rule.hpp"
#include "common/tensor/vector_math.hpp"

#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

namespace attn::autograd {

namespace {

// ---------------------------------------------------------------- one row

/// A row's mean, and one over its standard deviation.
template <typename T>
struct Moments
{
    T mean;              ///< of its entries
    T inverse_deviation; ///< 1 / sqrt(variance + epsilon)
};

/// y_j = g_j (x_j - mean) / deviation + b_j, and the row's moments.
template <typename T>
Moments<T> normalise_row(std::span<const T> x, const T* gain, const T* bias, T epsilon,
                         std::span<T> y)
{
    const T d = static_cast<T>(x.size());
    const T mean = vector_math::sum(x) / d;
    for (std::size_t j = 0; j < x.size(); ++j) {
        y[j] = x[j] - mean;
    }
    const T variance = vector_math::dot<T>(y, y) / d;
    const T inverse_deviation = T(1) / std::sqrt(variance + epsilon);
    for (std::size_t j = 0; j < x.size(); ++j) {
        y[j] = gain[j] * (y[j] * inverse_deviation) + bias[j];
    }
    return {mean, inverse_deviation};
}

/// What one row's way back works with.
template <typename T>
struct RowBack
{
    std::span<const T> x;  ///< [d]
    std::span<const T> dy; ///< [d]
    Moments<T> moments;    ///< of x
    std::span<T> z;        ///< [d], receives (x - mean) / deviation
    std::span<T> dz;       ///< [d], receives g dy
};

/// Computes z and dz anew.
template <typename T>
void normalise_again(const RowBack<T>& row, const T* gain)
{
    const auto [mean, inverse_deviation] = row.moments;
    for (std::size_t j = 0; j < row.x.size(); ++j) {
        row.z[j] = (row.x[j] - mean) * inverse_deviation;
        row.dz[j] = gain[j] * row.dy[j];
    }
}

/// dx_j += (dz_j - mean of dz - z_j mean of dz z) / deviation.
template <typename T>
void add_to_input(const RowBack<T>& row, T* dx)
{
    const T d = static_cast<T>(row.x.size());
    const T mean_dz = vector_math::sum<T>(row.dz) / d;
    const T mean_dz_z = vector_math::dot<T>(row.dz, row.z) / d;
    for (std::size_t j = 0; j < row.x.size(); ++j) {
        dx[j] += row.moments.inverse_deviation * (row.dz[j] - mean_dz - row.z[j] * mean_dz_z);
    }
}

/// dg_j += dy_j z_j.
template <typename T>
void add_to_gain(const RowBack<T>& row, T* dgain)
{
    for (std::size_t j = 0; j < row.dy.size(); ++j) {
        dgain[j] += row.dy[j] * row.z[j];
    }
}

/// db_j += dy_j.
template <typename T>
void add_to_bias(const RowBack<T>& row, T* dbias)
{
    for (std::size_t j = 0; j < row.dy.size(); ++j) {
        dbias[j] += row.dy[j];
    }
}

// ---------------------------------------------------------------- all rows

/// The way back, with what it needs.
template <typename T>
struct LayerNormRule
{
    Variable<T> x;               ///< [..., d]
    Variable<T> gain;            ///< [d]
    Variable<T> bias;            ///< [d]
    Array<T> means;              ///< [n_rows]
    Array<T> inverse_deviations; ///< [n_rows]

    /// Adds to all three gradients, one row after the other.
    void operator()(const Array<T>& /*y*/, const Array<T>& gradient) const
    {
        const std::size_t d = gain.size();
        T* const dx = x.needs_gradient() ? zeroed_gradient(x) : nullptr;
        T* const dgain = gain.needs_gradient() ? zeroed_gradient(gain) : nullptr;
        T* const dbias = bias.needs_gradient() ? zeroed_gradient(bias) : nullptr;
        Array<T> z = uninitialised<T>({d});
        Array<T> dz = uninitialised<T>({d});
        for (std::size_t i = 0; i < means.size(); ++i) {
            const RowBack<T> row = {numbers_of(x.value()).subspan(i * d, d),
                                    numbers_of(gradient).subspan(i * d, d),
                                    {means.data()[i], inverse_deviations.data()[i]},
                                    numbers_of(z),
                                    numbers_of(dz)};
            normalise_again(row, gain.value().data());
            if (dx != nullptr) {
                add_to_input(row, dx + i * d);
            }
            if (dgain != nullptr) {
                add_to_gain(row, dgain);
            }
            if (dbias != nullptr) {
                add_to_bias(row, dbias);
            }
        }
    }
};

} // namespace

template <typename T>
void expect_normalisable(const Variable<T>& x, const Variable<T>& gain, const Variable<T>& bias,
                         double epsilon)
{
    expect(x.rank() >= 1 && x.shape().back() >= 1,
           "layer_norm: x must have at least one number a row, got shape {}", x.shape());
    const Shape wanted = {x.shape().back()};
    expect(gain.shape() == wanted, "layer_norm: gain must be {} for x of shape {}, got {}",
           wanted, x.shape(), gain.shape());
    expect(bias.shape() == wanted, "layer_norm: bias must be {} for x of shape {}, got {}",
           wanted, x.shape(), bias.shape());
    expect_positive(epsilon, "layer_norm", "epsilon");
}

template <typename T>
Variable<T> layer_norm(const Variable<T>& x, const Variable<T>& gain, const Variable<T>& bias,
                       double epsilon)
{
    expect_normalisable(x, gain, bias, epsilon);
    const std::size_t d = gain.size();
    const std::size_t n_rows = x.size() / d;
    Array<T> y = uninitialised<T>(x.shape());
    Array<T> means = uninitialised<T>({n_rows});
    Array<T> inverse_deviations = uninitialised<T>({n_rows});
    for (std::size_t i = 0; i < n_rows; ++i) {
        const Moments<T> moments = normalise_row(
            numbers_of(x.value()).subspan(i * d, d), gain.value().data(), bias.value().data(),
            static_cast<T>(epsilon), numbers_of(y).subspan(i * d, d));
        means.data()[i] = moments.mean;
        inverse_deviations.data()[i] = moments.inverse_deviation;
    }
    return record(
        std::move(y), x.needs_gradient() || gain.needs_gradient() || bias.needs_gradient(),
        LayerNormRule<T>{x, gain, bias, std::move(means), std::move(inverse_deviations)});
}

template void expect_normalisable(const Variable<float>&, const Variable<float>&,
                                  const Variable<float>&, double);
template void expect_normalisable(const Variable<double>&, const Variable<double>&,
                                  const Variable<double>&, double);
template Variable<float> layer_norm(const Variable<float>&, const Variable<float>&,
                                    const Variable<float>&, double);
template Variable<double> layer_norm(const Variable<double>&, const Variable<double>&,
                                     const Variable<double>&, double);

} // namespace attn::autograd
