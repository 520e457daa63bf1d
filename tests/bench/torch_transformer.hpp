/// \file
/// \brief The parts of a transformer as PyTorch's side of the benchmarks has them, steps before
/// sentences: for the whole one and for a layer alone.
#pragma once

#include "tests/bench/torch_training.hpp"

#include <cmath>
#include <limits>

namespace attn::bench::torch_peer {

/// An affine map, a row of the weight for each output.
struct Affine
{
    Tensor weight;
    Tensor bias;

    Affine(std::int64_t n_in, std::int64_t n_out)
        : weight(uniform({n_out, n_in}, static_cast<std::size_t>(n_in))),
          bias(uniform({n_out}, static_cast<std::size_t>(n_in)))
    {
    }
    Tensor operator()(const Tensor& x) const { return torch::linear(x, weight, bias); }
};

/// Gain and bias of a layer norm.
struct Norm
{
    Tensor weight;
    Tensor bias;

    explicit Norm(std::int64_t d)
        : weight(torch::ones({d}).requires_grad_()), bias(torch::zeros({d}).requires_grad_())
    {
    }
    Tensor operator()(const Tensor& x) const
    {
        return torch::layer_norm(x, {weight.size(0)}, weight, bias);
    }
};

/// Attention with the three projections in one matrix, as PyTorch's layer keeps them.
struct Heads
{
    Affine in;
    Affine out;
    std::int64_t n_heads;
    AttentionForm form;
    mutable Tensor mask = {}; ///< of later keys, once it was asked for

    Heads(std::int64_t d, std::int64_t n_heads_, AttentionForm form_)
        : in(d, 3 * d), out(d, d), n_heads(n_heads_), form(form_)
    {
    }

    /// [n, batch, d] to [batch * heads, n, d / heads], without moving anything.
    Tensor split(const Tensor& x) const
    {
        return x.reshape({x.size(0), x.size(1) * n_heads, x.size(2) / n_heads}).transpose(0, 1);
    }
    /// Queries [n_q, batch, d] to keys and values.
    Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, bool causal) const
    {
#ifdef ATTN_TORCH_FUSED_ATTENTION
        if (form == AttentionForm::fused) {
            const auto split_in_four = [&](const Tensor& x) { // [batch, heads, n, d / heads]
                return x.view({x.size(0), x.size(1), n_heads, x.size(2) / n_heads})
                    .permute({1, 2, 0, 3});
            };
            const Tensor contexts = at::scaled_dot_product_attention(
                split_in_four(q), split_in_four(k), split_in_four(v), {}, 0.0, causal);
            return out(contexts.permute({2, 0, 1, 3}).reshape(q.sizes()));
        }
#endif
        const double scale = 1 / std::sqrt(static_cast<double>(q.size(2) / n_heads));
        const Tensor queries = split(q) * scale;
        const Tensor keys = split(k).transpose(1, 2);
        const Tensor scores = causal ? torch::baddbmm(later_keys(q.size(0)), queries, keys)
                                     : torch::bmm(queries, keys);
        const Tensor contexts = torch::bmm(torch::softmax(scores, -1), split(v));
        return out(contexts.transpose(0, 1).reshape(q.sizes()));
    }
    /// What a causal mask adds to the scores [n, n]; always of one size.
    Tensor later_keys(std::int64_t n) const
    {
        if (!mask.defined()) {
            mask = torch::full({n, n}, -std::numeric_limits<float>::infinity()).triu(1);
        }
        return mask;
    }
    Tensor of_self(const Tensor& x, bool causal = false) const
    {
        const auto parts = in(x).chunk(3, -1);
        return attend(parts[0], parts[1], parts[2], causal);
    }
    Tensor of_memory(const Tensor& x, const Tensor& memory) const
    {
        const std::int64_t d = x.size(2);
        const Tensor q = torch::linear(x, in.weight.narrow(0, 0, d), in.bias.narrow(0, 0, d));
        const auto parts =
            torch::linear(memory, in.weight.narrow(0, d, 2 * d), in.bias.narrow(0, d, 2 * d))
                .chunk(2, -1);
        return attend(q, parts[0], parts[1], false);
    }
};

/// The parameters, one by one: those that are learnt, and those that the other side has.
struct TwoLists
{
    Named learnt;
    Named parts;

    void add(const std::string& name, const Tensor& tensor)
    {
        learnt.emplace_back(name, tensor);
        parts.emplace_back(name, tensor);
    }
    template <typename Layer>
    void add_layer(const std::string& name, const Layer& layer)
    {
        add(name + ".weight", layer.weight);
        add(name + ".bias", layer.bias);
    }
    void add_heads(const std::string& name, const Heads& heads)
    {
        learnt.emplace_back(name + ".in.weight", heads.in.weight);
        learnt.emplace_back(name + ".in.bias", heads.in.bias);
        for (std::size_t part = 0; part < 3; ++part) {
            const std::string own = name + "." + std::to_string(part);
            parts.emplace_back(own + ".weight", heads.in.weight.chunk(3)[part]);
            parts.emplace_back(own + ".bias", heads.in.bias.chunk(3)[part]);
        }
        add_layer(name + ".out", heads.out);
    }
};

} // namespace attn::bench::torch_peer
