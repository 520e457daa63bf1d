/// \file
/// \brief The ladders of matrix product, softmax and attention as one kind of thing: rungs that
/// run on data of one size, with their operations and bytes counted, so that program,
/// benchmark and figures go through the same tables. The rungs
/// themselves are matrix_product_ladder.hpp's, softmax_ladder.hpp's and attention_ladder.hpp's.
#pragma once

#include "chapters/14_simd_transformer/experiments/machine.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace attn::simd_transformer {

/// A rung, ready to run.
struct Rung
{
    std::string name; ///< in a table: "register tile"
    std::string idea; ///< what is new beside the rung before, in one line
    double bytes;     ///< moved between processor and memory, counted, if no array fits a cache
    bool threaded;    ///< whether it uses more than one thread: the last rung of a ladder does
    std::function<void(const Execution&)> run; ///< computes Ladder::result
};

/// Rungs that compute the same, on the same numbers.
struct Ladder
{
    std::string name;        ///< "matrix product"
    std::string size;        ///< "512 x 512 x 512"
    double flops;            ///< of every rung, counted
    std::vector<Rung> rungs; ///< the first is the one that the others are compared with
    std::shared_ptr<std::vector<float>> result; ///< what the rung that ran last has computed
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

/// The product of two matrices of normal random numbers: 2 m n k operations, 4 (m k + k n + m n)
/// bytes.
/// \throws ContractError if a size is 0
Ladder product_rungs(const ProductSize& size);

/// Softmax over the rows of a matrix of normal random numbers: 5 operations a number
/// (comparing, subtracting, the exponential, counted as one, adding, dividing), 8 bytes a
/// number, more if the rung goes over the matrix several times.
/// \throws ContractError if a size is 0
Ladder softmax_rungs(std::size_t n_rows, std::size_t n_columns);

/// Attention of one sentence in H heads of d numbers, n queries and keys, without a mask: 4 n^2
/// d H operations, 16 n d H bytes, and 16 n^2 H more if the rung keeps all scores. Copies in
/// tiles, which a rung lays out for itself, are not counted.
/// \throws ContractError if a size is 0
Ladder attention_rungs(std::size_t n_heads, std::size_t n_tokens, std::size_t d_head);

/// Matrix product, softmax, attention.
std::vector<Ladder> all_ladders(const LadderSizes& sizes);

/// How far a rung is from the first one: the largest difference, as a share of the largest
/// number of the first rung's result; inf if a number is none.
/// \throws ContractError if there is no such rung
double largest_difference(const Ladder& ladder, std::size_t rung, const Execution& how);

/// What the machine can do at most.
struct Machine
{
    double peak = 0;   ///< GFLOP/s of all threads together
    double copy = 0;   ///< GB/s of all threads together, with stores through the cache
    double stream = 0; ///< GB/s of all threads together, with stores around it

    /// \returns the faster of the two copies
    double bandwidth() const { return copy < stream ? stream : copy; }
};

/// What the machine can do at most, on one thread and on several.
struct Limits
{
    Machine one; ///< on one thread
    Machine all; ///< on all that are used
};

/// \param patience  of each measurement
Limits measure_limits(const Execution& how, Patience patience = {});

/// How fast a rung is.
struct Measured
{
    double seconds;     ///< the shortest run
    double gflops;      ///< GFLOP/s
    double gigabytes;   ///< GB/s, of the counted bytes
    Machine machine;    ///< on as many threads as the rung uses, measured beside it
    double limit;       ///< GFLOP/s that the roofline allows
    double of_peak;     ///< share of the peak
    double of_limit;    ///< share of the limit
    double times_first; ///< how many times as fast as the first rung
};

/// Measures the rungs, and the peak before and after each.
/// \param how       kernels and threads; a rung without threads runs on one
/// \param limits    of the machine; the peak is measured again
/// \param patience  of each rung
std::vector<Measured> climb(const Ladder& ladder, const Execution& how, const Limits& limits,
                            Patience patience);

} // namespace attn::simd_transformer
