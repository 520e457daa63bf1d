#include "chapters/06_recurrent_attention/exercises/solutions.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

#include <cmath>

namespace attn::recurrent_attention::solutions {

double largest_weight(std::size_t n, double bound)
{
    expect(n > 0 && bound >= 0,
           "largest_weight: n must be above 0 and the bound not negative, "
           "got {} and {}",
           n, bound);
    return 1 / (1 + static_cast<double>(n - 1) * elementary::exp(-2 * bound));
}

double half_life(double bias)
{
    return elementary::log(2.0) / elementary::log1p(elementary::exp(-bias));
}

double mean_absolute_scaled_error(const Vector& forecast, const Vector& truth,
                                  const Vector& learnt, std::size_t season)
{
    const std::size_t n = truth.size();
    const std::size_t m = learnt.size();
    expect(n > 0 && forecast.size() == n && season > 0 && m > season,
           "mean_absolute_scaled_error: {} forecasts of {} truths, and {} rows to learn from "
           "for a season of {}",
           forecast.size(), n, m, season);
    double error = 0;
    for (std::size_t i = 0; i < n; ++i) {
        error += std::abs(forecast(i) - truth(i)) / static_cast<double>(n);
    }
    double rule = 0;
    for (std::size_t t = season; t < m; ++t) {
        rule += std::abs(learnt(t) - learnt(t - season)) / static_cast<double>(m - season);
    }
    expect(rule > 0, "mean_absolute_scaled_error: the rule never erred on {} rows", m);
    return error / rule;
}

} // namespace attn::recurrent_attention::solutions
