/// \file
/// \brief PyTorch's layer of an encoder: layer_forward() and layer_step() of torch_peers.hpp.
#include "tests/bench/torch_transformer.hpp"

#include <algorithm>

namespace attn::bench::torch_peer {

namespace {

/// A parameter of the other side: a matrix transposed, or a row.
Tensor taken(const InitialValues& values)
{
    const bool matrix = values.shape.size() == 2;
    std::vector<std::int64_t> shape;
    for (const std::size_t n : values.shape) {
        shape.push_back(signed_size(n));
    }
    const Tensor tensor = copied(values.values.data(), shape);
    return matrix ? tensor.t().contiguous() : tensor;
}

/// One layer of an encoder, steps before sentences.
struct PeerLayer
{
    std::int64_t d;
    Heads self;
    Affine dense_1;
    Affine dense_2;
    Norm norm_1;
    Norm norm_2;

    PeerLayer(const LayerSizes& s, const std::vector<InitialValues>& initial,
              AttentionForm form)
        : d(signed_size(s.d)), self(d, signed_size(s.n_heads), form),
          dense_1(d, signed_size(s.d_ff)), dense_2(signed_size(s.d_ff), d), norm_1(d), norm_2(d)
    {
        std::vector<Tensor> given;
        for (const InitialValues& one : initial) {
            given.push_back(taken(one));
        }
        const auto learnt = [](const Tensor& tensor) { return tensor.requires_grad_(); };
        self.in.weight = learnt(torch::cat({given[0], given[2], given[4]}));
        self.in.bias = learnt(torch::cat({given[1], given[3], given[5]}));
        std::size_t next = 6;
        for (Affine* const affine : {&self.out, &dense_1, &dense_2}) {
            affine->weight = learnt(given[next++]);
            affine->bias = learnt(given[next++]);
        }
        for (Norm* const norm : {&norm_1, &norm_2}) {
            norm->weight = learnt(given[next++]);
            norm->bias = learnt(given[next++]);
        }
    }

    Named parameters() const
    {
        TwoLists lists;
        lists.add_layer("in", self.in);
        lists.add_layer("out", self.out);
        lists.add_layer("dense_1", dense_1);
        lists.add_layer("dense_2", dense_2);
        lists.add_layer("norm_1", norm_1);
        lists.add_layer("norm_2", norm_2);
        return lists.learnt;
    }

    /// [n, batch, d] to the same.
    Tensor operator()(const Tensor& x) const
    {
        const Tensor informed = x + self.of_self(norm_1(x));
        return informed + dense_2(torch::relu(dense_1(norm_2(informed))));
    }

    /// [batch, n, d] to the same, in PyTorch's one call.
    Tensor in_one(const Tensor& x) const
    {
        return torch::_transformer_encoder_layer_fwd(
            x, d, self.n_heads, self.in.weight, self.in.bias, self.out.weight, self.out.bias,
            false, true, 1e-5, norm_1.weight, norm_1.bias, norm_2.weight, norm_2.bias,
            dense_1.weight, dense_1.bias, dense_2.weight, dense_2.bias);
    }
};

/// Sentences before steps [batch, n, d].
Tensor sentences_first(const LayerSizes& sizes, const float* x)
{
    return copied(
        x, {signed_size(sizes.batch), signed_size(sizes.n_tokens), signed_size(sizes.d)});
}

} // namespace

std::function<void()> layer_forward(const LayerSizes& sizes,
                                    const std::vector<InitialValues>& initial, const float* x,
                                    AttentionForm form, float* y)
{
    const PeerLayer layer(sizes, initial, form);
    const bool in_one = form == AttentionForm::whole_layer;
    const Tensor sentences = sentences_first(sizes, x);
    const Tensor rows = in_one ? sentences : sentences.transpose(0, 1).contiguous();
    return [=] {
        const c10::InferenceMode no_gradient;
        const Tensor result = in_one ? layer.in_one(rows) : layer(rows);
        if (y != nullptr) {
            const Tensor out = (in_one ? result : result.transpose(0, 1)).contiguous();
            std::copy_n(out.data_ptr<float>(), out.numel(), y);
        }
    };
}

std::function<void()> layer_step(const LayerSizes& sizes,
                                 const std::vector<InitialValues>& initial, const float* x,
                                 const float* target, AttentionForm form, float* loss)
{
    const PeerLayer layer(sizes, initial, form);
    const Tensor rows = sentences_first(sizes, x).transpose(0, 1).contiguous();
    const Tensor targets = sentences_first(sizes, target).transpose(0, 1).contiguous();
    return training_step(layer.parameters(),
                         [=] { return torch::mse_loss(layer(rows), targets); },
                         {loss, nullptr});
}

} // namespace attn::bench::torch_peer
