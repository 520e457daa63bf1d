/// \file
/// \brief Attention that keeps no table of scores, tile by tile in double and by the fused
/// kernel, and what that allows on a machine with two limits. A place to start one's own.
#include "chapters/11_multi_head/attention_kernels.hpp"
#include "chapters/14_simd_transformer/fused_attention/fused_attention.hpp"
#include "chapters/14_simd_transformer/online_softmax.hpp"
#include "chapters/14_simd_transformer/roofline.hpp"
#include "common/autograd/layout.hpp"
#include "common/random/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>

namespace {

using namespace attn;
using namespace attn::simd_transformer;

} // namespace

int main()
{
    const std::size_t n = 1024;   // tokens: queries, keys and values
    const std::size_t d = 64;     // numbers in each of them
    const std::size_t tile = 128; // keys that a query meets at a time
    const double spread = 3;      // standard deviation of the scores
    const double peak = 5000;     // GFLOP/s of a machine, say a server of many cores
    const double bandwidth = 200; // GB/s of its memory
    const std::uint64_t seed = 3; // of the random numbers

    // The data: one head of one sentence, [n, d] each.
    random::Generator rng(seed);
    const Matrix Q = spread * rng.normals(n, d);
    const Matrix K = rng.normals(n, d);
    const Matrix V = rng.normals(n, d);

    // The last query meets the keys tile by tile. It remembers d + 2 numbers: the largest score
    // so far, the sum of exp(score - largest), and the sum of the same times the values.
    fmt::print("keys met  largest score     sum   context: first three numbers\n");
    OnlineSoftmaxState state = empty_state(d);
    for (std::size_t begin = 0; begin < n; begin += tile) {
        const std::size_t end = std::min(begin + tile, n);
        const Matrix keys = xt::view(K, xt::range(begin, end), xt::all());   // [tile, d]
        const Matrix values = xt::view(V, xt::range(begin, end), xt::all()); // [tile, d]
        const Matrix products = keys * single_row(Q, n - 1);
        const Vector scores = xt::sum(products, {1}) / std::sqrt(static_cast<double>(d));
        add_tile(state, scores, values);
        const Vector context = context_of(state);
        fmt::print("{:8}{:15.3f}{:8.3f}{:10.3f}{:8.3f}{:8.3f}\n", end, state.largest,
                   state.total, context(0), context(1), context(2));
    }

    // All queries at once, in float: with a table of all scores, and by the fused kernel.
    const Array<float> queries = xt::cast<float>(Q);
    const Array<float> keys = xt::cast<float>(K);
    const Array<float> values = xt::cast<float>(V);
    const Array<float> plain = multi_head::attend_by_operators<float>(
                                   autograd::reshape<float>(queries, {1, n, d}),
                                   autograd::reshape<float>(keys, {1, n, d}),
                                   autograd::reshape<float>(values, {1, n, d}), 1, {})
                                   .value();
    Array<float> fused = uninitialised<float>({1, n, d});
    attend_fused({.n_threads = 2},
                 {.n_heads = 1, .n_queries = n, .n_keys = n, .d_k = d, .d_v = d}, {},
                 queries.data(), keys.data(), values.data(), fused.data());
    const float difference = xt::amax(xt::abs(plain - fused))();
    fmt::print("\n{:<31}{:10.3f}{:8.3f}{:8.3f}\n", "fused kernel", fused(0, n - 1, 0),
               fused(0, n - 1, 1), fused(0, n - 1, 2));
    fmt::print("largest difference from attention with all scores in a table: {}\n",
               difference < 1e-4F ? "below 1e-4" : fmt::format("{:.1e}", difference));

    // What each form moves if no cache holds the scores, and how fast it can be on the machine.
    // Both do 4 n^2 d operations. The table goes through memory four times.
    const double n_scores = n * n;
    const double operations = 4 * n_scores * d;
    fmt::print("\nscores in        MB   operations a byte   GFLOP/s at most\n");
    for (const double n_moved : {4.0 * n * d + 4 * n_scores, 4.0 * n * d}) {
        const double bytes = n_moved * sizeof(float);
        fmt::print("{:<12}{:7.1f}{:20.0f}{:18.0f}\n", n_moved > n_scores ? "table" : "no table",
                   bytes * 1e-6, operations / bytes,
                   roofline(peak, bandwidth, operations / bytes));
    }
    // Try: tile = 1; spread = 300, where exp(score) would overflow; d = 8; peak = 117.6 and
    // bandwidth = 35.5, one core of the page's machine.
}
