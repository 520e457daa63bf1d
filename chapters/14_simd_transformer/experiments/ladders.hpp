/// \file
/// \brief The ladders of matrix product, softmax and attention as one kind of thing: variants
/// that run on data of one size, with their operations and bytes counted, so that program
/// and figures go through the same tables. The variants themselves are variants.hpp's.
#pragma once

#include "chapters/14_simd_transformer/experiments/machine.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace attn::simd_transformer {

/// A variant, ready to run.
struct Variant
{
    std::string name; ///< in a table: "register tile"
    std::string idea; ///< what is new beside the variant before, in one line
    double bytes;     ///< moved between processor and memory, counted, if no array fits a cache
    bool threaded; ///< whether it uses more than one thread: the last variant of a ladder does
    std::function<void(const Execution&)> run; ///< computes Ladder::result
};

/// Rungs that compute the same, on the same numbers.
struct Ladder
{
    std::string name;              ///< "matrix product"
    std::string size;              ///< "512 x 512 x 512"
    double flops;                  ///< of every variant, counted
    std::vector<Variant> variants; ///< the first is the one that the others are compared with
    std::shared_ptr<std::vector<float>> result; ///< what the variant that ran last has computed
};

/// The sizes of a product of matrices.
struct ProductSize
{
    std::size_t m; ///< rows of the first factor, and of the product
    std::size_t n; ///< columns of the second factor, and of the product
    std::size_t k; ///< columns of the first factor, rows of the second
};

/// Of the problems that the ladders solve.
struct LadderSizes
{
    ProductSize product = {512, 512, 512}; ///< of the matrix product
    std::size_t softmax_rows = 8192;       ///< rows of the softmax
    std::size_t softmax_columns = 2048;    ///< numbers in each
    std::size_t n_heads = 8;               ///< of attention
    std::size_t n_tokens = 1024;           ///< queries, and keys, of attention
    std::size_t d_head = 64;               ///< numbers in a query, key and value of one head
};

/// The product of two matrices of normal random numbers: 2 m n k operations, 4 (m k + k n + m
/// n) bytes.
/// \throws ContractError if a size is 0
Ladder product_ladder(const ProductSize& size);

/// Softmax over the rows of a matrix of normal random numbers: 5 operations a number
/// (comparing, subtracting, the exponential, counted as one, adding, dividing), 8 bytes a
/// number, more if the variant goes over the matrix several times.
/// \throws ContractError if a size is 0
Ladder softmax_ladder(std::size_t n_rows, std::size_t n_columns);

/// Attention of one sentence in H heads of d numbers, n queries and keys, without a mask: 4 n^2
/// d H operations, 16 n d H bytes, and 16 n^2 H more if the variant keeps all scores. Copies in
/// tiles, which a variant lays out for itself, are not counted.
/// \throws ContractError if a size is 0
Ladder attention_ladder(std::size_t n_heads, std::size_t n_tokens, std::size_t d_head);

/// Matrix product, softmax, attention.
std::vector<Ladder> all_ladders(const LadderSizes& sizes);

/// How far a variant is from the first one: the largest difference, as a share of the largest
/// number of the first variant's result; inf if a number is none.
/// \throws ContractError if there is no such variant
double largest_difference(const Ladder& ladder, std::size_t variant, const Execution& how);

/// How fast a variant is.
struct Measured
{
    double seconds;     ///< the shortest run
    double gflops;      ///< GFLOP/s
    double gigabytes;   ///< GB/s, of the counted bytes
    Machine machine;    ///< on as many threads as the variant uses, measured beside it
    double limit;       ///< GFLOP/s that the roofline allows
    double times_first; ///< how many times as fast as the first variant
};

/// Measures the variants, and the peak before and after each.
/// \param how       kernels and threads; a variant without threads runs on one
/// \param limits    of the machine; the peak is measured again
std::vector<Measured> measure_variants(const Ladder& ladder, const Execution& how,
                                       const Limits& limits, Repetitions repetitions);

// ---------------------------------------------------------------- printed

/// What the options ask for.
struct Settings
{
    Execution how;              ///< kernels and threads
    LadderSizes sizes;          ///< of what is measured
    std::size_t n_steps = 20;   ///< of each training of the whole model
    std::size_t n_words = 8192; ///< of the long text
};

Repetitions repetitions_of(const program::Frame& frame); ///< few if quick
std::string percent(double share);                       ///< "87 %"
std::string threads_text(std::size_t n);                 ///< "one thread", "2 threads"
std::string four_digits(double number);                  ///< for a figure

/// Saves rows of a figure's numbers, the names of the columns first.
void save_rows(program::Frame& frame, const std::string& file,
               const std::vector<std::vector<std::string>>& rows);

/// Prints every variant's idea, its operations and bytes, counted, and how far its numbers are
/// from those of the first variant. No number here depends on the machine.
void show_counted_ladders(program::Frame& frame, const Settings& settings);

/// Prints what this machine can do at most, and the ladders, and keeps them.
void show_measured_ladders(program::Frame& frame, const Settings& settings);

} // namespace attn::simd_transformer
