#include "common/nn/layers.hpp"

#include "common/autograd/embedding.hpp"
#include "common/autograd/layer_norm.hpp"
#include "common/autograd/linear.hpp"
#include "common/nn/initialise.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace attn::nn {

template <typename T>
Linear<T>::Linear(std::size_t n_in, std::size_t n_out, random::Generator& generator,
                  Bias with_bias)
    : weight(autograd::parameter(initialise::pytorch_linear<T>({n_in, n_out}, n_in, generator)))
{
    if (with_bias == Bias::learnt) {
        bias = autograd::parameter(initialise::pytorch_linear<T>({n_out}, n_in, generator));
    }
}

template <typename T>
Variable<T> Linear<T>::operator()(const Variable<T>& x) const
{
    return autograd::linear(x, weight, bias);
}

template <typename T>
Parameters<T> Linear<T>::parameters() const
{
    Parameters<T> list;
    list.add("weight", weight, FileLayout::transposed);
    if (bias) {
        list.add("bias", *bias);
    }
    return list;
}

template <typename T>
Embedding<T>::Embedding(std::size_t n_words, std::size_t d, random::Generator& generator,
                        std::optional<std::int64_t> padding_)
    : weight(autograd::parameter(initialise::normal<T>({n_words, d}, 0.0, 1.0, generator))),
      padding(padding_)
{
    if (padding) {
        expect(*padding >= 0 && static_cast<std::uint64_t>(*padding) < n_words,
               "Embedding: the padding {} is no word of {}", *padding, n_words);
        std::fill_n(weight.value().data() + static_cast<std::size_t>(*padding) * d, d, T(0));
    }
}

template <typename T>
Embedding<T> Embedding<T>::small(std::size_t n_words, std::size_t d,
                                 random::Generator& generator)
{
    Embedding table(n_words, d, generator);
    const T factor = T(1) / std::sqrt(static_cast<T>(d));
    for (T& number : numbers_of(table.weight.value())) {
        number *= factor;
    }
    return table;
}

template <typename T>
Variable<T> Embedding<T>::operator()(std::span<const std::int64_t> words,
                                     const Shape& shape) const
{
    return autograd::gather_rows(weight, words, shape, padding);
}

template <typename T>
Parameters<T> Embedding<T>::parameters() const
{
    Parameters<T> list;
    list.add("weight", weight);
    return list;
}

template <typename T>
LayerNorm<T>::LayerNorm(std::size_t d, double epsilon_)
    : weight(autograd::parameter(initialise::ones<T>({d}))),
      bias(autograd::parameter(initialise::zeros<T>({d}))), epsilon(epsilon_)
{
}

template <typename T>
Variable<T> LayerNorm<T>::operator()(const Variable<T>& x) const
{
    return autograd::layer_norm(x, weight, bias, epsilon);
}

template <typename T>
Parameters<T> LayerNorm<T>::parameters() const
{
    Parameters<T> list;
    list.add("weight", weight);
    list.add("bias", bias);
    return list;
}

template <typename T>
Mlp<T>::Mlp(const std::vector<std::size_t>& sizes, Activation activation_,
            random::Generator& generator)
    : activation(std::move(activation_))
{
    expect(sizes.size() >= 2,
           "Mlp: there must be a size of the input and one of the output, "
           "got {} sizes",
           sizes.size());
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
        layers.emplace_back(sizes[i], sizes[i + 1], generator);
    }
}

template <typename T>
Variable<T> Mlp<T>::operator()(const Variable<T>& x) const
{
    Variable<T> y = layers.front()(x);
    for (std::size_t i = 1; i < layers.size(); ++i) {
        y = layers[i](activation(y));
    }
    return y;
}

template <typename T>
Parameters<T> Mlp<T>::parameters() const
{
    Parameters<T> list;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        list.add_layer(fmt::format("{}", 2 * i), layers[i]);
    }
    return list;
}

template struct Linear<float>;
template struct Linear<double>;
template struct Embedding<float>;
template struct Embedding<double>;
template struct LayerNorm<float>;
template struct LayerNorm<double>;
template struct Mlp<float>;
template struct Mlp<double>;

} // namespace attn::nn
