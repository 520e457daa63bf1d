#include "chapters/11_multi_head/linear_attention.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/reductions.hpp"
#include "common/autograd/rule.hpp"
#include "common/kernels/elementary.hpp"

#include <algorithm>
#include <utility>

namespace attn::multi_head {

namespace {

template <typename T>
T phi(T x)
{
    return x > T(0) ? x + T(1) : elementary::exp(x);
}

/// Ones on and below the diagonal, zeros above it.
template <typename T>
Variable<T> lower_triangle(std::size_t n)
{
    Array<T> ones = filled<T>({n, n}, T(0));
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            ones.data()[i * n + j] = T(1);
        }
    }
    return Variable<T>(std::move(ones));
}

} // namespace

template <typename T>
Variable<T> feature_map(const Variable<T>& x)
{
    Array<T> y = uninitialised<T>(x.shape());
    for (std::size_t i = 0; i < y.size(); ++i) {
        y.data()[i] = phi(x.value().data()[i]);
    }
    return autograd::record(
        std::move(y), x.needs_gradient(), [x](const Array<T>& result, const Array<T>& dy) {
            autograd::add_to_gradient(x, [&](std::size_t i) {
                const T slope = x.value().data()[i] > T(0) ? T(1) : result.data()[i];
                return slope * dy.data()[i];
            });
        });
}

template <typename T>
Variable<T> attend_linearly(const Variable<T>& queries, const Variable<T>& keys,
                            const Variable<T>& values, std::size_t n_heads,
                            const AttentionMask& mask, Array<T>* weights)
{
    expect(mask.causal && mask.key_lengths.empty(),
           "attend_linearly: it is causal and knows no padding");
    expect(queries.shape() == keys.shape(),
           "attend_linearly: queries {} and keys {} must have the same shape", queries.shape(),
           keys.shape());
    expect_together(queries.shape(), keys.shape(), values.shape(), n_heads);
    // [parallel]
    const Variable<T> q = split_heads(feature_map(queries), n_heads); // [batch, H, n, d_k]
    const Variable<T> k = split_heads(feature_map(keys), n_heads);
    const Variable<T> v = split_heads(values, n_heads);
    const Variable<T> kernel = matmul(q, k, Transpose::no, Transpose::yes); // [batch, H, n, n]
    const Variable<T> causal = kernel * lower_triangle<T>(queries.shape()[1]);
    const Variable<T> z = sum(causal, -1, autograd::Axis::kept);
    const Variable<T> p = causal / z;
    const Variable<T> contexts = merge_heads(matmul(p, v)); // [batch, n, H d_v]
    // [parallel]
    expect(
        std::all_of(z.value().begin(), z.value().end(), [](T total) { return total > T(0); }),
        "attend_linearly: the features of a query or of all its keys are 0: numbers too far "
        "below 0");
    if (weights != nullptr) {
        *weights = p.value();
    }
    return contexts;
}

Vector LinearState::step(const Vector& query, const Vector& key, const Vector& value)
{
    expect(query.size() == z.size() && key.size() == z.size() && value.size() == s.shape(1),
           "LinearState: query, key and value of {}, {} and {} numbers at a state of [{}, {}]",
           query.size(), key.size(), value.size(), s.shape(0), s.shape(1));
    Vector context = xt::zeros<double>({value.size()});
    double all = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
        const double k = phi(key(i));
        const double q = phi(query(i));
        z(i) += k;
        all += q * z(i);
        for (std::size_t j = 0; j < value.size(); ++j) {
            s(i, j) += k * value(j);
            context(j) += q * s(i, j);
        }
    }
    expect(all > 0, "LinearState: the features are 0: numbers too far below 0, {}", all);
    return context / all;
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> feature_map(const Variable<T>&);                                      \
    template Variable<T> attend_linearly(const Variable<T>&, const Variable<T>&,               \
                                         const Variable<T>&, std::size_t,                      \
                                         const AttentionMask&, Array<T>*);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::multi_head
