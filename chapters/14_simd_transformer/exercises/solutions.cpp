#include "chapters/14_simd_transformer/exercises/solutions.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

#include <cmath>

namespace attn::simd_transformer::solutions {

double loads_per_fma(const TileShape& tile)
{
    expect(tile.rows > 0 && tile.vectors > 0, "loads_per_fma: a tile of {} x {}", tile.rows,
           tile.vectors);
    return static_cast<double>(tile.rows + tile.vectors) /
           static_cast<double>(tile.rows * tile.vectors);
}

TileShape best_tile(std::size_t n_registers, std::size_t latency, std::size_t n_units)
{
    TileShape best{0, 0};
    for (std::size_t vectors = 1; vectors < n_registers; ++vectors) {
        for (std::size_t rows = 1; rows * vectors + vectors + 1 <= n_registers; ++rows) {
            const TileShape tile{rows, vectors};
            const bool busy = rows * vectors >= latency * n_units;
            const bool better =
                best.rows == 0 || loads_per_fma(tile) < loads_per_fma(best) ||
                (loads_per_fma(tile) == loads_per_fma(best) && tile.rows > best.rows);
            if (busy && better) {
                best = tile;
            }
        }
    }
    expect(best.rows > 0, "best_tile: {} registers do not hold {} sums", n_registers,
           latency * n_units);
    return best;
}

OnlineSoftmaxState merged(const OnlineSoftmaxState& one, const OnlineSoftmaxState& other)
{
    expect(one.context.size() == other.context.size(), "merged: contexts of {} and {} numbers",
           one.context.size(), other.context.size());
    const OnlineSoftmaxState& above = one.largest < other.largest ? other : one;
    const OnlineSoftmaxState& below = one.largest < other.largest ? one : other;
    OnlineSoftmaxState row = above;
    if (below.total == 0) {
        return row; // it may have seen nothing, like the other one: -inf - (-inf) is no number
    }
    const double shrink = elementary::exp(below.largest - above.largest);
    row.total += shrink * below.total;
    for (std::size_t k = 0; k < row.context.size(); ++k) {
        row.context(k) += shrink * below.context(k);
    }
    return row;
}

std::size_t tokens_at_the_ridge(double peak, double bandwidth)
{
    expect(peak > 0 && bandwidth > 0,
           "tokens_at_the_ridge: peak and bandwidth must be positive, got {} and {}", peak,
           bandwidth);
    return static_cast<std::size_t>(std::ceil(4 * peak / bandwidth));
}

std::size_t texts_at_the_ridge(double peak, double bandwidth, std::size_t bytes_of_weight)
{
    expect(peak > 0 && bandwidth > 0 && bytes_of_weight > 0,
           "texts_at_the_ridge: peak {}, bandwidth {} and {} bytes must be positive", peak,
           bandwidth, bytes_of_weight);
    return static_cast<std::size_t>(peak / bandwidth * static_cast<double>(bytes_of_weight) /
                                    2);
}

} // namespace attn::simd_transformer::solutions
