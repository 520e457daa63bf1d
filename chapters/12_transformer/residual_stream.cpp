#include "chapters/12_transformer/residual_stream.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layer_norm.hpp"

#include <utility>

namespace attn::transformer {

template <typename T>
ResidualStream<T>::ResidualStream(Variable<T> rows, bool fused)
    : rows_(std::move(rows)), fused_(fused)
{
}

template <typename T>
Variable<T> ResidualStream<T>::sum()
{
    if (waiting_) {
        rows_ = rows_ + *std::exchange(waiting_, std::nullopt);
    }
    return rows_;
}

template <typename T>
Variable<T> ResidualStream<T>::normalised(const nn::LayerNorm<T>& norm)
{
    if (!fused_ || !waiting_) {
        return norm(sum());
    }
    const Variable<T> y = *std::exchange(waiting_, std::nullopt);
    auto [sum, normalised] = add_and_normalise(rows_, y, norm.weight, norm.bias, norm.epsilon);
    rows_ = std::move(sum);
    return normalised;
}

template <typename T>
void ResidualStream<T>::add(const Variable<T>& y)
{
    sum();
    waiting_ = y;
}

template <typename T>
void ResidualStream<T>::replace(Variable<T> y)
{
    waiting_.reset();
    rows_ = std::move(y);
}

template class ResidualStream<float>;
template class ResidualStream<double>;

} // namespace attn::transformer
