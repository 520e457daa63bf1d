#include "common/autograd/linear.hpp"

#include "common/autograd/affine.hpp"
#include "common/autograd/rule.hpp"
#include "common/kernels/gemm.hpp"
#include "common/kernels/row_blocks.hpp"

#include <optional>
#include <utility>

namespace attn::autograd {

namespace {

/// dX += dY Wᵀ, if X needs a gradient.
template <typename T>
void add_row_gradients(const Variable<T>& x, std::size_t n_rows, const Array<T>& weight,
                       const T* dy)
{
    if (!x.needs_gradient()) {
        return;
    }
    const std::size_t n_in = weight.shape()[0];
    const std::size_t n_out = weight.shape()[1];
    const auto [dx, beta] = open_gradient(x);
    gemm(Transpose::no, Transpose::yes, n_rows, n_in, n_out, T(1), dy, n_out, weight.data(),
         n_out, beta, dx, n_in);
}

/// How many rows there are, even of no numbers: what stands before the last axis, multiplied.
std::size_t rows_of(const Shape& shape)
{
    return size_of(Shape(shape.begin(), shape.end() - 1));
}

/// The gradient of X W + b, with what it needs.
template <typename T>
struct LinearRule
{
    Variable<T> x;                   ///< X [..., n_in]
    Variable<T> weight;              ///< W [n_in, n_out]
    std::optional<Variable<T>> bias; ///< b [n_out]

    /// Adds to all three gradients.
    void operator()(const Array<T>& /*y*/, const Array<T>& dy) const
    {
        const std::size_t n_rows = rows_of(x.shape());
        add_row_gradients(x, n_rows, weight.value(), dy.data());
        add_weight_gradient(weight, n_rows, x.value().data(), x.shape().back(), dy.data());
        if (bias) {
            add_bias_gradient(*bias, n_rows, dy.data());
        }
    }
};

/// The gradient of max(X W + b, 0).
template <typename T>
struct LinearReluRule
{
    LinearRule<T> of_product; ///< X W + b's

    /// Adds to all three gradients what arrives where y is above 0.
    void operator()(const Array<T>& y, const Array<T>& dy) const
    {
        const std::size_t n = of_product.weight.shape()[1];
        Array<T> dz = uninitialised<T>(dy.shape());
        const auto& kernel = kernels::current<T>().rows;
        kernels::for_each_block_of_rows(
            rows_of(dy.shape()), n, [&](std::size_t first, std::size_t n_rows) {
                const std::size_t at = first * n;
                kernel.relu_backward({n_rows, n, n}, y.data() + at, dy.data() + at,
                                     dz.data() + at);
            });
        of_product(y, dz);
    }
};

/// X W + b.
template <typename T>
Array<T> linear_value(const Variable<T>& x, const Variable<T>& weight,
                      const std::optional<Variable<T>>& bias, const char* function)
{
    const Shape shape = affine_shape(x, weight, bias ? &*bias : nullptr, function);
    Array<T> y = uninitialised<T>(shape);
    affine_product<T>(rows_of(shape), shape.back(), weight.shape()[0], x.value().data(),
                      weight.value().data(), bias ? bias->value().data() : nullptr, y.data());
    return y;
}

} // namespace

template <typename T>
Variable<T> linear(const Variable<T>& x, const Variable<T>& weight,
                   const std::type_identity_t<std::optional<Variable<T>>>& bias)
{
    return record(linear_value(x, weight, bias, "linear"),
                  x.needs_gradient() || weight.needs_gradient() ||
                      (bias && bias->needs_gradient()),
                  LinearRule<T>{x, weight, bias});
}

template <typename T>
Variable<T> linear_relu(const Variable<T>& x, const Variable<T>& weight,
                        const Variable<T>& bias)
{
    Array<T> y = linear_value<T>(x, weight, bias, "linear_relu");
    const std::size_t n = weight.shape()[1];
    const auto& rows = kernels::current<T>().rows;
    kernels::for_each_block_of_rows(rows_of(y.shape()), n,
                                    [&](std::size_t first, std::size_t n_rows) {
                                        rows.relu({n_rows, n, n}, y.data() + first * n);
                                    });
    return record(std::move(y),
                  x.needs_gradient() || weight.needs_gradient() || bias.needs_gradient(),
                  LinearReluRule<T>{{x, weight, bias}});
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> linear(const Variable<T>&, const Variable<T>&,                        \
                                const std::optional<Variable<T>>&);                            \
    template Variable<T> linear_relu(const Variable<T>&, const Variable<T>&,                   \
                                     const Variable<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::autograd
