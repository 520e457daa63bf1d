#include "chapters/14_simd_transformer/online_softmax.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>

namespace attn::simd_transformer {

OnlineSoftmaxState empty_state(std::size_t d_v)
{
    OnlineSoftmaxState row;
    row.context = xt::zeros<double>({d_v});
    return row;
}

void add_tile(OnlineSoftmaxState& row, const Vector& scores, const Matrix& values)
{
    expect(values.shape(0) == scores.size() && values.shape(1) == row.context.size(),
           "add_tile: {} scores, values [{}, {}] and a context of {}", scores.size(),
           values.shape(0), values.shape(1), row.context.size());

    // Find the largest score so far. If there is none, every weight is 0.
    double largest = row.largest;
    for (const double score : scores) {
        largest = std::max(largest, score);
    }
    if (largest == -std::numeric_limits<double>::infinity()) {
        return;
    }

    // [online]
    // Shrink what was added up under a smaller largest score: by exp(-inf) = 0 the first time.
    const double shrink = elementary::exp(row.largest - largest);
    row.total *= shrink;
    for (double& number : row.context) {
        number *= shrink;
    }

    // Add the tile.
    for (std::size_t j = 0; j < scores.size(); ++j) {
        const double weight = elementary::exp(scores(j) - largest);
        row.total += weight;
        for (std::size_t k = 0; k < row.context.size(); ++k) {
            row.context(k) += weight * values(j, k);
        }
    }
    row.largest = largest;
    // [online]
}

Vector context_of(const OnlineSoftmaxState& row)
{
    Vector context = row.context;
    for (double& number : context) {
        number = row.total == 0 ? 0 : number / row.total;
    }
    return context;
}

} // namespace attn::simd_transformer
