#include "chapters/12_transformer/feed_forward.hpp"

#include "common/autograd/activations.hpp"
#include "common/autograd/linear.hpp"

namespace attn::transformer {

template <typename T>
FeedForward<T>::FeedForward(std::size_t d, std::size_t d_ff, random::Generator& generator,
                            HiddenActivation activation_)
    : W_1(d, d_ff, generator), W_2(d_ff, d, generator), activation(activation_)
{
}

template <typename T>
Variable<T> FeedForward<T>::operator()(const Variable<T>& x, bool fused) const
{
    return W_2(fused && activation == HiddenActivation::relu
                   ? linear_relu(x, W_1.weight, *W_1.bias)
                   : activate(W_1(x)));
}

template <typename T>
Variable<T> FeedForward<T>::activate(const Variable<T>& x) const
{
    switch (activation) {
    case HiddenActivation::gelu:
        return gelu(x);
    case HiddenActivation::gelu_tanh:
        return gelu_tanh(x);
    case HiddenActivation::relu:
        break;
    }
    return relu(x);
}

template struct FeedForward<float>;
template struct FeedForward<double>;

} // namespace attn::transformer
