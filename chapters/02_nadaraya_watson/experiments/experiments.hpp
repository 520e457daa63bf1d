/// \file
/// \brief The experiments of chapter 2, in the order of its page: on Old Faithful, and on synthetic
/// samples whose truth is known.
#pragma once

#include "chapters/02_nadaraya_watson/bandwidth.hpp"
#include "chapters/02_nadaraya_watson/chosen_numbers.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attn::nadaraya_watson {

// ---------------- the tables, and what several questions use

/// How many digits tell in tables and files.
inline constexpr int digits = 5;

/// The table that the chapter carries: 272 eruptions and the waiting times after them, in
/// minutes.
Sample old_faithful();

/// The bandwidth and error that leave-one-out finds for each of kernels(); the constant one has
/// no bandwidth, so any will do.
std::vector<Choice> choose_for_every_kernel(const Sample& sample, std::size_t n_threads);

/// The same rows with rising keys; rows of equal keys keep their order.
/// \param sample  keys and values [n_keys]
/// \returns       keys and values [n_keys]
Sample sorted(const Sample& sample);

/// The curve that the synthetic values scatter about.
double truth(double x);

/// How many keys a synthetic sample of the chapter has.
inline constexpr std::size_t n_synthetic = 40;

/// Keys drawn uniformly from [0, 5), put in order, and values truth(key) + noise with
/// standard normal noise.
/// \param draw  which of the seed's independent draws
/// \returns     keys and values [n]
Sample synthetic_sample(std::uint64_t seed, std::uint64_t draw, std::size_t n);

/// How far the mean of some independent numbers is likely to be from that of all there
/// could be: standard deviation / sqrt(n).
/// \param numbers  [n], n >= 2
double standard_error_of(const Vector& numbers);

/// Prints the weights of some queries as a heat map, keys across in rising order.
/// \param queries   [n_queries]
/// \param key_name  of the keys, for the caption
void show_weights(program::Frame& frame, const Vector& queries, const Sample& sample,
                  const Kernel& kernel, double bandwidth, const std::string& key_name);

// ---------------- does it predict?

/// Prints each kernel with the bandwidth that leave-one-out chooses and what it predicts after
/// an eruption of 4.5 minutes, and keeps their shapes.
void show_kernels(program::Frame& frame, const Sample& real,
                  const std::vector<Choice>& choices);

/// Prints and writes what a narrow, the chosen and a wide Gaussian make of Old Faithful.
/// \param chosen  the bandwidth that leave-one-out chooses
void show_widths(program::Frame& frame, const Sample& real, double chosen);

// ---------------- the empty window

/// The interval between two neighbouring keys.
struct Gap
{
    double below; ///< the key below it
    double above; ///< the key above it
};

/// The widest interval that holds no key.
/// \param keys  [n_keys], n_keys >= 2
/// \throws ContractError if there are fewer than two keys
Gap widest_gap(const Vector& keys);

/// Prints what each kernel answers where there is no key.
void show_empty_window(program::Frame& frame, const Sample& real);

// ---------------- which keys count, and may a point predict itself?

/// Prints and writes the weights over a synthetic sample.
/// \param synthetic  keys in rising order
void show_synthetic_weights(program::Frame& frame, const Sample& synthetic);

/// Prints and writes the errors with and without the mask.
/// \param synthetic  keys that all differ
void show_mask(program::Frame& frame, const Sample& synthetic, const Sample& real);

// ---------------- what an error is made of: bias and variance, and the ends of the data

/// What an estimate says of some queries, from one table.
using Estimator = std::function<Vector(const Vector& queries, const Sample& sample)>;

/// What redrawn tables do to an estimate, query by query.
struct BiasAndVariance
{
    Vector bias;     ///< [n_queries], the mean estimate less the truth
    Vector variance; ///< [n_queries], the mean squared deviation from the mean estimate
};

/// Asks an estimator on many independent draws of the synthetic table, keys and noise drawn
/// afresh each time.
/// \param n_draws    at least 1
/// \param n_threads  how many draws at a time; the result does not depend on it
/// \returns          [n_queries] each; squared bias plus variance is the mean squared error
BiasAndVariance bias_and_variance(std::uint64_t seed, std::size_t n_draws,
                                  std::size_t n_threads, const Vector& queries,
                                  const Estimator& estimator);

/// Prints bias, variance and the mean leave-one-out error over the bandwidth.
void show_bias_and_variance(program::Frame& frame);

/// Prints and writes the bias over the query, of the local mean and of the local line.
void show_boundary(program::Frame& frame);

// ---------------- is the choice of the kernel important?

/// How far an estimate is from the truth, and how often its window was empty.
struct TruthError
{
    double error;       ///< the mean squared distance from truth() at 51 queries from 0 to 5
    double share_empty; ///< of the queries
};

/// The estimate's error against truth(), in plain loops, since compare_kernels asks for it
/// some 33,000 times for the chapter's table.
/// \param bandwidth  the bandwidth h > 0
/// \param empty      what is predicted where no key is in the window
/// \throws ContractError if the bandwidth is not positive and finite
TruthError error_against_truth(const Sample& sample, const Kernel& kernel, double bandwidth,
                               EmptyWindow empty);

/// How a kernel fares over many draws of the synthetic set.
struct KernelResult
{
    std::string name;      ///< the kernel's
    Vector bandwidth;      ///< [n_draws], chosen by leave-one-out
    Vector error;          ///< [n_draws], against the truth, at that bandwidth
    Vector share_empty;    ///< [n_draws], of the queries, at that bandwidth
    Vector smallest_error; ///< [n_draws], against the truth, at the best of 41 bandwidths
};

/// Runs every kernel with a window on the same draws.
/// \param n_draws    how many synthetic samples of n_synthetic keys, at least 2
/// \param empty      what is predicted for an empty window, in leave-one-out and against the truth
/// \param n_threads  how many draws at a time; the result does not depend on it
/// \returns          a result for each kernel but the constant one, which has no bandwidth
/// \throws ContractError if n_draws is below 2
std::vector<KernelResult> compare_kernels(std::uint64_t seed, std::size_t n_draws,
                                          EmptyWindow empty, std::size_t n_threads);

/// Prints how the kernels fare where the truth is known.
void show_comparison(program::Frame& frame);

// ---------------- keys of many numbers, of which few matter

/// Which of a key's numbers the value depends on.
enum class Matters
{
    first, ///< truth() of the first number
    all,   ///< the sum of truth() over all of them, over the root of how many they are
};

/// A table whose keys are lists of numbers.
struct WideSample
{
    Matrix keys;   ///< [n, d], uniform in [0, 5)
    Vector values; ///< [n], target + standard normal noise
    Vector target; ///< [n], what the value depends on, without the noise
};

/// Draws a table. Of one draw the first number and the noise are the same for every d.
/// \param draw  which of the seed's independent draws
WideSample wide_sample(std::uint64_t seed, std::uint64_t draw, std::size_t n, std::size_t d,
                       Matters matters);

/// The mean squared distance between the Gaussian estimate and the target of other queries.
/// \param asked    n_queries rows, of which keys and target are used
/// \param columns  which numbers of a key the distance uses, each below d
double error_on(const WideSample& asked, const WideSample& sample,
                const std::vector<std::size_t>& columns, double bandwidth);

/// Prints what more numbers in a key do to distances, bandwidth and error, and what it helps to
/// choose among the numbers.
void show_many_numbers(program::Frame& frame);

/// Prints what more keys do about it.
void show_more_keys(program::Frame& frame);

/// Prints what it does to leave out numbers where all of them matter.
void show_fewer_numbers(program::Frame& frame);

// ---------------- what one prediction costs: counted, not timed

/// What was done with numbers, and what had to be kept.
struct Cost
{
    std::size_t multiplications = 0; ///< divisions too
    std::size_t exponentials = 0;    ///< none where the kernel has none
    std::size_t kept = 0;            ///< numbers, parameters and data alike
};

/// A prediction together with what it cost.
struct CountedPrediction
{
    double prediction; ///< as without counting
    Cost cost;         ///< of this prediction alone
};

/// The Gaussian estimate for one query, in plain loops.
/// \param query  [d]
/// \param keys   [n, d]
/// \param values  [n]
CountedPrediction count_gaussian(const Vector& query, const Matrix& keys, const Vector& values,
                                 double bandwidth);

/// The estimate with Epanechnikov's kernel where the keys stand in order: two binary searches
/// find the window, and nothing else is visited.
/// \param sample  keys in rising order, at least one of them in the window
CountedPrediction count_epanechnikov(double query, const Sample& sample, double bandwidth);

/// The line of least squares.
struct Line
{
    double slope;     ///< of the values over the keys
    double intercept; ///< where it meets the key 0
};

/// \returns the line whose squared errors have the smallest sum
/// \throws ContractError if there are fewer than two different keys
Line fit_line(const Sample& sample);

/// A line's value at one query.
/// \param query   [d]
/// \param slopes  [d]
CountedPrediction count_line(const Vector& query, const Vector& slopes, double intercept);

/// The leave-one-out error of the line, fitted anew without each row.
double leave_one_out_error_of_line(const Sample& sample);

/// Prints what one prediction costs, and the leave-one-out error that it buys.
void show_query_cost(program::Frame& frame, const Sample& real, const Sample& synthetic);

// ---------------- the bandwidth slider

/// Writes what the bandwidth slider of the page shows.
void show_slider(program::Frame& frame, const Sample& real, const std::vector<Choice>& choices);

// ---------------- a reader's own table

/// What the reader may choose; without a table Old Faithful is taken.
struct PredictionOptions
{
    std::optional<std::string> data;      ///< a CSV file
    std::optional<std::string> key;       ///< the column of the keys
    std::optional<std::string> value;     ///< that of the values
    std::optional<std::string> kernel;    ///< a kernel's name
    std::optional<std::string> bandwidth; ///< a number, or loo
    std::optional<double> cut;            ///< where the kernel ends, in bandwidths
    std::vector<double> queries;          ///< where to predict
    std::optional<std::string> format;    ///< table or csv
};

/// The names of the kernels, the default first.
std::vector<std::string> kernel_names();

/// Predicts the reader's queries from the reader's table.
/// \throws BadInput if something cannot be used
void show_prediction(program::Frame& frame, const PredictionOptions& options);

// ---------------- step by step with a pencil

/// Prints the pencil example, every intermediate by its name and shape.
void show_pencil_steps(program::Frame& frame);

} // namespace attn::nadaraya_watson
