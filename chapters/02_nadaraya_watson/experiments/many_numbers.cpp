#include "chapters/02_nadaraya_watson/experiments/many_numbers.hpp"

#include "common/kernels/elementary.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/number.hpp"
#include "common/random/random.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <string>

namespace attn::nadaraya_watson {

using program::fixed;
using program::Frame;

WideSample wide_sample(std::uint64_t seed, std::uint64_t draw, std::size_t n, std::size_t d,
                       Matters matters)
{
    random::Generator first_and_noise(seed, 2 * draw);
    random::Generator others(seed, 2 * draw + 1);
    WideSample sample{Matrix::from_shape({n, d}), Vector::from_shape({n}),
                      Vector::from_shape({n})};
    for (std::size_t i = 0; i < n; ++i) {
        sample.keys(i, 0) = first_and_noise.uniform(0, 5);
        double target = truth(sample.keys(i, 0));
        for (std::size_t m = 1; m < d; ++m) {
            sample.keys(i, m) = others.uniform(0, 5);
            target += matters == Matters::all ? truth(sample.keys(i, m)) : 0;
        }
        const double parts = matters == Matters::all ? static_cast<double>(d) : 1;
        sample.target(i) = target / std::sqrt(parts);
        sample.values(i) = sample.target(i) + first_and_noise.normal();
    }
    return sample;
}

namespace {

std::vector<std::size_t> first_columns(std::size_t d)
{
    std::vector<std::size_t> columns(d);
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    return columns;
}

} // namespace

double error_on(const WideSample& asked, const WideSample& sample,
                const std::vector<std::size_t>& columns, double bandwidth)
{
    const Matrix squared = squared_distances(asked.keys, sample.keys, columns);
    const double factor = -0.5 / (bandwidth * bandwidth);
    double error = 0;
    for (std::size_t i = 0; i < asked.target.size(); ++i) {
        double weight_sum = 0;
        double value_sum = 0;
        for (std::size_t j = 0; j < sample.values.size(); ++j) {
            const double weight = elementary::exp(factor * squared(i, j));
            weight_sum += weight;
            value_sum += weight * sample.values(j);
        }
        const double prediction =
            weight_sum > 0 ? value_sum / weight_sum
                           : nearest_in_row(squared, i, sample.values, sample.values.size());
        error += (prediction - asked.target(i)) * (prediction - asked.target(i));
    }
    return error / static_cast<double>(asked.target.size());
}

namespace {

constexpr std::size_t n_asked = 200;

/// The draws of queries are those after the draws of tables.
WideSample asked_sample(std::uint64_t seed, std::uint64_t draw, std::size_t d, Matters matters)
{
    return wide_sample(seed, 1000 + draw, n_asked, d, matters);
}

/// What one draw says of keys of d numbers.
struct WideResult
{
    double width;
    double error;
    double of_mean;       ///< the error of the mean of all values
    double nearest;       ///< from a query to its nearest key, on average over the queries
    double mean_distance; ///< from a query to a key
    double chosen_error;  ///< with the numbers that leave-one-out chooses
    double n_chosen;      ///< how many these are
    double right_first;   ///< 1 if the number that matters was taken first
};

WideResult measure(const WideSample& sample, const WideSample& asked)
{
    const std::size_t d = sample.keys.shape(1);
    const std::vector<std::size_t> all = first_columns(d);
    const Choice choice =
        choose_bandwidth(squared_distances(sample.keys, sample.keys, all), sample.values);
    WideResult result{};
    result.width = choice.bandwidth;
    result.error = error_on(asked, sample, all, choice.bandwidth);
    result.of_mean = error_on(asked, sample, {}, 1);

    const Matrix squared = squared_distances(asked.keys, sample.keys, all);
    for (std::size_t i = 0; i < squared.shape(0); ++i) {
        double nearest = infinity;
        double sum = 0;
        for (std::size_t j = 0; j < squared.shape(1); ++j) {
            const double distance = std::sqrt(squared(i, j));
            nearest = std::min(nearest, distance);
            sum += distance;
        }
        result.nearest += nearest / static_cast<double>(squared.shape(0));
        result.mean_distance += sum / static_cast<double>(squared.size());
    }

    const std::vector<std::size_t> chosen = choose_columns(sample.keys, sample.values);
    const Choice of_chosen =
        choose_bandwidth(squared_distances(sample.keys, sample.keys, chosen), sample.values);
    result.chosen_error = error_on(asked, sample, chosen, of_chosen.bandwidth);
    result.n_chosen = static_cast<double>(chosen.size());
    result.right_first = !chosen.empty() && chosen[0] == 0 ? 1 : 0;
    return result;
}

const std::vector<std::size_t> counts_of_numbers = {1, 2, 5, 10, 20};

} // namespace

void show_many_numbers(Frame& frame)
{
    const std::size_t n_draws = frame.options.quick ? 2 : 10;
    const std::size_t n = frame.options.quick ? 60 : 200;
    frame.terminal.introduce(
        "Keys of many numbers",
        "{} keys, each of d numbers between 0 and 5; the value depends on the first alone, as "
        "2 sin x + x + noise. Gaussian kernel, width by leave-one-out, {} draws. Error against "
        "the truth at {} queries, in % of that of the mean of all values: over all d numbers, "
        "and over those that leave-one-out chooses.",
        n, n_draws, n_asked);
    program::Table table({"d", "nearest", "average", "width", "error, %", "+-", "chosen",
                          "found, %", "error, %"});
    for (const std::size_t d : counts_of_numbers) {
        std::vector<WideResult> results(n_draws);
        parallel::for_each_index(n_draws, frame.options.threads, [&](std::size_t draw) {
            results[draw] = measure(wide_sample(frame.options.seed, draw, n, d, Matters::first),
                                    asked_sample(frame.options.seed, draw, d, Matters::first));
        });
        const auto column = [&](auto&& value) {
            Vector numbers = Vector::from_shape({n_draws});
            std::transform(results.begin(), results.end(), numbers.begin(), value);
            return numbers;
        };
        const auto mean_of = [&](double WideResult::*member) {
            return xt::mean(column([&](const WideResult& r) { return r.*member; }))();
        };
        const Vector relative =
            column([](const WideResult& r) { return 100 * r.error / r.of_mean; });
        const Vector chosen =
            column([](const WideResult& r) { return 100 * r.chosen_error / r.of_mean; });
        table.row(
            {std::to_string(d), fixed(mean_of(&WideResult::nearest), 2),
             fixed(mean_of(&WideResult::mean_distance), 2),
             fixed(mean_of(&WideResult::width), 2), fixed(xt::mean(relative)(), 1),
             fixed(standard_error_of(relative), 1), fixed(mean_of(&WideResult::n_chosen), 1),
             fixed(100 * mean_of(&WideResult::right_first), 0), fixed(xt::mean(chosen)(), 1)});
    }
    frame.terminal.table(table);
}

void show_more_keys(Frame& frame)
{
    const std::size_t n_draws = frame.options.quick ? 2 : 5;
    const std::vector<std::size_t> sizes = frame.options.quick
                                               ? std::vector<std::size_t>{50, 100}
                                               : std::vector<std::size_t>{50, 200, 800};
    frame.terminal.introduce(
        "More keys against more numbers",
        "The error in % of that of the mean of all values, {} draws, the width chosen by "
        "leave-one-out: where the first number alone matters, and where the value is a sum "
        "over all d of them. Each column says how many keys there are.",
        n_draws);
    std::vector<std::string> header = {"d"};
    for (const char* matters : {"first", "all"}) {
        for (const std::size_t n : sizes) {
            header.push_back(fmt::format("{}, {}", matters, n));
        }
    }
    program::Table table(header);
    for (const std::size_t d : counts_of_numbers) {
        std::vector<std::string> row = {std::to_string(d)};
        for (const Matters matters : {Matters::first, Matters::all}) {
            for (const std::size_t n : sizes) {
                Vector relative = Vector::from_shape({n_draws});
                parallel::for_each_index(n_draws, frame.options.threads, [&](std::size_t draw) {
                    const std::vector<std::size_t> all = first_columns(d);
                    const WideSample sample =
                        wide_sample(frame.options.seed, draw, n, d, matters);
                    const WideSample asked = asked_sample(frame.options.seed, draw, d, matters);
                    const Choice choice = choose_bandwidth(
                        squared_distances(sample.keys, sample.keys, all), sample.values);
                    relative(draw) = 100 * error_on(asked, sample, all, choice.bandwidth) /
                                     error_on(asked, sample, {}, 1);
                });
                row.push_back(fixed(xt::mean(relative)(), 1));
            }
        }
        table.row(row);
    }
    frame.terminal.table(table);
}

} // namespace attn::nadaraya_watson
