#include "chapters/06_recurrent_attention/experiments/experiments.hpp"

#include "common/kernels/normal_equations.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace attn::recurrent_attention {

Matrix as_matrix(const Array<float>& array)
{
    Matrix matrix = Matrix::from_shape({array.shape()[0], array.shape()[1]});
    std::copy(array.data(), array.data() + array.size(), matrix.data());
    return matrix;
}

Matrix in_own_units(const Problem& problem, const Matrix& scaled)
{
    const std::size_t target = problem.series.target;
    return scaled * problem.scaling.deviation(target) + problem.scaling.mean(target);
}

Matrix truth_of(const Problem& problem, const Windows& windows)
{
    Matrix truth = Matrix::from_shape({windows.last.size(), problem.plan.n_horizons});
    for (std::size_t i = 0; i < windows.last.size(); ++i) {
        for (std::size_t h = 0; h < problem.plan.n_horizons; ++h) {
            truth(i, h) = problem.series.values(windows.last[i] + 1 + h, problem.series.target);
        }
    }
    return truth;
}

double rmse(const Matrix& forecast, const Matrix& truth, std::size_t horizon)
{
    expect(forecast.shape() == truth.shape() && horizon < truth.shape(1),
           "rmse: forecast and truth must have equal shapes and a column {}, got {} and {}",
           horizon, shape_of(forecast), shape_of(truth));
    const Vector errors = column_of(forecast, horizon) - column_of(truth, horizon);
    const double largest = xt::amax(xt::abs(errors))();
    if (largest == 0) {
        return 0;
    }
    // In a unit in which no square overflows or vanishes: a power of two changes no digit.
    const double unit = std::ldexp(1.0, std::ilogb(largest));
    double squares = 0;
    for (const double error : errors) {
        squares += (error / unit) * (error / unit);
    }
    return unit * std::sqrt(squares / static_cast<double>(truth.shape(0)));
}

namespace {

/// The target at a row of a window, counted from its end: 1 is the last one.
double target_at(const Array<float>& windows, std::size_t i, std::size_t from_end,
                 std::size_t target)
{
    const std::size_t window = windows.shape()[1];
    const std::size_t n_columns = windows.shape()[2];
    return static_cast<double>(
        windows.data()[(i * window + window - from_end) * n_columns + target]);
}

/// The rule that forecasts f(windows, i, h) for window i and horizon h, from 0.
template <typename Function>
Predictor rule(const Problem& problem, Function f)
{
    return [f, H = problem.plan.n_horizons](const Array<float>& windows) {
        Matrix forecast = Matrix::from_shape({windows.shape()[0], H});
        for (std::size_t i = 0; i < forecast.shape(0); ++i) {
            for (std::size_t h = 0; h < H; ++h) {
                forecast(i, h) = f(windows, i, h);
            }
        }
        return forecast;
    };
}

} // namespace

Predictor persistence(const Problem& problem)
{
    return rule(problem, [target = problem.series.target](const Array<float>& windows,
                                                          std::size_t i, std::size_t /*h*/) {
        return target_at(windows, i, 1, target);
    });
}

Predictor unchanged_level(const Problem& problem)
{
    const Series& series = problem.series;
    expect(series.of_changes, "unchanged_level: {} is not a series of changes", series.name);
    const double zero = -problem.scaling.mean(series.target) /
                        problem.scaling.deviation(series.target); // 0, scaled
    return rule(problem,
                [zero](const Array<float>&, std::size_t, std::size_t) { return zero; });
}

Predictor seasonal_naive(const Problem& problem)
{
    const std::size_t season = problem.plan.season;
    expect(season > 0, "seasonal_naive: the plan of {} has no season", problem.series.name);
    return rule(problem, [season, target = problem.series.target](
                             const Array<float>& windows, std::size_t i, std::size_t h) {
        return target_at(windows, i, season - h % season, target);
    });
}

Predictor mean_rule(const Problem& problem)
{
    return rule(problem, [](const Array<float>&, std::size_t, std::size_t) { return 0.0; });
}

// ---------------------------------------------------------------- ridge regression

namespace {

/// Columns less their means, the means beside them.
Matrix centred(const Matrix& x, Vector& mean)
{
    mean = xt::mean(x, {0});
    Matrix result = x;
    for (std::size_t i = 0; i < x.shape(0); ++i) {
        for (std::size_t j = 0; j < x.shape(1); ++j) {
            result(i, j) -= mean(j);
        }
    }
    return result;
}

Matrix mapped(const LinearMap& map, const Matrix& x)
{
    Matrix y = Matrix::from_shape({x.shape(0), map.coefficients.shape(1)});
    for (std::size_t i = 0; i < x.shape(0); ++i) {
        for (std::size_t h = 0; h < y.shape(1); ++h) {
            y(i, h) = map.intercept(h);
            for (std::size_t j = 0; j < x.shape(1); ++j) {
                y(i, h) += x(i, j) * map.coefficients(j, h);
            }
        }
    }
    return y;
}

} // namespace

LinearMap ridge(const Matrix& x, const Matrix& y, double lambda)
{
    expect_positive(lambda, "ridge", "lambda");
    expect_rows(y, x.shape(0), "ridge", "y", "one row a window");
    Vector x_mean;
    Vector y_mean;
    const Matrix x_centred = centred(x, x_mean);
    const Matrix y_centred = centred(y, y_mean);
    Matrix a = transposed_product(x_centred, x_centred);
    for (std::size_t j = 0; j < a.shape(0); ++j) {
        a(j, j) += lambda;
    }
    LinearMap map{solve_symmetric(a, transposed_product(x_centred, y_centred)), y_mean};
    for (std::size_t h = 0; h < y.shape(1); ++h) {
        for (std::size_t j = 0; j < x.shape(1); ++j) {
            map.intercept(h) -= x_mean(j) * map.coefficients(j, h);
        }
    }
    return map;
}

Matrix features_of(const Array<float>& windows, const std::vector<std::size_t>& switches)
{
    const std::size_t n_columns = windows.shape()[2];
    const std::size_t n_numbers = windows.shape()[1] * n_columns;
    for (const std::size_t column : switches) {
        expect(column < n_columns, "features_of: windows of shape {} have no column {}",
               windows.shape(), column);
    }
    Matrix features =
        Matrix::from_shape({windows.shape()[0], n_numbers * (1 + switches.size())});
    for (std::size_t i = 0; i < features.shape(0); ++i) {
        const float* const numbers = windows.data() + i * n_numbers;
        double* row = features.data() + i * features.shape(1);
        row = std::copy(numbers, numbers + n_numbers, row);
        for (const std::size_t column : switches) {
            const double last = numbers[n_numbers - n_columns + column];
            row = std::transform(numbers, numbers + n_numbers, row, [last](float number) {
                return last * static_cast<double>(number);
            });
        }
    }
    return features;
}

Predictor ridge_forecast(const Problem& problem, const std::vector<std::size_t>& switches)
{
    const Matrix x = features_of(problem.train.inputs, switches);
    const Matrix y = as_matrix(problem.train.targets);
    const Matrix x_validation = features_of(problem.validation.inputs, switches);
    const Matrix y_validation = as_matrix(problem.validation.targets);
    auto best = std::make_shared<LinearMap>();
    double least = std::numeric_limits<double>::infinity();
    for (const double lambda : {0.01, 0.1, 1.0, 10.0, 100.0, 1000.0}) {
        const LinearMap map = ridge(x, y, lambda);
        const Matrix forecast = mapped(map, x_validation);
        double error = 0;
        for (std::size_t h = 0; h < y.shape(1); ++h) {
            error += rmse(forecast, y_validation, h);
        }
        if (error < least) {
            least = error;
            *best = map;
        }
    }
    return [best, switches](const Array<float>& windows) {
        return mapped(*best, features_of(windows, switches));
    };
}

Matrix recursive_forecast(const Predictor& one_step, const Array<float>& windows,
                          std::size_t n_horizons)
{
    expect(windows.shape()[2] == 1 && n_horizons > 0,
           "recursive_forecast: windows must have one column and there must be a horizon, got "
           "{} and {}",
           windows.shape(), n_horizons);
    const std::size_t n = windows.shape()[0];
    const std::size_t window = windows.shape()[1];
    Array<float> shown = windows;
    Matrix forecast = Matrix::from_shape({n, n_horizons});
    for (std::size_t h = 0; h < n_horizons; ++h) {
        const Matrix next = one_step(shown);
        for (std::size_t i = 0; i < n; ++i) {
            float* const row = shown.data() + i * window;
            std::copy(row + 1, row + window, row);
            row[window - 1] = static_cast<float>(next(i, 0));
            forecast(i, h) = next(i, 0);
        }
    }
    return forecast;
}

} // namespace attn::recurrent_attention
