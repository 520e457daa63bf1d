#include "chapters/02_nadaraya_watson/bandwidth.hpp"

#include "common/kernels/elementary.hpp"
#include "common/kernels/geometric_steps.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <vector>

namespace attn::nadaraya_watson {

namespace {

/// The prediction of row i from the other rows, for a row whose kernel values underflow.
double predict_from_others(const Sample& sample, std::size_t i, const Kernel& kernel,
                           double bandwidth)
{
    const Sample others{xt::view(sample.keys, xt::drop(i)),
                        xt::view(sample.values, xt::drop(i))};
    return predict({sample.keys(i)}, others, kernel, bandwidth).predictions(0);
}

} // namespace

double nearest_value(double query, const Sample& sample, std::size_t left_out)
{
    double smallest = infinity;
    double sum = 0;
    double n_nearest = 0;
    for (std::size_t j = 0; j < sample.keys.size(); ++j) {
        const double distance = std::abs(query - sample.keys(j));
        if (j == left_out || distance > smallest) {
            continue;
        }
        if (distance < smallest) {
            smallest = distance;
            sum = 0;
            n_nearest = 0;
        }
        sum += sample.values(j);
        ++n_nearest;
    }
    return sum / n_nearest;
}

double leave_one_out_error(const Sample& sample, const Kernel& kernel, double bandwidth,
                           EmptyWindow empty)
{
    expect_table(sample, 2, "leave_one_out_error");
    expect_positive(bandwidth, "leave_one_out_error", "bandwidth");
    const std::size_t n_keys = sample.keys.size();

    // Put the keys in order, so that the keys of a window stand side by side.
    std::vector<std::size_t> order(n_keys);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return sample.keys(a) < sample.keys(b);
    });
    std::vector<double> key(n_keys);
    std::vector<double> value(n_keys);
    for (std::size_t i = 0; i < n_keys; ++i) {
        key[i] = sample.keys(order[i]);
        value[i] = sample.values(order[i]);
    }

    // Let each pair add to both of its sums, since a kernel is symmetric, and stop at the
    // first key that counts nothing, since no kernel rises again.
    std::vector<double> weight_sum(n_keys, 0.0);
    std::vector<double> value_sum(n_keys, 0.0);
    for (std::size_t i = 0; i < n_keys; ++i) {
        for (std::size_t j = i + 1; j < n_keys; ++j) {
            const double weight = kernel.value((key[j] - key[i]) / bandwidth);
            if (weight == 0) {
                break;
            }
            weight_sum[i] += weight;
            value_sum[i] += weight * value[j];
            weight_sum[j] += weight;
            value_sum[j] += weight * value[i];
        }
    }

    // Divide; an empty window is answered as the caller wants.
    constexpr double underflow = 1e-280;
    const double total = std::accumulate(value.begin(), value.end(), 0.0);
    double squared_error = 0;
    for (std::size_t i = 0; i < n_keys; ++i) {
        const double below = i > 0 ? key[i] - key[i - 1] : infinity;
        const double above = i + 1 < n_keys ? key[i + 1] - key[i] : infinity;
        double prediction = 0;
        if (!kernel.in_window(std::min(below, above) / bandwidth)) {
            prediction = empty == EmptyWindow::nearest
                             ? nearest_value(key[i], sample, order[i])
                             : (total - value[i]) / static_cast<double>(n_keys - 1);
        } else if (weight_sum[i] < underflow) {
            prediction = predict_from_others(sample, order[i], kernel, bandwidth);
        } else {
            prediction = value_sum[i] / weight_sum[i];
        }
        squared_error += (prediction - value[i]) * (prediction - value[i]);
    }
    return squared_error / static_cast<double>(n_keys);
}

double unmasked_error(const Sample& sample, const Kernel& kernel, double bandwidth)
{
    const Prediction unmasked = predict(sample.keys, sample, kernel, bandwidth);
    const Vector squared_error = xt::square(unmasked.predictions - sample.values);
    return xt::mean(squared_error)();
}

Vector width_grid(const Vector& keys, std::size_t n)
{
    expect(n >= 2, "width_grid: n must be at least 2, got {}", n);
    expect_table({keys, keys}, 2, "width_grid");
    const auto [lowest, highest] = std::minmax_element(keys.begin(), keys.end());
    const double range = *highest - *lowest;
    expect(range > 0, "width_grid: keys must differ, got {} every time", *lowest);
    expect_positive(2 * range, "width_grid", "twice the range of the keys");
    return geometric_steps(range / 200, 2 * range, n);
}

namespace {

/// Asks for a function's value at points ever nearer to a minimum between two ends. Each
/// step keeps one of two inner points, so that it asks for one new value only.
void golden_section(double low, double high, const std::function<double(double)>& value)
{
    constexpr double golden = std::numbers::phi - 1;
    double left = high - golden * (high - low);
    double right = low + golden * (high - low);
    double value_left = value(left);
    double value_right = value(right);
    while (high - low > 1e-9) {
        if (value_left <= value_right) {
            high = right;
            right = left;
            value_right = value_left;
            left = high - golden * (high - low);
            value_left = value(left);
        } else {
            low = left;
            left = right;
            value_left = value_right;
            right = low + golden * (high - low);
            value_right = value(right);
        }
    }
}

} // namespace

// [choose_bandwidth]
Choice choose_bandwidth(const Sample& sample, const Kernel& kernel, EmptyWindow empty)
{
    Choice best{0, infinity};
    const auto error_of = [&](double bandwidth) {
        const double error = leave_one_out_error(sample, kernel, bandwidth, empty);
        if (error < best.error) {
            best = {bandwidth, error};
        }
        return error;
    };

    // Try every bandwidth of the grid.
    const Vector grid = width_grid(sample.keys, 401); // [401]
    std::size_t best_cell = 0;
    for (std::size_t i = 0; i < grid.size(); ++i) {
        error_of(grid(i));
        best_cell = best.bandwidth == grid(i) ? i : best_cell;
    }
    expect(best.error < infinity, "choose_bandwidth: values are too large, the square of their "
                                  "scatter is not a finite number");

    // Refine between the neighbours of the best, on a log scale.
    const double below = grid(best_cell == 0 ? 0 : best_cell - 1);
    const double above = grid(std::min(best_cell + 1, grid.size() - 1));
    golden_section(elementary::log(below), elementary::log(above), [&](double log_bandwidth) {
        return error_of(elementary::exp(log_bandwidth));
    });
    return best;
}
// [choose_bandwidth]

} // namespace attn::nadaraya_watson
