/// \file
/// \brief The register tile: a small block of a matrix product whose sums stay in registers
/// while the depth goes by. Everything fast is made of it.
namespace {

/// How many rows of sums, and how many vectors in each, the registers have room for: rows *
/// vectors sums, the vectors of one row of B, and one number of A in all lanes. (SSE, which has no
/// fused instruction, needs one more for a product.)
constexpr std::size_t tile_vectors = 3;
constexpr std::size_t tile_rows = n_registers == 32 ? 8 : 4; // 24 or 12, + 3 + 1

/// What is read next, further away than the second cache: a line of it is asked for at each step of a
/// product, so that it has come when its turn is there.
template <class T>
struct Ahead
{
    const T* from;    ///< where the first step asks
    std::size_t step; ///< how many numbers further the next one does
};

/// The sums of rows x vectors, from A packed as [depth, rows] and B as [depth, columns].
template <class V, std::size_t rows, std::size_t vectors>
struct Tile
{
    static constexpr std::size_t columns = vectors * Lanes<V>::size;
    /// Every loop over them is unrolled: an array that is indexed by a variable lies in memory.
    V sum[rows][vectors];
    using T = NumberOf<V>;

    [[gnu::always_inline]] void clear()
    {
#pragma GCC unroll 16
        for (std::size_t i = 0; i < rows; ++i) {
#pragma GCC unroll 8
            for (std::size_t j = 0; j < vectors; ++j) {
                sum[i][j] = Lanes<V>::splat(T(0));
            }
        }
    }

    [[gnu::always_inline]] void load(const T* from, std::size_t step)
    {
#pragma GCC unroll 16
        for (std::size_t i = 0; i < rows; ++i) {
#pragma GCC unroll 8
            for (std::size_t j = 0; j < vectors; ++j) {
                sum[i][j] = Lanes<V>::load(from + i * step + j * Lanes<V>::size);
            }
        }
    }

    [[gnu::always_inline]] void store(T* to, std::size_t step) const
    {
#pragma GCC unroll 16
        for (std::size_t i = 0; i < rows; ++i) {
#pragma GCC unroll 8
            for (std::size_t j = 0; j < vectors; ++j) {
                Lanes<V>::store(to + i * step + j * Lanes<V>::size, sum[i][j]);
            }
        }
    }

    // [register_tile]
    /// sum += a b^T: a column of A, whose entry i lies at a[i * a_row], times a row of B.
    [[gnu::always_inline]] void add_outer_product(const T* a, std::size_t a_row, const T* b)
    {
        V row[vectors];
#pragma GCC unroll 8
        for (std::size_t j = 0; j < vectors; ++j) {
            row[j] = Lanes<V>::load(b + j * Lanes<V>::size);
        }
#pragma GCC unroll 16
        for (std::size_t i = 0; i < rows; ++i) {
            const V factor = Lanes<V>::splat(a[i * a_row]);
#pragma GCC unroll 8
            for (std::size_t j = 0; j < vectors; ++j) {
                sum[i][j] = Lanes<V>::fma(factor, row[j], sum[i][j]);
            }
        }
    }

    /// sum += A B. Entry (i, p) of A lies at a[i * a_row + p * a_step].
    [[gnu::always_inline]] void add_product(std::size_t depth, const T* a, std::size_t a_row,
                                            std::size_t a_step, const T* b, std::size_t b_step)
    {
        for (std::size_t p = 0; p < depth; ++p, a += a_step, b += b_step) {
            add_outer_product(a, a_row, b);
        }
    }
    // [register_tile]

    /// The same, while what is read next is on its way.
    [[gnu::always_inline]] void add_product(std::size_t depth, const T* a, std::size_t a_row,
                                            std::size_t a_step, const T* b, std::size_t b_step,
                                            Ahead<T> next)
    {
        for (std::size_t p = 0; p < depth; ++p, a += a_step, b += b_step) {
            __builtin_prefetch(next.from, 0, 2); // to be read, into the second cache
            next.from += next.step;
            add_outer_product(a, a_row, b);
        }
    }
};

} // namespace
