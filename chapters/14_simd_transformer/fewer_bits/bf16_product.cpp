#include "chapters/14_simd_transformer/fewer_bits/bf16_product.hpp"

#include "chapters/14_simd_transformer/fewer_bits/definition.inl"
#include "chapters/14_simd_transformer/fewer_bits/kernels.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/storage/half_precision.hpp"

#include <algorithm>

namespace attn::simd_transformer {

std::vector<BFloat16> to_bf16(std::span<const float> x)
{
    std::vector<BFloat16> rounded(x.size());
    std::transform(x.begin(), x.end(), rounded.begin(),
                   [](float number) { return BFloat16{storage::bf16_of(number)}; });
    return rounded;
}

void product_bf16(std::size_t m, std::size_t n, std::size_t k, const BFloat16* a,
                  const BFloat16* b, float* c)
{
    const auto number = [](BFloat16 x) { return flushed(storage::float_of_bf16(x.bits)); };
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            const auto left = [&](std::size_t p) { return p < k ? number(a[i * k + p]) : 0; };
            const auto right = [&](std::size_t p) { return p < k ? number(b[p * n + j]) : 0; };
            c[i * n + j] = add_inner_product(k, left, right, 0.0F);
        }
    }
}

void pack_bf16(std::size_t k, std::size_t n, const BFloat16* b, std::size_t row,
               std::size_t step, std::int32_t* words)
{
    for (std::size_t first = 0; first < n; first += bf16_panel) {
        for (std::size_t p = 0; p < k; p += 2, words += bf16_panel) {
            for (std::size_t j = 0; j < bf16_panel; ++j) {
                const auto bits = [&](std::size_t at) -> std::uint32_t {
                    return at < k && first + j < n ? b[at * row + (first + j) * step].bits : 0;
                };
                words[j] = static_cast<std::int32_t>(bits(p) | bits(p + 1) << 16U);
            }
        }
    }
}

MultiplyBf16 bf16_multiplication(const Execution& how)
{
    const bool widest = how.kernels->set == kernels::instruction_sets().back()->set;
    return widest && amx_is_granted() ? multiply_by_amx : ladder_kernels(how).bf16.multiply;
}

PackedBf16::PackedBf16(std::size_t k, std::size_t n, const BFloat16* b)
    : k_(k), n_(n), words_(bf16_words(k, n))
{
    pack_bf16(k, n, b, n, 1, words_.data());
}

void PackedBf16::multiply(const Execution& how, std::size_t m, const BFloat16* a,
                          float* c) const
{
    constexpr std::size_t rows_of_a_piece = 96;
    const MultiplyBf16 by = bf16_multiplication(how);
    const std::size_t n_pieces = (m + rows_of_a_piece - 1) / rows_of_a_piece;
    parallel::for_each_index(n_pieces, how.n_threads, [&](std::size_t piece) {
        const std::size_t first = piece * rows_of_a_piece;
        const std::size_t here = std::min(rows_of_a_piece, m - first);
        std::fill_n(c + first * n_, here * n_, 0.0F);
        by({.m = here,
            .n = n_,
            .k = k_,
            .a = a + first * k_,
            .lda = k_,
            .b = words_.data(),
            .c = c + first * n_,
            .ldc = n_});
    });
}

} // namespace attn::simd_transformer
