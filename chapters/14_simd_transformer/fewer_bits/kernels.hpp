/// \file
/// \brief The inner loops of products and attention over numbers of 16 bits, for one instruction
/// set. Deliberately without threads and memory: bf16_product.hpp and bf16_attention.hpp have these.
#pragma once

#include "common/kernels/product_kernels.hpp"

#include <cstddef>
#include <cstdint>

namespace attn::simd_transformer {

/// A number of 16 bits: the upper half of a float. storage::bf16_of rounds to it,
/// storage::float_of_bf16 reads it.
struct BFloat16
{
    std::uint16_t bits; ///< a sign, 8 bits of exponent, 7 of fraction
};

/// Numbers of the depth that are added up by themselves before their sum joins the result.
constexpr std::size_t bf16_depth = 32;

/// Columns of B that are packed together.
constexpr std::size_t bf16_panel = 32;

/// How many words of 32 bits B [k, n] takes in panels: two numbers of a column share one.
constexpr std::size_t bf16_words(std::size_t k, std::size_t n)
{
    return (k + 1) / 2 * ((n + bf16_panel - 1) / bf16_panel * bf16_panel);
}

/// C += A B, each entry as the definition in bf16_product.hpp has it.
struct Bf16Product
{
    std::size_t m;         ///< rows of A and C
    std::size_t n;         ///< columns of B and C
    std::size_t k;         ///< columns of A, rows of B
    const BFloat16* a;     ///< [m, k]
    std::size_t lda;       ///< from one row of A to the next
    const std::int32_t* b; ///< [k, n], as pack_bf16 lays it out
    float* c;              ///< [m, n], added to
    std::size_t ldc;       ///< from one row of C to the next
};

/// Adds such a product.
using MultiplyBf16 = void (*)(const Bf16Product& product);

/// Whether the processor has AMX, a unit whose one instruction multiplies tiles of 16 rows by 64
/// bytes, this program was compiled with it, and the operating system, which must keep eight
/// kilobytes more of every thread, lets us use it. Asked once; the same at every call.
bool amx_is_granted();
/// MultiplyBf16 by AMX. Undefined unless amx_is_granted().
void multiply_by_amx(const Bf16Product& product);

/// Queries that attention works on together: two panels.
constexpr std::size_t bf16_queries = 64;
/// Keys that attention takes at a time: two panels. Of both numbers the bits depend on this alone.
constexpr std::size_t bf16_keys = 64;

/// A smaller weight than 2 to this power becomes 0.
constexpr float bf16_least_exponent = -60.0F;

/// Scores of a block of keys that are to become weights, and what each query knows so far.
struct Bf16Scores
{
    std::size_t n_keys;    ///< 1 to bf16_keys
    std::size_t first_key; ///< the block's first
    float scale;           ///< of the scores, times log2 e
    float* scores;         ///< [n_keys, bf16_queries], overwritten
    const float* limits;   ///< [bf16_queries], how many of all keys each query attends to
    float* largest;        ///< [bf16_queries], the largest score so far; -inf before the first
    float* total;          ///< [bf16_queries], the sum of the weights so far
    float* shrink;         ///< [bf16_queries], receives what becomes of all that was added up
    std::int32_t* weights; ///< [n_keys, bf16_queries], receives them as pack_bf16 lays them out
};

/// What is compiled once for each instruction set.
struct Bf16Kernels
{
    MultiplyBf16 multiply; ///< in single precision
    /// The same behind the interface of the book's products: factors are rounded to 16 bits.
    kernels::ProductKernels<float> for_models;
    /// Makes scores weights, each rounded to 16 bits, and adds them to the totals.
    void (*weigh)(const Bf16Scores& scores);
    /// Each row of x [n, bf16_queries] times the factors.
    void (*scale_rows)(std::size_t n, const float* factors, float* x);
    /// Each row of x [n, bf16_queries] over the totals, where these are above 0.
    void (*divide_rows)(std::size_t n, const float* totals, float* x);
};

} // namespace attn::simd_transformer
