#include "chapters/14_simd_transformer/online_attention.hpp"

#include "common/kernels/vector_math.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace attn::simd_transformer {

// [online]
/// A query's attention with no scores kept: when a score larger than all before it comes, what
/// was added up so far is shrunk to what it would have been.
void attend_online(const PlainHead& head, std::size_t query, std::size_t n_seen)
{
    const float* const q = head.queries + query * head.query_row;
    float* const c = head.context + query * head.value_row;
    float largest = -std::numeric_limits<float>::infinity();
    float total = 0.0F;
    std::fill_n(c, head.d_v, 0.0F);
    for (std::size_t j = 0; j < n_seen; ++j) {
        const float* const key = head.keys + j * head.query_row;
        const float* const value = head.values + j * head.value_row;
        const float score =
            vector_math::dot<float>(std::span(q, head.d_k), std::span(key, head.d_k)) /
            head.root;
        if (score > largest) {
            const float shrink = std::exp(largest - score); // of the first score, 0
            total *= shrink;
            std::for_each(c, c + head.d_v, [shrink](float& sum) { sum *= shrink; });
            largest = score;
        }
        const float weight = std::exp(score - largest);
        total += weight;
        for (std::size_t k = 0; k < head.d_v; ++k) {
            c[k] += weight * value[k];
        }
    }
    if (n_seen > 0) {
        std::for_each(c, c + head.d_v, [total](float& sum) { sum /= total; });
    }
}
// [online]

} // namespace attn::simd_transformer
