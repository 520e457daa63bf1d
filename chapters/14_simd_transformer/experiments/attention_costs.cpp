#include "chapters/14_simd_transformer/experiments/attention_costs.hpp"

#include "chapters/14_simd_transformer/whole_model/flash_attention.hpp"
#include "common/autograd/tape.hpp"
#include "common/random/random.hpp"
#include "common/tensor/pool_allocator.hpp"

#include <algorithm>

namespace attn::simd_transformer {

namespace {

/// Queries, keys and values of one sentence, [1, n, H d] each.
struct AttentionInputs
{
    Variable<float> queries;
    Variable<float> keys;
    Variable<float> values;
};

Variable<float> normal_rows(std::size_t n, std::size_t width, std::uint64_t seed)
{
    random::Generator generator(seed);
    Array<float> numbers = uninitialised<float>({1, n, width});
    for (float& x : numbers_of(numbers)) {
        x = static_cast<float>(generator.normal());
    }
    return Variable<float>(std::move(numbers));
}

AttentionInputs inputs_of(const HeadCount& heads, std::size_t n)
{
    const std::size_t width = heads.n_heads * heads.d_head;
    return {normal_rows(n, width, 1), normal_rows(n, width, 2), normal_rows(n, width, 3)};
}

void plain_attention(const AttentionInputs& in, std::size_t n_heads)
{
    const autograd::NoGradient<float> forwards;
    multi_head::attend_by_operators<float>(in.queries, in.keys, in.values, n_heads, {});
}

void fused_attention(const Execution& how, const AttentionInputs& in, std::size_t n_heads,
                     bool causal)
{
    const autograd::NoGradient<float> forwards;
    flash_attention(how, in.queries, in.keys, in.values, n_heads, {.causal = causal});
}

/// Seconds of the backward pass alone.
double time_backward(const Execution& how, const HeadCount& heads, const AttentionInputs& in,
                     std::size_t n, Patience patience)
{
    const AttentionSizes sizes{.n_heads = heads.n_heads,
                               .n_queries = n,
                               .n_keys = n,
                               .d_k = heads.d_head,
                               .d_v = heads.d_head};
    const std::size_t n_numbers = in.queries.size();
    const float* const q = in.queries.value().data();
    const float* const k = in.keys.value().data();
    const float* const v = in.values.value().data();
    std::vector<float> context(n_numbers);
    const std::vector<float> context_gradient(n_numbers, 1.0F);
    std::vector<float> gradients(3 * n_numbers);
    const SavedStatistics saved = attend_fused(how, sizes, {}, q, k, v, context.data());
    return best_seconds(
        [&] {
            attend_fused_backward(how, sizes, {}, q, k, v, context.data(), saved,
                                  context_gradient.data(),
                                  {.queries = gradients.data(),
                                   .keys = gradients.data() + n_numbers,
                                   .values = gradients.data() + 2 * n_numbers});
        },
        patience);
}

} // namespace

std::vector<AttentionMemory> attention_memory(const kernels::Kernels& kernels,
                                              const HeadCount& heads,
                                              const std::vector<std::size_t>& lengths)
{
    const Execution how{.kernels = &kernels, .n_threads = 1};
    std::vector<AttentionMemory> memory;
    for (const std::size_t n : lengths) {
        const AttentionInputs in = inputs_of(heads, n);
        memory.push_back(
            {.n_tokens = n,
             .plain = bytes_taken([&] { plain_attention(in, heads.n_heads); }),
             .fused = bytes_taken([&] { fused_attention(how, in, heads.n_heads, false); })});
    }
    return memory;
}

std::vector<AttentionTime> attention_times(const Execution& how, const HeadCount& heads,
                                           const std::vector<std::size_t>& lengths,
                                           Patience patience)
{
    constexpr std::size_t most_scores = std::size_t{1} << 26; // 256 MiB
    const Patience short_time{.seconds = 0.02, .n_runs = 3};
    std::vector<AttentionTime> times;
    for (const std::size_t n : lengths) {
        const AttentionInputs in = inputs_of(heads, n);
        const double before = fma_peak(how, short_time);
        AttentionTime time{
            .n_tokens = n, .plain = 0, .fused = 0, .causal = 0, .backward = 0, .peak = 0};
        if (heads.n_heads * n * n <= most_scores) {
            time.plain = best_seconds([&] { plain_attention(in, heads.n_heads); }, patience);
        }
        const auto fused = [&](bool causal) {
            return best_seconds([&] { fused_attention(how, in, heads.n_heads, causal); },
                                patience);
        };
        time.fused = fused(false);
        time.causal = fused(true);
        time.backward = time_backward(how, heads, in, n, patience);
        time.peak = std::max(before, fma_peak(how, short_time));
        times.push_back(time);
    }
    return times;
}

} // namespace attn::simd_transformer
