#include "chapters/02_nadaraya_watson/exercises/solutions.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace attn::nadaraya_watson::solutions {

Vector predict_with_k_in_window(const Vector& queries, const Vector& keys, const Vector& values,
                                const Kernel& kernel, std::size_t k)
{
    expect(k >= 1 && k <= keys.size(),
           "predict_with_k_in_window: k must be 1 to {}, the number of keys, got {}",
           keys.size(), k);
    Vector predictions = Vector::from_shape({queries.size()});
    for (std::size_t i = 0; i < queries.size(); ++i) {
        // Find the first distance beyond that of the k-th nearest key.
        Vector distance = xt::abs(keys - queries(i));
        std::sort(distance.begin(), distance.end());
        const double kth = distance(k - 1);
        const auto beyond = std::upper_bound(distance.begin(), distance.end(), kth);
        double bandwidth = kth > 0 ? 2 * kth : 1.0; // no key lies farther than the k-th
        if (beyond != distance.end()) {
            bandwidth = *beyond;
        }
        predictions(i) = predict({queries(i)}, keys, values, kernel, bandwidth).predictions(0);
    }
    return predictions;
}

std::vector<int> classify(const Vector& queries, const Vector& keys, const Vector& classes,
                          const Kernel& kernel, double bandwidth)
{
    for (const double label : classes) {
        if (label != 1 && label != -1) {
            throw ContractError(
                fmt::format("classify: classes must be +1 or -1, got {}", label));
        }
    }
    const Prediction estimate = predict(queries, keys, classes, kernel, bandwidth);
    std::vector<int> signs;
    for (const double prediction : estimate.predictions) {
        signs.push_back(prediction > 0 ? 1 : prediction < 0 ? -1 : 0);
    }
    return signs;
}

Vector density(const Vector& queries, const Vector& keys, const Kernel& kernel,
               double bandwidth)
{
    expect(keys.size() >= 1, "density: keys must hold at least one, got none");
    expect_positive(bandwidth, "density", "bandwidth");
    Vector result = xt::zeros<double>({queries.size()});
    for (std::size_t i = 0; i < queries.size(); ++i) {
        for (const double key : keys) {
            result(i) += kernel((queries(i) - key) / bandwidth);
        }
    }
    return result / (static_cast<double>(keys.size()) * bandwidth);
}

Vector local_line(const Vector& queries, const Vector& keys, const Vector& values,
                  const Kernel& kernel, double bandwidth)
{
    const Prediction local = predict(queries, keys, values, kernel, bandwidth);
    Vector predictions = local.predictions; // the local means: where there is no line
    for (std::size_t i = 0; i < queries.size(); ++i) {
        // Take the weighted mean of the keys, their spread, and how the values go with them.
        double mean_key = 0;
        for (std::size_t j = 0; j < keys.size(); ++j) {
            mean_key += local.weights(i, j) * keys(j);
        }
        double spread = 0;
        double covariance = 0;
        for (std::size_t j = 0; j < keys.size(); ++j) {
            const double step = keys(j) - mean_key;
            spread += local.weights(i, j) * step * step;
            covariance += local.weights(i, j) * step * values(j);
        }

        // Walk from the mean key to the query along the line.
        constexpr double rounding = 1e-12;
        if (spread > rounding * bandwidth * bandwidth) {
            predictions(i) += covariance / spread * (queries(i) - mean_key);
        }
    }
    return predictions;
}

} // namespace attn::nadaraya_watson::solutions
