/// \file
/// \brief Matrices transposed on their way into a kernel's layout and out of it: floats four rows by
/// four columns at a time, in the compiler's own vectors of four, which every processor of today
/// has, for transposing is bound by loads and stores, not by their width; doubles one by one.
namespace {

typedef float FourFloats __attribute__((vector_size(16)));

inline FourFloats load_four(const float* from)
{
    FourFloats x;
    __builtin_memcpy(&x, from, sizeof x);
    return x;
}

inline void store_four(float* to, FourFloats x)
{
    __builtin_memcpy(to, &x, sizeof x);
}

/// The transpose of four rows of four.
struct FourByFour
{
    FourFloats row[4];
};

inline FourByFour transposed(FourFloats a, FourFloats b, FourFloats c, FourFloats d)
{
    const FourFloats ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const FourFloats ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const FourFloats cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const FourFloats cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    return {{__builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5),
             __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7),
             __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5),
             __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7)}};
}

/// n, made larger until four divides it.
constexpr std::size_t in_fours(std::size_t n)
{
    return (n + 3) / 4 * 4;
}

/// Zeros after the n-th number of each row: x [n_rows, width].
template <class T>
inline void clear_after(T* x, std::size_t n_rows, std::size_t n, std::size_t width)
{
    for (std::size_t i = 0; i < n_rows && n < width; ++i) {
        for (std::size_t k = n; k < width; ++k) {
            x[i * width + k] = T(0);
        }
    }
}

/// The first columns of four, transposed in fours: to [d, width] from [n, d].
/// \returns  how many columns that are
inline std::size_t fours_to_columns(const float* from, std::size_t from_step, std::size_t n,
                                    std::size_t d, float* to, std::size_t width)
{
    const std::size_t fours = width < in_fours(n) ? 0 : d / 4 * 4;
    for (std::size_t i = 0; i < n; i += 4) {
        const float* const x = from + i * from_step;
        for (std::size_t k = 0; k < fours; k += 4) {
            const FourFloats none = {};
            const FourByFour y =
                transposed(load_four(x + k), i + 1 < n ? load_four(x + from_step + k) : none,
                           i + 2 < n ? load_four(x + 2 * from_step + k) : none,
                           i + 3 < n ? load_four(x + 3 * from_step + k) : none);
            for (std::size_t j = 0; j < 4; ++j) {
                store_four(to + (k + j) * width + i, y.row[j]);
            }
        }
    }
    clear_after(to, fours, in_fours(n), width);
    return fours;
}
inline std::size_t fours_to_columns(const double*, std::size_t, std::size_t, std::size_t,
                                    double*, std::size_t)
{
    return 0;
}

/// Rows become columns: to [d, width] = the transpose of from [n, d], with zeros after the
/// n-th number of each row.
template <class T>
inline void rows_to_columns(const T* from, std::size_t from_step, std::size_t n, std::size_t d,
                            T* to, std::size_t width)
{
    const std::size_t fours = fours_to_columns(from, from_step, n, d, to, width);
    // The columns that are left over, number by number.
    for (std::size_t k = fours; k < d; ++k) {
        for (std::size_t i = 0; i < n; ++i) {
            to[k * width + i] = from[i * from_step + k];
        }
    }
    clear_after(to + fours * width, d - fours, n, width);
}

/// Columns become rows: to [n, d] = the transpose of from [d, n]. A row of from may be read up
/// to a multiple of four, if it has so many.
inline void columns_to_rows(const float* from, std::size_t from_step, std::size_t d,
                            std::size_t n, float* to, std::size_t to_step)
{
    const std::size_t fours = from_step < in_fours(n) ? 0 : d / 4 * 4;
    // Four rows of the result from end to end: with rows a power of two apart, as a head's are, more
    // of them at once would fall on the same places of the first cache.
    for (std::size_t i = 0; i < n; i += 4) {
        for (std::size_t k = 0; k < fours; k += 4) {
            const float* const x = from + k * from_step + i;
            const FourByFour y =
                transposed(load_four(x), load_four(x + from_step), load_four(x + 2 * from_step),
                           load_four(x + 3 * from_step));
            for (std::size_t j = 0; j < 4 && i + j < n; ++j) {
                store_four(to + (i + j) * to_step + k, y.row[j]);
            }
        }
    }
    for (std::size_t k = fours; k < d; ++k) {
        for (std::size_t i = 0; i < n; ++i) {
            to[i * to_step + k] = from[k * from_step + i];
        }
    }
}

/// A block of rows: to [n, width], with zeros after the d-th number of each.
template <class T>
inline void copy_rows(const T* from, std::size_t from_step, std::size_t n, std::size_t d, T* to,
                      std::size_t width)
{
    for (std::size_t i = 0; i < n; ++i) {
        __builtin_memcpy(to + i * width, from + i * from_step, d * sizeof(T));
    }
    clear_after(to, n, d, width);
}

} // namespace
