#include "common/kernels/normal_equations.hpp"

#include "common/kernels/gemm.hpp"
#include "common/tensor/check.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

namespace attn {

Matrix transposed_product(const Matrix& a, const Matrix& b)
{
    expect(a.shape(0) == b.shape(0), "transposed_product: A {} and B {} must have as many rows",
           shape_of(a), shape_of(b));
    Matrix c = Matrix::from_shape({a.shape(1), b.shape(1)});
    gemm(Transpose::yes, Transpose::no, a.shape(1), b.shape(1), a.shape(0), 1.0, a.data(),
         a.shape(1), b.data(), b.shape(1), 0.0, c.data(), b.shape(1));
    return c;
}

Matrix solve_symmetric(Matrix a, Matrix b)
{
    const std::size_t n = a.shape(0);
    expect(a.shape(1) == n && b.shape(0) == n,
           "solve_symmetric: A must be square with as many rows as B, got {} and {}",
           shape_of(a), shape_of(b));

    // Factor A = L L^T in place; an infinite pivot leaves a dependent row out of all that follows.
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = a(i, j);
            const double* const row_i = a.data() + i * n;
            const double* const row_j = a.data() + j * n;
            for (std::size_t k = 0; k < j; ++k) {
                sum -= row_i[k] * row_j[k];
            }
            if (i != j) {
                a(i, j) = sum / a(j, j);
            } else {
                const double least = 1e-10 * a(i, i);
                expect(sum >= -least, "solve_symmetric: A has a negative pivot, row {}", i);
                a(i, i) =
                    sum > least ? std::sqrt(sum) : std::numeric_limits<double>::infinity();
            }
        }
    }

    // Solve L Z = B from the top, then L^T X = Z from the bottom.
    for (std::size_t column = 0; column < b.shape(1); ++column) {
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                b(i, column) -= a(i, k) * b(k, column);
            }
            b(i, column) /= a(i, i);
        }
        for (std::size_t i = n; i-- > 0;) {
            for (std::size_t k = i + 1; k < n; ++k) {
                b(i, column) -= a(k, i) * b(k, column);
            }
            b(i, column) /= a(i, i);
        }
    }
    return b;
}

} // namespace attn
