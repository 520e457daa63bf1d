/// \file
/// \brief What the program of chapter 2 measures, as functions that its tests ask as well.
#pragma once

#include "chapters/02_nadaraya_watson/bandwidth.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::nadaraya_watson {

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

/// The mean squared distance between the estimate and truth() at 51 queries from 0 to 5, in
/// plain loops, since compare_kernels asks for it 16,000 times. A window whose kernel values
/// are all zero counts as the mean of the values.
/// \param bandwidth  the width h > 0
/// \throws ContractError if the width is not positive and finite
double error_against_truth(const Sample& sample, const Kernel& kernel, double bandwidth);

/// How a kernel fares over many draws of the synthetic set.
struct KernelResult
{
    std::string name;      ///< the kernel's
    Vector bandwidth;      ///< [n_draws], chosen by leave-one-out
    Vector error;          ///< [n_draws], against the truth, at that width
    Vector smallest_error; ///< [n_draws], against the truth, at the best of 41 widths
};

/// The mean of some numbers.
/// \param numbers  [n], n >= 1
double mean_of(const Vector& numbers);

/// How far the mean of some independent numbers is likely to be from that of all there
/// could be: standard deviation / sqrt(n).
/// \param numbers  [n], n >= 2
double standard_error_of(const Vector& numbers);

/// Runs every kernel with a window on the same draws.
/// \param n_draws    how many synthetic samples of n_synthetic keys, at least 2
/// \param n_threads  how many draws at a time; the result does not depend on it
/// \returns          a result for each kernel but the constant one, which has no width
/// \throws ContractError if n_draws is below 2
std::vector<KernelResult> compare_kernels(std::uint64_t seed, std::size_t n_draws,
                                          std::size_t n_threads);

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

} // namespace attn::nadaraya_watson
