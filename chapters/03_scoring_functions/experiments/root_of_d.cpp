#include "chapters/03_scoring_functions/experiments/root_of_d.hpp"

#include "chapters/03_scoring_functions/retrieval.hpp"
#include "common/kernels/elementary.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/random/random.hpp"

#include <algorithm>
#include <cmath>

namespace attn::scoring_functions {

using program::fixed;
using program::Frame;

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
    for (std::size_t i = 0; i < n_sizes; ++i) {
        const std::size_t d = std::size_t{1} << i;
        const Matrix short_query = xt::view(query, xt::all(), xt::range(0, d));
        const Matrix short_keys = xt::view(keys, xt::all(), xt::range(0, d));
        example.sizes(i) = static_cast<double>(d);
        xt::view(example.plain.scores, xt::range(i, i + 1), xt::all()) =
            lookup::dot_product(short_query, short_keys);
    }
    example.scaled.scores = example.plain.scores / as_column(xt::sqrt(example.sizes));
    example.plain.weights = lookup::softmax(example.plain.scores);
    example.scaled.weights = lookup::softmax(example.scaled.scores);
    return example;
}

void show_root(Frame& frame, const RootOptions& options, bool written)
{
    frame.terminal.introduce(
        "The root of d",
        "Queries and keys of d standard normal numbers. var/d: the variance of q.k, over {} "
        "pairs of them, divided by d. Then the softmax of 2000 queries over {} keys, first of "
        "q.k, then of q.k / sqrt(d): its entropy, as a share of ln {}, the entropy of equal "
        "weights; the mean of the largest weight; the share of queries with a weight above "
        ".99; and |J|, the median norm of the Jacobian d weights / d scores.",
        frame.options.quick ? "8000" : "128000 (32000 for d above 64)", options.n_keys,
        options.n_keys);
    const std::vector<RootEffect> effects =
        root_effects(frame.options.seed, options.sizes, options.n_keys, frame.options.quick,
                     frame.options.threads);
    program::Table table({"d", "var/d", "q.k: entropy", "largest", ">.99", "|J|",
                          "scaled: entropy", "largest", ">.99", "|J|"});
    for (const auto& [d, variance_over_d, plain, scaled] : effects) {
        std::vector<std::string> cells = {std::to_string(d), fixed(variance_over_d, 3)};
        for (const Saturation& rows : {plain, scaled}) {
            cells.insert(cells.end(), {fixed(rows.entropy, 3), fixed(rows.largest, 2),
                                       fixed(rows.share_decided, 2), fixed(rows.jacobian, 3)});
        }
        table.row(cells);
    }
    frame.terminal.table(table);
    if (!written) {
        return;
    }
    program::CsvRows csv({"d", "variance_over_d", "entropy_plain", "decided_plain",
                          "jacobian_plain", "entropy_scaled", "decided_scaled",
                          "jacobian_scaled"},
                         program::significant, 4);
    for (const auto& [d, variance_over_d, plain, scaled] : effects) {
        csv.add({static_cast<double>(d), variance_over_d, plain.entropy, plain.share_decided,
                 plain.jacobian, scaled.entropy, scaled.share_decided, scaled.jacobian});
    }
    frame.files.write_csv("root.csv", csv.columns());
}

void show_root_slider(Frame& frame)
{
    const GrowingExample example = growing_example(frame.options.seed);
    program::WidgetData data;
    data.set("sizes", example.sizes, 4);
    data.set("plain_scores", example.plain.scores, 3)
        .set("plain_weights", example.plain.weights, 3)
        .set("scaled_scores", example.scaled.scores, 3)
        .set("scaled_weights", example.scaled.weights, 3);
    frame.files.write_widget_data("03_scoring_functions_root.data.js", data);
}

} // namespace attn::scoring_functions
