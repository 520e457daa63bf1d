#include "chapters/03_scoring_functions/retrieval.hpp"

#include "common/kernels/elementary.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <cmath>

namespace attn::scoring_functions {

Matrix orthonormal_columns(random::Generator& generator, std::size_t n_rows,
                           std::size_t n_columns)
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

void stretch(Matrix& rows, double spread, random::Generator& generator)
{
    for (std::size_t i = 0; i < rows.shape(0); ++i) {
        xt::row(rows, static_cast<std::ptrdiff_t>(i)) *=
            elementary::exp(spread * generator.normal());
    }
}

std::vector<Retrieval> retrieval_tasks(std::uint64_t seed)
{
    constexpr std::size_t d = 16;
    random::Generator generator(seed, random::Stream::query_maps);
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

Additive with_query_for_bias(Additive parameters)
{
    xt::col(parameters.W_q, 0) += parameters.b;
    parameters.b.fill(0);
    return parameters;
}

std::vector<lookup::Score> constructed_scores(const Retrieval& task)
{
    const Matrix& M = task.M;
    std::vector<lookup::Score> scores;
    if (M.shape(0) == M.shape(1)) {
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

    // A distance by a bias; without one at most half of the keys can be found, and are.
    const Additive distance = distance_by_additive(M, 0.005);
    const Additive no_bias = with_query_for_bias(distance);
    scores.push_back({"additive, no bias", "w.tanh(W_q q + W_k k), half the time a distance",
                      [no_bias](const Matrix& queries, const Matrix& keys) {
                          return additive(queries, keys, no_bias);
                      }});
    scores.push_back({"additive, bias", "w.tanh(W_q q + W_k k + b), a distance",
                      [distance](const Matrix& queries, const Matrix& keys) {
                          return additive(queries, keys, distance);
                      }});
    return scores;
}

lookup::Score constructed_projections(const Retrieval& task, std::size_t d_c)
{
    const Matrix& M = task.M;
    expect(d_c >= 1 && d_c <= M.shape(1),
           "constructed_projections: d_c must be from 1 to {}, got {}", M.shape(1), d_c);
    const Matrix W_q = xt::view(xt::transpose(M), xt::range(0, d_c)); // [d_c, d_q]
    const Matrix W_k = xt::eye<double>({d_c, M.shape(1)});            // [d_c, d_k]
    return {"projected", "W_q q.W_k k", [W_q, W_k](const Matrix& queries, const Matrix& keys) {
                return projected(queries, keys, W_q, W_k);
            }};
}

RetrievalTable draw_table(const Retrieval& task, random::Generator& generator,
                          std::size_t n_queries)
{
    const auto& [name, M, noise, key_spread] = task;
    RetrievalTable draw;
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

RetrievalResult evaluate(const lookup::Score& score, const RetrievalTable& draw)
{
    const Matrix scores = score(draw.queries, draw.keys); // [n_queries, n_retrieval_keys]
    const Matrix best = lookup::one_hot(scores);
    const Matrix weights = lookup::softmax(scores);
    RetrievalResult result{score.name, 0, 0};
    const double share = 1 / static_cast<double>(draw.chosen.size());
    for (std::size_t i = 0; i < draw.chosen.size(); ++i) {
        result.accuracy += share * best(i, draw.chosen[i]);
        result.cross_entropy -=
            share * elementary::log(std::max(weights(i, draw.chosen[i]), 1e-300));
    }
    return result;
}

std::vector<RetrievalResult>
retrieve(const Retrieval& task, const std::vector<lookup::Score>& scores, std::uint64_t seed)
{
    constexpr std::size_t n_tables = 40;
    constexpr std::size_t n_queries = 100;
    std::vector<RetrievalResult> results;
    for (const lookup::Score& score : scores) {
        results.push_back({score.name, 0, 0});
    }
    random::Generator generator(seed, random::Stream::retrieval);
    for (std::size_t table = 0; table < n_tables; ++table) {
        const RetrievalTable draw = draw_table(task, generator, n_queries);
        for (std::size_t which = 0; which < scores.size(); ++which) {
            const RetrievalResult result = evaluate(scores[which], draw);
            results[which].accuracy += result.accuracy / n_tables;
            results[which].cross_entropy += result.cross_entropy / n_tables;
        }
    }
    return results;
}

} // namespace attn::scoring_functions
