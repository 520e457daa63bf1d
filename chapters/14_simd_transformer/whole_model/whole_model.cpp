#include "chapters/14_simd_transformer/whole_model/whole_model.hpp"

#include "common/autograd/rule.hpp"

#include <utility>

namespace attn::simd_transformer {

Variable<float> flash_attention(const Execution& how, const Variable<float>& queries,
                                const Variable<float>& keys, const Variable<float>& values,
                                std::size_t n_heads, const AttentionMask& mask)
{
    const Shape& q = queries.shape();
    const Shape& v = values.shape();
    multi_head::expect_together(q, keys.shape(), v, n_heads);
    const AttentionSizes sizes{.batch = q[0],
                               .n_heads = n_heads,
                               .n_queries = q[1],
                               .n_keys = v[1],
                               .d_k = q[2] / n_heads,
                               .d_v = v[2] / n_heads};
    Array<float> context(Shape{q[0], q[1], v[2]});
    SavedStatistics saved =
        attend_fused(how, sizes, mask, queries.value().data(), keys.value().data(),
                     values.value().data(), context.data());
    const bool needs =
        queries.needs_gradient() || keys.needs_gradient() || values.needs_gradient();
    return autograd::record(
        std::move(context), needs,
        [how, sizes, mask, queries, keys, values,
         saved = std::move(saved)](const Array<float>& C, const Array<float>& dC) {
            // One variable may be queries, keys and values at once: opened in this order,
            // which is the order in which a head's gradients are written.
            AttentionGradients gradients;
            const auto open = [](const Variable<float>& x, float*& to, bool& add) {
                if (x.needs_gradient()) {
                    const autograd::GradientSum<float> sum = autograd::open_gradient(x);
                    to = sum.data;
                    add = sum.beta == 1.0F;
                }
            };
            open(queries, gradients.queries, gradients.add_queries);
            open(keys, gradients.keys, gradients.add_keys);
            open(values, gradients.values, gradients.add_values);
            attend_fused_backward(how, sizes, mask, queries.value().data(), keys.value().data(),
                                  values.value().data(), C.data(), saved, dC.data(), gradients);
        });
}

multi_head::Attend<float> flash_kernel(const Execution& how)
{
    return [how](const Variable<float>& queries, const Variable<float>& keys,
                 const Variable<float>& values, std::size_t n_heads, const AttentionMask& mask,
                 Array<float>* weights) {
        return weights == nullptr ? flash_attention(how, queries, keys, values, n_heads, mask)
                                  : multi_head::attend_in_one_step(queries, keys, values,
                                                                   n_heads, mask, weights);
    };
}

const std::vector<ModelVariant>& model_variants()
{
    static const std::vector<ModelVariant> variants = {
        {"plain loops", "every product an entry after the other, a sum of one lane each", true,
         false, false, false},
        {"products", "the register tile", false, false, false, false},
        {"fused rows", "a sum and its norm, a product and its ReLU, are one walk over the rows",
         false, true, false, false},
        {"attention in one pass", "scores become weights and contexts tile by tile", false,
         true, true, false},
        {"threads", "products, rows and heads are shared", false, true, true, true}};
    return variants;
}

transformer::Computation<float> computation_of(const ModelVariant& variant,
                                               const kernels::Execution& how)
{
    transformer::Computation<float> computation{.fused_rows = variant.fused_rows};
    if (variant.one_pass) {
        computation.attend = flash_kernel(how);
    }
    return computation;
}

} // namespace attn::simd_transformer
