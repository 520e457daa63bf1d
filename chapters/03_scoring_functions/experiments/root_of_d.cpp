#include "chapters/03_scoring_functions/experiments/experiments.hpp"

#include "chapters/03_scoring_functions/retrieval.hpp"
#include "common/kernels/elementary.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/random/random.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>

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
        random::Generator generator(seed, random::Stream::dot_products, n_pieces * d + piece);
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
        result.share_saturated += largest > 0.99 ? 1 / n : 0;
    }
    Vector norms = jacobian_norms(weights);
    std::sort(norms.begin(), norms.end(), std::greater<>());
    result.median_norm = 0.5 * (norms((n_rows - 1) / 2) + norms(n_rows / 2));
    const double sum = std::accumulate(norms.begin(), norms.end(), 0.0);
    const auto tenth = static_cast<std::ptrdiff_t>((n_rows + 9) / 10);
    const double of_tenth = std::accumulate(norms.begin(), norms.begin() + tenth, 0.0);
    result.mean_norm = sum / n;
    result.top_tenth = sum > 0 ? of_tenth / sum : 0;
    return result;
}

Matrix scores_of_normal_keys(std::uint64_t seed, std::size_t d, std::size_t n_keys)
{
    constexpr std::size_t n_tables = 100;
    constexpr std::size_t n_queries = 20;
    random::Generator generator(seed, random::Stream::key_tables, d);
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
        const double d = static_cast<double>(sizes[i]);
        effects[i].scaled = saturation(lookup::softmax(scores, std::sqrt(d)));
        effects[i].scaled.median_norm /= std::sqrt(d); // with respect to q.k, as the others
        effects[i].scaled.mean_norm /= std::sqrt(d);
        effects[i].entropy_over_d = saturation(lookup::softmax(scores, d)).entropy;
    });
    return effects;
}

GrowingExample growing_example(std::uint64_t seed)
{
    constexpr std::size_t n_keys = 16;
    constexpr std::size_t n_sizes = 11;
    random::Generator generator(seed, random::Stream::growing_keys);
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
    const std::vector<RootEffect> effects =
        root_effects(frame.options.seed, options.sizes, options.n_keys, frame.options.quick,
                     frame.options.threads);
    std::vector<RootEffect> printed;
    for (std::size_t i = 0; i < effects.size(); i += written ? 2 : 1) {
        printed.push_back(effects[i]);
    }

    frame.terminal.introduce(
        "The root of d: how soft are the weights?",
        "Queries and keys of d standard normal numbers. var/d: the variance of q.k over at "
        "least {} pairs, divided by d. Then 2000 queries over {} keys, with the softmax of "
        "q.k, of q.k/sqrt(d) and of q.k/d: the entropy of the weights, as a share of ln {}, "
        "the entropy of equal weights; and the share of saturated queries, those with a "
        "weight above .99.",
        frame.options.quick ? "8000" : "32000", options.n_keys, options.n_keys);
    program::Table soft(
        {"d", "var/d", "entropy: q.k", "/sqrt(d)", "/d", "saturated: q.k", "/sqrt(d)"});
    for (const RootEffect& effect : printed) {
        soft.row({std::to_string(effect.d), fixed(effect.variance_over_d, 3),
                  fixed(effect.plain.entropy, 3), fixed(effect.scaled.entropy, 3),
                  fixed(effect.entropy_over_d, 3), fixed(effect.plain.share_saturated, 3),
                  fixed(effect.scaled.share_saturated, 3)});
    }
    frame.terminal.table(soft);

    frame.terminal.introduce(
        "The root of d: which queries respond?",
        "The slopes of the weights with respect to q.k are a matrix for each of the same 2000 "
        "queries. Of the norm of that matrix, with the softmax of q.k and of q.k/sqrt(d): the "
        "median, the mean, and the share of the sum that the tenth of the queries with the "
        "largest norms has.");
    program::Table responses({"d", "median: q.k", "/sqrt(d)", "mean: q.k", "/sqrt(d)",
                              "top tenth: q.k", "/sqrt(d)"});
    for (const RootEffect& effect : printed) {
        const Saturation& plain = effect.plain;
        const Saturation& scaled = effect.scaled;
        responses.row({std::to_string(effect.d), fixed(plain.median_norm, 4),
                       fixed(scaled.median_norm, 4), fixed(plain.mean_norm, 4),
                       fixed(scaled.mean_norm, 4), fixed(plain.top_tenth, 2),
                       fixed(scaled.top_tenth, 2)});
    }
    frame.terminal.table(responses);
    if (!written) {
        return;
    }
    program::CsvRows csv({"d", "variance_over_d", "entropy_plain", "saturated_plain",
                          "median_plain", "mean_plain", "entropy_scaled", "saturated_scaled",
                          "median_scaled", "mean_scaled"},
                         program::significant, 4);
    for (const RootEffect& effect : effects) {
        const Saturation& plain = effect.plain;
        const Saturation& scaled = effect.scaled;
        csv.add({static_cast<double>(effect.d), effect.variance_over_d, plain.entropy,
                 plain.share_saturated, plain.median_norm, plain.mean_norm, scaled.entropy,
                 scaled.share_saturated, scaled.median_norm, scaled.mean_norm});
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
