/// \file
/// \brief The bodies of experiments.hpp.
#include "chapters/03_scoring_functions/experiments.hpp"

#include "chapters/02_nadaraya_watson/nadaraya_watson.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/random/random.hpp"

#include <algorithm>
#include <cmath>

namespace attn::scoring_functions {

namespace {

using random::Generator;

/// The random streams of one seed, far enough apart for a size, a piece or a table to be
/// added, so that no two experiments share their numbers.
enum Stream : std::uint64_t
{
    pairs = 1ULL << 40U,
    tables = 2ULL << 40U,
    lengths = 3ULL << 40U,
    maps = 4ULL << 40U,
    trials = 5ULL << 40U,
    no_bias = 6ULL << 40U,
    example = 7ULL << 40U,
};

} // namespace

// ---------------------------------------------------------------- the root of d

double variance_of_dot(std::uint64_t seed, std::size_t d, std::size_t n_pairs,
                       std::size_t n_threads)
{
    expect(n_pairs >= 1, "variance_of_dot: n_pairs must be at least 1, got 0");
    constexpr std::size_t n_pieces = 64; // fixed, so that threads cannot change a bit
    std::vector<double> sums(n_pieces, 0.0);
    parallel::for_each_index(n_pieces, n_threads, [&](std::size_t piece) {
        Generator generator(seed, Stream::pairs + n_pieces * d + piece);
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

// [jacobian_norms]
Vector jacobian_norms(const Matrix& weights)
{
    // sum_jl (p_j [j = l] - p_j p_l)^2 = sum p^2 - 2 sum p^3 + (sum p^2)^2
    const Vector squares = xt::sum(xt::pow<2>(weights), {1}); // [n_queries]
    const Vector cubes = xt::sum(xt::pow<3>(weights), {1});   // [n_queries]
    return xt::sqrt(xt::fmax(squares - 2.0 * cubes + squares * squares, 0.0));
}
// [jacobian_norms]

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
            entropy -= p > 0 ? p * std::log(p) : 0;
            largest = std::max(largest, p);
        }
        result.entropy += entropy / std::log(static_cast<double>(weights.shape(1))) / n;
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
    Generator generator(seed, Stream::tables + d);
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
    Generator generator(seed, Stream::example);
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

// ---------------------------------------------------------------- keys of equal length

namespace {

/// Multiplies each row by a factor of its own, whose logarithm has a given standard deviation.
void stretch(Matrix& rows, double spread, Generator& generator)
{
    for (std::size_t i = 0; i < rows.shape(0); ++i) {
        xt::row(rows, static_cast<std::ptrdiff_t>(i)) *= std::exp(spread * generator.normal());
    }
}

} // namespace

double gaussian_minus_dot(std::uint64_t seed, double spread)
{
    constexpr std::size_t d = 8;
    constexpr double bandwidth = 1.5;
    Generator generator(seed, Stream::lengths);
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

// ---------------------------------------------------------------- which score finds the key

Matrix orthonormal_columns(Generator& generator, std::size_t n_rows, std::size_t n_columns)
{
    Matrix M = generator.normals(n_rows, n_columns);
    for (std::size_t column = 0; column < n_columns; ++column) {
        for (int pass = 0; pass < 2; ++pass) {
            for (std::size_t earlier = 0; earlier < column; ++earlier) {
                double overlap = 0;
                for (std::size_t row = 0; row < n_rows; ++row) {
                    overlap += M(row, column) * M(row, earlier);
                }
                for (std::size_t row = 0; row < n_rows; ++row) {
                    M(row, column) -= overlap * M(row, earlier);
                }
            }
        }
        const double length = std::sqrt(xt::sum(xt::square(column_of(M, column)))());
        for (std::size_t row = 0; row < n_rows; ++row) {
            M(row, column) /= length;
        }
    }
    return M;
}

std::vector<Retrieval> retrieval_tasks(std::uint64_t seed)
{
    constexpr std::size_t d = 16;
    Generator generator(seed, Stream::maps);
    const Matrix identity = xt::eye<double>(d);
    const Vector some_noise = 0.5 * xt::ones<double>({d});

    Matrix half = identity;
    Vector half_noise = some_noise;
    for (std::size_t m = d / 2; m < d; ++m) {
        half(m, m) = 0;
        half_noise(m) = 3;
    }
    const Matrix rotation = orthonormal_columns(generator, d, d);
    const Matrix wider = orthonormal_columns(generator, 24, d);
    return {
        {"same", identity, some_noise},
        {"lengths", identity, some_noise, 0.8},
        {"rotated", rotation, some_noise},
        {"noisy", half, half_noise},
        {"24 to 16", wider, 0.5 * xt::ones<double>({24})},
    };
}

std::vector<lookup::Score> constructed_scores(const Retrieval& task, std::uint64_t seed)
{
    const Matrix& M = task.M;
    const std::size_t d_q = M.shape(0);
    const std::size_t d_k = M.shape(1);
    std::vector<lookup::Score> scores;
    if (d_q == d_k) {
        scores = parameterless_scores();
    }

    // The matrix that maps a key to the query it would make.
    scores.push_back(
        {"multiplicative", "q.W k with W = M", [M](const Matrix& queries, const Matrix& keys) {
             return multiplicative(queries, keys, M);
         }});
    scores.push_back({"multiplicative + key bias", "q.W k - |W k|^2 / 2 with W = M",
                      [M](const Matrix& queries, const Matrix& keys) {
                          return dot_with_key_bias(queries, lookup::dot_product(keys, M));
                      }});

    // Without a bias at most half of the keys can be found; these parameters are random.
    constexpr std::size_t d_hidden = 32;
    Generator generator(seed, Stream::no_bias);
    const Additive any = {generator.normals(d_hidden, d_q), generator.normals(d_hidden, d_k),
                          xt::zeros<double>({d_hidden}), generator.normals(d_hidden)};
    scores.push_back({"additive, no bias", "w.tanh(W_q q + W_k k), random parameters",
                      [any](const Matrix& queries, const Matrix& keys) {
                          return additive(queries, keys, any);
                      }});
    const Additive distance = distance_by_additive(M, 0.005);
    scores.push_back({"additive, bias", "w.tanh(W_q q + W_k k + b), a distance",
                      [distance](const Matrix& queries, const Matrix& keys) {
                          return additive(queries, keys, distance);
                      }});
    return scores;
}

Draw draw_table(const Retrieval& task, random::Generator& generator, std::size_t n_queries)
{
    const auto& [name, M, noise, key_spread] = task;
    Draw draw;
    draw.keys = generator.normals(n_retrieval_keys, M.shape(1));
    stretch(draw.keys, key_spread, generator);
    const Matrix made = lookup::dot_product(draw.keys, M); // M k_j, [n_retrieval_keys, d_q]
    draw.queries = Matrix::from_shape({n_queries, M.shape(0)});
    for (std::size_t i = 0; i < n_queries; ++i) {
        draw.chosen.push_back(generator.below(n_retrieval_keys));
        for (std::size_t m = 0; m < M.shape(0); ++m) {
            draw.queries(i, m) = made(draw.chosen[i], m) + noise(m) * generator.normal();
        }
    }
    return draw;
}

RetrievalResult ask(const lookup::Score& score, const Draw& draw)
{
    const Matrix scores = score(draw.queries, draw.keys); // [n_queries, n_retrieval_keys]
    const Matrix best = lookup::one_hot(scores);
    const Matrix weights = lookup::softmax(scores);
    RetrievalResult result{score.name, 0, 0};
    const double share = 1 / static_cast<double>(draw.chosen.size());
    for (std::size_t i = 0; i < draw.chosen.size(); ++i) {
        result.accuracy += share * best(i, draw.chosen[i]);
        result.cross_entropy -= share * std::log(std::max(weights(i, draw.chosen[i]), 1e-300));
    }
    return result;
}

std::vector<RetrievalResult> retrieve(const Retrieval& task, std::uint64_t seed)
{
    constexpr std::size_t n_tables = 40;
    constexpr std::size_t n_queries = 100;
    const std::vector<lookup::Score> scores = constructed_scores(task, seed);
    std::vector<RetrievalResult> results;
    for (const lookup::Score& score : scores) {
        results.push_back({score.name, 0, 0});
    }
    Generator generator(seed, Stream::trials);
    for (std::size_t table = 0; table < n_tables; ++table) {
        const Draw draw = draw_table(task, generator, n_queries);
        for (std::size_t which = 0; which < scores.size(); ++which) {
            const RetrievalResult result = ask(scores[which], draw);
            results[which].accuracy += result.accuracy / n_tables;
            results[which].cross_entropy += result.cross_entropy / n_tables;
        }
    }
    return results;
}

// ---------------------------------------------------------------- why softmax

std::vector<NormaliserVerdict> judge_normalisers()
{
    const Matrix scores = {{2, 1, -1}, {0.5, 0.25, 0.125}, {1, -1, 0}};
    constexpr double nudge = 1e-6;
    std::vector<NormaliserVerdict> verdicts;
    for (const lookup::Normaliser& normaliser : candidate_normalisers()) {
        const Matrix weights = normaliser(scores);
        const Matrix shifted = normaliser(scores + 1.0);
        Matrix raised = scores;
        xt::col(raised, 1) += nudge;
        const Matrix nudged = normaliser(raised);
        NormaliserVerdict verdict{normaliser.name, true, true, true, true};
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                sum += weights(i, j);
                verdict.on_simplex &= weights(i, j) >= 0;
                verdict.ignores_shift &= std::abs(weights(i, j) - shifted(i, j)) < 1e-9;
                for (std::size_t l = 0; l < scores.shape(1); ++l) {
                    verdict.keeps_order &=
                        scores(i, j) <= scores(i, l) || weights(i, j) >= weights(i, l);
                }
            }
            verdict.on_simplex &= std::abs(sum - 1) < 1e-9;
            const double slope = (nudged(i, 1) - weights(i, 1)) / nudge;
            verdict.answers_a_nudge &= slope > 1e-3 && slope < 1e3;
        }
        verdicts.push_back(verdict);
    }
    return verdicts;
}

} // namespace attn::scoring_functions
