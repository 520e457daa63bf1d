#include "common/nn/residual_rows.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layer_norm.hpp"

#include <utility>

namespace attn::nn {

template <typename T>
ResidualRows<T>::ResidualRows(Variable<T> rows, bool fused)
    : rows_(std::move(rows)), fused_(fused)
{
}

template <typename T>
Variable<T> ResidualRows<T>::sum()
{
    if (waiting_) {
        rows_ = rows_ + *std::exchange(waiting_, std::nullopt);
    }
    return rows_;
}

template <typename T>
Variable<T> ResidualRows<T>::normalised(const LayerNorm<T>& norm)
{
    if (!fused_ || !waiting_) {
        return norm(sum());
    }
    const Variable<T> y = *std::exchange(waiting_, std::nullopt);
    auto [sum, normalised] =
        autograd::add_and_normalise(rows_, y, norm.weight, norm.bias, norm.epsilon);
    rows_ = std::move(sum);
    return normalised;
}

template <typename T>
void ResidualRows<T>::add(const Variable<T>& y)
{
    sum();
    waiting_ = y;
}

template <typename T>
void ResidualRows<T>::replace(Variable<T> y)
{
    waiting_.reset();
    rows_ = std::move(y);
}

template class ResidualRows<float>;
template class ResidualRows<double>;

} // namespace attn::nn
