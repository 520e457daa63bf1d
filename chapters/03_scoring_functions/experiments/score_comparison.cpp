#include "chapters/03_scoring_functions/experiments/score_comparison.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/02_nadaraya_watson/nadaraya_watson.hpp"
#include "chapters/03_scoring_functions/retrieval.hpp"
#include "common/kernels/elementary.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/trace.hpp"
#include "common/random/random.hpp"

#include <cmath>
#include <fmt/format.h>

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
    const CallSizes sizes = {10, 20, 64, 64, 64};
    frame.terminal.introduce(
        "What a score costs",
        "One call with {} queries and {} keys of {} numbers each, and {} hidden units in the "
        "additive score. Products are multiplications and divisions; calls are those of tanh "
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

void show_lengths(Frame& frame)
{
    frame.terminal.introduce(
        "Gaussian kernel and dot product",
        "The largest difference between a weight of the Gaussian kernel of width 1.5 and one "
        "of the softmax of q.k at temperature 1.5^2, over 200 queries and 16 keys of 8 "
        "numbers. The spread is the standard deviation of the logarithm of a key's length.");
    program::Table table({"spread of lengths", "largest difference"});
    for (const double spread : {0.0, 0.05, 0.1, 0.2, 0.4, 0.8}) {
        const double gap = gaussian_minus_dot(frame.options.seed, spread);
        table.row({fixed(spread, 2), gap < 1e-12 ? "below 1e-12" : fixed(gap, 3)});
    }
    frame.terminal.table(table);

    program::CsvRows csv(
        {{"spread", program::significant, 4}, {"largest_difference", fixed, 4}});
    for (const double spread : Vector(xt::linspace<double>(0, 0.8, 33))) {
        csv.add({spread, gaussian_minus_dot(frame.options.seed, spread)});
    }
    frame.files.write_csv("lengths.csv", csv.columns());
}

void show_retrieval(Frame& frame)
{
    const std::vector<Retrieval> tasks = retrieval_tasks(frame.options.seed);
    std::vector<std::vector<RetrievalResult>> results(tasks.size());
    parallel::for_each_index(tasks.size(), frame.options.threads, [&](std::size_t task) {
        results[task] = retrieve(tasks[task], frame.options.seed);
    });
    frame.terminal.introduce(
        "Which score finds the key that the query was made from?",
        "Share of 4000 queries, among {} keys of 16 standard normal numbers. A query is made "
        "from its key, q = M k + noise of standard deviation 0.5. Nothing is learnt: scores "
        "with parameters are given M, but for the additive one without a bias, whose "
        "parameters are random. Same: M is the identity. Lengths: so it is, and the keys are "
        "stretched, the logarithm of the factor having standard deviation 0.8. Rotated: M is a "
        "rotation. Noisy: in half of the query's numbers M k is 0 and the noise 3. 24 to 16: "
        "the query has 24 numbers, the key 16, and scores without parameters do not apply.",
        n_retrieval_keys);
    std::vector<std::string> header = {"score"};
    for (const Retrieval& task : tasks) {
        header.push_back(task.name);
    }
    program::Table table(header);
    program::CsvRows csv({{"task", fixed, 0}, {"score", fixed, 0}, {"accuracy", fixed, 3}});
    for (std::size_t which = 0; which < results[0].size(); ++which) {
        std::vector<std::string> cells = {results[0][which].score};
        for (std::size_t task = 0; task < tasks.size(); ++task) {
            const std::size_t left_out = results[0].size() - results[task].size();
            const bool fits = which >= left_out; // those that need equal sizes come first
            const double accuracy =
                fits ? results[task][which - left_out].accuracy : std::nan("");
            cells.push_back(fits ? fixed(accuracy, 3) : "-");
            csv.add({static_cast<double>(task), static_cast<double>(which), accuracy});
        }
        table.row(cells);
    }
    std::vector<std::string> chance(tasks.size(), fixed(1.0 / n_retrieval_keys, 3));
    chance.insert(chance.begin(), "chance");
    table.row(chance);
    frame.terminal.table(table);
    frame.terminal.line();
    frame.terminal.paragraph(fmt::format(
        "Cross-entropy of the additive score without a bias in the first task: {}. Equal "
        "weights have ln {} = {}.",
        fixed(results[0][results[0].size() - 2].cross_entropy, 3), n_retrieval_keys,
        fixed(elementary::log(static_cast<double>(n_retrieval_keys)), 3)));
    frame.files.write_csv("retrieval.csv", csv.columns());
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
        "The weights for the scores 2, 1, 0.5 of three keys, where a hidden score becomes "
        "minus infinity, and where it becomes -1,000,000.");
    program::Table table({"visible keys", "minus infinity", "-1,000,000"});
    for (std::size_t row = 0; row < unmasked.size(); ++row) {
        table.row({unmasked[row], show_row(masked, row, 3), show_row(replaced, row, 3)});
    }
    frame.terminal.table(table);
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
        const Vector sums = xt::sum(weights, {1});
        const Vector slopes = (xt::col(nudged, 1) - xt::col(weights, 1)) / nudge;
        NormaliserProperties holds{normaliser.name, true, true, true, true};
        holds.on_simplex = xt::all(weights >= 0.0) && xt::all(xt::abs(sums - 1.0) < 1e-9);
        holds.ignores_shift = xt::all(xt::abs(weights - shifted) < 1e-9);
        holds.answers_a_nudge = xt::all(slopes > 1e-3) && xt::all(slopes < 1e3);
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
    const Matrix scores = {{2, 1, -1}, {12, 11, 9}, {1, -1, 0}};
    frame.terminal.heading("Why softmax? The weights of other normalisers");
    program::Table weights({"normaliser", "of 2, 1, -1", "of 12, 11, 9", "of 1, -1, 0"});
    for (const lookup::Normaliser& normaliser : candidate_normalisers()) {
        const Matrix found = normaliser(scores);
        weights.row({normaliser.name, show_row(found, 0, 3), show_row(found, 1, 3),
                     show_row(found, 2, 3)});
    }
    frame.terminal.table(weights);
    frame.terminal.line();
    frame.terminal.paragraph(
        "What holds for the scores 2, 1, -1 and 0.5, 0.25, 0.125 and 1, -1, 0, with 1 added "
        "to all of them (a shift), and with the second raised by 1e-6 (a nudge):");
    frame.terminal.line();
    program::Table properties({"normaliser", "on the simplex", "keeps the order",
                               "ignores a shift", "answers a nudge"});
    for (const NormaliserProperties& holds : check_normalisers()) {
        properties.row({holds.name, yes_or_no(holds.on_simplex), yes_or_no(holds.keeps_order),
                        yes_or_no(holds.ignores_shift), yes_or_no(holds.answers_a_nudge)});
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
