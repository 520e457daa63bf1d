#include "chapters/03_scoring_functions/experiments/experiments.hpp"

#include "chapters/02_nadaraya_watson/nadaraya_watson.hpp"
#include "chapters/03_scoring_functions/random_streams.hpp"
#include "chapters/03_scoring_functions/retrieval.hpp"
#include "common/kernels/elementary.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/random/random.hpp"

#include <algorithm>
#include <cmath>

namespace attn::scoring_functions {

double variance_of_dot(std::uint64_t seed, std::size_t d, std::size_t n_pairs,
                       std::size_t n_threads)
{
    expect(n_pairs >= 1, "variance_of_dot: n_pairs must be at least 1, got 0");
    constexpr std::size_t n_pieces = 64; // fixed, so that threads cannot change a bit
    std::vector<double> sums(n_pieces, 0.0);
    parallel::for_each_index(n_pieces, n_threads, [&](std::size_t piece) {
        random::Generator generator(seed, stream::pairs + n_pieces * d + piece);
        for (std::size_t pair = piece; pair < n_pairs; pair += n_pieces) {
            double dot = 0;
            for (std::size_t m = 0; m < d; ++m) {
                dot += generator.normal() * generator.normal();
            }
            sums[piece] += dot * dot;
        }
    });
    double sum = 0;
    for (const double piece : sums) {
        sum += piece;
    }
    return sum / static_cast<double>(n_pairs);
}

Saturation saturation(const Matrix& weights)
{
    const std::size_t n_rows = weights.shape(0);
    expect(n_rows >= 1 && weights.shape(1) >= 2,
           "saturation: weights must have at least one row and two columns, got {}",
           shape_of(weights));
    const double n = static_cast<double>(n_rows);
    Saturation result{};
    for (std::size_t i = 0; i < n_rows; ++i) {
        double entropy = 0;
        double largest = 0;
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            const double p = weights(i, j);
            entropy -= p > 0 ? p * elementary::log(p) : 0;
            largest = std::max(largest, p);
        }
        result.entropy += entropy / elementary::log(static_cast<double>(weights.shape(1))) / n;
        result.largest += largest / n;
        result.share_decided += largest > 0.99 ? 1 / n : 0;
    }
    Vector norms = jacobian_norms(weights);
    std::sort(norms.begin(), norms.end());
    result.jacobian = 0.5 * (norms((n_rows - 1) / 2) + norms(n_rows / 2));
    return result;
}

Matrix scores_of_normal_keys(std::uint64_t seed, std::size_t d, std::size_t n_keys)
{
    constexpr std::size_t n_tables = 100;
    constexpr std::size_t n_queries = 20;
    random::Generator generator(seed, stream::tables + d);
    Matrix scores = Matrix::from_shape({n_tables * n_queries, n_keys});
    for (std::size_t table = 0; table < n_tables; ++table) {
        const Matrix keys = generator.normals(n_keys, d);
        const Matrix queries = generator.normals(n_queries, d);
        xt::view(scores, xt::range(table * n_queries, (table + 1) * n_queries), xt::all()) =
            lookup::dot_product(queries, keys);
    }
    return scores;
}

std::vector<RootEffect> root_effects(std::uint64_t seed, const std::vector<std::size_t>& sizes,
                                     std::size_t n_keys, bool quick, std::size_t n_threads)
{
    std::vector<RootEffect> effects(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::size_t n_pairs = quick ? 8000 : sizes[i] <= 64 ? 128000 : 32000;
        effects[i].d = sizes[i];
        effects[i].variance_over_d =
            variance_of_dot(seed, sizes[i], n_pairs, n_threads) / static_cast<double>(sizes[i]);
    }
    parallel::for_each_index(sizes.size(), n_threads, [&](std::size_t i) {
        // A score divided by the root of d is a softmax of temperature root of d.
        const Matrix scores = scores_of_normal_keys(seed, sizes[i], n_keys);
        effects[i].plain = saturation(lookup::softmax(scores));
        effects[i].scaled =
            saturation(lookup::softmax(scores, std::sqrt(static_cast<double>(sizes[i]))));
    });
    return effects;
}

GrowingExample growing_example(std::uint64_t seed)
{
    constexpr std::size_t n_keys = 16;
    constexpr std::size_t n_sizes = 11;
    random::Generator generator(seed, stream::example);
    const Matrix query = generator.normals(1, 1024);
    const Matrix keys = generator.normals(n_keys, 1024);
    GrowingExample example;
    example.sizes = Vector::from_shape({n_sizes});
    example.plain.scores = Matrix::from_shape({n_sizes, n_keys});
    example.scaled.scores = Matrix::from_shape({n_sizes, n_keys});
    for (std::size_t i = 0; i < n_sizes; ++i) {
        const std::size_t d = std::size_t{1} << i;
        const Matrix short_query = xt::view(query, xt::all(), xt::range(0, d));
        const Matrix short_keys = xt::view(keys, xt::all(), xt::range(0, d));
        example.sizes(i) = static_cast<double>(d);
        xt::row(example.plain.scores, static_cast<std::ptrdiff_t>(i)) =
            xt::row(lookup::dot_product(short_query, short_keys), 0);
        xt::row(example.scaled.scores, static_cast<std::ptrdiff_t>(i)) =
            xt::row(scaled_dot_product(short_query, short_keys), 0);
    }
    example.plain.weights = lookup::softmax(example.plain.scores);
    example.scaled.weights = lookup::softmax(example.scaled.scores);
    return example;
}

double gaussian_minus_dot(std::uint64_t seed, double spread)
{
    constexpr std::size_t d = 8;
    constexpr double bandwidth = 1.5;
    random::Generator generator(seed, stream::lengths);
    Matrix keys = unit_rows(generator.normals(16, d)) * std::sqrt(double{d});
    stretch(keys, spread, generator);
    const Matrix queries = generator.normals(200, d);
    const lookup::Score kernel =
        nadaraya_watson::score(nadaraya_watson::kernel_named("gaussian"), bandwidth);
    const Matrix by_kernel = lookup::softmax(kernel(queries, keys));
    const Matrix by_dot =
        lookup::softmax(lookup::dot_product(queries, keys), bandwidth * bandwidth);
    return xt::amax(xt::abs(by_kernel - by_dot))();
}

std::vector<NormaliserProperties> check_normalisers()
{
    const Matrix scores = {{2, 1, -1}, {0.5, 0.25, 0.125}, {1, -1, 0}};
    constexpr double nudge = 1e-6;
    std::vector<NormaliserProperties> properties;
    for (const lookup::Normaliser& normaliser : candidate_normalisers()) {
        const Matrix weights = normaliser(scores);
        const Matrix shifted = normaliser(scores + 1.0);
        Matrix raised = scores;
        xt::col(raised, 1) += nudge;
        const Matrix nudged = normaliser(raised);
        NormaliserProperties holds{normaliser.name, true, true, true, true};
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                sum += weights(i, j);
                holds.on_simplex &= weights(i, j) >= 0;
                holds.ignores_shift &= std::abs(weights(i, j) - shifted(i, j)) < 1e-9;
                for (std::size_t l = 0; l < scores.shape(1); ++l) {
                    holds.keeps_order &=
                        scores(i, j) <= scores(i, l) || weights(i, j) >= weights(i, l);
                }
            }
            holds.on_simplex &= std::abs(sum - 1) < 1e-9;
            const double slope = (nudged(i, 1) - weights(i, 1)) / nudge;
            holds.answers_a_nudge &= slope > 1e-3 && slope < 1e3;
        }
        properties.push_back(holds);
    }
    return properties;
}

} // namespace attn::scoring_functions
