#include "chapters/02_nadaraya_watson/experiments/experiments.hpp"

#include "common/kernels/elementary.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/number.hpp"
#include "common/random/random.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>
#include <string>

namespace attn::nadaraya_watson {

using program::fixed;
using program::Frame;

WideSample wide_sample(std::uint64_t seed, std::uint64_t draw, std::size_t n, std::size_t d,
                       Matters matters)
{
    random::Generator first_and_noise(seed, random::Stream::samples, 2 * draw);
    random::Generator others(seed, random::Stream::samples, 2 * draw + 1);
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

/// The error on other queries, over some of the keys' numbers and with the bandwidth that
/// leave-one-out chooses, in per cent of the error of the mean of all values.
double relative_error(const WideSample& asked, const WideSample& sample,
                      const std::vector<std::size_t>& columns)
{
    const Choice choice =
        choose_bandwidth(squared_distances(sample.keys, sample.keys, columns), sample.values);
    return 100 * error_on(asked, sample, columns, choice.bandwidth) /
           error_on(asked, sample, {}, 1);
}

/// What one draw says of keys of d numbers.
struct WideResult
{
    double width;
    double error;         ///< in per cent of that of the mean of all values
    double nearest;       ///< from a query to its nearest key, on average over the queries
    double mean_distance; ///< from a query to a key
    double right_first;   ///< 100 if the number that matters was taken first
    double n_chosen;      ///< how many numbers leave-one-out chooses
    double chosen_error;  ///< with these, in per cent of that of the mean of all values
};

WideResult measure(const WideSample& sample, const WideSample& asked)
{
    const std::vector<std::size_t> all = first_columns(sample.keys.shape(1));
    WideResult result{};
    result.width =
        choose_bandwidth(squared_distances(sample.keys, sample.keys, all), sample.values)
            .bandwidth;
    result.error = relative_error(asked, sample, all);

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
    result.right_first = !chosen.empty() && chosen[0] == 0 ? 100 : 0;
    result.n_chosen = static_cast<double>(chosen.size());
    result.chosen_error = relative_error(asked, sample, chosen);
    return result;
}

/// The mean of a number over the draws.
std::string mean_over(const std::vector<WideResult>& draws, double WideResult::*number,
                      int n_decimals)
{
    double sum = 0;
    for (const WideResult& draw : draws) {
        sum += draw.*number;
    }
    return fixed(sum / static_cast<double>(draws.size()), n_decimals);
}

/// How far that mean is likely to move with other draws.
std::string standard_error_over(const std::vector<WideResult>& draws,
                                double WideResult::*number)
{
    Vector numbers = Vector::from_shape({draws.size()});
    std::transform(draws.begin(), draws.end(), numbers.begin(),
                   [&](const WideResult& draw) { return draw.*number; });
    return fixed(standard_error_of(numbers), 1);
}

using Columns = std::vector<std::size_t>;

/// relative_error() of each of several draws.
/// \param columns  which numbers the distance uses, given the table
Vector relative_errors(const Frame& frame, std::size_t n_draws, std::size_t n, std::size_t d,
                       Matters matters,
                       const std::function<Columns(const WideSample&)>& columns)
{
    Vector errors = Vector::from_shape({n_draws});
    parallel::for_each_index(n_draws, frame.options.threads, [&](std::size_t draw) {
        const WideSample sample = wide_sample(frame.options.seed, draw, n, d, matters);
        errors(draw) = relative_error(asked_sample(frame.options.seed, draw, d, matters),
                                      sample, columns(sample));
    });
    return errors;
}

/// The first numbers of a key, whatever the table.
std::function<Columns(const WideSample&)> the_first(std::size_t n_columns)
{
    return [n_columns](const WideSample&) { return first_columns(n_columns); };
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
        "2 sin x + x + noise. Gaussian kernel, bandwidth by leave-one-out, {} draws. Error "
        "against "
        "the truth at {} queries, in % of that of the mean of all values.",
        n, n_draws, n_asked);
    program::Table given({"d", "nearest", "average", "bandwidth", "error, %", "+-"});
    program::Table chosen({"d", "found, %", "chosen", "error, %", "+-"});
    for (const std::size_t d : counts_of_numbers) {
        std::vector<WideResult> draws(n_draws);
        parallel::for_each_index(n_draws, frame.options.threads, [&](std::size_t draw) {
            draws[draw] = measure(wide_sample(frame.options.seed, draw, n, d, Matters::first),
                                  asked_sample(frame.options.seed, draw, d, Matters::first));
        });
        given.row({std::to_string(d), mean_over(draws, &WideResult::nearest, 2),
                   mean_over(draws, &WideResult::mean_distance, 2),
                   mean_over(draws, &WideResult::width, 2),
                   mean_over(draws, &WideResult::error, 1),
                   standard_error_over(draws, &WideResult::error)});
        chosen.row({std::to_string(d), mean_over(draws, &WideResult::right_first, 0),
                    mean_over(draws, &WideResult::n_chosen, 1),
                    mean_over(draws, &WideResult::chosen_error, 1),
                    standard_error_over(draws, &WideResult::chosen_error)});
    }
    frame.terminal.table(given);
    frame.terminal.heading("Choosing among many numbers");
    frame.terminal.table(chosen);
}

void show_more_keys(Frame& frame)
{
    const std::size_t n_draws = frame.options.quick ? 2 : 5;
    const std::vector<std::size_t> sizes = frame.options.quick
                                               ? std::vector<std::size_t>{50, 100}
                                               : std::vector<std::size_t>{50, 200, 800};
    frame.terminal.introduce(
        "More keys against more numbers",
        "The error in % of that of the mean of all values, {} draws, the bandwidth chosen by "
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
                const Vector errors =
                    relative_errors(frame, n_draws, n, d, matters, the_first(d));
                row.push_back(fixed(xt::mean(errors)(), 1));
            }
        }
        table.row(row);
    }
    frame.terminal.table(table);
}

void show_fewer_numbers(Frame& frame)
{
    const std::size_t n_draws = frame.options.quick ? 2 : 20;
    const std::size_t n = frame.options.quick ? 60 : 200;
    constexpr std::size_t d = 10;
    frame.terminal.introduce(
        "Leaving out numbers that matter",
        "{} keys of {} numbers, all of which matter, {} draws. The error in % of that of the "
        "mean of all values, where the distance uses only some of the numbers.",
        n, d, n_draws);
    const auto errors_over = [&](const std::function<Columns(const WideSample&)>& columns) {
        return relative_errors(frame, n_draws, n, d, Matters::all, columns);
    };
    const Vector over_all = errors_over(the_first(d));
    program::Table table({"in the distance", "error, %", "minus all 10", "+-"});
    const auto add_row = [&](const std::string& name, const Vector& errors) {
        const Vector excess = errors - over_all; // draw by draw
        table.row({name, fixed(xt::mean(errors)(), 1), fixed(xt::mean(excess)(), 1),
                   fixed(standard_error_of(excess), 1)});
    };
    for (const std::size_t n_columns : {1U, 2U, 3U, 5U}) {
        add_row(fmt::format("the first {}", n_columns), errors_over(the_first(n_columns)));
    }
    add_row("those chosen", errors_over([](const WideSample& sample) {
                return choose_columns(sample.keys, sample.values);
            }));
    table.row({fmt::format("all {}", d), fixed(xt::mean(over_all)(), 1), "", ""});
    frame.terminal.table(table);
}

} // namespace attn::nadaraya_watson
