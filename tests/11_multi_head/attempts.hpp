/// \file
/// \brief Attempts at chapter 11's functions: right, but for the mistake that a run makes.
#pragma once

#include "chapters/11_multi_head/attention_kernels.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace attn::multi_head::your_turn {

using testing::Mistake;

inline const Mistake sees_all("causal_heads: sees_all", "must not change what comes before it");
inline const Mistake root_of_d("causal_heads: root_of_d", "the root is that of d / H");

inline Matrix causal_heads(const Matrix& queries, const Matrix& keys, const Matrix& values,
                           std::size_t n_heads)
{
    const auto batch = [](const Matrix& rows) { // of one sentence
        Array<double> x(Shape{1, rows.shape(0), rows.shape(1)});
        std::copy(rows.begin(), rows.end(), x.begin());
        return Variable<double>(x);
    };
    const double factor = root_of_d ? 1 / std::sqrt(static_cast<double>(n_heads)) : 1;
    const Array<double> found =
        attend_by_operators(batch(Matrix(factor * queries)), batch(keys), batch(values),
                            n_heads, {{}, !sees_all})
            .value();
    Matrix contexts = values;
    std::copy(found.begin(), found.end(), contexts.begin());
    return contexts;
}

inline const Mistake backwards("rotated: backwards", "towards the second");
inline const Mistake speed_of_j("rotated: speed_of_j", "two numbers make a pair");

inline Vector rotated(const Vector& x, double position)
{
    Vector y = x;
    for (std::size_t j = 0; j < x.size() / 2; ++j) {
        const auto exponent = static_cast<double>(speed_of_j ? j : 2 * j);
        const double angle =
            position * std::pow(10000.0, -exponent / static_cast<double>(x.size()));
        const double a = backwards ? -angle : angle;
        y(2 * j) = std::cos(a) * x(2 * j) - std::sin(a) * x(2 * j + 1);
        y(2 * j + 1) = std::sin(a) * x(2 * j) + std::cos(a) * x(2 * j + 1);
    }
    return y;
}

} // namespace attn::multi_head::your_turn
