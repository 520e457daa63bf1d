#include "chapters/12_transformer/training/key_value_cache.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::transformer {

namespace {

constexpr std::size_t first_room = 64; // the widest kernels read so many keys at a time

template <typename T>
kernels::RowProduct<T> row_product(const nn::Linear<T>& linear, const T* residual,
                                   bool rectified)
{
    const Shape& shape = linear.weight.shape();
    return {shape[0],
            shape[1],
            linear.weight.value().data(),
            linear.bias ? linear.bias->value().data() : nullptr,
            residual,
            rectified};
}

} // namespace

template <typename T>
KeyValueCache<T>::KeyValueCache(std::size_t d)
    : keys_(filled<T>({d, first_room}, T(0))), values_(uninitialised<T>({first_room, d}))
{
}

template <typename T>
KeyValueCache<T>::KeyValueCache(const Array<T>& keys, const Array<T>& values,
                                std::size_t sentence, std::size_t n)
    : KeyValueCache(keys.shape()[2])
{
    for (std::size_t j = 0; j < n; ++j) {
        const std::size_t row = (sentence * keys.shape()[1] + j) * keys.shape()[2];
        append(keys.data() + row, values.data() + row);
    }
}

template <typename T>
void KeyValueCache<T>::append(const T* key, const T* value)
{
    const std::size_t d = keys_.shape()[0];
    if (n_ == values_.shape()[0]) { // full: double the room
        Array<T> keys = filled<T>({d, 2 * n_}, T(0));
        for (std::size_t k = 0; k < d; ++k) {
            std::copy_n(keys_.data() + k * n_, n_, keys.data() + k * 2 * n_);
        }
        Array<T> values = uninitialised<T>({2 * n_, d});
        std::copy_n(values_.data(), n_ * d, values.data());
        keys_ = std::move(keys);
        values_ = std::move(values);
    }
    const std::size_t room = values_.shape()[0];
    for (std::size_t k = 0; k < d; ++k) {
        keys_.data()[k * room + n_] = key[k];
    }
    std::copy_n(value, d, values_.data() + n_ * d);
    ++n_;
}

template <typename T>
kernels::RowMemory<T> KeyValueCache<T>::rows(std::size_t n_heads) const
{
    return {.n_heads = n_heads,
            .d = keys_.shape()[0],
            .n_seen = n_,
            .room = keys_.shape()[1],
            .keys = keys_.data(),
            .values = values_.data()};
}

template <typename T>
DecodingWorkspace<T>::DecodingWorkspace(const kernels::NumberKernels<T>& kernels_,
                                        std::size_t d, std::size_t d_ff)
    : kernels(kernels_), memory(uninitialised<T>({6 * d + d_ff})), x(memory.data()),
      normed(x + d), query(normed + d), key(query + d), value(key + d), context(value + d),
      hidden(context + d)
{
}

template <typename T>
void DecodingWorkspace<T>::normalise(const nn::LayerNorm<T>& norm, const T* from, T* to) const
{
    T mean;
    T inverse_deviation;
    const std::size_t d = norm.weight.size();
    kernels.rows.normalise(
        {1, d, d}, from,
        {norm.weight.value().data(), norm.bias.value().data(), static_cast<T>(norm.epsilon)},
        to, {&mean, &inverse_deviation});
}

template <typename T>
void DecodingWorkspace<T>::multiply(const nn::Linear<T>& linear, const T* from, T* to,
                                    const T* residual) const
{
    kernels.decoding.multiply_row(row_product(linear, residual, false), from, to);
}

template <typename T>
void DecodingWorkspace<T>::feed_forward(const FeedForward<T>& network, const T* from, T* to,
                                        const T* residual) const
{
    const bool rectified = network.activation == HiddenActivation::relu;
    kernels.decoding.multiply_row(row_product<T>(network.W_1, nullptr, rectified), from,
                                  hidden);
    if (!rectified) {
        const std::size_t d_ff = network.W_1.weight.shape()[1];
        const Array<T> activated =
            network.activate(Variable<T>(array_of<T>({d_ff}, {hidden, d_ff}))).value();
        std::copy_n(activated.data(), d_ff, hidden);
    }
    multiply(network.W_2, hidden, to, residual);
}

template <typename T>
void DecodingWorkspace<T>::attend(const KeyValueCache<T>& cache, std::size_t n_heads)
{
    const kernels::RowMemory<T> rows = cache.rows(n_heads);
    if (weights.size() != n_heads * rows.room) {
        weights = uninitialised<T>({n_heads, rows.room});
    }
    const T scale = T(1) / std::sqrt(static_cast<T>(rows.d / n_heads));
    kernels.decoding.attend_row(rows, query, scale, weights.data(), context);
}

template class KeyValueCache<float>;
template class KeyValueCache<double>;
template struct DecodingWorkspace<float>;
template struct DecodingWorkspace<double>;

} // namespace attn::transformer
