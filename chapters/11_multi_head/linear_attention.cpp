/// \file
/// \brief The bodies of linear_attention.hpp.
#include "chapters/11_multi_head/linear_attention.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/reductions.hpp"
#include "common/autograd/rule.hpp"
#include "common/kernels/elementary.hpp"

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

/// In float a feature is 0 where a number lies below -103: a row of such features has no mean.
template <typename T>
void expect_some_weight(const Array<T>& sums)
{
    for (std::size_t i = 0; i < sums.size(); ++i) {
        expect(
            sums.data()[i] != T(0),
            "attend_linearly: row {} of {} has weights of 0 alone: the features of its query "
            "or of all its keys are 0, from numbers too far below 0",
            i, sums.shape());
    }
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
                            const Visible& visible, Array<T>* weights)
{
    expect(visible.causal && visible.key_lengths.empty(),
           "attend_linearly: it is causal and knows no padding, got {} lengths",
           visible.key_lengths.size());
    expect(queries.shape() == keys.shape(),
           "attend_linearly: queries {} and keys {} must have the same shape", queries.shape(),
           keys.shape());
    expect_together(queries.shape(), keys.shape(), values.shape(), n_heads);
    const std::size_t n = queries.shape()[1];
    // [parallel]
    const Variable<T> q = split_heads(feature_map(queries), n_heads); // [batch, H, n, d_k]
    const Variable<T> k = split_heads(feature_map(keys), n_heads);
    const Variable<T> v = split_heads(values, n_heads);
    const Variable<T> kernel = matmul(q, k, Transpose::no, Transpose::yes); // [batch, H, n, n]
    const Variable<T> seen = kernel * lower_triangle<T>(n);
    const Variable<T> all = sum(seen, -1, autograd::Axis::kept);
    expect_some_weight(all.value());
    const Variable<T> p = seen / all;
    const Variable<T> contexts = merge_heads(matmul(p, v)); // [batch, n, H d_v]
    // [parallel]
    if (weights != nullptr) {
        *weights = p.value();
    }
    return contexts;
}

LinearState::LinearState(std::size_t d_k, std::size_t d_v)
    : s(xt::zeros<double>({d_k, d_v})), z(xt::zeros<double>({d_k}))
{
}

Vector LinearState::step(const Vector& query, const Vector& key, const Vector& value)
{
    expect(query.size() == z.size() && key.size() == z.size() && value.size() == s.shape(1),
           "LinearState: query, key and value of {}, {} and {} numbers at a state of [{}, {}]",
           query.size(), key.size(), value.size(), s.shape(0), s.shape(1));
    Vector context = xt::zeros<double>({value.size()});
    double all = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
        const double shown = phi(key(i));
        const double asked = phi(query(i));
        z(i) += shown;
        all += asked * z(i);
        for (std::size_t j = 0; j < value.size(); ++j) {
            s(i, j) += shown * value(j);
            context(j) += asked * s(i, j);
        }
    }
    expect(all != 0, "LinearState: the features of the query, or of all keys so far, are 0");
    return context / all;
}

template Variable<float> feature_map(const Variable<float>&);
template Variable<double> feature_map(const Variable<double>&);
template Variable<float> attend_linearly(const Variable<float>&, const Variable<float>&,
                                         const Variable<float>&, std::size_t, const Visible&,
                                         Array<float>*);
template Variable<double> attend_linearly(const Variable<double>&, const Variable<double>&,
                                          const Variable<double>&, std::size_t, const Visible&,
                                          Array<double>*);

} // namespace attn::multi_head
