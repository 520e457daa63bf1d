#include "chapters/11_multi_head/positions.hpp"

#include "common/autograd/rule.hpp"
#include "common/kernels/elementary.hpp"

#include <array>
#include <utility>

namespace attn::multi_head {

std::string name_of(Positions positions)
{
    const std::array<const char*, 4> names = {"none", "sinusoidal", "learnt", "rotary"};
    return names.at(static_cast<std::size_t>(positions));
}

// [sinusoids]
Vector frequencies(std::size_t d)
{
    expect(d > 0 && d % 2 == 0, "frequencies: d must be even and above 0, got {}", d);
    Vector omega = Vector::from_shape({d / 2});
    for (std::size_t j = 0; j < d / 2; ++j) {
        omega(j) =
            elementary::pow(10000.0, -2.0 * static_cast<double>(j) / static_cast<double>(d));
    }
    return omega;
}

template <typename T>
Array<T> sinusoids(std::size_t n_positions, std::size_t d, std::size_t first)
{
    const Vector omega = frequencies(d);
    Array<T> p = uninitialised<T>({n_positions, d});
    for (std::size_t t = 0; t < n_positions; ++t) {
        for (std::size_t j = 0; j < d / 2; ++j) {
            const double angle = omega(j) * static_cast<double>(first + t);
            p.data()[t * d + 2 * j] = static_cast<T>(elementary::sin(angle));
            p.data()[t * d + 2 * j + 1] = static_cast<T>(elementary::cos(angle));
        }
    }
    return p;
}

Matrix rotation_between_positions(std::size_t d, double shift)
{
    const Vector omega = frequencies(d);
    Matrix r = xt::zeros<double>({d, d});
    for (std::size_t j = 0; j < d / 2; ++j) {
        const double angle = omega(j) * shift;
        r(2 * j, 2 * j) = r(2 * j + 1, 2 * j + 1) = elementary::cos(angle);
        r(2 * j, 2 * j + 1) = -elementary::sin(angle);
        r(2 * j + 1, 2 * j) = elementary::sin(angle);
    }
    return r;
}
// [sinusoids]

namespace {

/// Rotates the pairs of every row of x by the angles of sinusoids [n, d_k]; back if sign is -1. y is
/// added to if beta is 1.
template <typename T>
void rotate(const Shape& shape, std::size_t n_heads, const Array<T>& angles, T sign, const T* x,
            T beta, T* y)
{
    const std::size_t n = shape[1];
    const std::size_t d = shape[2];
    const std::size_t n_pairs = d / n_heads / 2;
    for (std::size_t row = 0; row < shape[0] * n; ++row) {
        const T* const sin_cos = angles.data() + (row % n) * 2 * n_pairs;
        for (std::size_t pair = 0; pair < d / 2; ++pair) {
            const std::size_t j = pair % n_pairs;
            const T s = sign * sin_cos[2 * j];
            const T c = sin_cos[2 * j + 1];
            const T a = x[row * d + 2 * pair];
            const T b = x[row * d + 2 * pair + 1];
            T* const out = y + row * d + 2 * pair;
            out[0] = (beta == T(0) ? T(0) : out[0]) + c * a - s * b;
            out[1] = (beta == T(0) ? T(0) : out[1]) + s * a + c * b;
        }
    }
}

} // namespace

template <typename T>
Variable<T> rotated_by_position(const Variable<T>& x, std::size_t n_heads,
                                std::size_t first_position)
{
    expect(x.rank() == 3 && n_heads > 0 && x.shape()[2] % (2 * n_heads) == 0,
           "rotated_by_position: {} heads of an even count of numbers are wanted, got {}",
           n_heads, x.shape());
    Array<T> angles = sinusoids<T>(x.shape()[1], x.shape()[2] / n_heads, first_position);
    Array<T> y = uninitialised<T>(x.shape());
    rotate(x.shape(), n_heads, angles, T(1), x.value().data(), T(0), y.data());
    return autograd::record(
        std::move(y), x.needs_gradient(),
        [x, n_heads, angles = std::move(angles)](const Array<T>& /*y*/, const Array<T>& dy) {
            const autograd::GradientSum<T> sum = autograd::open_gradient(x);
            rotate(x.shape(), n_heads, angles, T(-1), dy.data(), sum.beta, sum.data);
        });
}

template Array<float> sinusoids(std::size_t, std::size_t, std::size_t);
template Array<double> sinusoids(std::size_t, std::size_t, std::size_t);
template Variable<float> rotated_by_position(const Variable<float>&, std::size_t, std::size_t);
template Variable<double> rotated_by_position(const Variable<double>&, std::size_t,
                                              std::size_t);

} // namespace attn::multi_head
