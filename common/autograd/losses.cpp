/// \file
/// \brief The rows of a cross entropy are added up in double, also for float.
#include "common/autograd/losses.hpp"

#include "common/autograd/rule.hpp"
#include "common/kernels/elementary.hpp"
#include "common/kernels/row_blocks.hpp"
#include "common/kernels/vector_math.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace attn::autograd {

namespace {

using kernels::LogitSums;
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
double weight_of_rows(Targets targets, const CrossEntropy& options)
{
    if (options.reduction == Reduction::sum) {
        return 1.0;
    }
    const auto counts = [&](std::int64_t target) { return target != options.ignored; };
    const auto n = std::count_if(targets.begin(), targets.end(), counts);
    return n == 0 ? 0.0 : 1.0 / static_cast<double>(n);
}

/// One row's loss, from what a walk along it brought.
template <typename T>
double loss_from(const LogitSums<T>& sums, T target_logit, std::size_t n_classes,
                 double smoothing)
{
    double from_largest = static_cast<double>(target_logit - sums.largest);
    if (smoothing > 0) { // the mean of x_c - largest under q
        from_largest = (1 - smoothing) * from_largest +
                       smoothing * (static_cast<double>(sums.differences) /
                                    static_cast<double>(n_classes));
    }
    return elementary::log(static_cast<double>(sums.exponentials)) - from_largest;
}

/// The gradient of a cross entropy, with what it needs. Of the probabilities nothing is kept: they
/// are computed again from each row's largest logit and the sum of its exponentials.
template <typename T>
struct CrossEntropyRule
{
    Variable<T> logits;          ///< [n, n_classes]
    Array<std::int64_t> targets; ///< [n]
    CrossEntropy options;        ///< as they were given
    double weight;               ///< of a row
    Array<T> largest;            ///< [n], of each row that counts
    Array<T> exponentials;       ///< [n], their sums

    /// Adds weight (p - q) a row, times the loss's gradient.
    void operator()(const Array<T>& /*loss*/, const Array<T>& gradient) const
    {
        const GradientSum<T> sum = open_gradient(logits);
        const double scale = weight * static_cast<double>(gradient.data()[0]);
        const auto& rows = kernels::current<T>().rows;
        kernels::for_each_block_of_rows(
            targets.size(), logits.shape()[1], [&](std::size_t first, std::size_t n) {
                for (std::size_t row = first; row < first + n; ++row) {
                    add_row(rows, row, scale, sum);
                }
            });
    }

    /// Adds scale (p - q) to a row's gradient.
    void add_row(const kernels::RowKernels<T>& rows, std::size_t row, double scale,
                 const GradientSum<T>& sum) const
    {
        const std::size_t n_classes = logits.shape()[1];
        T* const dx = sum.data + row * n_classes;
        const std::int64_t target = targets.data()[row];
        const bool adds = sum.beta != T(0);
        if (target == options.ignored) {
            std::fill_n(dx, adds ? 0 : n_classes, T(0));
            return;
        }
        const double smooth = options.label_smoothing / static_cast<double>(n_classes);
        rows.logit_gradient(n_classes, logits.value().data() + row * n_classes,
                            {largest.data()[row],
                             static_cast<T>(scale) / exponentials.data()[row],
                             static_cast<T>(scale * smooth), adds},
                            dx);
        dx[target] -= static_cast<T>(scale * (1 - options.label_smoothing));
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
Variable<T> cross_entropy(const Variable<T>& logits, std::span<const std::int64_t> targets,
                          const CrossEntropy& options)
{
    expect_targets(logits, targets, options);
    const double weight = weight_of_rows(targets, options);
    const std::size_t n_classes = logits.shape()[1];
    Array<T> largest = uninitialised<T>({targets.size()});
    Array<T> exponentials = uninitialised<T>({targets.size()});
    Array<double> losses = filled<double>({targets.size()}, 0.0);
    const auto& rows = kernels::current<T>().rows;
    const auto walk_along = [&](std::size_t row) {
        const T* const x = logits.value().data() + row * n_classes;
        const LogitSums<T> sums = rows.logit_sums(n_classes, x);
        largest.data()[row] = sums.largest;
        exponentials.data()[row] = sums.exponentials;
        losses.data()[row] =
            loss_from(sums, x[targets[row]], n_classes, options.label_smoothing);
    };
    kernels::for_each_block_of_rows(targets.size(), n_classes,
                                    [&](std::size_t first, std::size_t n) {
                                        for (std::size_t row = first; row < first + n; ++row) {
                                            if (targets[row] != options.ignored) {
                                                walk_along(row);
                                            }
                                        }
                                    });
    double loss = 0;
    for (const double of_row : numbers_of(losses)) {
        loss += of_row;
    }
    return record(Array<T>(Shape{}, static_cast<T>(weight * loss)), logits.needs_gradient(),
                  CrossEntropyRule<T>{logits, array_of<std::int64_t>({targets.size()}, targets),
                                      options, weight, std::move(largest),
                                      std::move(exponentials)});
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

template Variable<float> cross_entropy(const Variable<float>&, Targets, const CrossEntropy&);
template Variable<double> cross_entropy(const Variable<double>&, Targets, const CrossEntropy&);
template Variable<float> mean_squared_error(const Variable<float>&, const Variable<float>&);
template Variable<double> mean_squared_error(const Variable<double>&, const Variable<double>&);

} // namespace attn::autograd
