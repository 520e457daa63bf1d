#include "chapters/04_backpropagation/experiments/experiments.hpp"

#include "common/kernels/elementary.hpp"
#include "common/kernels/vector_math.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace attn::backpropagation {

using random::Generator;

std::vector<RetrievalTask> learnt_tasks(std::uint64_t seed)
{
    std::vector<RetrievalTask> tasks;
    for (const scoring_functions::Retrieval& of : scoring_functions::retrieval_tasks(seed)) {
        tasks.push_back({of});
        if (of.name == "lengths") {
            tasks.push_back(tasks.back());
            tasks.back().of.name = "scale";
            tasks.back().keys = Keys::stretched;
        }
    }
    return tasks;
}

std::vector<RetrievalTask> small_tasks(std::uint64_t seed)
{
    Generator generator(seed, random::Stream::small_query_maps);
    std::vector<RetrievalTask> tasks;
    for (const std::size_t d_k : {2U, 4U, 8U, 16U}) {
        const std::size_t d_q = d_k + d_k / 2;
        const bool symbols = d_k == 16;
        Matrix M = scoring_functions::orthonormal_columns(generator, d_q, d_k);
        tasks.push_back({{symbols ? "16 symbols" : fmt::format("{} to {}", d_q, d_k),
                          std::move(M), (symbols ? 0.3 : 0.1) * xt::ones<double>({d_q})},
                         8,
                         symbols ? Keys::symbols : Keys::normal});
    }
    return tasks;
}

namespace {

/// Standard normal numbers, many at once (the polar method of Marsaglia and Bray): a training
/// here takes ten thousand times as many as chapter 3's experiments did.
Array<float> normal_numbers(Generator& generator, const Shape& shape)
{
    // Points in the unit disc, and their squared distances from its centre.
    const std::size_t n_pairs = (size_of(shape) + 1) / 2;
    std::vector<float> points(2 * n_pairs);
    std::vector<float> squares(n_pairs);
    for (std::size_t i = 0; i < n_pairs;) {
        const std::uint64_t bits = generator.bits();
        const float x = static_cast<float>(bits >> 40U) * 0x1p-23F - 1;
        const float y = static_cast<float>((bits >> 16U) & 0xffffffU) * 0x1p-23F - 1;
        const float square = x * x + y * y;
        points[2 * i] = x;
        points[2 * i + 1] = y;
        squares[i] = square;
        i += square < 1 && square > 0 ? 1 : 0;
    }

    // Each point is moved along its ray.
    std::vector<float> logarithms(n_pairs);
    vector_math::log<float>(squares, logarithms);
    for (std::size_t i = 0; i < n_pairs; ++i) {
        const float factor = std::sqrt(-2 * logarithms[i] / squares[i]);
        points[2 * i] *= factor;
        points[2 * i + 1] *= factor;
    }
    Array<float> numbers(shape);
    std::copy_n(points.begin(), numbers.size(), numbers.data());
    return numbers;
}

/// The keys of n tables, before they are stretched.
Array<float> draw_keys(const RetrievalTask& task, Generator& generator, std::size_t n)
{
    const std::size_t d = task.of.M.shape(1);
    const Shape shape{n, task.n_keys, d};
    if (task.keys != Keys::symbols) {
        return normal_numbers(generator, shape);
    }
    Array<float> keys = filled(shape, 0.0F);
    for (std::size_t i = 0; i < n; ++i) {
        const std::vector<std::size_t> symbols = generator.choice(d, task.n_keys);
        for (std::size_t j = 0; j < task.n_keys; ++j) {
            keys.data()[(i * task.n_keys + j) * d + symbols[j]] = 1;
        }
    }
    return keys;
}

/// Multiplies each key by a factor of its own.
void stretch(Array<float>& keys, double spread, Generator& generator)
{
    const std::size_t d = keys.shape()[2];
    const Array<float> normals = normal_numbers(generator, {keys.shape()[0], keys.shape()[1]});
    for (std::size_t row = 0; row < normals.size(); ++row) {
        const float factor = elementary::exp(static_cast<float>(spread) * normals.data()[row]);
        std::for_each_n(keys.data() + row * d, d,
                        [factor](float& number) { number *= factor; });
    }
}

} // namespace

Batch draw_batch(const RetrievalTask& task, Generator& generator, std::size_t n)
{
    const Array<float> M = Array<float>(task.of.M);
    const std::size_t d_q = M.shape()[0];
    const std::size_t d_k = M.shape()[1];
    const double spread = task.of.key_spread;
    Batch batch{normal_numbers(generator, {n, 1, d_q}), draw_keys(task, generator, n), {}};
    if (spread > 0 && task.keys != Keys::stretched) {
        stretch(batch.keys, spread, generator);
    }
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t chosen = generator.below(task.n_keys);
        const float* const key = batch.keys.data() + (i * task.n_keys + chosen) * d_k;
        float* const query = batch.queries.data() + i * d_q;
        for (std::size_t m = 0; m < d_q; ++m) {
            query[m] = std::inner_product(key, key + d_k, M.data() + m * d_k,
                                          static_cast<float>(task.of.noise(m)) * query[m]);
        }
        batch.chosen.push_back(static_cast<std::int64_t>(chosen));
    }
    if (task.keys == Keys::stretched) {
        stretch(batch.keys, spread, generator);
    }
    return batch;
}

} // namespace attn::backpropagation
