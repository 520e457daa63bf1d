#include "chapters/02_nadaraya_watson/chosen_numbers.hpp"

#include "common/kernels/elementary.hpp"
#include "common/kernels/geometric_steps.hpp"

#include <algorithm>

namespace attn::nadaraya_watson {

void add_column(Matrix& squared, const Matrix& queries, const Matrix& keys, std::size_t column)
{
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            const double step = queries(i, column) - keys(j, column);
            squared(i, j) += step * step;
        }
    }
}

Matrix squared_distances(const Matrix& queries, const Matrix& keys,
                         const std::vector<std::size_t>& columns)
{
    Matrix squared = xt::zeros<double>({queries.shape(0), keys.shape(0)});
    for (const std::size_t column : columns) {
        add_column(squared, queries, keys, column);
    }
    return squared;
}

Vector wide_grid()
{
    return geometric_steps(0.1, 20, 25);
}

double nearest_in_row(const Matrix& squared, std::size_t row, const Vector& values,
                      std::size_t left_out)
{
    double smallest = infinity;
    double value = 0;
    for (std::size_t j = 0; j < values.size(); ++j) {
        if (j != left_out && squared(row, j) < smallest) {
            smallest = squared(row, j);
            value = values(j);
        }
    }
    return value;
}

double leave_one_out_error(const Matrix& squared, const Vector& values, double bandwidth)
{
    constexpr double underflow = 1e-280;
    const std::size_t n = values.size();
    const double factor = -0.5 / (bandwidth * bandwidth);
    // Let each pair add to both of its sums.
    std::vector<KernelSums> sums(n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) {
            const double weight = elementary::exp(factor * squared(i, j));
            sums[i].add(weight, values(j));
            sums[j].add(weight, values(i));
        }
    }
    double error = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double prediction =
            sums[i].weight < underflow ? nearest_in_row(squared, i, values, i) : sums[i].mean();
        error += (prediction - values(i)) * (prediction - values(i));
    }
    return error / static_cast<double>(n);
}

Choice choose_bandwidth(const Matrix& squared, const Vector& values)
{
    Choice best{0, infinity};
    for (const double bandwidth : wide_grid()) {
        const double error = leave_one_out_error(squared, values, bandwidth);
        if (error < best.error) {
            best = {bandwidth, error};
        }
    }
    return best;
}

// [choose_columns]
std::vector<std::size_t> choose_columns(const Matrix& keys, const Vector& values)
{
    const std::size_t d = keys.shape(1);
    std::vector<std::size_t> chosen;
    Matrix squared = squared_distances(keys, keys, chosen);
    double error = leave_one_out_error(squared, values, 1); // the mean of the others
    while (chosen.size() < d) {
        // Try each number that is left.
        double best_error = error;
        std::size_t best_column = d;
        for (std::size_t column = 0; column < d; ++column) {
            if (std::find(chosen.begin(), chosen.end(), column) != chosen.end()) {
                continue;
            }
            Matrix with_column = squared;
            add_column(with_column, keys, keys, column);
            const double found = choose_bandwidth(with_column, values).error;
            if (found < best_error) {
                best_error = found;
                best_column = column;
            }
        }
        if (best_column == d) {
            break;
        }
        chosen.push_back(best_column);
        error = best_error;
        add_column(squared, keys, keys, best_column);
    }
    return chosen;
}
// [choose_columns]

} // namespace attn::nadaraya_watson
