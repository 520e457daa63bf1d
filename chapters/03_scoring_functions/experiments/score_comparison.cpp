#include "chapters/03_scoring_functions/experiments/experiments.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/02_nadaraya_watson/nadaraya_watson.hpp"
#include "chapters/03_scoring_functions/retrieval.hpp"
#include "common/kernels/elementary.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/results.hpp"
#include "common/program/trace.hpp"
#include "common/random/random.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace attn::scoring_functions {

using program::fixed;
using program::Frame;

namespace {

/// A row of numbers as text: "0.705 0.259 0.035".
std::string show_row(const Matrix& matrix, std::size_t row, int decimals)
{
    return fmt::format(
        "{}", fmt::join(program::texts_of(single_row(matrix, row), fixed, decimals), " "));
}

std::string yes_or_no(bool is_so)
{
    return is_so ? "yes" : "no";
}

} // namespace

void show_costs(Frame& frame)
{
    const CallSizes sizes = {10, 20, 64, 64, 16};
    frame.terminal.introduce(
        "What a score costs",
        "One call with {} queries and {} keys of {} numbers each, which the last two scores "
        "map "
        "to {} numbers. Products are multiplications and divisions; calls are those of tanh "
        "and the square root; the last column is the largest array on the way.",
        sizes.n_queries, sizes.n_keys, sizes.d_k, sizes.d_hidden);
    program::Table table(
        {"score", "parameters", "products", "calls", "sizes may differ", "largest array"});
    for (const Cost& cost : costs(sizes)) {
        table.row({cost.name, std::to_string(cost.parameters), std::to_string(cost.products),
                   std::to_string(cost.calls), yes_or_no(cost.sizes_may_differ),
                   fmt::format("{}", fmt::join(cost.largest, " x "))});
    }
    frame.terminal.table(table);
}

double gaussian_minus_dot(std::uint64_t seed, std::size_t table, double spread)
{
    constexpr std::size_t d = 8;
    constexpr double bandwidth = 1.5;
    random::Generator generator(seed, random::Stream::keys_of_any_norm, table);
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

LengthEffect length_effect(std::uint64_t seed, double spread)
{
    constexpr std::size_t n_tables = 20;
    std::vector<double> gaps;
    for (std::size_t table = 0; table < n_tables; ++table) {
        gaps.push_back(gaussian_minus_dot(seed, table, spread));
    }
    std::sort(gaps.begin(), gaps.end());
    return {gaps.front(), 0.5 * (gaps[n_tables / 2 - 1] + gaps[n_tables / 2]), gaps.back()};
}

void show_lengths(Frame& frame)
{
    frame.terminal.introduce(
        "Gaussian kernel and dot product",
        "The largest difference between a weight of the Gaussian kernel of bandwidth 1.5 and "
        "one of the softmax of q.k at temperature 1.5^2, over 200 queries and 16 keys of 8 "
        "numbers: the smallest, the median and the largest over 20 tables of keys. The spread "
        "is the standard deviation of the logarithm of a key's length.");
    program::Table table({"spread of lengths", "smallest", "median", "largest"});
    const auto cell = [](double gap) { return gap < 1e-12 ? "below 1e-12" : fixed(gap, 3); };
    for (const double spread : {0.0, 0.05, 0.1, 0.2, 0.4, 0.8}) {
        const auto [smallest, median, largest] = length_effect(frame.options.seed, spread);
        table.row({fixed(spread, 2), cell(smallest), cell(median), cell(largest)});
    }
    frame.terminal.table(table);

    const Vector spreads = xt::linspace<double>(0, 0.8, 33);
    std::vector<LengthEffect> effects(spreads.size());
    parallel::for_each_index(spreads.size(), frame.options.threads, [&](std::size_t i) {
        effects[i] = length_effect(frame.options.seed, spreads(i));
    });
    program::CsvRows csv({{"spread", program::significant, 4},
                          {"smallest", fixed, 4},
                          {"median", fixed, 4},
                          {"largest", fixed, 4}});
    for (std::size_t i = 0; i < spreads.size(); ++i) {
        csv.add({spreads(i), effects[i].smallest, effects[i].median, effects[i].largest});
    }
    frame.files.write_csv("lengths.csv", csv.columns());
}

void show_retrieval(Frame& frame)
{
    const std::vector<Retrieval> tasks = retrieval_tasks(frame.options.seed);
    std::vector<std::vector<RetrievalResult>> results(tasks.size());
    parallel::for_each_index(tasks.size(), frame.options.threads, [&](std::size_t task) {
        results[task] =
            retrieve(tasks[task], constructed_scores(tasks[task]), frame.options.seed);
    });
    frame.terminal.introduce("Which score finds the key that the query was made from?",
                             "Share of 4000 queries, among {} keys of 16 standard normal "
                             "numbers; a query is its key "
                             "seen through a matrix, and noise: q = M k + noise. Scores with "
                             "parameters have them made from M.",
                             n_retrieval_keys);
    std::vector<std::string> header = {"score"};
    for (const Retrieval& task : tasks) {
        header.push_back(task.name);
    }
    program::Table table(header);
    program::Results csv({"task", "score"}, {{"accuracy", fixed, 3}});
    for (std::size_t which = 0; which < results[0].size(); ++which) {
        std::vector<std::string> cells = {results[0][which].score};
        for (std::size_t task = 0; task < tasks.size(); ++task) {
            const std::size_t left_out = results[0].size() - results[task].size();
            const bool fits = which >= left_out; // those that need equal sizes come first
            const double accuracy =
                fits ? results[task][which - left_out].accuracy : std::nan("");
            cells.push_back(fits ? fixed(accuracy, 3) : "-");
            csv.add({program::key_name(tasks[task].name), program::key_name(cells.front())},
                    {accuracy});
        }
        table.row(cells);
    }
    std::vector<std::string> chance(tasks.size(), fixed(1.0 / n_retrieval_keys, 3));
    chance.insert(chance.begin(), "chance");
    table.row(chance);
    frame.terminal.table(table);
    frame.files.write_csv("retrieval.csv", csv.columns());

    frame.terminal.introduce(
        "The additive score and its bias",
        "Cross-entropy in the task 'same', the mean of -ln of the right key's weight; equal "
        "weights have ln {} = {}.",
        n_retrieval_keys, fixed(elementary::log(static_cast<double>(n_retrieval_keys)), 3));
    program::Table losses({"score", "found", "cross-entropy"});
    for (std::size_t which = results[0].size() - 2; which < results[0].size(); ++which) {
        const RetrievalResult& result = results[0][which];
        losses.row({result.score, fixed(result.accuracy, 3), fixed(result.cross_entropy, 3)});
    }
    frame.terminal.table(losses);
}

void show_projections(Frame& frame)
{
    const std::vector<Retrieval> tasks = retrieval_tasks(frame.options.seed);
    const std::vector<Retrieval> tried = {tasks[2], tasks[3]}; // rotated, noisy
    const std::vector<std::size_t> kept = {1, 2, 4, 8, 12, 16};
    std::vector<std::vector<RetrievalResult>> results(tried.size());
    parallel::for_each_index(tried.size(), frame.options.threads, [&](std::size_t task) {
        std::vector<lookup::Score> scores;
        for (const std::size_t d_c : kept) {
            scores.push_back(constructed_projections(tried[task], d_c));
        }
        results[task] = retrieve(tried[task], scores, frame.options.seed);
    });
    frame.terminal.introduce(
        "How many numbers must the projections keep?",
        "Share of the same 4000 queries whose key has the highest (W_q q).(W_k k), where the "
        "projections make d_c numbers. A full matrix W has 256 parameters.");
    program::Table table({"d_c", "parameters", tried[0].name, tried[1].name});
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const std::size_t parameters = kept[i] * (tried[0].M.shape(0) + tried[0].M.shape(1));
        table.row({std::to_string(kept[i]), std::to_string(parameters),
                   fixed(results[0][i].accuracy, 3), fixed(results[1][i].accuracy, 3)});
    }
    frame.terminal.table(table);
}

void show_masks(Frame& frame)
{
    const Matrix scores = {{2, 1, 0.5}, {2, 1, 0.5}, {2, 1, 0.5}};
    const Mask mask = length_mask({3, 2, 0}, 3);
    const std::vector<std::string> unmasked = {"all three", "the first two", "none"};
    const Matrix masked = masked_softmax(scores, mask);
    const Matrix replaced = lookup::softmax(mask_scores(scores, mask, -1e6));
    frame.terminal.introduce(
        "What a mask hides",
        "The weights for the scores 2, 1, 0.5 of three keys, where a masked score becomes "
        "minus infinity, and where it becomes -1,000,000.");
    program::Table table({"not masked", "minus infinity", "-1,000,000"});
    for (std::size_t row = 0; row < unmasked.size(); ++row) {
        table.row({unmasked[row], show_row(masked, row, 3), show_row(replaced, row, 3)});
    }
    frame.terminal.table(table);
}

std::vector<NormaliserProperties> check_normalisers()
{
    const Matrix scores = {{1, 0.5, -1}, {0.5, 0.25, 0.125}, {1, -1, 0}};
    constexpr double nudge = 1e-6;
    std::vector<NormaliserProperties> properties;
    for (const lookup::Normaliser& normaliser : candidate_normalisers()) {
        const Matrix weights = normaliser(scores);
        const Matrix shifted = normaliser(scores + 1.0);
        const Vector sums = xt::sum(weights, {1});
        NormaliserProperties holds{normaliser.name, true, true, true, true};
        holds.on_simplex = xt::all(weights >= 0.0) && xt::all(xt::abs(sums - 1.0) < 1e-9);
        holds.ignores_shift = xt::all(xt::abs(weights - shifted) < 1e-9);
        for (std::ptrdiff_t j = 0; j < 3; ++j) { // each key in turn
            Matrix raised = scores;
            xt::col(raised, j) += nudge;
            const Matrix nudged = normaliser(raised);
            const Vector slopes = (xt::col(nudged, j) - xt::col(weights, j)) / nudge;
            holds.feels_a_nudge &= xt::all(slopes > 1e-3) && xt::all(slopes < 1e3);
        }
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                for (std::size_t l = 0; l < scores.shape(1); ++l) {
                    holds.keeps_order &=
                        scores(i, j) <= scores(i, l) || weights(i, j) >= weights(i, l);
                }
            }
        }
        properties.push_back(holds);
    }
    return properties;
}

void show_normalisers(Frame& frame)
{
    const Matrix scores = {{1, 0.5, -1}, {11, 10.5, 9}, {1, -1, 0}};
    frame.terminal.heading("Why softmax? The weights of other normalisers");
    program::Table weights({"normaliser", "of 1, 0.5, -1", "of 11, 10.5, 9", "of 1, -1, 0"});
    for (const lookup::Normaliser& normaliser : candidate_normalisers()) {
        const Matrix found = normaliser(scores);
        weights.row({normaliser.name, show_row(found, 0, 3), show_row(found, 1, 3),
                     show_row(found, 2, 3)});
    }
    frame.terminal.table(weights);
    frame.terminal.introduce(
        "What the normalisers have",
        "What holds for the scores 1, 0.5, -1 and 0.5, 0.25, 0.125 and 1, -1, 0, with 1 added "
        "to all of them (a shift), and with one after the other raised by 1e-6 (a nudge).");
    program::Table properties({"normaliser", "on the simplex", "keeps the order",
                               "ignores a shift", "feels a nudge"});
    for (const NormaliserProperties& holds : check_normalisers()) {
        properties.row({holds.name, yes_or_no(holds.on_simplex), yes_or_no(holds.keeps_order),
                        yes_or_no(holds.ignores_shift), yes_or_no(holds.feels_a_nudge)});
    }
    frame.terminal.table(properties);
}

void show_pencil_steps(Frame& frame)
{
    namespace pencil = lookup::pencil_example;
    const Matrix queries = pencil::queries();
    const Matrix keys = pencil::keys();
    const Matrix values = pencil::values();
    program::trace_inputs(frame.terminal, queries, keys, values);
    for (const lookup::Score& score : parameterless_scores()) {
        frame.terminal.heading(score.name);
        program::trace(frame.terminal, "S", score.idea, "n_queries, n_keys",
                       score(queries, keys));
    }

    const Matrix W = {{0, 1}, {1, 0}};
    frame.terminal.heading("multiplicative");
    program::trace(frame.terminal, "W", "swaps the two numbers of a key", "d_q, d_k", W);
    program::trace(frame.terminal, "W K", "each key seen through W", "n_keys, d_q",
                   lookup::dot_product(keys, W));
    program::trace(frame.terminal, "S", "q.W k", "n_queries, n_keys",
                   multiplicative(queries, keys, W));

    const Matrix sum = {{1, 1}};
    const Matrix first = {{1, 0}};
    frame.terminal.heading("projected");
    program::trace(frame.terminal, "W_q", "the sum of a query's numbers", "d_c, d_q", sum);
    program::trace(frame.terminal, "W_k", "the first number of a key", "d_c, d_k", first);
    program::trace(frame.terminal, "W_q Q", "each query projected", "n_queries, d_c",
                   lookup::dot_product(queries, sum));
    program::trace(frame.terminal, "W_k K", "each key projected", "n_keys, d_c",
                   lookup::dot_product(keys, first));
    program::trace(frame.terminal, "S", "(W_q q).(W_k k)", "n_queries, n_keys",
                   projected(queries, keys, sum, first));

    const Additive parameters = {{{1, 0}, {0, 1}}, {{-1, 0}, {0, -1}}, {1, 1}, {1, 1}};
    const auto& [W_q, W_k, b, w] = parameters;
    frame.terminal.heading("additive");
    program::trace(frame.terminal, "W_q", "of the queries", "d_hidden, d_q", W_q);
    program::trace(frame.terminal, "W_k", "of the keys", "d_hidden, d_k", W_k);
    program::trace(frame.terminal, "b", "the bias", "d_hidden", b);
    program::trace(frame.terminal, "w", "of the hidden units", "d_hidden", w);
    const Tensor3 hidden = hidden_units(queries, keys, parameters);
    for (std::size_t unit = 0; unit < w.size(); ++unit) {
        const Matrix one_unit = xt::view(hidden, xt::all(), xt::all(), unit);
        program::trace(frame.terminal, fmt::format("H{}", unit + 1),
                       fmt::format("tanh(W_q q + W_k k + b), unit {}", unit + 1),
                       "n_queries, n_keys", one_unit);
    }
    program::trace(frame.terminal, "S", "w.H", "n_queries, n_keys",
                   additive(queries, keys, parameters));

    frame.terminal.heading("scaled dot, with a mask: the first query may see two keys");
    const Matrix hidden_scores =
        mask_scores(scaled_dot_product(queries, keys), length_mask({2, 3}, keys.shape(0)));
    const Matrix weights = lookup::softmax(hidden_scores);
    program::trace(frame.terminal, "S", "q.k / sqrt(d), or -inf", "n_queries, n_keys",
                   hidden_scores);
    program::trace(frame.terminal, "A", "softmax of S", "n_queries, n_keys", weights);
    program::trace(frame.terminal, "C", "the contexts A V", "n_queries, d_v",
                   lookup::weighted_sum(weights, values));
}

} // namespace attn::scoring_functions
