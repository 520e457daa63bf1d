#include "chapters/05_attention_versus_dense/raffel_ellis.hpp"

#include "common/autograd/activations.hpp"
#include "common/tensor/check.hpp"

namespace attn::attention_versus_dense {

template <typename T>
RaffelEllis<T>::RaffelEllis(const RaffelEllisSizes& sizes, random::Generator& generator)
    : embedding(sizes.n_features, sizes.d_hidden, generator),
      head(sizes.d_hidden, sizes.d_head, generator),
      readout(sizes.d_head, sizes.n_outputs, generator), pooling(sizes.pooling)
{
    if (pooling == Pooling::attention) {
        attention.emplace(sizes.d_hidden, 0, ScoreBias::one, sizes.squash, generator);
    }
}

// [raffel_ellis]
template <typename T>
RaffelEllisOutput<T> RaffelEllis<T>::operator()(const Variable<T>& X,
                                                const std::optional<Mask>& mask) const
{
    expect(pooling != Pooling::maximum || !mask,
           "RaffelEllis: the maximum over X {} cannot leave out padding", X.shape());
    const Variable<T> h = leaky_relu(embedding(X)); // [batch, n_steps, d_hidden]
    std::optional<Attended<T>> attended;
    if (attention) {
        attended = (*attention)(h, mask);
    }
    const Variable<T> pooled = attended                      ? attended->context
                               : pooling == Pooling::maximum ? max_over_time(h)
                                                             : mean_over_time(h, mask);
    return {readout(leaky_relu(head(pooled))), attended};
}
// [raffel_ellis]

template <typename T>
nn::Parameters<T> RaffelEllis<T>::parameters() const
{
    nn::Parameters<T> list;
    list.add_layer("embedding", embedding);
    if (attention) {
        list.add_layer("attention", *attention);
    }
    list.add_layer("head", head);
    list.add_layer("readout", readout);
    return list;
}

template struct RaffelEllis<float>;
template struct RaffelEllis<double>;

} // namespace attn::attention_versus_dense
