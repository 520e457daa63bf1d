#include "chapters/05_attention_versus_dense/exercises/solutions.hpp"

#include "chapters/01_lookup/lookup.hpp"
#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>

namespace attn::attention_versus_dense::solutions {

double range_needed(double r_squared, std::size_t n_steps)
{
    const auto others = static_cast<double>(n_steps) - 1;
    expect(n_steps >= 2 && r_squared > 1 / (others + 1) && r_squared < 1,
           "range_needed: R^2 must lie between 1 / {} and 1, got {}", n_steps, r_squared);
    return 0.5 * elementary::log(others * r_squared / (1 - r_squared));
}

Vector as_lookup(const Matrix& X, const Vector& W)
{
    const Matrix query = as_row(W);
    const lookup::Attention attention =
        lookup::attend(query, X, X, lookup::dot_product,
                       [](const Matrix& scores) { return lookup::softmax(scores); });
    return xt::row(attention.context, 0);
}

Matrix dense_twin(const Vector& beta, const Vector& readout)
{
    Matrix weights = Matrix::from_shape({beta.size(), readout.size()});
    for (std::size_t t = 0; t < beta.size(); ++t) {
        for (std::size_t k = 0; k < readout.size(); ++k) {
            weights(t, k) = beta(t) * readout(k);
        }
    }
    return weights;
}

Array<double> with_clock(const Array<double>& X)
{
    expect(X.dimension() == 3, "with_clock: X must be [batch, n_steps, n_features], got {}",
           X.shape());
    const std::size_t n_steps = X.shape()[1];
    const std::size_t n_features = X.shape()[2];
    Array<double> clocked(Shape{X.shape()[0], n_steps, n_features + 1});
    for (std::size_t row = 0; row < X.shape()[0] * n_steps; ++row) {
        double* const to = clocked.data() + row * (n_features + 1);
        std::copy_n(X.data() + row * n_features, n_features, to);
        to[n_features] = static_cast<double>(row % n_steps) / static_cast<double>(n_steps);
    }
    return clocked;
}

} // namespace attn::attention_versus_dense::solutions
