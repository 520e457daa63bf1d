#include "chapters/03_scoring_functions/scoring_functions.hpp"

#include "common/kernels/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace attn::scoring_functions {

using lookup::dot_product;

// ---------------------------------------------------------------- scores

Matrix scaled_dot_product(const Matrix& queries, const Matrix& keys)
{
    expect(keys.shape(1) >= 1, "scaled_dot_product: keys must have at least one column, got 0");
    const double root = std::sqrt(static_cast<double>(keys.shape(1)));
    return dot_product(queries, keys) / root; // [n_queries, n_keys]
}

Matrix multiplicative(const Matrix& queries, const Matrix& keys, const Matrix& W)
{
    expect_rows(W, queries.shape(1), "multiplicative", "W", "one row a number of the query");
    const Matrix seen_keys = dot_product(keys, W); // W k_j, [n_keys, d_q]
    return dot_product(queries, seen_keys);        // [n_queries, n_keys]
}

// [projected]
Matrix projected(const Matrix& queries, const Matrix& keys, const Matrix& W_q,
                 const Matrix& W_k)
{
    const Matrix from_queries = dot_product(queries, W_q); // W_q q_i, [n_queries, d_c]
    const Matrix from_keys = dot_product(keys, W_k);       // W_k k_j, [n_keys, d_c]
    return dot_product(from_queries, from_keys);           // [n_queries, n_keys]
}
// [projected]

namespace {

/// Every parameter has a row, or an entry, for each hidden unit.
void expect_one_size(const Additive& parameters)
{
    const auto& [W_q, W_k, b, w] = parameters;
    expect_rows(W_q, w.size(), "hidden_units", "W_q", "one row a hidden unit");
    expect_rows(W_k, w.size(), "hidden_units", "W_k", "one row a hidden unit");
    expect(b.size() == w.size(),
           "hidden_units: b must have {} entries, one a hidden unit, got {}", w.size(),
           b.size());
}

} // namespace

// [additive]
Tensor3 hidden_units(const Matrix& queries, const Matrix& keys, const Additive& parameters)
{
    const auto& [W_q, W_k, b, w] = parameters;
    expect_one_size(parameters);
    const Matrix from_queries = dot_product(queries, W_q); // W_q q_i, [n_queries, d_hidden]
    const Matrix from_keys = dot_product(keys, W_k);       // W_k k_j, [n_keys, d_hidden]
    const Tensor3 per_query = xt::view(from_queries, xt::all(), xt::newaxis(), xt::all());
    const Tensor3 per_key = xt::view(from_keys, xt::newaxis(), xt::all(), xt::all());
    const Tensor3 sums = per_query + per_key + b; // [n_queries, n_keys, d_hidden]
    return xt::tanh(sums);
}

Matrix additive(const Matrix& queries, const Matrix& keys, const Additive& parameters)
{
    const Tensor3 weighed = hidden_units(queries, keys, parameters) * parameters.w;
    return xt::sum(weighed, {2}); // [n_queries, n_keys]
}
// [additive]

// [normed_scores]
Matrix unit_rows(const Matrix& rows)
{
    // Divided by its largest number first, so that no square is too large or too small.
    const Matrix largest = xt::amax(xt::abs(rows), {1}, xt::keep_dims); // [n_rows, 1]
    const Matrix safe = rows / xt::where(largest > 0.0, largest, 1.0);  // [n_rows, d]
    const Matrix length =
        xt::sqrt(xt::sum(xt::square(safe), {1}, xt::keep_dims)); // [n_rows, 1]
    return safe / xt::where(length > 0.0, length, 1.0);
}

Matrix cosine(const Matrix& queries, const Matrix& keys)
{
    return dot_product(unit_rows(queries), unit_rows(keys));
}

Matrix dot_with_key_bias(const Matrix& queries, const Matrix& keys)
{
    const Vector bias = -0.5 * xt::sum(xt::square(keys), {1}); // [n_keys]
    return dot_product(queries, keys) + bias;                  // [n_queries, n_keys]
}
// [normed_scores]

const std::vector<lookup::Score>& parameterless_scores()
{
    static const std::vector<lookup::Score> table = {
        {"dot", "q.k", dot_product},
        {"scaled dot", "q.k / sqrt(d)", scaled_dot_product},
        {"cosine", "q.k / |q| |k|", cosine},
        {"dot + key bias", "q.k - |k|^2 / 2", dot_with_key_bias},
    };
    return table;
}

// ---------------------------------------------------------------- the root of d

// [jacobian_norms]
Vector jacobian_norms(const Matrix& weights)
{
    // sum_jl (p_j [j = l] - p_j p_l)^2 = sum p^2 - 2 sum p^3 + (sum p^2)^2
    const Vector squares = xt::sum(xt::pow<2>(weights), {1}); // [n_queries]
    const Vector cubes = xt::sum(xt::pow<3>(weights), {1});   // [n_queries]
    return xt::sqrt(xt::fmax(squares - 2.0 * cubes + squares * squares, 0.0));
}
// [jacobian_norms]

// ---------------------------------------------------------------- what a score costs

namespace {

using Shape = std::vector<std::size_t>;

/// Of two arrays the one with more numbers.
Shape larger(const Shape& a, const Shape& b)
{
    const auto n_numbers = [](const Shape& shape) {
        return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    };
    return n_numbers(a) >= n_numbers(b) ? a : b;
}

} // namespace

std::vector<Cost> costs(const CallSizes& sizes)
{
    const auto& [n_queries, n_keys, d_q, d_k, d_hidden] = sizes;
    const std::size_t pairs = n_queries * n_keys;
    const Shape scores = {n_queries, n_keys};
    return {
        {"dot", 0, pairs * d_k, 0, false, scores},
        {"scaled dot", 0, pairs * d_k + pairs, 1, false, scores},
        {"cosine", 0, pairs * d_k + 2 * (n_queries + n_keys) * d_k, n_queries + n_keys, false,
         larger(scores, {std::max(n_queries, n_keys), d_k})},
        {"dot + key bias", 0, pairs * d_k + n_keys * (d_k + 1), 0, false, scores},
        {"multiplicative", d_q * d_k, n_keys * d_q * d_k + pairs * d_q, 0, true,
         larger(scores, {n_keys, d_q})},
        {"projected", d_hidden * (d_q + d_k),
         d_hidden * (n_queries * d_q + n_keys * d_k + pairs), 0, true,
         larger(scores, {std::max(n_queries, n_keys), d_hidden})},
        {"additive",
         d_hidden * (d_q + d_k + 2),
         d_hidden * (n_queries * d_q + n_keys * d_k + pairs),
         d_hidden * pairs,
         true,
         {n_queries, n_keys, d_hidden}},
    };
}

// ---------------------------------------------------------------- masks

Mask length_mask(const std::vector<std::size_t>& lengths, std::size_t n_keys)
{
    Mask mask = xt::zeros<bool>({lengths.size(), n_keys});
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        expect(lengths[i] <= n_keys,
               "length_mask: lengths must be at most n_keys = {}, got {} for query "
               "{}",
               n_keys, lengths[i], i);
        for (std::size_t j = 0; j < lengths[i]; ++j) {
            mask(i, j) = true;
        }
    }
    return mask;
}

Mask causal_mask(std::size_t n)
{
    std::vector<std::size_t> lengths;
    for (std::size_t i = 0; i < n; ++i) {
        lengths.push_back(i + 1);
    }
    return length_mask(lengths, n);
}

// [mask_scores]
Matrix mask_scores(const Matrix& scores, const Mask& mask, double masked_score)
{
    expect(scores.shape(0) == mask.shape(0) && scores.shape(1) == mask.shape(1),
           "mask_scores: mask must have the shape of scores, {}, got [{}, {}]",
           shape_of(scores), mask.shape(0), mask.shape(1));
    return xt::where(mask, scores, masked_score);
}
// [mask_scores]

// [masked_softmax]
Matrix masked_softmax(const Matrix& scores, const Mask& mask)
{
    return lookup::softmax(mask_scores(scores, mask));
}
// [masked_softmax]

// ---------------------------------------------------------------- constructed parameters

// [distance_by_additive]
Additive distance_by_additive(const Matrix& M, double epsilon)
{
    expect_positive(epsilon, "distance_by_additive", "epsilon");
    const std::size_t d_q = M.shape(0);
    const std::size_t d_k = M.shape(1);

    // At b the tanh bends most: tanh(b + x) + tanh(b - x) = 2 tanh b - bend x^2 + O(x^4).
    const double b = 0.5 * elementary::log(2 + std::sqrt(3.0)); // tanh b = 1 / sqrt(3)
    const double bend =
        2 * elementary::tanh(b) * (1 - elementary::tanh(b) * elementary::tanh(b));
    Additive parameters;
    parameters.W_q = Matrix::from_shape({2 * d_k, d_q});
    parameters.W_k = xt::zeros<double>({2 * d_k, d_k});
    parameters.b = xt::full_like(Vector::from_shape({2 * d_k}), b);
    parameters.w = xt::full_like(parameters.b, 0.5 / (bend * epsilon * epsilon));

    // Units 2m and 2m + 1 see epsilon times the difference in coordinate m, and minus that.
    for (std::size_t unit = 0; unit < 2 * d_k; ++unit) {
        const std::size_t m = unit / 2;
        const double sign = unit % 2 == 0 ? epsilon : -epsilon;
        for (std::size_t row = 0; row < d_q; ++row) {
            parameters.W_q(unit, row) = sign * M(row, m);
            for (std::size_t column = 0; column < d_k; ++column) {
                parameters.W_k(unit, column) -= sign * M(row, m) * M(row, column);
            }
        }
    }
    return parameters;
}
// [distance_by_additive]

// ---------------------------------------------------------------- other normalisers

namespace {

/// Each entry divided by its row's sum, whatever that is.
Matrix over_sum(const Matrix& numbers)
{
    const Matrix row_sum = xt::sum(numbers, {1}, xt::keep_dims); // [n_queries, 1]
    return numbers / row_sum;
}

} // namespace

Matrix sparsemax(const Matrix& scores)
{
    Matrix weights = Matrix::from_shape(scores.shape());
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        Vector sorted = xt::row(scores, static_cast<std::ptrdiff_t>(i));
        std::sort(sorted.begin(), sorted.end(), std::greater<>());

        // As many of the highest scores as stay above the threshold that they make.
        double sum = 0;
        double threshold = std::numeric_limits<double>::infinity();
        for (std::size_t above = 1; above <= sorted.size(); ++above) {
            sum += sorted(above - 1);
            const double share = (sum - 1) / static_cast<double>(above);
            threshold = sorted(above - 1) > share ? share : threshold;
        }
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) = std::max(scores(i, j) - threshold, 0.0);
        }
    }
    return weights;
}

std::vector<lookup::Normaliser> candidate_normalisers()
{
    return {
        {"softmax", "e^s over their sum", [](const Matrix& s) { return lookup::softmax(s); }},
        {"hard maximum", "1 for the highest score", lookup::one_hot},
        {"ratio", "s over their sum", over_sum},
        {"squares", "s^2 over their sum",
         [](const Matrix& s) { return over_sum(xt::square(s)); }},
        {"sparsemax", "the nearest point of the simplex", sparsemax},
    };
}

} // namespace attn::scoring_functions
