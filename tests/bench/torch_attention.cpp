#include "tests/bench/torch_attention.hpp"

#include <cmath>
#include <limits>
#include <torch/torch.h>
#include <tuple>

namespace attn::bench::torch_peer {

namespace {

using torch::Tensor;

/// Queries, keys and values, each with a gradient of its own.
struct SplitHeads
{
    Tensor queries;
    Tensor keys;
    Tensor values;
    Tensor mask; // undefined, or [tokens, tokens] with -inf where a key is later
};

Tensor by_its_own_function(const SplitHeads& x)
{
    return std::get<0>(at::_scaled_dot_product_attention(x.queries, x.keys, x.values, {}, 0.0,
                                                         false, x.mask.defined()));
}

Tensor by_operations(const SplitHeads& x)
{
    const double root = std::sqrt(static_cast<double>(x.queries.size(-1)));
    Tensor scores = torch::bmm(x.queries, x.keys.transpose(1, 2)).div_(root);
    if (x.mask.defined()) {
        scores.add_(x.mask);
    }
    return torch::bmm(torch::softmax(scores, -1), x.values);
}

AttentionForm form(std::string name, const SplitHeads& x, Tensor (*attend)(const SplitHeads&))
{
    return {std::move(name),
            [x, attend] {
                const torch::NoGradGuard guard;
                attend(x);
            },
            [x, attend] {
                attend(x).sum().backward();
                for (const Tensor& leaf : {x.queries, x.keys, x.values}) {
                    leaf.mutable_grad().reset();
                }
            }};
}

} // namespace

std::vector<AttentionForm> attention_forms(std::size_t n_heads, std::size_t n_tokens,
                                           bool causal, const float* x)
{
    const auto heads = static_cast<std::int64_t>(n_heads);
    const auto tokens = static_cast<std::int64_t>(n_tokens);
    const auto leaf = [&] {
        return torch::from_blob(const_cast<float*>(x), {tokens, heads, 64}, torch::kFloat)
            .permute({1, 0, 2})
            .contiguous()
            .clone()
            .requires_grad_();
    };
    SplitHeads all{leaf(), leaf(), leaf(), {}};
    if (causal) {
        all.mask =
            torch::full({tokens, tokens}, -std::numeric_limits<float>::infinity()).triu(1);
    }
    return {form("its own function", all, by_its_own_function),
            form("two products and a softmax", all, by_operations)};
}

} // namespace attn::bench::torch_peer
