/// \file
/// \brief Attempts at chapter 4's way back from a context to its query. The first is right; each
/// other makes one mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/04_backpropagation/attempts/softmax_backward.hpp"
#include "tests/support/attempts.hpp"

#include <cstddef>

namespace attn::backpropagation::your_turn::query_backward_attempts {

using softmax_backward_attempts::mean_forgotten;

inline Matrix product(const Matrix& a, const Matrix& b)
{
    Matrix c = xt::zeros<double>({a.shape(0), b.shape(1)});
    for (std::size_t i = 0; i < a.shape(0); ++i) {
        for (std::size_t j = 0; j < b.shape(1); ++j) {
            for (std::size_t l = 0; l < b.shape(0); ++l) {
                c(i, j) += a(i, l) * b(l, j);
            }
        }
    }
    return c;
}

inline Matrix dweights_of(const Matrix& values, const Matrix& dcontext)
{
    return product(dcontext, xt::transpose(values));
}

inline Matrix right(const Matrix& keys, const Matrix& values, const Matrix& weights,
                    const Matrix& dcontext)
{
    return product(softmax_backward_attempts::right(weights, dweights_of(values, dcontext)),
                   keys);
}

inline Matrix past_the_softmax(const Matrix& keys, const Matrix& values, const Matrix&,
                               const Matrix& dcontext)
{
    return product(dweights_of(values, dcontext), keys);
}

inline Matrix without_the_mean(const Matrix& keys, const Matrix& values, const Matrix& weights,
                               const Matrix& dcontext)
{
    return product(mean_forgotten(weights, dweights_of(values, dcontext)), keys);
}

inline const testing::Attempts<Matrix(const Matrix&, const Matrix&, const Matrix&,
                                      const Matrix&)>
    all("query_backward",
        {{"right", right, ""},
         {"past_the_softmax", past_the_softmax, "did you go back through the softmax?"},
         {"without_the_mean", without_the_mean, "The softmax's way back subtracts the mean"}});

} // namespace attn::backpropagation::your_turn::query_backward_attempts
