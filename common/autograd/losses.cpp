/// \file
/// \brief The bodies of losses.hpp. The rows of a cross entropy are added up in double, also for float.
#include "common/autograd/losses.hpp"

#include "common/autograd/rule.hpp"
#include "common/kernels/elementary.hpp"
#include "common/tensor/vector_math.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace attn::autograd {

namespace {

using Targets = std::span<const std::int64_t>;

// ---------------------------------------------------------------- cross entropy

template <typename T>
void expect_targets(const Variable<T>& logits, Targets targets, const CrossEntropy& options)
{
    expect(logits.rank() == 2, "cross_entropy: logits must be [n, n_classes], got shape {}",
           logits.shape());
    expect(targets.size() == logits.shape()[0],
           "cross_entropy: targets must be one a row of the logits, {}, got [{}]",
           logits.shape(), targets.size());
    expect(options.label_smoothing >= 0 && options.label_smoothing <= 1,
           "cross_entropy: label_smoothing must be from 0 to 1, got {}",
           options.label_smoothing);
    const auto n_classes = static_cast<std::int64_t>(logits.shape()[1]);
    for (std::size_t i = 0; i < targets.size(); ++i) {
        expect((targets[i] >= 0 && targets[i] < n_classes) || targets[i] == options.ignored,
               "cross_entropy: target {} at position {} is none of {} classes", targets[i], i,
               n_classes);
    }
}

/// What the rows' losses are multiplied by: 1, or one over how many count.
double weight_of_expected_rows(Targets targets, const CrossEntropy& options)
{
    if (options.reduction == Reduction::sum) {
        return 1.0;
    }
    const auto counts = [&](std::int64_t target) { return target != options.ignored; };
    const auto n = std::count_if(targets.begin(), targets.end(), counts);
    return n == 0 ? 0.0 : 1.0 / static_cast<double>(n);
}

/// One row's loss.
/// \param x        [n_classes], logits
/// \param target   0 to n_classes - 1
/// \param epsilon  the smoothing
/// \param p        [n_classes], receives the probabilities
template <typename T>
double loss_of_row(std::span<const T> x, std::size_t target, double epsilon, std::span<T> p)
{
    const T shift = vector_math::maximum(x);
    for (std::size_t c = 0; c < x.size(); ++c) {
        p[c] = x[c] - shift;
    }
    double from_largest = static_cast<double>(p[target]); // mean of x_c - shift under q
    if (epsilon > 0) {
        const double mean =
            static_cast<double>(vector_math::sum<T>(p)) / static_cast<double>(x.size());
        from_largest = (1 - epsilon) * from_largest + epsilon * mean;
    }
    const T sum = vector_math::exp_of_difference<T>(p, T(0), p);
    const T factor = T(1) / sum;
    for (T& probability : p) {
        probability *= factor;
    }
    return elementary::log(static_cast<double>(sum)) - from_largest;
}

/// What the way back needs.
template <typename T>
struct CrossEntropyRule
{
    Variable<T> logits;          ///< [n, n_classes]
    Array<T> p;                  ///< [n, n_classes]; rows that do not count are not initialised
    Array<std::int64_t> targets; ///< [n]
    CrossEntropy options;        ///< as they were given
    double weight;               ///< of a row

    /// Adds weight (p - q) a row, times the loss's gradient.
    void operator()(const Array<T>& /*loss*/, const Array<T>& gradient) const
    {
        const GradientSum<T> sum = open_gradient(logits);
        const std::size_t n_classes = p.shape()[1];
        const double scale = weight * static_cast<double>(gradient.data()[0]);
        const double epsilon = options.label_smoothing;
        const T smooth = static_cast<T>(epsilon / static_cast<double>(n_classes));
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const T* const p_row = p.data() + i * n_classes;
            T* const dx = sum.data + i * n_classes;
            if (sum.beta == T(0)) {
                std::fill_n(dx, n_classes, T(0));
            }
            if (targets.data()[i] == options.ignored) {
                continue;
            }
            for (std::size_t c = 0; c < n_classes; ++c) {
                dx[c] += static_cast<T>(scale) * (p_row[c] - smooth);
            }
            dx[targets.data()[i]] -= static_cast<T>(scale * (1 - epsilon));
        }
    }
};

// ---------------------------------------------------------------- mean squared error

template <typename T>
Array<T> differences(const Array<T>& a, const Array<T>& b)
{
    Array<T> difference = uninitialised<T>(a.shape());
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference.data()[i] = a.data()[i] - b.data()[i];
    }
    return difference;
}

/// The mean of the squares; 0 if there are none.
template <typename T>
T mean_square(std::span<const T> x)
{
    return x.empty() ? T(0) : vector_math::dot(x, x) / static_cast<T>(x.size());
}

} // namespace

template <typename T>
double weight_of_rows(const Variable<T>& logits, std::span<const std::int64_t> targets,
                      const CrossEntropy& options)
{
    expect_targets(logits, targets, options);
    return weight_of_expected_rows(targets, options);
}

template <typename T>
Variable<T> cross_entropy(const Variable<T>& logits, std::span<const std::int64_t> targets,
                          const CrossEntropy& options)
{
    const double weight = weight_of_rows(logits, targets, options);
    const std::size_t n_classes = logits.shape()[1];
    Array<T> p = uninitialised<T>(logits.shape());
    double loss = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        if (targets[i] != options.ignored) {
            loss += loss_of_row(numbers_of(logits.value()).subspan(i * n_classes, n_classes),
                                static_cast<std::size_t>(targets[i]), options.label_smoothing,
                                numbers_of(p).subspan(i * n_classes, n_classes));
        }
    }
    return record(Array<T>(Shape{}, static_cast<T>(weight * loss)), logits.needs_gradient(),
                  CrossEntropyRule<T>{logits, std::move(p),
                                      array_of<std::int64_t>({targets.size()}, targets),
                                      options, weight});
}

template <typename T>
Variable<T> mean_squared_error(const Variable<T>& prediction, const Variable<T>& target)
{
    expect(prediction.shape() == target.shape(),
           "mean_squared_error: target must have the prediction's shape, {}, got {}",
           prediction.shape(), target.shape());
    Array<T> difference = differences(prediction.value(), target.value());
    const T loss = mean_square(numbers_of(std::as_const(difference)));
    return record(Array<T>(Shape{}, loss),
                  prediction.needs_gradient() || target.needs_gradient(),
                  [prediction, target, difference = std::move(difference)](
                      const Array<T>& /*loss*/, const Array<T>& gradient) {
                      const T scale = T(2) * gradient.data()[0] / T(difference.size());
                      const T* const d = difference.data();
                      add_to_gradient(prediction, [=](std::size_t i) { return scale * d[i]; });
                      add_to_gradient(target, [=](std::size_t i) { return -scale * d[i]; });
                  });
}

template double weight_of_rows(const Variable<float>&, Targets, const CrossEntropy&);
template double weight_of_rows(const Variable<double>&, Targets, const CrossEntropy&);
template Variable<float> cross_entropy(const Variable<float>&, Targets, const CrossEntropy&);
template Variable<double> cross_entropy(const Variable<double>&, Targets, const CrossEntropy&);
template Variable<float> mean_squared_error(const Variable<float>&, const Variable<float>&);
template Variable<double> mean_squared_error(const Variable<double>&, const Variable<double>&);

} // namespace attn::autograd
