/// \file
/// \brief Solutions of exercises 2.1 to 2.3.
#pragma once

#include "chapters/02_nadaraya_watson/nadaraya_watson.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <vector>

/// Solutions of the exercises of chapter 2. Queries are [n_queries], and
/// the bandwidth is above 0, as for predict.
namespace attn::nadaraya_watson::solutions {

/// Exercise 2.1: a window that grows until it holds enough keys. Each query has a bandwidth of
/// its own, the distance to the first key beyond the k nearest, so that the window of a
/// kernel that reaches one bandwidth is never empty, and crowded regions are seen more sharply
/// than thin ones.
/// \param k  how many keys at least lie inside the window, off its edge; 1 to n_keys
/// \returns  [n_queries] predictions; none of them is nan if the kernel reaches one bandwidth,
///           as all of kernels() do, and cut(kernel, r) of them with r >= 1
/// \throws ContractError as predict, and if k is out of range
inline Vector predict_with_k_in_window(const Vector& queries, const Sample& sample,
                                       const Kernel& kernel, std::size_t k)
{
    const Vector& keys = sample.keys;
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
        predictions(i) = predict({queries(i)}, sample, kernel, bandwidth).predictions(0);
    }
    return predictions;
}

/// Exercise 2.2: similarity as a classifier. With the value +1 for one class and -1 for the
/// other, the sign of the estimate is the class.
/// \param classes  [n_keys], each +1 or -1
/// \returns        [n_queries], each +1 or -1, or 0 for a tie or an empty window
/// \throws ContractError as predict, and if a class is neither +1 nor -1
inline std::vector<int> classify(const Vector& queries, const Vector& keys,
                                 const Vector& classes, const Kernel& kernel, double bandwidth)
{
    for (const double label : classes) {
        if (label != 1 && label != -1) {
            throw ContractError(
                fmt::format("classify: classes must be +1 or -1, got {}", label));
        }
    }
    const Prediction estimate = predict(queries, {keys, classes}, kernel, bandwidth);
    std::vector<int> signs;
    for (const double prediction : estimate.predictions) {
        signs.push_back(prediction > 0 ? 1 : prediction < 0 ? -1 : 0);
    }
    return signs;
}

/// Exercise 2.2, the other side of the equation: Parzen's estimate of a density
/// (\cite parzen1962), \f$ \hat p(q) = \frac{1}{n h} \sum_j K((q - k_j)/h) \f$.
/// \param kernel  one that integrates to 1
/// \returns       [n_queries]
/// \throws ContractError if there is no key or the bandwidth is not positive and finite
inline Vector density(const Vector& queries, const Vector& keys, const Kernel& kernel,
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

/// Exercise 2.3: the local line instead of the local mean. Around each query a straight
/// line is fitted to the values, by least squares with the kernel's values as weights, and
/// read off at the query (\cite wand1995, chapter 5). Where the keys of the
/// window are all equal there is no line, and the mean is the answer.
/// \returns [n_queries]; nan where no key is in the window
/// \throws ContractError as predict
inline Vector local_line(const Vector& queries, const Sample& sample, const Kernel& kernel,
                         double bandwidth)
{
    const auto& [keys, values] = sample;
    const Prediction local = predict(queries, sample, kernel, bandwidth);
    Vector predictions = local.predictions; // the local means: where there is no line
    for (std::size_t i = 0; i < queries.size(); ++i) {
        // Take the weighted mean of the keys, their spread, and how the values go with them.
        const Vector weights = xt::view(local.weights, i, xt::all());
        const double mean_key = xt::sum(weights * keys)();
        const Vector step = keys - mean_key;
        const double spread = xt::sum(weights * step * step)();
        const double covariance = xt::sum(weights * step * values)();

        // Walk from the mean key to the query along the line.
        constexpr double rounding = 1e-12;
        if (spread > rounding * bandwidth * bandwidth) {
            predictions(i) += covariance / spread * (queries(i) - mean_key);
        }
    }
    return predictions;
}

} // namespace attn::nadaraya_watson::solutions
