#include "chapters/12_transformer/exercises/solutions.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

#include <cstdint>

namespace attn::transformer::solutions {

std::size_t numbers_in_layer(std::size_t d, std::size_t d_ff, bool of_decoder)
{
    const std::size_t attention = 4 * (d * d + d); // four projections and their biases
    const std::size_t dense = d * d_ff + d_ff + d_ff * d + d;
    const std::size_t norm = 2 * d; // gain and bias
    return of_decoder ? 2 * attention + dense + 3 * norm : attention + dense + 2 * norm;
}

std::size_t where_attention_costs_more(std::size_t d, std::size_t d_ff, std::size_t n_source)
{
    expect(d >= 1, "where_attention_costs_more: d must be at least 1");
    const std::size_t needed = 3 * d + d_ff; // n + m must be above it
    return needed < n_source ? 1 : needed - n_source + 1;
}

double share_of_first_rows(std::size_t n_sublayers, double variance, bool post_norm)
{
    expect(variance >= 0, "share_of_first_rows: the variance must not be below 0, got {}",
           variance);
    return post_norm ? elementary::power(1 + variance, -static_cast<std::int64_t>(n_sublayers))
                     : 1 / (1 + static_cast<double>(n_sublayers) * variance);
}

} // namespace attn::transformer::solutions
