/// \file
/// \brief The bodies of nadaraya_watson.hpp.
#include "chapters/02_nadaraya_watson/nadaraya_watson.hpp"

#include "chapters/01_lookup/experiments.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

namespace attn::nadaraya_watson {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The weights of attention, and what they say about each query. A key in the window has a
/// finite score, a masked one has not.
Prediction read_off(const lookup::Attention& attention)
{
    Prediction result;
    result.weights = attention.weights;
    result.predictions = column_of(attention.context, 0);
    for (std::size_t i = 0; i < attention.scores.shape(0); ++i) {
        std::size_t n_keys = 0;
        for (std::size_t j = 0; j < attention.scores.shape(1); ++j) {
            n_keys += attention.scores(i, j) > -infinity ? 1 : 0;
        }
        result.keys_in_window.push_back(n_keys);
        if (n_keys == 0) {
            result.predictions(i) = std::numeric_limits<double>::quiet_NaN();
        }
    }
    return result;
}

lookup::Attention attend_softly(const Vector& queries, const Vector& keys, const Vector& values,
                                const lookup::Score& score)
{
    return lookup::attend(as_column(queries), as_column(keys), as_column(values), score,
                          [](const Matrix& scores) { return lookup::softmax(scores); });
}

void expect_table(const Vector& keys, const Vector& values, std::size_t at_least,
                  std::string_view function)
{
    expect(keys.size() >= at_least, "{}: keys must hold at least {}, got {}", function,
           at_least, keys.size());
    expect(values.size() == keys.size(), "{}: values must hold {}, one a key, got {}", function,
           keys.size(), values.size());
    expect_finite(as_column(keys), function, "keys");
    expect_finite(as_column(values), function, "values");
}

} // namespace

// ---------------------------------------------------------------- kernels

bool Kernel::in_window(double u) const
{
    return std::abs(u) < half_width || (includes_edge && std::abs(u) == half_width);
}

namespace {

/// A kernel that ends at one width; whether the edge belongs to it, its value there tells.
Kernel within_one_width(std::string name, std::string idea, std::function<double(double)> value)
{
    const auto log_value = [value](double u) { return std::log(value(u)); };
    return {std::move(name), std::move(idea), value, log_value, 1.0, value(1.0) > 0};
}

/// A kernel that ends nowhere; by its logarithm, which does not underflow.
Kernel everywhere(std::string name, std::string idea, std::function<double(double)> log_value)
{
    const auto value = [log_value](double u) { return std::exp(log_value(u)); };
    return {std::move(name), std::move(idea), value, log_value, infinity, true};
}

} // namespace

// [kernels]
const std::vector<Kernel>& kernels()
{
    static const double log_peak = -0.5 * std::log(2 * std::numbers::pi);
    static const std::vector<Kernel> table = {
        everywhere("gaussian", "exp(-u^2 / 2) / sqrt(2 pi)",
                   [](double u) { return log_peak - 0.5 * u * u; }),
        within_one_width("boxcar", "1/2 where |u| <= 1",
                         [](double u) { return std::abs(u) <= 1 ? 0.5 : 0.0; }),
        within_one_width("epanechnikov", "3/4 (1 - u^2) where |u| < 1",
                         [](double u) { return std::max(0.0, 0.75 * (1 - u * u)); }),
        within_one_width("triangular", "1 - |u| where |u| < 1",
                         [](double u) { return std::max(0.0, 1 - std::abs(u)); }),
        everywhere("constant", "1 everywhere", [](double) { return 0.0; }),
    };
    return table;
}
// [kernels]

const Kernel& kernel_named(std::string_view name)
{
    std::string names;
    for (const Kernel& kernel : kernels()) {
        if (kernel.name == name) {
            return kernel;
        }
        names += (names.empty() ? "" : ", ") + kernel.name;
    }
    throw ContractError(
        fmt::format("kernel_named: name must be one of {}, got '{}'", names, name));
}

Kernel cut(const Kernel& kernel, double radius)
{
    expect_positive(radius, "cut", "radius");
    if (radius > kernel.half_width) {
        return kernel;
    }
    Kernel shorter = kernel;
    shorter.name = fmt::format("{} cut at {}", kernel.name, radius);
    shorter.idea = fmt::format("{}, 0 where |u| > {}", kernel.idea, radius);
    shorter.half_width = radius;
    shorter.includes_edge = radius < kernel.half_width || kernel.includes_edge;
    shorter.value = [kernel, radius](double u) {
        return std::abs(u) <= radius ? kernel.value(u) : 0.0;
    };
    shorter.log_value = [kernel, radius](double u) {
        return std::abs(u) <= radius ? kernel.log_value(u) : -infinity;
    };
    return shorter;
}

// ---------------------------------------------------------------- prediction

Matrix distances(const Matrix& queries, const Matrix& keys)
{
    expect_columns(queries, keys.shape(1), "distances", "queries",
                   "as many columns as a key has");
    Matrix result = xt::zeros<double>({queries.shape(0), keys.shape(0)});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            for (std::size_t column = 0; column < keys.shape(1); ++column) {
                result(i, j) = std::hypot(result(i, j), queries(i, column) - keys(j, column));
            }
        }
    }
    return result;
}

// [kernel_score]
lookup::Score score(const Kernel& kernel, double bandwidth)
{
    expect_positive(bandwidth, "score", "bandwidth");
    const auto compare = [kernel, bandwidth](const Matrix& queries, const Matrix& keys) {
        const Matrix u = distances(queries, keys) / bandwidth; // [n_queries, n_keys]
        Matrix scores = Matrix::from_shape({u.shape(0), u.shape(1)});
        for (std::size_t i = 0; i < u.shape(0); ++i) {
            for (std::size_t j = 0; j < u.shape(1); ++j) {
                scores(i, j) = kernel.log_value(u(i, j));
                expect(scores(i, j) > -infinity || !kernel.in_window(u(i, j)),
                       "score: bandwidth {} is too small for a key {} away: the square of "
                       "their ratio is not a finite number",
                       bandwidth, u(i, j) * bandwidth);
            }
        }
        return scores;
    };
    return {kernel.name, "log K(u)", compare};
}
// [kernel_score]

// [predict]
Prediction predict(const Vector& queries, const Vector& keys, const Vector& values,
                   const Kernel& kernel, double bandwidth)
{
    expect_table(keys, values, 1, "predict");
    expect_finite(as_column(queries), "predict", "queries");
    return read_off(attend_softly(queries, keys, values, score(kernel, bandwidth)));
}
// [predict]

// ---------------------------------------------------------------- the width

// [leave_one_out]
lookup::Score without_itself(const lookup::Score& score)
{
    const auto compare = [score](const Matrix& queries, const Matrix& keys) {
        expect_rows(queries, keys.shape(0), "without_itself", "queries", "the keys themselves");
        Matrix scores = score(queries, keys); // [n_keys, n_keys]
        for (std::size_t i = 0; i < keys.shape(0); ++i) {
            scores(i, i) = -infinity;
        }
        return scores;
    };
    return {score.name, score.idea + ", and -infinity for the key itself", compare};
}

Prediction leave_one_out(const Vector& keys, const Vector& values, const Kernel& kernel,
                         double bandwidth)
{
    expect_table(keys, values, 2, "leave_one_out");
    return read_off(
        attend_softly(keys, keys, values, without_itself(score(kernel, bandwidth))));
}
// [leave_one_out]

namespace {

/// The prediction of row i from the other rows, for a row whose kernel values underflow.
double predict_from_others(const Vector& keys, const Vector& values, std::size_t i,
                           const Kernel& kernel, double bandwidth)
{
    Vector other_keys = Vector::from_shape({keys.size() - 1});
    Vector other_values = Vector::from_shape({keys.size() - 1});
    for (std::size_t j = 0, row = 0; j < keys.size(); ++j) {
        if (j != i) {
            other_keys(row) = keys(j);
            other_values(row) = values(j);
            ++row;
        }
    }
    return predict({keys(i)}, other_keys, other_values, kernel, bandwidth).predictions(0);
}

} // namespace

double leave_one_out_error(const Vector& keys, const Vector& values, const Kernel& kernel,
                           double bandwidth)
{
    expect_table(keys, values, 2, "leave_one_out_error");
    expect_positive(bandwidth, "leave_one_out_error", "bandwidth");
    const std::size_t n_keys = keys.size();

    // Put the keys in order, so that the keys of a window stand side by side.
    std::vector<std::size_t> order(n_keys);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return keys(a) < keys(b); });
    std::vector<double> key(n_keys);
    std::vector<double> value(n_keys);
    for (std::size_t i = 0; i < n_keys; ++i) {
        key[i] = keys(order[i]);
        value[i] = values(order[i]);
    }

    // Let each pair add to both of its sums, since a kernel is symmetric, and stop at the
    // first key that counts nothing, since a kernel falls.
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

    // Divide; an empty window is answered by the mean of the others.
    constexpr double underflow = 1e-280;
    const double total = std::accumulate(value.begin(), value.end(), 0.0);
    double squared_error = 0;
    for (std::size_t i = 0; i < n_keys; ++i) {
        const double below = i > 0 ? key[i] - key[i - 1] : infinity;
        const double above = i + 1 < n_keys ? key[i + 1] - key[i] : infinity;
        double prediction = 0;
        if (!kernel.in_window(std::min(below, above) / bandwidth)) {
            prediction = (total - value[i]) / static_cast<double>(n_keys - 1);
        } else if (weight_sum[i] < underflow) {
            prediction = predict_from_others(keys, values, order[i], kernel, bandwidth);
        } else {
            prediction = value_sum[i] / weight_sum[i];
        }
        squared_error += (prediction - value[i]) * (prediction - value[i]);
    }
    return squared_error / static_cast<double>(n_keys);
}

double self_seeing_error(const Vector& keys, const Vector& values, const Kernel& kernel,
                         double bandwidth)
{
    const Prediction seen = predict(keys, keys, values, kernel, bandwidth);
    const Vector squared_error = xt::square(seen.predictions - values);
    return xt::mean(squared_error)();
}

Vector width_grid(const Vector& keys, std::size_t n)
{
    expect(n >= 2, "width_grid: n must be at least 2, got {}", n);
    expect_table(keys, keys, 2, "width_grid");
    const auto [lowest, highest] = std::minmax_element(keys.begin(), keys.end());
    const double range = *highest - *lowest;
    expect(range > 0, "width_grid: keys must differ, got {} every time", *lowest);
    expect_positive(2 * range, "width_grid", "twice the range of the keys");
    return lookup::geometric_steps(range / 200, 2 * range, n);
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
Choice choose_bandwidth(const Vector& keys, const Vector& values, const Kernel& kernel)
{
    Choice best{0, infinity};
    const auto error_of = [&](double bandwidth) {
        const double error = leave_one_out_error(keys, values, kernel, bandwidth);
        if (error < best.error) {
            best = {bandwidth, error};
        }
        return error;
    };

    // Try every width of the grid.
    const Vector grid = width_grid(keys, 401); // [401]
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
    golden_section(std::log(below), std::log(above),
                   [&](double log_bandwidth) { return error_of(std::exp(log_bandwidth)); });
    return best;
}
// [choose_bandwidth]

} // namespace attn::nadaraya_watson
