#include "chapters/05_attention_versus_dense/experiments/least_squares.hpp"

#include "chapters/05_attention_versus_dense/layers.hpp"
#include "common/kernels/gemm.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace attn::attention_versus_dense {

namespace {

/// The numbers with a column of ones, which the intercept multiplies.
Matrix with_ones(const Matrix& x)
{
    const std::size_t d = x.shape(1);
    Matrix wider = xt::ones<double>({x.shape(0), d + 1});
    for (std::size_t i = 0; i < x.shape(0); ++i) {
        std::copy_n(x.data() + i * d, d, wider.data() + i * (d + 1));
    }
    return wider;
}

/// A^T B.
Matrix transposed_times(const Matrix& a, const Matrix& b)
{
    Matrix c = Matrix::from_shape({a.shape(1), b.shape(1)});
    gemm(Transpose::yes, Transpose::no, a.shape(1), b.shape(1), a.shape(0), 1.0, a.data(),
         a.shape(1), b.data(), b.shape(1), 0.0, c.data(), b.shape(1));
    return c;
}

/// Solves A X = B for a symmetric A without negative eigenvalues, in place: A becomes its factor,
/// B the solution. A row that depends on those before it has the solution 0.
void solve_in_place(Matrix& a, Matrix& b)
{
    // Factor; an infinite pivot leaves a dependent row out of everything that follows.
    const std::size_t n = a.shape(0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = a(i, j);
            for (std::size_t k = 0; k < j; ++k) {
                sum -= a(i, k) * a(j, k);
            }
            if (i != j) {
                a(i, j) = sum / a(j, j);
            } else {
                a(i, i) = sum > 1e-10 * a(i, i) ? std::sqrt(sum)
                                                : std::numeric_limits<double>::infinity();
            }
        }
    }

    // Solve with the lower factor from the top, then with its transpose from the bottom.
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
}

} // namespace

Array<float> LinearMap::operator()(const Matrix& x) const
{
    const std::size_t d = x.shape(1);
    const std::size_t n_outputs = coefficients.shape(1);
    Array<float> y = uninitialised<float>({x.shape(0), n_outputs});
    for (std::size_t i = 0; i < x.shape(0); ++i) {
        for (std::size_t k = 0; k < n_outputs; ++k) {
            double sum = coefficients(d, k);
            for (std::size_t j = 0; j < d; ++j) {
                sum += x(i, j) * coefficients(j, k);
            }
            y.data()[i * n_outputs + k] = static_cast<float>(sum);
        }
    }
    return y;
}

LinearMap least_squares(const Matrix& x, const Array<float>& y)
{
    expect(y.dimension() == 2 && y.shape()[0] == x.shape(0),
           "least_squares: x {} and y {} must have as many rows", shape_of(x), y.shape());
    const Matrix wider = with_ones(x);
    Matrix a = transposed_times(wider, wider);
    Matrix b = transposed_times(wider, Matrix(y));
    solve_in_place(a, b);
    return {b};
}

Matrix flattened(const Examples& examples)
{
    const Shape shape = {examples.X.shape()[0], examples.X.shape()[1] * examples.X.shape()[2]};
    Matrix x = Matrix::from_shape({shape[0], shape[1]});
    std::copy_n(examples.X.data(), examples.X.size(), x.data());
    return x;
}

Matrix means_of_steps(const Examples& examples)
{
    const Array<float> means = mean_over_time(Variable<float>(examples.X)).value();
    return Matrix(means);
}

} // namespace attn::attention_versus_dense
