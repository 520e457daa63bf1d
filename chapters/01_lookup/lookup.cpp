#include "chapters/01_lookup/lookup.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace attn::lookup {

namespace {

/// A score may be -infinity, which masks its key, but neither +infinity nor nan.
void expect_scores(const Matrix& scores, std::string_view function)
{
    for (const double score : scores) {
        expect(score < std::numeric_limits<double>::infinity(),
               "{}: scores must be finite, or -infinity for a masked key, got {}", function,
               score);
    }
}

/// Fills [n_queries, n_keys] with one number for each pair of a query and a key.
template <typename Compare>
Matrix for_each_pair(const Matrix& queries, const Matrix& keys, std::string_view function,
                     const Compare& compare)
{
    expect_columns(queries, keys.shape(1), function, "queries", "as many columns as a key has");
    Matrix scores = Matrix::from_shape({queries.shape(0), keys.shape(0)});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            scores(i, j) = compare(i, j);
        }
    }
    return scores;
}

} // namespace

Matrix weighted_sum(const Matrix& weights, const Matrix& values)
{
    expect_rows(values, weights.shape(1), "weighted_sum", "values", "one row a key");
    Matrix context = xt::zeros<double>({weights.shape(0), values.shape(1)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            if (weights(i, j) == 0) {
                continue; // not 0 times a value that may be infinite
            }
            for (std::size_t column = 0; column < values.shape(1); ++column) {
                context(i, column) += weights(i, j) * values(j, column);
            }
        }
    }
    return context;
}

// ---------------------------------------------------------------- scores

// [scores]
Matrix equality(const Matrix& queries, const Matrix& keys)
{
    const auto compare = [&](std::size_t i, std::size_t j) {
        for (std::size_t column = 0; column < keys.shape(1); ++column) {
            if (queries(i, column) != keys(j, column)) {
                return 0.0;
            }
        }
        return 1.0;
    };
    return for_each_pair(queries, keys, "equality", compare); // [n_queries, n_keys]
}

Matrix minus_half_squared_distance(const Matrix& queries, const Matrix& keys)
{
    constexpr double farthest = std::numeric_limits<double>::lowest();
    const auto compare = [&](std::size_t i, std::size_t j) {
        double squared_distance = 0;
        for (std::size_t column = 0; column < keys.shape(1); ++column) {
            const double gap = queries(i, column) - keys(j, column);
            squared_distance += gap * gap;
        }
        return std::max(-0.5 * squared_distance, farthest); // a far key is no masked key
    };
    return for_each_pair(queries, keys, "minus_half_squared_distance", compare);
}

Matrix dot_product(const Matrix& queries, const Matrix& keys)
{
    const auto compare = [&](std::size_t i, std::size_t j) {
        double dot = 0;
        for (std::size_t column = 0; column < keys.shape(1); ++column) {
            dot += queries(i, column) * keys(j, column);
        }
        return dot;
    };
    return for_each_pair(queries, keys, "dot_product", compare); // [n_queries, n_keys]
}
// [scores]

const std::vector<Score>& scores()
{
    static const std::vector<Score> table = {
        {"equality", "1 if the key equals the query, else 0", equality},
        {"distance", "minus half the squared distance", minus_half_squared_distance},
        {"dot", "the dot product", dot_product},
    };
    return table;
}

// ---------------------------------------------------------------- normalisers

Matrix unnormalised(const Matrix& scores)
{
    expect_finite(scores, "unnormalised", "scores");
    return scores;
}

Matrix share(const Matrix& scores)
{
    for (const double score : scores) {
        expect(score >= 0 && std::isfinite(score),
               "share: scores must be finite and not negative, got {}", score);
    }
    const Matrix row_sum = xt::sum(scores, {1}, xt::keep_dims); // [n_queries, 1]
    expect_finite(row_sum, "share", "the sums of the scores");
    const Matrix divisor = xt::where(row_sum > 0.0, row_sum, 1.0); // [n_queries, 1]
    return scores / divisor;
}

Matrix average(const Matrix& scores)
{
    return k_nearest(scores, std::max<std::size_t>(scores.shape(1), 1));
}

Matrix one_hot(const Matrix& scores)
{
    return k_nearest(scores, 1);
}

// [k_nearest]
Matrix k_nearest(const Matrix& scores, std::size_t k)
{
    expect(k >= 1, "k_nearest: k must be at least 1, got 0");
    expect_scores(scores, "k_nearest");
    Matrix weights = xt::zeros_like(scores);
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        // Find the k-th highest score that is not masked.
        std::vector<double> ranked;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            if (std::isfinite(scores(i, j))) {
                ranked.push_back(scores(i, j));
            }
        }
        if (ranked.empty()) {
            continue; // every key is masked: the weights stay zero
        }
        std::sort(ranked.begin(), ranked.end(), std::greater<>());
        const std::size_t n_chosen = std::min(k, ranked.size());
        const double threshold = ranked[n_chosen - 1];

        // Give each score above it its full share, and divide what is left among its ties.
        const auto n_above = std::count_if(ranked.begin(), ranked.end(),
                                           [&](double score) { return score > threshold; });
        const auto n_ties = std::count(ranked.begin(), ranked.end(), threshold);
        const double share_of_one = 1.0 / static_cast<double>(n_chosen);
        const double tie_share =
            share_of_one * static_cast<double>(n_chosen - static_cast<std::size_t>(n_above)) /
            static_cast<double>(n_ties);
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            if (scores(i, j) > threshold) {
                weights(i, j) = share_of_one;
            } else if (scores(i, j) == threshold) {
                weights(i, j) = tie_share;
            }
        }
    }
    return weights;
}
// [k_nearest]

// [softmax]
Matrix softmax(const Matrix& scores, double temperature)
{
    expect_positive(temperature, "softmax", "temperature");
    expect_scores(scores, "softmax");

    // Subtract the row's maximum; a row that is masked throughout has none.
    const double masked = -std::numeric_limits<double>::infinity();
    const Matrix row_max = xt::amax(scores, {1}, xt::keep_dims);              // [n_queries, 1]
    const Matrix shift = xt::where(xt::equal(row_max, masked), 0.0, row_max); // [n_queries, 1]

    // Exponentiate, and divide by the row's sum; a sum of 0 belongs to a masked row.
    const Matrix exponentials = xt::exp((scores - shift) / temperature); // [n_queries, n_keys]
    const Matrix row_sum = xt::sum(exponentials, {1}, xt::keep_dims);    // [n_queries, 1]
    const Matrix divisor = xt::where(row_sum > 0.0, row_sum, 1.0);       // [n_queries, 1]
    return exponentials / divisor;
}
// [softmax]

std::vector<Normaliser> normalisers(std::size_t k, double temperature)
{
    return {
        {"nearest", "all weight on the highest score", one_hot},
        {fmt::format("{} nearest", k), "the same weight on the k highest scores",
         [k](const Matrix& scores) { return k_nearest(scores, k); }},
        {"soft", "softmax of the scores",
         [temperature](const Matrix& scores) { return softmax(scores, temperature); }},
        {"average", "the same weight on every key", average},
    };
}

// ---------------------------------------------------------------- lookups

// [lookups]
std::vector<Lookup> lookups(std::size_t k, double temperature)
{
    const Score exact = scores()[0];
    const Score near = scores()[1];
    std::vector<Lookup> table = {
        {"exact (sum)", exact, {"as they are", "every hit counts once", unnormalised}},
        {"exact (mean)", exact, {"share", "the hits share the weight", share}},
    };
    for (const Normaliser& normaliser : normalisers(k, temperature)) {
        table.push_back({normaliser.name, near, normaliser});
    }
    return table;
}
// [lookups]

} // namespace attn::lookup
