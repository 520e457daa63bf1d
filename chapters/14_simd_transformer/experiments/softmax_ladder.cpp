#include "chapters/14_simd_transformer/experiments/softmax_ladder.hpp"

#include "common/kernels/row_blocks.hpp"
#include "common/tensor/array.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace attn::simd_transformer {

namespace {

/// The formula in plain loops, in double precision.
void softmax_in_doubles(const Execution& /*how*/, MatrixSize size, const float* x, float* y)
{
    for (std::size_t row = 0; row < size.n_rows; ++row, x += size.n, y += size.n) {
        double largest = std::numeric_limits<double>::lowest();
        for (std::size_t j = 0; j < size.n; ++j) {
            largest = std::max(largest, static_cast<double>(x[j]));
        }
        double sum = 0;
        for (std::size_t j = 0; j < size.n; ++j) {
            sum += std::exp(static_cast<double>(x[j]) - largest);
        }
        for (std::size_t j = 0; j < size.n; ++j) {
            const double exponential = std::exp(static_cast<double>(x[j]) - largest);
            y[j] = sum == 0 ? 0.0F : static_cast<float>(exponential / sum);
        }
    }
}

/// The same in single precision, each exponential computed once.
void softmax_in_floats(const Execution& /*how*/, MatrixSize size, const float* x, float* y)
{
    for (std::size_t row = 0; row < size.n_rows; ++row, x += size.n, y += size.n) {
        float shift = std::numeric_limits<float>::lowest();
        for (std::size_t j = 0; j < size.n; ++j) {
            shift = std::max(shift, x[j]);
        }
        float sum = 0;
        for (std::size_t j = 0; j < size.n; ++j) {
            y[j] = std::exp(x[j] - shift);
            sum += y[j];
        }
        const float factor = sum == 0 ? 0.0F : 1.0F / sum;
        for (std::size_t j = 0; j < size.n; ++j) {
            y[j] *= factor;
        }
    }
}

/// Every loop over the whole matrix before the next one begins, as a library of array
/// operations does it.
void softmax_in_whole_passes(const Execution& how, MatrixSize size, const float* x, float* y)
{
    const SoftmaxKernels& kernels = ladder_kernels(how).softmax;
    const std::size_t n = size.n;
    Array<float> largest = uninitialised<float>({size.n_rows});
    Array<float> sums = uninitialised<float>({size.n_rows});
    for (std::size_t row = 0; row < size.n_rows; ++row) {
        largest.data()[row] = kernels.largest(n, x + row * n);
    }
    for (std::size_t row = 0; row < size.n_rows; ++row) {
        sums.data()[row] =
            kernels.exponentials(n, x + row * n, largest.data()[row], y + row * n);
    }
    for (std::size_t row = 0; row < size.n_rows; ++row) {
        const float sum = sums.data()[row];
        kernels.scale(n, sum == 0 ? 0.0F : 1.0F / sum, y + row * n);
    }
}

void softmax_row_by_row(const Execution& how, MatrixSize size, const float* x, float* y)
{
    ladder_kernels(how).softmax.rows(size, x, y);
}

void softmax_online(const Execution& how, MatrixSize size, const float* x, float* y)
{
    ladder_kernels(how).softmax.rows_online(size, x, y);
}

void softmax_three_rows(const Execution& how, MatrixSize size, const float* x, float* y)
{
    Array<float> exponentials = uninitialised<float>({2 * size.n});
    ladder_kernels(how).softmax.three_rows(size, x, y, exponentials.data());
}

void softmax_streamed(const Execution& how, MatrixSize size, const float* x, float* y)
{
    Array<float> exponentials = uninitialised<float>({2 * size.n});
    ladder_kernels(how).softmax.three_rows_streamed(size, x, y, exponentials.data());
}

void softmax_in_chunks(const Execution& how, MatrixSize size, const float* x, float* y)
{
    const std::size_t n_chunks = (size.n + softmax_chunk - 1) / softmax_chunk;
    Array<float> under = uninitialised<float>({n_chunks});
    ladder_kernels(how).softmax.rows_in_chunks(size, x, y, under.data());
}

/// Numbers of a matrix up to which three rows are on their way at a time: 8 MiB, not fitted to
/// any cache.
constexpr std::size_t fits_the_cache = std::size_t(1) << 21U;

} // namespace

void softmax(const Execution& how, MatrixSize size, const float* x, float* y)
{
    const auto out_of_cache = size.n > softmax_chunk ? softmax_in_chunks : softmax_row_by_row;
    const auto run = size.n_rows * size.n > fits_the_cache ? out_of_cache : softmax_three_rows;
    const kernels::ComputeWith on_threads(how);
    kernels::for_each_block_of_rows(
        size.n_rows, size.n, [&](std::size_t first, std::size_t n_rows) {
            run(how, {n_rows, size.n}, x + first * size.n, y + first * size.n);
        });
}

const std::vector<SoftmaxRung>& softmax_ladder()
{
    static const std::vector<SoftmaxRung> ladder = {
        {"plain loops", "the formula in double precision, each power computed where it is used",
         softmax_in_doubles, 2},
        {"single precision", "each power computed once, and kept", softmax_in_floats, 2},
        {"vectors", "a power in every lane; every loop over the whole matrix",
         softmax_in_whole_passes, 5},
        {"row by row", "the three loops over one row, while it is in the cache",
         softmax_row_by_row, 2},
        {"online", "largest number and sum from one loop, each power computed twice",
         softmax_online, 2},
        {"three rows", "one row is looked through, one worked on, one written: in one loop",
         softmax_three_rows, 2},
        {"around the cache", "the same, and what is written is not fetched first",
         softmax_streamed, 2},
        {"chunks", "a row in pieces, each under the largest number so far; scaled at the end",
         softmax_in_chunks, 2},
        {"threads",
         "blocks of rows: three at a time in the cache, one or chunks of it in memory", softmax,
         2}};
    return ladder;
}

} // namespace attn::simd_transformer
