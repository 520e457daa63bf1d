/// \file
/// \brief PyTorch's attention alone: ways_of_attention() of torch_peers.hpp.
#include "tests/bench/torch_training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace attn::bench::torch_peer {

namespace {

/// Queries, keys and values, which want gradients, and the gradient of the contexts.
struct SplitHeads
{
    Tensor queries, keys, values; // [1, heads, tokens, 64]
    Tensor gradient;
    bool causal;
    Tensor mask; // [tokens, tokens] with -inf where a key is later, if causal
};

Tensor by_its_own_function(const SplitHeads& x)
{
#ifdef ATTN_TORCH_FUSED_ATTENTION
    return at::scaled_dot_product_attention(x.queries, x.keys, x.values, {}, 0.0, x.causal);
#else
    return std::get<0>(at::_scaled_dot_product_attention(x.queries, x.keys, x.values, {}, 0.0,
                                                         false, x.causal));
#endif
}

Tensor by_operations(const SplitHeads& x)
{
    const Tensor queries = x.queries[0] / std::sqrt(static_cast<double>(x.queries.size(-1)));
    const Tensor keys = x.keys[0].transpose(1, 2);
    const Tensor scores =
        x.causal ? torch::baddbmm(x.mask, queries, keys) : torch::bmm(queries, keys);
    return torch::bmm(torch::softmax(scores, -1), x.values[0]).unsqueeze(0);
}

WayOfAttention way(std::string name, const SplitHeads& x, Tensor (*attend)(const SplitHeads&))
{
    return {std::move(name),
            [x, attend] {
                const c10::InferenceMode no_gradient;
                attend(x);
            },
            [x, attend] {
                torch::autograd::grad({attend(x)}, {x.queries, x.keys, x.values}, {x.gradient});
            },
            [x, attend](float* contexts) {
                const torch::NoGradGuard no_gradient;
                const Tensor out = attend(x)[0].transpose(0, 1).contiguous();
                std::copy_n(out.data_ptr<float>(), out.numel(), contexts);
            }};
}

} // namespace

std::vector<WayOfAttention> ways_of_attention(std::size_t n_heads, std::size_t n_tokens,
                                              bool causal, const float* queries,
                                              const float* keys, const float* values,
                                              const float* gradient)
{
    const auto tokens = signed_size(n_tokens);
    const auto split = [&](const float* x) {
        return copied(x, {1, tokens, signed_size(n_heads), 64}).transpose(1, 2).contiguous();
    };
    SplitHeads all{split(queries).requires_grad_(),
                   split(keys).requires_grad_(),
                   split(values).requires_grad_(),
                   split(gradient),
                   causal,
                   {}};
    if (causal) {
        all.mask =
            torch::full({tokens, tokens}, -std::numeric_limits<float>::infinity()).triu(1);
    }
    return {way("its own function", all, by_its_own_function),
            way("two products and a softmax", all, by_operations)};
}

} // namespace attn::bench::torch_peer
