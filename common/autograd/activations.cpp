/// \file
/// \brief Loops over entries are written so that the compiler
/// takes many at a time; elementary functions take whole spans.
#include "common/autograd/activations.hpp"

#include "common/autograd/rule.hpp"
#include "common/kernels/row_blocks.hpp"
#include "common/kernels/vector_math.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <utility>

namespace attn::autograd {

namespace {

/// An elementary function of whole spans.
template <typename T>
using OfSpan = void(std::span<const T>, std::span<T>);

/// f of every entry.
template <typename T>
Array<T> applied(OfSpan<T>* f, const Array<T>& x)
{
    Array<T> y = uninitialised<T>(x.shape());
    kernels::for_each_run_of_numbers(x.size(), [&](std::size_t first, std::size_t count) {
        f(numbers_of(x).subspan(first, count), numbers_of(y).subspan(first, count));
    });
    return y;
}

/// f of every entry's index, row by row.
template <typename T, typename Entry>
Array<T> each(const Shape& shape, Entry f)
{
    Array<T> y = uninitialised<T>(shape);
    T* const to = y.data();
    kernels::for_each_run_of_numbers(y.size(), [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
            to[i] = f(i);
        }
    });
    return y;
}

/// A step whose slope is known from its result.
/// \param y      f(x)
/// \param x      what it was computed from
/// \param slope  slope(y_i) is f'(x_i)
template <typename T, typename Slope>
Variable<T> record_with_slope_of_result(Array<T>&& y, const Variable<T>& x, Slope slope)
{
    return record(std::move(y), x.needs_gradient(),
                  [x, slope](const Array<T>& value, const Array<T>& gradient) {
                      const T* const result = value.data();
                      const T* const dy = gradient.data();
                      add_to_gradient(x,
                                      [=](std::size_t i) { return dy[i] * slope(result[i]); });
                  });
}

// ---------------------------------------------------------------- gelu

/// The normal distribution function of n numbers, (1 + erf(x / sqrt(2))) / 2.
template <typename T>
void normal_distribution(std::size_t n, const T* x, T* cdf)
{
    constexpr T scale = T(1 / std::numbers::sqrt2);
    for (std::size_t i = 0; i < n; ++i) {
        cdf[i] = scale * x[i];
    }
    vector_math::erf(std::span<const T>(cdf, n), std::span<T>(cdf, n));
    for (std::size_t i = 0; i < n; ++i) {
        cdf[i] = (T(1) + cdf[i]) / T(2);
    }
}

/// The normal density of n numbers, e^(-x^2 / 2) / sqrt(2 pi).
template <typename T>
void normal_density(std::size_t n, const T* x, T* density)
{
    constexpr T factor = T(std::numbers::inv_sqrtpi / std::numbers::sqrt2);
    for (std::size_t i = 0; i < n; ++i) {
        density[i] = -x[i] * x[i] / T(2);
    }
    vector_math::exp(std::span<const T>(density, n), std::span<T>(density, n));
    for (std::size_t i = 0; i < n; ++i) {
        density[i] *= factor;
    }
}

/// The slope of x P(x), P(x) + x p(x), at n numbers.
/// \param cdf  P(x)
template <typename T>
void slope_of_gelu(std::size_t n, const T* x, const T* cdf, T* slope)
{
    normal_density(n, x, slope);
    for (std::size_t i = 0; i < n; ++i) {
        slope[i] = cdf[i] + x[i] * slope[i];
    }
}

constexpr double root_two_over_pi = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
constexpr double cubic = 0.044715;

/// tanh(sqrt(2 / pi) (x + .044715 x^3)) of every entry.
template <typename T>
Array<T> tanh_of_cubic(const Array<T>& x)
{
    const Array<T> argument = each<T>(x.shape(), [v = x.data()](std::size_t i) {
        return T(root_two_over_pi) * (v[i] + T(cubic) * v[i] * v[i] * v[i]);
    });
    return applied(vector_math::tanh<T>, argument);
}

/// x (1 + t) / 2 by its parts: (1 + t) / 2 + x / 2 (1 - t^2) sqrt(2 / pi) (1 + 3 * .044715 x^2).
template <typename T>
T slope_of_gelu_tanh(T x, T t)
{
    const T slope_of_cubic = T(root_two_over_pi) * (T(1) + T(3 * cubic) * x * x);
    return (T(1) + t) / T(2) + x / T(2) * (T(1) - t * t) * slope_of_cubic;
}

} // namespace

// ---------------------------------------------------------------- elementary functions

template <typename T>
Variable<T> exp(const Variable<T>& x)
{
    return record_with_slope_of_result(applied(vector_math::exp<T>, x.value()), x,
                                       [](T y) { return y; });
}

template <typename T>
Variable<T> log(const Variable<T>& x)
{
    return record(applied(vector_math::log<T>, x.value()), x.needs_gradient(),
                  [x](const Array<T>& /*y*/, const Array<T>& gradient) {
                      const T* const v = x.value().data();
                      const T* const dy = gradient.data();
                      add_to_gradient(x, [=](std::size_t i) { return dy[i] / v[i]; });
                  });
}

template <typename T>
Variable<T> tanh(const Variable<T>& x)
{
    return record_with_slope_of_result(applied(vector_math::tanh<T>, x.value()), x,
                                       [](T y) { return T(1) - y * y; });
}

template <typename T>
Variable<T> sigmoid(const Variable<T>& x)
{
    return record_with_slope_of_result(applied(vector_math::sigmoid<T>, x.value()), x,
                                       [](T y) { return y * (T(1) - y); });
}

// ---------------------------------------------------------------- bends at zero

template <typename T>
Variable<T> relu(const Variable<T>& x)
{
    Array<T> y = each<T>(x.shape(), [v = x.value().data()](std::size_t i) {
        return v[i] <= T(0) ? T(0) : v[i];
    });
    return record(
        std::move(y), x.needs_gradient(), [x](const Array<T>& value, const Array<T>& gradient) {
            const T* const result = value.data();
            const T* const dy = gradient.data();
            add_to_gradient(x, [=](std::size_t i) { return result[i] <= T(0) ? T(0) : dy[i]; });
        });
}

template <typename T>
Variable<T> leaky_relu(const Variable<T>& x, double slope)
{
    expect(std::isfinite(slope), "leaky_relu: slope must be finite, got {}", slope);
    const T a = static_cast<T>(slope);
    Array<T> y = each<T>(x.shape(), [a, v = x.value().data()](std::size_t i) {
        return v[i] > T(0) ? v[i] : a * v[i];
    });
    return record(std::move(y), x.needs_gradient(),
                  [x, a](const Array<T>& /*y*/, const Array<T>& gradient) {
                      const T* const v = x.value().data();
                      const T* const dy = gradient.data();
                      add_to_gradient(
                          x, [=](std::size_t i) { return dy[i] * (v[i] > T(0) ? T(1) : a); });
                  });
}

// ---------------------------------------------------------------- gelu

template <typename T>
Variable<T> gelu(const Variable<T>& x)
{
    Array<T> y = uninitialised<T>(x.shape());
    Array<T> slope = uninitialised<T>(x.needs_gradient() ? x.shape() : Shape{0});
    kernels::for_each_run_of_numbers(x.size(), [&](std::size_t first, std::size_t count) {
        Array<T> cdf = uninitialised<T>({count}); // stays in the cache
        const T* const v = x.value().data() + first;
        normal_distribution(count, v, cdf.data());
        for (std::size_t i = 0; i < count; ++i) {
            y.data()[first + i] = v[i] * cdf.data()[i];
        }
        if (x.needs_gradient()) {
            slope_of_gelu(count, v, std::as_const(cdf).data(), slope.data() + first);
        }
    });
    return record(
        std::move(y), x.needs_gradient(),
        [x, slope = std::move(slope)](const Array<T>& /*y*/, const Array<T>& gradient) {
            add_to_gradient(x, [at = slope.data(), dy = gradient.data()](std::size_t i) {
                return dy[i] * at[i];
            });
        });
}

template <typename T>
Variable<T> gelu_tanh(const Variable<T>& x)
{
    Array<T> t = tanh_of_cubic(x.value());
    Array<T> y = each<T>(x.shape(), [v = x.value().data(), saved = t.data()](std::size_t i) {
        return v[i] / T(2) * (T(1) + saved[i]);
    });
    return record(std::move(y), x.needs_gradient(),
                  [x, t = std::move(t)](const Array<T>& /*y*/, const Array<T>& gradient) {
                      const T* const v = x.value().data();
                      const T* const saved = t.data();
                      const T* const dy = gradient.data();
                      add_to_gradient(x, [=](std::size_t i) {
                          return dy[i] * slope_of_gelu_tanh(v[i], saved[i]);
                      });
                  });
}

// ---------------------------------------------------------------- for float and for double

template Variable<float> exp(const Variable<float>&);
template Variable<double> exp(const Variable<double>&);
template Variable<float> log(const Variable<float>&);
template Variable<double> log(const Variable<double>&);
template Variable<float> tanh(const Variable<float>&);
template Variable<double> tanh(const Variable<double>&);
template Variable<float> sigmoid(const Variable<float>&);
template Variable<double> sigmoid(const Variable<double>&);
template Variable<float> relu(const Variable<float>&);
template Variable<double> relu(const Variable<double>&);
template Variable<float> leaky_relu(const Variable<float>&, double);
template Variable<double> leaky_relu(const Variable<double>&, double);
template Variable<float> gelu(const Variable<float>&);
template Variable<double> gelu(const Variable<double>&);
template Variable<float> gelu_tanh(const Variable<float>&);
template Variable<double> gelu_tanh(const Variable<double>&);

} // namespace attn::autograd
