/// \file
/// \brief Does it matter which kernel, which bandwidth, and whether a point may predict itself?
/// On Old Faithful, and on synthetic samples whose truth is known.
#pragma once

#include "chapters/02_nadaraya_watson/bandwidth.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::nadaraya_watson {

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

/// How far the mean of some independent numbers is likely to be from that of all there
/// could be: standard deviation / sqrt(n).
/// \param numbers  [n], n >= 2
double standard_error_of(const Vector& numbers);

/// Runs every kernel with a window on the same draws.
/// \param n_draws    how many synthetic samples of n_synthetic keys, at least 2
/// \param empty      what is predicted for an empty window, in leave-one-out and against the truth
/// \param n_threads  how many draws at a time; the result does not depend on it
/// \returns          a result for each kernel but the constant one, which has no bandwidth
/// \throws ContractError if n_draws is below 2
std::vector<KernelResult> compare_kernels(std::uint64_t seed, std::size_t n_draws,
                                          EmptyWindow empty, std::size_t n_threads);

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

/// Prints the weights of some queries as a heat map, keys across in rising order.
/// \param queries   [n_queries]
/// \param key_name  of the keys, for the caption
void show_weights(program::Frame& frame, const Vector& queries, const Sample& sample,
                  const Kernel& kernel, double bandwidth, const std::string& key_name);

/// Prints each kernel with the bandwidth that leave-one-out chooses and what it predicts after
/// an eruption of 4.5 minutes, and keeps their shapes.
void show_kernels(program::Frame& frame, const Sample& real,
                  const std::vector<Choice>& choices);

/// Prints and writes what a narrow, the chosen and a wide Gaussian make of Old Faithful.
/// \param chosen  the bandwidth that leave-one-out chooses
void show_widths(program::Frame& frame, const Sample& real, double chosen);

/// Prints what each kernel answers where there is no key.
void show_empty_window(program::Frame& frame, const Sample& real);

/// Prints and writes the weights over a synthetic sample.
/// \param synthetic  keys in rising order
void show_synthetic_weights(program::Frame& frame, const Sample& synthetic);

/// Prints and writes the errors with and without the mask.
/// \param synthetic  keys that all differ
void show_mask(program::Frame& frame, const Sample& synthetic, const Sample& real);

/// Prints how the kernels fare where the truth is known.
void show_comparison(program::Frame& frame);

/// Writes what the bandwidth slider of the page shows.
void show_slider(program::Frame& frame, const Sample& real, const std::vector<Choice>& choices);

/// Prints the pencil example, every intermediate by its name and shape.
void show_pencil_steps(program::Frame& frame);

} // namespace attn::nadaraya_watson
