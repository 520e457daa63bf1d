#include "common/autograd/reductions.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/rule.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace attn::autograd {

namespace {

/// An array seen from the axis that goes: [outer, n, inner] becomes [outer, inner].
struct AxisView
{
    std::size_t outer;
    std::size_t n;
    std::size_t inner;
    Shape shape; ///< of the result
};

AxisView view_along(const Shape& shape, std::ptrdiff_t axis, Axis left, const char* function)
{
    const std::size_t at = axis_from(axis, shape.size(), function);
    const auto place = static_cast<std::ptrdiff_t>(at);
    const Shape before(shape.begin(), shape.begin() + place);
    const Shape behind(shape.begin() + place + 1, shape.end());
    Shape result = before;
    if (left == Axis::kept) {
        result.push_back(1);
    }
    for (const std::size_t length : behind) {
        result.push_back(length);
    }
    return {size_of(before), shape[at], size_of(behind), result};
}

/// Adds up n numbers in pairs, pairs of pairs, and so on: the error of rounding grows with the
/// logarithm of n.
template <typename T>
T sum_of(const T* x, std::size_t n)
{
    constexpr std::size_t few = 32;
    if (n > few) {
        const std::size_t half = n / 2;
        return sum_of(x, half) + sum_of(x + half, n - half);
    }
    T total = 0;
    for (std::size_t i = 0; i < n; ++i) {
        total += x[i];
    }
    return total;
}

/// y[o, i] = sum over k of x[o, k, i].
template <typename T>
void sum_along(const AxisView& axes, const T* x, T* y)
{
    if (axes.inner == 1) {
        for (std::size_t o = 0; o < axes.outer; ++o) {
            y[o] = sum_of(x + o * axes.n, axes.n);
        }
        return;
    }
    std::fill_n(y, axes.outer * axes.inner, T(0));
    for (std::size_t o = 0; o < axes.outer; ++o) {
        T* const y_row = y + o * axes.inner;
        for (std::size_t k = 0; k < axes.n; ++k) {
            const T* const x_row = x + (o * axes.n + k) * axes.inner;
            for (std::size_t i = 0; i < axes.inner; ++i) {
                y_row[i] += x_row[i];
            }
        }
    }
}

/// dx[o, k, i] += dy[o, i].
template <typename T>
void repeat_along(const AxisView& axes, const T* dy, T* dx)
{
    for (std::size_t o = 0; o < axes.outer; ++o) {
        for (std::size_t k = 0; k < axes.n; ++k) {
            T* const dx_row = dx + (o * axes.n + k) * axes.inner;
            for (std::size_t i = 0; i < axes.inner; ++i) {
                dx_row[i] += dy[o * axes.inner + i];
            }
        }
    }
}

/// For each entry of the result, where in x the first largest entry is.
template <typename T>
std::vector<std::size_t> places_of_maxima(const AxisView& axes, const T* x)
{
    std::vector<std::size_t> places(axes.outer * axes.inner);
    for (std::size_t o = 0; o < axes.outer; ++o) {
        for (std::size_t i = 0; i < axes.inner; ++i) {
            std::size_t best = o * axes.n * axes.inner + i;
            for (std::size_t k = 1; k < axes.n; ++k) {
                const std::size_t here = (o * axes.n + k) * axes.inner + i;
                best = x[here] > x[best] ? here : best;
            }
            places[o * axes.inner + i] = best;
        }
    }
    return places;
}

} // namespace

// [sum]
template <typename T>
Variable<T> sum(const Variable<T>& x)
{
    return record(Array<T>(Shape{}, sum_of(x.value().data(), x.size())), x.needs_gradient(),
                  [x](const Array<T>& /*y*/, const Array<T>& dy) {
                      add_to_gradient(x, [g = dy.data()[0]](std::size_t) { return g; });
                  });
}
// [sum]

template <typename T>
Variable<T> sum(const Variable<T>& x, std::ptrdiff_t axis, Axis left)
{
    AxisView axes = view_along(x.shape(), axis, left, "sum");
    Array<T> y(axes.shape);
    sum_along(axes, x.value().data(), y.data());
    return record(std::move(y), x.needs_gradient(),
                  [x, axes = std::move(axes)](const Array<T>& /*y*/, const Array<T>& dy) {
                      repeat_along(axes, dy.data(), zeroed_gradient(x));
                  });
}

template <typename T>
Variable<T> mean(const Variable<T>& x)
{
    expect(x.size() > 0, "mean: there is no entry in shape {}", x.shape());
    return sum(x) / static_cast<double>(x.size());
}

template <typename T>
Variable<T> mean(const Variable<T>& x, std::ptrdiff_t axis, Axis left)
{
    const std::size_t n = x.shape()[axis_from(axis, x.rank(), "mean")];
    expect(n > 0, "mean: axis {} of shape {} has no entry", axis, x.shape());
    return sum(x, axis, left) / static_cast<double>(n);
}

template <typename T>
Variable<T> maximum(const Variable<T>& x, std::ptrdiff_t axis, Axis left)
{
    const AxisView axes = view_along(x.shape(), axis, left, "maximum");
    expect(axes.n > 0, "maximum: axis {} of shape {} has no entry", axis, x.shape());
    std::vector<std::size_t> places = places_of_maxima(axes, x.value().data());
    Array<T> y(axes.shape);
    for (std::size_t i = 0; i < places.size(); ++i) {
        y.data()[i] = x.value().data()[places[i]];
    }
    return record(std::move(y), x.needs_gradient(),
                  [x, places = std::move(places)](const Array<T>& /*y*/, const Array<T>& dy) {
                      T* const dx = zeroed_gradient(x);
                      for (std::size_t i = 0; i < places.size(); ++i) {
                          dx[places[i]] += dy.data()[i];
                      }
                  });
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> sum(const Variable<T>&);                                              \
    template Variable<T> sum(const Variable<T>&, std::ptrdiff_t, Axis);                        \
    template Variable<T> mean(const Variable<T>&);                                             \
    template Variable<T> mean(const Variable<T>&, std::ptrdiff_t, Axis);                       \
    template Variable<T> maximum(const Variable<T>&, std::ptrdiff_t, Axis);

ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::autograd
