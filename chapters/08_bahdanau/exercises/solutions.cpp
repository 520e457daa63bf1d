#include "chapters/08_bahdanau/exercises/solutions.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>

namespace attn::bahdanau::solutions {

double cost_of_forgetting(std::size_t d, std::size_t n_target)
{
    expect(d > 0 && n_target > 0, "cost_of_forgetting: neither may be 0, got {} and {}", d,
           n_target);
    const auto size = static_cast<double>(d);
    const auto m = static_cast<double>(n_target);
    return m * (size + 1) / (size + m);
}

Vector weights_by_one_hot_keys(const Vector& u, std::size_t n_source)
{
    const std::size_t n_positions = u.size();
    expect(n_source >= 1 && n_source <= n_positions,
           "weights_by_one_hot_keys: a sentence has 1 to {} words, got {}", n_positions,
           n_source);
    const Matrix keys = xt::eye<double>(n_positions);
    Vector scores = xt::zeros<double>({n_source});
    for (std::size_t j = 0; j < n_source; ++j) {
        for (std::size_t m = 0; m < n_positions; ++m) {
            scores(j) += u(m) * keys(j, m);
        }
    }
    const double largest = *std::max_element(scores.begin(), scores.end());
    double all = 0;
    for (double& score : scores) {
        score = elementary::exp(score - largest);
        all += score;
    }
    return Vector(scores / all);
}

double error_of_largest(const Matrix& weights, const std::vector<std::size_t>& sure)
{
    const std::size_t n_target = weights.shape(0);
    const std::size_t n_source = weights.shape(1);
    expect(n_target >= 1 && sure.size() == n_target,
           "error_of_largest: {} steps and {} sure words", n_target, sure.size());
    double found = 0;
    for (std::size_t t = 0; t < n_target; ++t) {
        expect(sure[t] < n_source, "error_of_largest: word {} of {}", sure[t], n_source);
        const double* const row = weights.data() + t * n_source;
        const auto largest =
            static_cast<std::size_t>(std::max_element(row, row + n_source) - row);
        found += largest == sure[t] ? 1 : 0;
    }
    return 1 - found / static_cast<double>(n_target); // |A| = |S|: 1 - 2 found / (2 steps)
}

} // namespace attn::bahdanau::solutions
