#include "chapters/05_attention_versus_dense/ceilings.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>

namespace attn::attention_versus_dense {

namespace {

void expect_steps(double range, std::size_t n_steps, const char* function)
{
    expect(range >= 0 && n_steps >= 1,
           "{}: range must be at least 0 and n_steps at least 1, got {} and {}", function,
           range, n_steps);
}

} // namespace

// [ceiling]
double largest_weight(double range, std::size_t n_steps)
{
    expect_steps(range, n_steps, "largest_weight");
    return 1 / (1 + static_cast<double>(n_steps - 1) * elementary::exp(-range));
}

double marked_ceiling(double range, std::size_t n_steps)
{
    expect_steps(range, n_steps, "marked_ceiling");
    return 1 / (1 + static_cast<double>(n_steps - 1) * elementary::exp(-2 * range));
}
// [ceiling]

namespace {

/// The largest sum_k (sum_t w_t C_tk)^2 over w of length 1, by repeated w <- C C^T w from each
/// step's row; with a sign constraint what is negative becomes 0. Divided by the sum of C^2.
double best_in_common(const Matrix& C, bool only_positive)
{
    const std::size_t n_steps = C.shape(0);
    double best = 0;
    for (std::size_t start = 0; start < n_steps; ++start) {
        Vector w = xt::zeros<double>({n_steps});
        w(start) = 1;
        double square = 0;
        for (int round = 0; round < 1000; ++round) {
            Vector u = xt::zeros<double>({C.shape(1)}); // u_k = sum_t w_t C_tk
            for (std::size_t t = 0; t < n_steps; ++t) {
                for (std::size_t k = 0; k < C.shape(1); ++k) {
                    u(k) += w(t) * C(t, k);
                }
            }
            square = xt::sum(u * u)();
            for (std::size_t t = 0; t < n_steps; ++t) {
                w(t) = 0;
                for (std::size_t k = 0; k < C.shape(1); ++k) {
                    w(t) += C(t, k) * u(k);
                }
                w(t) = only_positive ? std::max(w(t), 0.0) : w(t);
            }
            const double length = std::sqrt(xt::sum(w * w)());
            if (length == 0) {
                break;
            }
            w /= length;
        }
        best = std::max(best, square);
    }
    return best / xt::sum(C * C)();
}

} // namespace

ConstantWeights best_with_constant_weights(const Matrix& weights)
{
    const double total = xt::sum(weights * weights)();
    expect(total > 0, "best_with_constant_weights: weights {} must not all be 0",
           shape_of(weights));
    const Vector of_features = xt::sum(weights, {0});
    const double mean =
        xt::sum(of_features * of_features)() / static_cast<double>(weights.shape(0)) / total;
    return {mean, best_in_common(weights, true), best_in_common(weights, false), 1};
}

} // namespace attn::attention_versus_dense
