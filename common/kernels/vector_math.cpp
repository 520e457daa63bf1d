#include "common/kernels/vector_math.hpp"

#include "common/kernels/instruction_sets.hpp"
#include "common/tensor/check.hpp"

namespace attn::vector_math {

namespace {

template <typename T>
void expect_as_long(std::span<const T> x, std::span<const T> y, const char* name)
{
    expect(x.size() == y.size(), "vector_math::{}: y must be as long as x, {}, got {}", name,
           x.size(), y.size());
}

/// y = f(x) by an entry of the kernels' table.
template <typename T>
void apply(void (*kernels::ElementaryKernels<T>::*f)(std::size_t, const T*, T*),
           const char* name, std::span<const T> x, std::span<T> y)
{
    expect_as_long<T>(x, y, name);
    (kernels::current<T>().elementary.*f)(x.size(), x.data(), y.data());
}

} // namespace

template <typename T>
void exp(std::span<const T> x, std::span<T> y)
{
    apply(&kernels::ElementaryKernels<T>::exp, "exp", x, y);
}

template <typename T>
void log(std::span<const T> x, std::span<T> y)
{
    apply(&kernels::ElementaryKernels<T>::log, "log", x, y);
}

template <typename T>
void tanh(std::span<const T> x, std::span<T> y)
{
    apply(&kernels::ElementaryKernels<T>::tanh, "tanh", x, y);
}

template <typename T>
void sigmoid(std::span<const T> x, std::span<T> y)
{
    apply(&kernels::ElementaryKernels<T>::sigmoid, "sigmoid", x, y);
}

template <typename T>
void erf(std::span<const T> x, std::span<T> y)
{
    apply(&kernels::ElementaryKernels<T>::erf, "erf", x, y);
}

template <typename T>
T exp_of_difference(std::span<const T> x, T shift, std::span<T> y)
{
    expect_as_long<T>(x, y, "exp_of_difference");
    kernels::current<T>().elementary.exp_of_difference(x.size(), x.data(), shift, y.data());
    return sum<T>(y);
}

template <typename T>
T maximum(std::span<const T> x)
{
    return kernels::current<T>().reductions.largest(x.size(), x.data());
}

template <typename T>
T sum(std::span<const T> x)
{
    return kernels::current<T>().reductions.sum(x.size(), x.data());
}

template <typename T>
T dot(std::span<const T> x, std::span<const T> y)
{
    expect_as_long<T>(x, y, "dot");
    return kernels::current<T>().reductions.dot(x.size(), x.data(), y.data());
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template void exp(std::span<const T>, std::span<T>);                                       \
    template void log(std::span<const T>, std::span<T>);                                       \
    template void tanh(std::span<const T>, std::span<T>);                                      \
    template void sigmoid(std::span<const T>, std::span<T>);                                   \
    template void erf(std::span<const T>, std::span<T>);                                       \
    template T exp_of_difference(std::span<const T>, T, std::span<T>);                         \
    template T maximum(std::span<const T>);                                                    \
    template T sum(std::span<const T>);                                                        \
    template T dot(std::span<const T>, std::span<const T>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::vector_math
