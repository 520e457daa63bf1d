#include "chapters/05_attention_versus_dense/layers.hpp"

#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/linear.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/reductions.hpp"
#include "common/nn/initialise.hpp"
#include "common/tensor/check.hpp"

namespace attn::attention_versus_dense {

using autograd::matmul;
using random::Generator;

namespace {

template <typename T>
void expect_sequences(const Variable<T>& X, const char* function)
{
    expect(X.rank() == 3, "{}: X must have shape [batch, n_steps, n_features], got {}",
           function, X.shape());
}

} // namespace

// ---------------------------------------------------------------- attention over time

template <typename T>
Variable<T> weighted_sum_over_time(const Variable<T>& X, const Variable<T>& weights)
{
    expect_sequences(X, "weighted_sum_over_time");
    const Shape wanted = {X.shape()[0], X.shape()[1], 1};
    expect(weights.shape() == wanted,
           "weighted_sum_over_time: there must be a weight for each step of X {}, got {}",
           X.shape(), weights.shape());
    const Variable<T> f = matmul(weights, X, Transpose::yes); // [batch, 1, n_features]
    return reshape(f, {X.shape()[0], X.shape()[2]});
}

template <typename T>
AttentionOverTime<T>::AttentionOverTime(std::size_t n_features, std::size_t n_steps,
                                        ScoreBias bias, Squash squash_, Generator& generator)
    : W(autograd::parameter(
          nn::initialise::pytorch_linear<T>({n_features, 1}, n_features, generator))),
      squash(squash_)
{
    if (bias != ScoreBias::none) {
        const Shape shape = bias == ScoreBias::one ? Shape{1} : Shape{n_steps, 1};
        b = autograd::parameter(nn::initialise::zeros<T>(shape));
    }
}

// [attention]
template <typename T>
Attended<T> AttentionOverTime<T>::operator()(const Variable<T>& X,
                                             const std::optional<Mask>& mask) const
{
    expect_sequences(X, "AttentionOverTime");
    Variable<T> c = linear(X, W); // [batch, n_steps, 1]
    if (b) {
        expect(b->rank() == 1 || b->shape()[0] == X.shape()[1],
               "AttentionOverTime: X {} must have as many steps as b {}", X.shape(),
               b->shape());
        c = c + *b;
    }
    if (squash == Squash::tanh) {
        c = tanh(c);
    }
    const Variable<T> beta = mask ? masked_softmax(c, *mask, 1) : softmax(c, 1);
    return {c, beta, weighted_sum_over_time(X, beta)};
}
// [attention]

template <typename T>
nn::Parameters<T> AttentionOverTime<T>::parameters() const
{
    nn::Parameters<T> list;
    list.add("W", W);
    if (b) {
        list.add("b", *b);
    }
    return list;
}

// ---------------------------------------------------------------- a gate at each step

template <typename T>
GatedSum<T>::GatedSum(std::size_t n_features, Generator& generator)
    : W(autograd::parameter(
          nn::initialise::pytorch_linear<T>({n_features, 1}, n_features, generator))),
      b(autograd::parameter(nn::initialise::zeros<T>({1})))
{
}

// [gated]
template <typename T>
Gated<T> GatedSum<T>::operator()(const Variable<T>& X) const
{
    expect_sequences(X, "GatedSum");
    const Variable<T> gates = sigmoid(linear(X, W) + b); // [batch, n_steps, 1]
    return {gates, weighted_sum_over_time(X, gates)};
}
// [gated]

template <typename T>
nn::Parameters<T> GatedSum<T>::parameters() const
{
    nn::Parameters<T> list;
    list.add("W", W);
    list.add("b", b);
    return list;
}

// ---------------------------------------------------------------- three dense layers

template <typename T>
DenseOverTime<T>::DenseOverTime(std::size_t n_steps, std::size_t n_units, Generator& generator)
    : weight(autograd::parameter(
          nn::initialise::pytorch_linear<T>({n_steps, n_units}, n_steps, generator))),
      bias(autograd::parameter(
          nn::initialise::pytorch_linear<T>({n_units, 1}, n_steps, generator)))
{
}

// [dense]
template <typename T>
Variable<T> DenseOverFeatures<T>::operator()(const Variable<T>& X) const
{
    expect_sequences(X, "DenseOverFeatures");
    return linear(X); // rows are steps: [batch, n_steps, n_units]
}

template <typename T>
Variable<T> DenseOverTime<T>::operator()(const Variable<T>& X) const
{
    expect_sequences(X, "DenseOverTime");
    return matmul(weight, X, Transpose::yes) + bias; // [batch, n_units, n_features]
}

template <typename T>
Variable<T> DenseOverBoth<T>::operator()(const Variable<T>& X) const
{
    expect_sequences(X, "DenseOverBoth");
    return linear(reshape(X, {X.shape()[0], X.shape()[1] * X.shape()[2]}));
}
// [dense]

template <typename T>
nn::Parameters<T> DenseOverTime<T>::parameters() const
{
    nn::Parameters<T> list;
    list.add("weight", weight);
    list.add("bias", bias);
    return list;
}

// ---------------------------------------------------------------- pooling

template <typename T>
Variable<T> mean_over_time(const Variable<T>& X, const std::optional<Mask>& mask)
{
    expect_sequences(X, "mean_over_time");
    if (!mask) {
        return mean(X, 1);
    }
    // Equal scores for all: the masked softmax is their mean.
    const Variable<T> equal(filled<T>({X.shape()[0], X.shape()[1], 1}, T(0)));
    return weighted_sum_over_time(X, masked_softmax(equal, *mask, 1));
}

template <typename T>
Variable<T> max_over_time(const Variable<T>& X)
{
    expect_sequences(X, "max_over_time");
    return maximum(X, 1);
}

// ---------------------------------------------------------------- for both types

#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> weighted_sum_over_time(const Variable<T>&, const Variable<T>&);       \
    template struct AttentionOverTime<T>;                                                      \
    template struct GatedSum<T>;                                                               \
    template struct DenseOverFeatures<T>;                                                      \
    template struct DenseOverTime<T>;                                                          \
    template struct DenseOverBoth<T>;                                                          \
    template Variable<T> mean_over_time(const Variable<T>&, const std::optional<Mask>&);       \
    template Variable<T> max_over_time(const Variable<T>&);

ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::attention_versus_dense
