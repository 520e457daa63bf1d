/// \file
/// \brief Attempts at chapter 3's masked softmax. The first is right; each other makes one
/// mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace attn::scoring_functions::your_turn::masked_softmax_attempts {

using Mask = xt::xtensor<bool, 2>;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// The largest score of a row, of the visible keys only.
inline double visible_maximum(const Matrix& scores, const Mask& mask, std::size_t i)
{
    double maximum = -infinity;
    for (std::size_t j = 0; j < scores.shape(1); ++j) {
        maximum = mask(i, j) ? std::max(maximum, scores(i, j)) : maximum;
    }
    return maximum;
}

/// Divides each row by its sum, and leaves a row without any weight as it is.
inline Matrix shares(Matrix weights)
{
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            sum += weights(i, j);
        }
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            weights(i, j) = sum == 0 ? 0 : weights(i, j) / sum;
        }
    }
    return weights;
}

inline Matrix right(const Matrix& scores, const Mask& mask)
{
    Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const double maximum = visible_maximum(scores, mask, i);
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            if (mask(i, j)) {
                weights(i, j) = std::exp(scores(i, j) - maximum);
            }
        }
    }
    return shares(weights);
}

/// The ordinary softmax of all keys, hidden or not.
inline Matrix unmasked(const Matrix& scores)
{
    Mask everything = Mask::from_shape({scores.shape(0), scores.shape(1)});
    everything.fill(true);
    return right(scores, everything);
}

/// Reads true as hidden.
inline Matrix mask_inverted(const Matrix& scores, const Mask& mask)
{
    Mask inverted = mask;
    for (bool& visible : inverted) {
        visible = !visible;
    }
    return right(scores, inverted);
}

inline Matrix mask_ignored(const Matrix& scores, const Mask&)
{
    return unmasked(scores);
}

/// One row of the mask for all queries.
inline Matrix first_row_of_the_mask(const Matrix& scores, const Mask& mask)
{
    Mask repeated = mask;
    for (std::size_t i = 0; i < mask.shape(0); ++i) {
        for (std::size_t j = 0; j < mask.shape(1); ++j) {
            repeated(i, j) = mask(0, j);
        }
    }
    return right(scores, repeated);
}

/// Hides weights that have been divided already.
inline Matrix masked_after_the_softmax(const Matrix& scores, const Mask& mask)
{
    Matrix weights = unmasked(scores);
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) = mask(i, j) ? weights(i, j) : 0;
        }
    }
    return weights;
}

inline Matrix large_negative_number(const Matrix& scores, const Mask& mask)
{
    Matrix hidden = scores;
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            hidden(i, j) = mask(i, j) ? scores(i, j) : -1e9;
        }
    }
    return unmasked(hidden);
}

inline Matrix large_negative_number_added(const Matrix& scores, const Mask& mask)
{
    Matrix hidden = scores;
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            hidden(i, j) += mask(i, j) ? 0 : -1e9;
        }
    }
    return unmasked(hidden);
}

/// Minus infinity is added to the hidden score instead of put in its place.
inline Matrix minus_infinity_added(const Matrix& scores, const Mask& mask)
{
    Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const double maximum = visible_maximum(scores, mask, i);
        for (std::size_t j = 0; j < scores.shape(1) && maximum > -infinity; ++j) {
            weights(i, j) = std::exp(scores(i, j) + (mask(i, j) ? 0 : -infinity) - maximum);
        }
    }
    return shares(weights);
}

/// Multiplies each exponential by 1 or 0.
inline Matrix multiplied_by_the_mask(const Matrix& scores, const Mask& mask)
{
    Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const double maximum = visible_maximum(scores, mask, i);
        for (std::size_t j = 0; j < scores.shape(1) && maximum > -infinity; ++j) {
            weights(i, j) = std::exp(scores(i, j) - maximum) * (mask(i, j) ? 1 : 0);
        }
    }
    return shares(weights);
}

/// 0 / 0 where nothing is visible.
inline Matrix empty_row_divided(const Matrix& scores, const Mask& mask)
{
    Matrix weights = right(scores, mask);
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            sum += weights(i, j);
        }
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) /= sum;
        }
    }
    return weights;
}

inline Matrix empty_row_shared(const Matrix& scores, const Mask& mask)
{
    Matrix weights = right(scores, mask);
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        if (visible_maximum(scores, mask, i) == -infinity) {
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                weights(i, j) = 1 / static_cast<double>(scores.shape(1));
            }
        }
    }
    return weights;
}

inline Matrix maximum_over_hidden_keys(const Matrix& scores, const Mask& mask)
{
    Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        double maximum = -infinity;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            maximum = std::max(maximum, scores(i, j));
        }
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) = mask(i, j) ? std::exp(scores(i, j) - maximum) : 0;
        }
    }
    return shares(weights);
}

/// A search that begins with the first key, hidden or not.
inline Matrix maximum_from_the_first_key(const Matrix& scores, const Mask& mask)
{
    Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const double maximum = std::max(scores(i, 0), visible_maximum(scores, mask, i));
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) = mask(i, j) ? std::exp(scores(i, j) - maximum) : 0;
        }
    }
    return shares(weights);
}

inline Matrix no_maximum(const Matrix& scores, const Mask& mask)
{
    Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) = mask(i, j) ? std::exp(scores(i, j)) : 0;
        }
    }
    return shares(weights);
}

/// Each key shares itself out among the queries that see it.
inline Matrix sums_columns(const Matrix& scores, const Mask& mask)
{
    const Matrix turned_scores = xt::transpose(scores);
    const Mask turned_mask = xt::transpose(mask);
    return xt::transpose(right(turned_scores, turned_mask));
}

inline const testing::Attempts<Matrix(const Matrix&, const Mask&)> all(
    "masked_softmax",
    {{"right", right, ""},
     {"mask_inverted", mask_inverted, "is your mask the wrong way round?"},
     {"mask_ignored", mask_ignored, "what it hides weighs exactly 0"},
     {"first_row_of_the_mask", first_row_of_the_mask, "each query has its own row of the mask"},
     {"masked_after_the_softmax", masked_after_the_softmax, "hide first and divide then"},
     {"large_negative_number", large_negative_number,
      "a large negative number in place of minus infinity is still above them"},
     {"large_negative_number_added", large_negative_number_added,
      "a large negative number that is added to it leaves it large"},
     {"minus_infinity_added", minus_infinity_added, "nor is it plus minus infinity"},
     {"multiplied_by_the_mask", multiplied_by_the_mask, "0 times it is not a number"},
     {"empty_row_divided", empty_row_divided, "ask before you divide"},
     {"empty_row_shared", empty_row_shared, "no key has weight, neither all of them the same"},
     {"maximum_over_hidden_keys", maximum_over_hidden_keys,
      "take the maximum over the visible keys only"},
     {"maximum_from_the_first_key", maximum_from_the_first_key,
      "or it makes all visible exponentials 0"},
     {"no_maximum", no_maximum, "subtract the largest visible score first"},
     {"sums_columns", sums_columns, "or other queries have a part"}});

} // namespace attn::scoring_functions::your_turn::masked_softmax_attempts
