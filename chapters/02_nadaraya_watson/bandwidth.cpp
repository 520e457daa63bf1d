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

struct Row
{
    double key;
    double value;
    std::size_t index; ///< in the table
};

/// A table's rows in the order of their keys.
std::vector<Row> rising_rows(const Sample& sample)
{
    std::vector<Row> rows;
    for (std::size_t i = 0; i < sample.keys.size(); ++i) {
        rows.push_back({sample.keys(i), sample.values(i), i});
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return a.key < b.key; });
    return rows;
}

/// How far the nearest other key is.
double distance_to_nearest(const std::vector<Row>& rising, std::size_t i)
{
    const double key = rising[i].key;
    const double below = i > 0 ? key - rising[i - 1].key : infinity;
    const double above = i + 1 < rising.size() ? rising[i + 1].key - key : infinity;
    return std::min(below, above);
}

/// The prediction of row i from the other rows, for a row whose kernel values underflow: they are
/// divided by the nearest key's, which is exact in their logarithms.
/// \param rising  sorted by the keys
double predict_from_others(const std::vector<Row>& rising, std::size_t i, const Kernel& kernel,
                           double bandwidth)
{
    const double log_largest = kernel.log_value(distance_to_nearest(rising, i) / bandwidth);
    KernelSums sums;
    const auto counts = [&](const Row& row) {
        const double u = std::abs(row.key - rising[i].key) / bandwidth;
        const double weight = elementary::exp(kernel.log_value(u) - log_largest);
        sums.add(weight, row.value);
        return weight > 0;
    };
    for (std::size_t j = i; j > 0 && counts(rising[j - 1]); --j) {
    }
    for (std::size_t j = i + 1; j < rising.size() && counts(rising[j]); ++j) {
    }
    return sums.mean();
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
    const std::vector<Row> rising = rising_rows(sample);

    // Let each pair add to both of its sums, since a kernel is symmetric, and stop at the
    // first key that counts nothing, since no kernel rises again.
    std::vector<KernelSums> sums(n_keys);
    for (std::size_t i = 0; i < n_keys; ++i) {
        for (std::size_t j = i + 1; j < n_keys; ++j) {
            const double weight = kernel.value((rising[j].key - rising[i].key) / bandwidth);
            if (weight == 0) {
                break;
            }
            sums[i].add(weight, rising[j].value);
            sums[j].add(weight, rising[i].value);
        }
    }

    // Divide; an empty window is answered as the caller wants.
    constexpr double underflow = 1e-280;
    const double total =
        std::accumulate(rising.begin(), rising.end(), 0.0,
                        [](double sum, const Row& row) { return sum + row.value; });
    double squared_error = 0;
    for (std::size_t i = 0; i < n_keys; ++i) {
        const auto& [key, value, index] = rising[i];
        double prediction = 0;
        if (!kernel.in_window(distance_to_nearest(rising, i) / bandwidth)) {
            prediction = empty == EmptyWindow::nearest
                             ? nearest_value(key, sample, index)
                             : (total - value) / static_cast<double>(n_keys - 1);
        } else if (sums[i].weight < underflow) {
            prediction = predict_from_others(rising, i, kernel, bandwidth);
        } else {
            prediction = sums[i].mean();
        }
        squared_error += (prediction - value) * (prediction - value);
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

bool errs_less(const Choice& a, const Choice& b)
{
    return a.error < b.error;
}

bool is_narrower(const Choice& a, const Choice& b)
{
    return a.bandwidth < b.bandwidth;
}

/// The distances between neighbouring keys that are not equal, the smallest first.
std::vector<double> rising_gaps(const Vector& keys)
{
    std::vector<double> rising(keys.begin(), keys.end());
    std::sort(rising.begin(), rising.end());
    rising.erase(std::unique(rising.begin(), rising.end()), rising.end());
    std::adjacent_difference(rising.begin(), rising.end(), rising.begin());
    rising.erase(rising.begin());
    std::sort(rising.begin(), rising.end());
    return rising;
}

/// Refuses values whose squared differences are no numbers to compare.
void expect_squares(const Vector& values)
{
    const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
    expect(
        std::max(-*lowest, *highest) < 1e150,
        "choose_bandwidth: values are too large, the square of their scatter is not a finite "
        "number");
    expect(*highest == *lowest || *highest - *lowest > 1e-150,
           "choose_bandwidth: values are too small, the square of their scatter vanishes");
}

using Error = std::function<double(double bandwidth)>;

/// Bandwidths with their errors: a grid, narrower ones down to the common gaps, and wider or even
/// narrower ones if the last is the best.
std::vector<Choice> try_bandwidths(const Vector& keys, const Error& error)
{
    std::vector<Choice> tried;
    Choice best{0, infinity};
    const auto try_one = [&](double bandwidth) {
        tried.push_back({bandwidth, error(bandwidth)});
        best = errs_less(tried.back(), best) ? tried.back() : best;
    };
    for (const double bandwidth : width_grid(keys, 401)) {
        try_one(bandwidth);
    }
    double narrowest = tried.front().bandwidth;
    const double highest = tried.back().bandwidth;
    for (double widest = highest; best.bandwidth == widest && widest < 1e6 * highest;) {
        widest *= 2;
        try_one(widest);
    }

    const auto narrow_down_to = [&](double limit) {
        constexpr double step = 1.05;
        while (narrowest / step > limit) {
            narrowest /= step;
            try_one(narrowest);
        }
    };
    const std::vector<double> gaps = rising_gaps(keys);
    narrow_down_to(gaps[gaps.size() / 4]);
    if (best.bandwidth == narrowest) {
        // Squares of distances in bandwidths must be finite.
        narrow_down_to(std::max(gaps[0] / 10, 1e-100 * highest));
    }
    return tried;
}

/// Whether none of some choices errs more than another, but for rounding.
template <typename Iterator>
bool none_is_worse(Iterator begin, Iterator end, double least, double largest)
{
    return std::none_of(begin, end, [&](const Choice& choice) {
        return choice.error > least + 1e-12 * largest;
    });
}

} // namespace

// [choose_bandwidth]
Choice choose_bandwidth(const Sample& sample, const Kernel& kernel, EmptyWindow empty)
{
    expect_squares(sample.values);
    const auto error = [&](double bandwidth) {
        return leave_one_out_error(sample, kernel, bandwidth, empty);
    };
    std::vector<Choice> tried = try_bandwidths(sample.keys, error);
    Choice best = *std::min_element(tried.begin(), tried.end(), errs_less);

    // See whether there are worse ones on both sides of the best.
    std::sort(tried.begin(), tried.end(), is_narrower);
    const auto found = std::lower_bound(tried.begin(), tried.end(), best, is_narrower);
    const double largest = std::max_element(tried.begin(), tried.end(), errs_less)->error;
    best.at_narrow_end = none_is_worse(tried.begin(), found, best.error, largest);
    best.at_wide_end = none_is_worse(found, tried.end(), best.error, largest);

    // Refine between the neighbours of the best, on a log scale.
    const Choice& below = found == tried.begin() ? *found : *(found - 1);
    const Choice& above = found + 1 == tried.end() ? *found : *(found + 1);
    golden_section(elementary::log(below.bandwidth), elementary::log(above.bandwidth),
                   [&](double log_bandwidth) {
                       const double bandwidth = elementary::exp(log_bandwidth);
                       const double refined = error(bandwidth);
                       if (refined < best.error) {
                           best.bandwidth = bandwidth;
                           best.error = refined;
                       }
                       return refined;
                   });
    return best;
}
// [choose_bandwidth]

} // namespace attn::nadaraya_watson
