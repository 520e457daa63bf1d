#include "common/autograd/layer_norm.hpp"

#include "common/autograd/affine.hpp"
#include "common/autograd/rule.hpp"
#include "common/kernels/row_blocks.hpp"

#include <cstddef>
#include <utility>

namespace attn::autograd {

namespace {

using kernels::current;
using kernels::NormGradient;
using kernels::NormScale;
using kernels::RowMoments;

/// What the gradient of a normalisation needs of its rows.
template <typename T>
struct Moments
{
    Array<T> means;              ///< [n_rows]
    Array<T> inverse_deviations; ///< [n_rows]

    explicit Moments(std::size_t n_rows)
        : means(uninitialised<T>({n_rows})), inverse_deviations(uninitialised<T>({n_rows}))
    {
    }

    /// Those of the rows from the first one given.
    RowMoments<T> from(std::size_t first)
    {
        return {means.data() + first, inverse_deviations.data() + first};
    }
};

/// The gradient of a normalisation, with what it needs.
template <typename T>
struct LayerNormRule
{
    Variable<T> x;    ///< [..., d]
    Variable<T> gain; ///< [d]
    Variable<T> bias; ///< [d]
    mutable Moments<T>
        moments; ///< of x; the kernels read them through pointers that could write

    /// Adds to all three gradients.
    void operator()(const Array<T>& /*y*/, const Array<T>& dy) const
    {
        if (x.needs_gradient()) {
            add_to_input(dy);
        }
        if (gain.needs_gradient() || bias.needs_gradient()) {
            add_to_parameters(dy);
        }
    }

    /// Adds to dx, row by row.
    void add_to_input(const Array<T>& dy) const
    {
        const std::size_t d = gain.size();
        const GradientSum<T> dx = open_gradient(x);
        const auto& rows = current<T>().rows;
        kernels::for_each_block_of_rows(x.size() / d, d, [&](std::size_t first, std::size_t n) {
            const NormGradient<T> from{x.value().data() + first * d, dy.data() + first * d,
                                       moments.from(first)};
            rows.normalise_backward({n, d, d}, from, gain.value().data(), dx.beta != T(0),
                                    dx.data + first * d);
        });
    }

    /// Adds to the gradients of gain and bias, row after row.
    void add_to_parameters(const Array<T>& dy) const
    {
        const std::size_t d = gain.size();
        T* const dgain = gain.needs_gradient() ? zeroed_gradient(gain) : nullptr;
        T* const dbias = bias.needs_gradient() ? zeroed_gradient(bias) : nullptr;
        const std::size_t n_rows = x.size() / d;
        const auto& rows = current<T>().rows;
        kernels::for_each_block_of_columns(n_rows, d, [&](std::size_t first, std::size_t n) {
            const auto from_first = [&](T* sums) { return sums ? sums + first : nullptr; };
            const NormGradient<T> from{x.value().data() + first, dy.data() + first,
                                       moments.from(0)};
            rows.add_norm_columns({n_rows, n, d}, from, from_first(dgain), from_first(dbias));
        });
    }
};

/// Records a normalisation.
template <typename T>
Variable<T> record_norm(Array<T>&& y, const Variable<T>& x, const Variable<T>& gain,
                        const Variable<T>& bias, Moments<T>&& moments)
{
    return record(std::move(y),
                  x.needs_gradient() || gain.needs_gradient() || bias.needs_gradient(),
                  LayerNormRule<T>{x, gain, bias, std::move(moments)});
}

template <typename T>
NormScale<T> scale_of(const Variable<T>& gain, const Variable<T>& bias, double epsilon)
{
    return {gain.value().data(), bias.value().data(), static_cast<T>(epsilon)};
}

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

} // namespace

template <typename T>
Variable<T> layer_norm(const Variable<T>& x, const Variable<T>& gain, const Variable<T>& bias,
                       double epsilon)
{
    expect_normalisable(x, gain, bias, epsilon);
    const std::size_t d = gain.size();
    Array<T> y = uninitialised<T>(x.shape());
    Moments<T> moments(x.size() / d);
    const NormScale<T> scale = scale_of(gain, bias, epsilon);
    const auto& rows = current<T>().rows;
    kernels::for_each_block_of_rows(x.size() / d, d, [&](std::size_t first, std::size_t n) {
        rows.normalise({n, d, d}, x.value().data() + first * d, scale, y.data() + first * d,
                       moments.from(first));
    });
    return record_norm(std::move(y), x, gain, bias, std::move(moments));
}

template <typename T>
Normalised<T> add_and_normalise(const Variable<T>& x, const Variable<T>& y,
                                const Variable<T>& gain, const Variable<T>& bias,
                                double epsilon)
{
    expect_shape(y, x.shape(), "add_and_normalise", "y");
    expect_normalisable(x, gain, bias, epsilon);
    const std::size_t d = gain.size();
    Array<T> sum = uninitialised<T>(x.shape());
    Array<T> normalised = uninitialised<T>(x.shape());
    Moments<T> moments(x.size() / d);
    const NormScale<T> scale = scale_of(gain, bias, epsilon);
    const auto& rows = current<T>().rows;
    kernels::for_each_block_of_rows(x.size() / d, d, [&](std::size_t first, std::size_t n) {
        const std::size_t at = first * d;
        rows.add_and_normalise({n, d, d}, x.value().data() + at, y.value().data() + at, scale,
                               sum.data() + at, normalised.data() + at, moments.from(first));
    });
    const Variable<T> total =
        record(std::move(sum), x.needs_gradient() || y.needs_gradient(),
               [x, y](const Array<T>& /*sum*/, const Array<T>& gradient) {
                   const T* const d_sum = gradient.data();
                   add_to_gradient(x, [=](std::size_t i) { return d_sum[i]; });
                   add_to_gradient(y, [=](std::size_t i) { return d_sum[i]; });
               });
    return {total, record_norm(std::move(normalised), total, gain, bias, std::move(moments))};
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> layer_norm(const Variable<T>&, const Variable<T>&,                    \
                                    const Variable<T>&, double);                               \
    template Normalised<T> add_and_normalise(const Variable<T>&, const Variable<T>&,           \
                                             const Variable<T>&, const Variable<T>&, double);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::autograd
