#include "chapters/02_nadaraya_watson/experiments/experiments.hpp"

#include "common/kernels/elementary.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/random/random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn::nadaraya_watson {

double mean_of(const Vector& numbers)
{
    return std::accumulate(numbers.begin(), numbers.end(), 0.0) /
           static_cast<double>(numbers.size());
}

double standard_error_of(const Vector& numbers)
{
    const double n = static_cast<double>(numbers.size());
    const double mean = mean_of(numbers);
    double sum = 0;
    for (const double number : numbers) {
        sum += (number - mean) * (number - mean);
    }
    return std::sqrt(sum / (n - 1) / n);
}

Sample sorted(const Sample& sample)
{
    std::vector<std::size_t> order(sample.keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return sample.keys(a) < sample.keys(b);
    });
    Sample result = sample;
    for (std::size_t i = 0; i < order.size(); ++i) {
        result.keys(i) = sample.keys(order[i]);
        result.values(i) = sample.values(order[i]);
    }
    return result;
}

double truth(double x)
{
    return 2 * elementary::sin(x) + x;
}

Sample synthetic_sample(std::uint64_t seed, std::uint64_t draw, std::size_t n)
{
    random::Generator generator(seed, draw);
    Sample sample{Vector::from_shape({n}), Vector::from_shape({n})};
    for (double& key : sample.keys) {
        key = generator.uniform(0, 5);
    }
    std::sort(sample.keys.begin(), sample.keys.end());
    for (std::size_t i = 0; i < n; ++i) {
        sample.values(i) = truth(sample.keys(i)) + generator.normal();
    }
    return sample;
}

double error_against_truth(const Sample& sample, const Kernel& kernel, double bandwidth)
{
    expect_positive(bandwidth, "error_against_truth", "bandwidth");
    constexpr std::size_t n_queries = 51;
    const double mean = mean_of(sample.values);
    double squared_error = 0;
    for (std::size_t i = 0; i < n_queries; ++i) {
        const double query = 5.0 * static_cast<double>(i) / (n_queries - 1);
        double weight_sum = 0;
        double value_sum = 0;
        for (std::size_t j = 0; j < sample.keys.size(); ++j) {
            const double weight = kernel((query - sample.keys(j)) / bandwidth);
            weight_sum += weight;
            value_sum += weight * sample.values(j);
        }
        const double answer = weight_sum > 0 ? value_sum / weight_sum : mean;
        squared_error += (answer - truth(query)) * (answer - truth(query));
    }
    return squared_error / n_queries;
}

std::vector<KernelResult> compare_kernels(std::uint64_t seed, std::size_t n_draws,
                                          std::size_t n_threads)
{
    expect(n_draws >= 2, "compare_kernels: n_draws must be at least 2, got {}", n_draws);
    std::vector<Kernel> compared;
    std::vector<KernelResult> results;
    for (const Kernel& kernel : kernels()) {
        if (kernel.name != "constant") {
            const Vector empty = Vector::from_shape({n_draws});
            compared.push_back(kernel);
            results.push_back({kernel.name, empty, empty, empty});
        }
    }
    parallel::for_each_index(n_draws, n_threads, [&](std::size_t draw) {
        const Sample sample = synthetic_sample(seed, draw, n_synthetic);
        for (std::size_t i = 0; i < compared.size(); ++i) {
            const Choice choice = choose_bandwidth(sample.keys, sample.values, compared[i]);
            results[i].bandwidth(draw) = choice.bandwidth;
            results[i].error(draw) = error_against_truth(sample, compared[i], choice.bandwidth);
            double smallest = results[i].error(draw);
            for (const double bandwidth : width_grid(sample.keys, 41)) {
                smallest =
                    std::min(smallest, error_against_truth(sample, compared[i], bandwidth));
            }
            results[i].smallest_error(draw) = smallest;
        }
    });
    return results;
}

Gap widest_gap(const Vector& keys)
{
    expect(keys.size() >= 2, "widest_gap: keys must hold at least 2, got {}", keys.size());
    Vector rising = keys;
    std::sort(rising.begin(), rising.end());
    Gap widest{rising(0), rising(1)};
    for (std::size_t i = 1; i + 1 < rising.size(); ++i) {
        if (rising(i + 1) - rising(i) > widest.above - widest.below) {
            widest = {rising(i), rising(i + 1)};
        }
    }
    return widest;
}

} // namespace attn::nadaraya_watson
