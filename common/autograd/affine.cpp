#include "common/autograd/affine.hpp"

#include "common/autograd/rule.hpp"
#include "common/kernels/gemm.hpp"
#include "common/kernels/row_blocks.hpp"

namespace attn::autograd {

template <typename T>
void expect_shape(const Variable<T>& x, const Shape& wanted, const char* function,
                  const char* argument)
{
    expect(x.shape() == wanted, "{}: {} must have shape {}, got {}", function, argument, wanted,
           x.shape());
}

template <typename T>
Shape affine_shape(const Variable<T>& x, const Variable<T>& weight, const Variable<T>* bias,
                   const char* function)
{
    expect(weight.rank() == 2, "{}: weight must be [n_in, n_out], got {}", function,
           weight.shape());
    expect(bias == nullptr || (bias->rank() == 1 && bias->shape()[0] == weight.shape()[1]),
           "{}: there must be a bias for each column of weight {}, got {}", function,
           weight.shape(), bias == nullptr ? Shape{} : bias->shape());
    expect(x.rank() > 0 && x.shape().back() == weight.shape()[0],
           "{}: the last axis of x {} must be the first of weight {}", function, x.shape(),
           weight.shape());
    Shape shape = x.shape();
    shape.back() = weight.shape()[1];
    return shape;
}

template <typename T>
void add_weight_gradient(const Variable<T>& weight, std::size_t n_rows, const T* x,
                         std::size_t stride, const T* dy)
{
    if (!weight.needs_gradient()) {
        return;
    }
    const std::size_t n_in = weight.shape()[0];
    const std::size_t n_out = weight.shape()[1];
    const auto [dweight, beta] = open_gradient(weight);
    gemm(Transpose::yes, Transpose::no, n_in, n_out, n_rows, T(1), x, stride, dy, n_out, beta,
         dweight, n_out);
}

template <typename T>
void add_bias_gradient(const Variable<T>& bias, std::size_t n_rows, const T* dy)
{
    if (!bias.needs_gradient()) {
        return;
    }
    const std::size_t n_out = bias.size();
    T* const dbias = zeroed_gradient(bias);
    const auto& rows = kernels::current<T>().rows;
    kernels::for_each_block_of_columns(n_rows, n_out, [&](std::size_t first, std::size_t n) {
        rows.add_columns({n_rows, n, n_out}, dy + first, dbias + first);
    });
}

template <typename T>
Array<T> transposed(const Array<T>& matrix)
{
    const std::size_t n_rows = matrix.shape()[0];
    const std::size_t n_columns = matrix.shape()[1];
    Array<T> result = uninitialised<T>({n_columns, n_rows});
    const T* const from = matrix.data();
    T* const to = result.data();
    for (std::size_t j = 0; j < n_columns; ++j) {
        for (std::size_t i = 0; i < n_rows; ++i) {
            to[j * n_rows + i] = from[i * n_columns + j];
        }
    }
    return result;
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template void expect_shape(const Variable<T>&, const Shape&, const char*, const char*);    \
    template Shape affine_shape(const Variable<T>&, const Variable<T>&, const Variable<T>*,    \
                                const char*);                                                  \
    template void add_weight_gradient(const Variable<T>&, std::size_t, const T*, std::size_t,  \
                                      const T*);                                               \
    template void add_bias_gradient(const Variable<T>&, std::size_t, const T*);                \
    template Array<T> transposed(const Array<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::autograd
