#include "chapters/05_attention_versus_dense/experiments/experiments.hpp"

#include "chapters/05_attention_versus_dense/layers.hpp"
#include "common/kernels/normal_equations.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cstddef>

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
    return {solve_symmetric(transposed_product(wider, wider),
                            transposed_product(wider, Matrix(y)))};
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
