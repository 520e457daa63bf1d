#include "chapters/11_multi_head/multi_head.hpp"

#include "common/nn/initialise.hpp"

#include <algorithm>
#include <cmath>

namespace attn::multi_head {

namespace {

MultiHeadSizes checked(MultiHeadSizes sizes)
{
    expect(sizes.d_model >= 1 && sizes.n_heads >= 1 && sizes.d_model % sizes.n_heads == 0,
           "MultiHeadAttention: {} heads cannot share {} numbers", sizes.n_heads,
           sizes.d_model);
    sizes.d_key_inputs = sizes.d_key_inputs == 0 ? sizes.d_model : sizes.d_key_inputs;
    sizes.d_value_inputs = sizes.d_value_inputs == 0 ? sizes.d_model : sizes.d_value_inputs;
    return sizes;
}

} // namespace

template <typename T>
MultiHeadAttention<T>::MultiHeadAttention(const MultiHeadSizes& sizes,
                                          random::Generator& generator)
    : W_q(checked(sizes).d_model, sizes.d_model, generator, sizes.bias),
      W_k(checked(sizes).d_key_inputs, sizes.d_model, generator, sizes.bias),
      W_v(checked(sizes).d_value_inputs, sizes.d_model, generator, sizes.bias),
      W_o(sizes.d_model, sizes.d_model, generator, sizes.bias), n_heads(sizes.n_heads)
{
    const bool equal =
        W_k.weight.shape() == W_q.weight.shape() && W_v.weight.shape() == W_q.weight.shape();
    // Uniform in ± sqrt(6 / (n_in + n_out)); matrices that PyTorch keeps as one count as one.
    for (nn::Linear<T>* const projection : {&W_q, &W_k, &W_v}) {
        const Shape shape = projection->weight.shape();
        const double bound =
            std::sqrt(6.0 / static_cast<double>(shape[0] + (equal ? 3 : 1) * shape[1]));
        projection->weight.value() =
            nn::initialise::uniform<T>(shape, -bound, bound, generator);
    }
    for (nn::Linear<T>* const projection : {&W_q, &W_k, &W_v, &W_o}) {
        if (projection->bias) {
            std::fill_n(projection->bias->value().data(), projection->bias->size(), T(0));
        }
    }
}

namespace {

/// Where the first query stands: so that the last one stands at the last key, if it is causal.
template <typename T>
std::size_t first_position_of(const Variable<T>& X, const ProjectedMemory<T>& memory,
                              const AttentionMask& mask)
{
    expect(X.rank() == 3 && memory.keys.rank() == 3,
           "MultiHeadAttention: queries are made from [batch, n, d], got {} at keys {}",
           X.shape(), memory.keys.shape());
    const std::size_t n_queries = X.shape()[1];
    const std::size_t n_keys = memory.keys.shape()[1];
    return mask.causal && n_keys > n_queries ? n_keys - n_queries : 0;
}

} // namespace

// [layer]
template <typename T>
ProjectedMemory<T> MultiHeadAttention<T>::project(const Variable<T>& Y, const Variable<T>& Z,
                                                  std::size_t first_position) const
{
    const Variable<T> K = W_k(Y);
    return {rotate ? rotate(K, n_heads, first_position) : K, W_v(Z)};
}

template <typename T>
Variable<T> MultiHeadAttention<T>::queries_of(const Variable<T>& X,
                                              std::size_t first_position) const
{
    const Variable<T> Q = W_q(X);
    return rotate ? rotate(Q, n_heads, first_position) : Q;
}

template <typename T>
Variable<T> MultiHeadAttention<T>::attend_to(const Variable<T>& X,
                                             const ProjectedMemory<T>& memory,
                                             const AttentionMask& mask, Array<T>* weights) const
{
    const Variable<T> Q = queries_of(X, first_position_of(X, memory, mask));
    return W_o(attend(Q, memory.keys, memory.values, n_heads, mask, weights));
}

template <typename T>
Variable<T> MultiHeadAttention<T>::operator()(const Variable<T>& X, const Variable<T>& Y,
                                              const Variable<T>& Z, const AttentionMask& mask,
                                              Inside<T>* inside) const
{
    const ProjectedMemory<T> memory = project(Y, Z);
    if (inside == nullptr) {
        return attend_to(X, memory, mask);
    }
    inside->queries = queries_of(X, first_position_of(X, memory, mask)).value();
    inside->keys = memory.keys.value();
    inside->values = memory.values.value();
    return attend_to(X, memory, mask, &inside->weights);
}
// [layer]

template <typename T>
nn::Parameters<T> MultiHeadAttention<T>::parameters() const
{
    nn::Parameters<T> list;
    list.add_layer("q_proj", W_q);
    list.add_layer("k_proj", W_k);
    list.add_layer("v_proj", W_v);
    list.add_layer("out_proj", W_o);
    return list;
}

// [tied]
template <typename T>
void tie(MultiHeadAttention<T>& layer, Tied tied)
{
    if (tied == Tied::queries_and_keys || tied == Tied::all) {
        layer.W_k = layer.W_q; // a copy refers to the same parameters
    }
    if (tied == Tied::keys_and_values || tied == Tied::all) {
        layer.W_v = layer.W_k;
    }
}
// [tied]

template struct MultiHeadAttention<float>;
template struct MultiHeadAttention<double>;
template void tie(MultiHeadAttention<float>&, Tied);

} // namespace attn::multi_head
