#include "common/autograd/linear.hpp"

#include "common/autograd/affine.hpp"
#include "common/autograd/rule.hpp"
#include "common/tensor/gemm.hpp"

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

template <typename T>
Variable<T> with_optional_bias(const Variable<T>& x, const Variable<T>& weight,
                               const std::optional<Variable<T>>& bias)
{
    const Shape shape = affine_shape(x, weight, bias ? &*bias : nullptr, "linear");
    const std::size_t n_rows = size_of(Shape(shape.begin(), shape.end() - 1));
    Array<T> y = uninitialised<T>(shape);
    affine(n_rows, x.value().data(), weight.value(), bias ? bias->value().data() : nullptr,
           y.data());

    const bool needs_gradient =
        x.needs_gradient() || weight.needs_gradient() || (bias && bias->needs_gradient());
    return record(std::move(y), needs_gradient,
                  [x, weight, bias, n_rows](const Array<T>& /*y*/, const Array<T>& dy) {
                      add_row_gradients(x, n_rows, weight.value(), dy.data());
                      add_weight_gradient(weight, n_rows, x.value().data(), x.shape().back(),
                                          dy.data());
                      if (bias) {
                          add_bias_gradient(*bias, n_rows, dy.data());
                      }
                  });
}

} // namespace

template <typename T>
Variable<T> linear(const Variable<T>& x, const Variable<T>& weight, const Variable<T>& bias)
{
    return with_optional_bias<T>(x, weight, bias);
}

template <typename T>
Variable<T> linear(const Variable<T>& x, const Variable<T>& weight)
{
    return with_optional_bias<T>(x, weight, std::nullopt);
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> linear(const Variable<T>&, const Variable<T>&, const Variable<T>&);   \
    template Variable<T> linear(const Variable<T>&, const Variable<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::autograd
