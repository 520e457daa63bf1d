/// \file
/// \brief Attempts at chapter 1's `attend`. The first is right; each other makes one mistake.
#pragma once

#include "chapters/01_lookup/lookup.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>

namespace attn::lookup::your_turn::attend_attempts {

inline Matrix sum_of_values(const Matrix& weights, const Matrix& values)
{
    Matrix context = xt::zeros<double>({weights.shape(0), values.shape(1)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            for (std::size_t column = 0; column < values.shape(1); ++column) {
                if (weights(i, j) != 0) {
                    context(i, column) += weights(i, j) * values(j, column);
                }
            }
        }
    }
    return context;
}

inline Attention right(const Matrix& queries, const Matrix& keys, const Matrix& values,
                       const Score& score, const Normaliser& normalise)
{
    const Matrix scores = score(queries, keys);
    const Matrix weights = normalise(scores);
    return {scores, weights, sum_of_values(weights, values)};
}

/// Asks the keys for the queries.
inline Attention queries_and_keys_swapped(const Matrix& queries, const Matrix& keys,
                                          const Matrix& values, const Score& score,
                                          const Normaliser& normalise)
{
    return right(keys, queries, values, score, normalise);
}

/// The transformer's habit, whatever the score.
inline Attention scores_scaled(const Matrix& queries, const Matrix& keys, const Matrix& values,
                               const Score& score, const Normaliser& normalise)
{
    const Matrix scores = score(queries, keys) / std::sqrt(static_cast<double>(keys.shape(1)));
    const Matrix weights = normalise(scores);
    return {scores, weights, sum_of_values(weights, values)};
}

inline Attention scores_kept(const Matrix& queries, const Matrix& keys, const Matrix& values,
                             const Score& score, const Normaliser& normalise)
{
    Attention attention = right(queries, keys, values, score, normalise);
    attention.scores = Matrix();
    return attention;
}

/// The softmax, whatever was handed in.
inline Attention own_softmax(const Matrix& queries, const Matrix& keys, const Matrix& values,
                             const Score& score, const Normaliser&)
{
    const Matrix scores = score(queries, keys);
    const Matrix weights = lookup::softmax(scores);
    return {scores, weights, sum_of_values(weights, values)};
}

/// Each key shares itself out among the queries.
inline Attention columns_normalised(const Matrix& queries, const Matrix& keys,
                                    const Matrix& values, const Score& score,
                                    const Normaliser& normalise)
{
    const Matrix scores = score(queries, keys);
    const Matrix turned = xt::transpose(scores);
    const Matrix weights = xt::transpose(normalise(turned));
    return {scores, weights, sum_of_values(weights, values)};
}

inline Attention normalised_twice(const Matrix& queries, const Matrix& keys,
                                  const Matrix& values, const Score& score,
                                  const Normaliser& normalise)
{
    const Matrix scores = score(queries, keys);
    const Matrix weights = normalise(normalise(scores));
    return {scores, weights, sum_of_values(weights, values)};
}

inline Attention average_of_the_values(const Matrix& queries, const Matrix& keys,
                                       const Matrix& values, const Score& score,
                                       const Normaliser& normalise)
{
    Attention attention = right(queries, keys, values, score, normalise);
    attention.context = sum_of_values(lookup::average(attention.scores), values);
    return attention;
}

inline Attention divided_by_the_weights(const Matrix& queries, const Matrix& keys,
                                        const Matrix& values, const Score& score,
                                        const Normaliser& normalise)
{
    Attention attention = right(queries, keys, values, score, normalise);
    attention.context = sum_of_values(lookup::share(attention.weights), values);
    return attention;
}

inline Attention keys_as_values(const Matrix& queries, const Matrix& keys, const Matrix&,
                                const Score& score, const Normaliser& normalise)
{
    return right(queries, keys, keys, score, normalise);
}

/// A row of the context for each key.
inline Attention sum_over_queries(const Matrix& queries, const Matrix& keys,
                                  const Matrix& values, const Score& score,
                                  const Normaliser& normalise)
{
    Attention attention = right(queries, keys, values, score, normalise);
    const Matrix turned = xt::transpose(attention.weights);
    attention.context = sum_of_values(turned, values);
    return attention;
}

/// The loop that ends one key too early.
inline Attention last_key_left_out(const Matrix& queries, const Matrix& keys,
                                   const Matrix& values, const Score& score,
                                   const Normaliser& normalise)
{
    Attention attention = right(queries, keys, values, score, normalise);
    Matrix weights = attention.weights;
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        weights(i, keys.shape(0) - 1) = 0;
    }
    attention.context = sum_of_values(weights, values);
    return attention;
}

/// One number for all columns of the values.
inline Attention columns_added_up(const Matrix& queries, const Matrix& keys,
                                  const Matrix& values, const Score& score,
                                  const Normaliser& normalise)
{
    Attention attention = right(queries, keys, values, score, normalise);
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        double sum = 0;
        for (std::size_t column = 0; column < values.shape(1); ++column) {
            sum += attention.context(i, column);
        }
        for (std::size_t column = 0; column < values.shape(1); ++column) {
            attention.context(i, column) = sum;
        }
    }
    return attention;
}

/// Adds 0 times whatever a masked key holds.
inline Attention masked_values_added(const Matrix& queries, const Matrix& keys,
                                     const Matrix& values, const Score& score,
                                     const Normaliser& normalise)
{
    Attention attention = right(queries, keys, values, score, normalise);
    attention.context = xt::zeros<double>({queries.shape(0), values.shape(1)});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            for (std::size_t column = 0; column < values.shape(1); ++column) {
                attention.context(i, column) += attention.weights(i, j) * values(j, column);
            }
        }
    }
    return attention;
}

/// Leaves out what is no number instead of what has no weight.
inline Attention nan_left_out(const Matrix& queries, const Matrix& keys, const Matrix& values,
                              const Score& score, const Normaliser& normalise)
{
    Matrix cleaned = values;
    for (double& value : cleaned) {
        value = std::isfinite(value) ? value : 0;
    }
    return right(queries, keys, cleaned, score, normalise);
}

inline const testing::Attempts<Attention(const Matrix&, const Matrix&, const Matrix&,
                                         const Score&, const Normaliser&)>
    all("attend",
        {{"right", right, ""},
         {"queries_and_keys_swapped", queries_and_keys_swapped,
          "scores: a row a query and a column a key"},
         {"scores_scaled", scores_scaled, "neither scaled nor normalised"},
         {"scores_kept", scores_kept, "hand them out, so that one can look inside"},
         {"own_softmax", own_softmax, "no softmax of your own"},
         {"columns_normalised", columns_normalised,
          "hand it the scores as they are, not transposed"},
         {"normalised_twice", normalised_twice, "normalise(scores), called once"},
         {"average_of_the_values", average_of_the_values,
          "returns the first value, (0, 2), and no average"},
         {"divided_by_the_weights", divided_by_the_weights, "do not divide by their sum"},
         {"keys_as_values", keys_as_values, "keys are for finding, values for answering"},
         {"sum_over_queries", sum_over_queries, "one row a query, not a key"},
         {"last_key_left_out", last_key_left_out, "does your sum run over all keys"},
         {"columns_added_up", columns_added_up, "for each column of the values on its own"},
         {"masked_values_added", masked_values_added, "0 times nan is nan"},
         {"nan_left_out", nan_left_out, "or you hide an error"}});

} // namespace attn::lookup::your_turn::attend_attempts
