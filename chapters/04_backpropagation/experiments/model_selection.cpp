#include "chapters/04_backpropagation/experiments/experiments.hpp"

#include "common/kernels/elementary.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/random/streams.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace attn::backpropagation {

using program::fixed;
using program::Frame;
using program::significant;
using program::Spread;
using random::Generator;

namespace {

/// Examples to learn from.
constexpr std::size_t n_train_examples = 512;

} // namespace

Split draw_split(std::uint64_t seed)
{
    constexpr std::size_t d_k = 8;
    constexpr std::size_t d_q = 12;
    Generator generator(seed, random::Stream::split_data);
    RetrievalTask task{{"split", scoring_functions::orthonormal_columns(generator, d_q, d_k),
                        0.9 * xt::ones<double>({d_q})},
                       8,
                       Keys::normal};

    // Units from 3 down to 0.03, in equal ratios.
    for (std::size_t m = 0; m < d_q; ++m) {
        const double unit = 3 * elementary::pow(0.01, static_cast<double>(m) / (d_q - 1));
        xt::row(task.of.M, static_cast<std::ptrdiff_t>(m)) *= unit;
        task.of.noise(m) *= unit;
    }
    Split split;
    split.train = draw_batch(task, generator, n_train_examples);
    split.validation = draw_batch(task, generator, 512);
    split.fresh = draw_batch(task, generator, 1000);
    return split;
}

Split standardised(const Split& split)
{
    Split result = split;
    const std::size_t n = split.train.queries.shape()[0];
    const std::size_t d = split.train.queries.shape()[2];
    for (std::size_t m = 0; m < d; ++m) {
        double squares = 0; // the means are 0
        for (std::size_t i = 0; i < n; ++i) {
            const auto x = static_cast<double>(split.train.queries.data()[i * d + m]);
            squares += x * x / static_cast<double>(n);
        }
        for (Batch* part : {&result.train, &result.validation, &result.fresh}) {
            for (std::size_t i = m; i < part->queries.size(); i += d) {
                part->queries.data()[i] /= static_cast<float>(std::sqrt(squares));
            }
        }
    }
    return result;
}

Choice choose(const GridSearch& search, const std::function<double(const Evaluation&)>& cost,
              const std::function<bool(const Hyperparameters&)>& counts)
{
    Choice best{search.grid.size(), 0};
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t run = 0; run < search.grid.size(); ++run) {
        for (std::size_t i = 0; i < search.evaluations[run].size(); ++i) {
            const double here = cost(search.evaluations[run][i]);
            if (here < lowest && counts(search.grid[run])) {
                lowest = here;
                best = {run, i};
            }
        }
    }
    expect(best.run < search.grid.size(), "choose: no run counts");
    return best;
}

Choice best_of(const GridSearch& search, const Method& method, std::size_t batch)
{
    return choose(
        search, [](const Evaluation& one) { return one.validation.loss; },
        [&](const Hyperparameters& one) {
            return one.method == method && one.batch == batch && one.d_hidden == 32 &&
                   one.seed == 1;
        });
}

Estimate choose_by_small_tests(const GridSearch& search)
{
    const std::size_t n_tests = search.evaluations.front().front().small_tests.size();
    const auto n = static_cast<double>(n_tests);
    Estimate mean{0, 0, 0};
    for (std::size_t test = 0; test < n_tests; ++test) {
        const Evaluation& chosen = search.at(
            choose(search, [test](const Evaluation& one) { return -one.small_tests[test]; }));
        const double estimated = chosen.small_tests[test];
        mean.estimated_accuracy += estimated / n;
        mean.loss += chosen.fresh.loss / n;
        mean.accuracy += (chosen.fresh.accuracy * n - estimated) / (n - 1) / n;
    }
    return mean;
}

namespace {

/// Every method with every learning rate, on all examples at a time and on 16 of them; then Adam
/// on 16, at a rate of .01, with 8 and with 128 hidden units, and from other first parameters.
std::vector<Hyperparameters> hyperparameter_grid(bool quick)
{
    const std::vector<double> rates =
        quick ? std::vector<double>{0.03}
              : std::vector<double>{0.003, 0.01, 0.03, 0.1, 0.3, 1, 3};
    std::vector<Hyperparameters> grid;
    for (const std::size_t batch : {n_train_examples, n_mini_batch}) {
        for (const Method& method : methods()) {
            for (const double rate : rates) {
                grid.push_back({method, batch, rate});
            }
        }
    }
    grid.push_back({Method::adam, n_mini_batch, 0.01, 8});
    grid.push_back({Method::adam, n_mini_batch, 0.01, 128});
    for (std::uint64_t seed = 2; seed <= (quick ? 2U : 7U); ++seed) {
        grid.push_back({Method::adam, n_mini_batch, 0.01, 32, seed});
    }
    return grid;
}

/// How many examples a step a method has in a row of the table.
struct MethodOnBatches
{
    Method method;
    std::size_t batch;
};

/// Every method on all examples at a time, then every method on 16 of them.
std::vector<MethodOnBatches> methods_on_batches()
{
    std::vector<MethodOnBatches> all;
    for (const std::size_t batch : {n_train_examples, n_mini_batch}) {
        for (const Method& method : methods()) {
            all.push_back({method, batch});
        }
    }
    return all;
}

/// One search a seed, and a row for each of the methods.
void methods_table(Frame& frame, const std::vector<GridSearch>& searches,
                   const std::vector<MethodOnBatches>& shown, const char* file)
{
    program::Table table({"examples a step", "steps", "method", "learning rates",
                          "loss on fresh", "accuracy on fresh"});
    program::Results results({"method"}, {{"seed", fixed, 0},
                                          {"rate", significant, 4},
                                          {"train_loss", fixed, 4},
                                          {"validation_loss", fixed, 4},
                                          {"fresh_loss", fixed, 4},
                                          {"fresh_accuracy", fixed, 4}});
    for (const auto& [method, batch] : shown) {
        const std::string key = program::key_name(fmt::format("{}_{}", method.name, batch));
        for (std::size_t seed = 0; seed < searches.size(); ++seed) {
            const Choice best = best_of(searches[seed], method, batch);
            const Evaluation& one = searches[seed].at(best);
            results.add({key}, {static_cast<double>(seed),
                                searches[seed].grid[best.run].learning_rate, one.train.loss,
                                one.validation.loss, one.fresh.loss, one.fresh.accuracy});
        }
        const Spread rate = results.spread_of(key, "rate");
        table.row({std::to_string(batch), std::to_string(n_epochs * n_train_examples / batch),
                   std::string(method.name),
                   fmt::format("{} to {}", significant(rate.lowest(), 1),
                               significant(rate.highest(), 1)),
                   results.spread_of(key, "fresh_loss").text(2),
                   results.spread_of(key, "fresh_accuracy").text(2)});
    }
    frame.terminal.table(table);
    frame.files.write_csv(file, results.columns());
}

/// What the model of the lowest loss on a set of examples seems to be worth.
Estimate choose_by_loss(const GridSearch& search, Metrics Evaluation::*part)
{
    const Evaluation& chosen =
        search.at(choose(search, [&](const Evaluation& one) { return (one.*part).loss; }));
    return {(chosen.*part).accuracy, chosen.fresh.accuracy, chosen.fresh.loss};
}

void choices_table(Frame& frame, const std::vector<GridSearch>& searches)
{
    struct Row
    {
        const char* chosen_by;
        std::function<Estimate(const GridSearch&)> choose;
    };
    const std::array<Row, 3> rows = {{
        {"loss in training",
         [](const auto& search) { return choose_by_loss(search, &Evaluation::train); }},
        {"loss in validation",
         [](const auto& search) { return choose_by_loss(search, &Evaluation::validation); }},
        {"accuracy in a test of 100", choose_by_small_tests},
    }};
    program::Table table(
        {"chosen by", "accuracy there", "accuracy on fresh", "too high by", "loss on fresh"});
    program::Results results({"chosen_by"}, {{"seed", fixed, 0},
                                             {"promised", fixed, 4},
                                             {"kept", fixed, 4},
                                             {"fresh_loss", fixed, 4}});
    for (const Row& row : rows) {
        const std::string key = program::key_name(row.chosen_by);
        std::vector<double> too_high;
        for (const GridSearch& search : searches) {
            const Estimate one = row.choose(search);
            results.add({key}, {static_cast<double>(too_high.size()), one.estimated_accuracy,
                                one.accuracy, one.loss});
            too_high.push_back(one.estimated_accuracy - one.accuracy);
        }
        table.row({row.chosen_by, results.spread_of(key, "promised").text(2),
                   results.spread_of(key, "kept").text(2), Spread(too_high).text(2),
                   results.spread_of(key, "fresh_loss").text(2)});
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_choices.csv", results.columns());
}

/// Writes the curves of the first seed: each method at its best rate on fresh examples, and the
/// widest model on what it learns from, on the validation set and on fresh examples.
void write_curves(Frame& frame, const GridSearch& search)
{
    std::vector<double> epochs;
    for (std::size_t i = 0; i <= n_evaluations; ++i) {
        epochs.push_back(static_cast<double>(n_epochs * i) / n_evaluations);
    }
    program::CsvColumns columns;
    columns.add("rounds", epochs, significant, 4);
    const auto add = [&](const std::string& name, std::size_t run, Metrics Evaluation::*part) {
        std::vector<double> losses;
        for (const Evaluation& one : search.evaluations[run]) {
            losses.push_back((one.*part).loss);
        }
        columns.add(name, losses, fixed, 4);
    };
    for (const auto& [method, batch] : methods_on_batches()) {
        add(fmt::format("{}_{}", method.name, batch), best_of(search, method, batch).run,
            &Evaluation::fresh);
    }
    const auto wide =
        std::find_if(search.grid.begin(), search.grid.end(), [](const Hyperparameters& one) {
            return one.d_hidden == 128 && one.learning_rate == 0.01;
        });
    const auto run = static_cast<std::size_t>(wide - search.grid.begin());
    add("wide_train", run, &Evaluation::train);
    add("wide_validation", run, &Evaluation::validation);
    add("wide_fresh", run, &Evaluation::fresh);
    frame.files.write_csv("trained_lesson.csv", columns);
}

/// Trains every model of a grid on every seed's examples.
/// \returns one search a seed
std::vector<GridSearch> search_grid(Frame& frame, const std::vector<Hyperparameters>& grid,
                                    const std::function<Split(std::uint64_t)>& examples)
{
    const std::vector<std::uint64_t> seeds = seeds_of(frame);
    const auto evaluations = program::run_rows_with_seeds(
        frame, "training", grid.size(), seeds,
        [&](std::size_t run, std::uint64_t seed) { return train(examples(seed), grid[run]); });
    std::vector<GridSearch> searches(seeds.size(), GridSearch{grid, {}});
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        for (const auto& of_run : evaluations) {
            searches[i].evaluations.push_back(of_run[i]);
        }
    }
    return searches;
}

/// All but momentum once more, on queries all of whose numbers come in one unit.
void show_equal_units(Frame& frame)
{
    std::vector<Hyperparameters> grid;
    for (const Hyperparameters& one : hyperparameter_grid(frame.options.quick)) {
        if (one.batch == n_mini_batch && one.method != Method::momentum && one.seed == 1 &&
            one.d_hidden == 32) {
            grid.push_back(one);
        }
    }
    std::vector<MethodOnBatches> shown = methods_on_batches();
    std::erase_if(shown, [](const MethodOnBatches& one) {
        return one.batch != n_mini_batch || one.method == Method::momentum;
    });
    frame.terminal.introduce(
        "The same in equal units",
        "Each number of a query is divided by its standard deviation over the {} examples to "
        "learn from. Otherwise as above.",
        n_train_examples);
    methods_table(
        frame,
        search_grid(frame, grid,
                    [](std::uint64_t seed) { return standardised(draw_split(seed)); }),
        shown, "trained_units.csv");
}

} // namespace

void show_model_selection(Frame& frame)
{
    const std::vector<Hyperparameters> grid = hyperparameter_grid(frame.options.quick);
    frame.terminal.introduce(
        "From one step to a training",
        "The additive score learns which of 8 keys a query was made from, from {} "
        "examples, each used {} times. The numbers of a query come in units from 3 down to "
        "0.03. Seven learning rates from 0.003 to 3 were tried, and each model evaluated "
        "before the first step and {} times after. Shown is the evaluation with the lowest "
        "loss on 512 validation examples: lowest, median and highest of three seeds. Fresh: "
        "1000 examples that nothing was chosen by. Equal weights have a loss of ln 8 = {}.",
        n_train_examples, n_epochs, n_evaluations, fixed(elementary::log(8.0), 2));
    const std::vector<GridSearch> searches = search_grid(frame, grid, draw_split);
    methods_table(frame, searches, methods_on_batches(), "trained_methods.csv");
    show_equal_units(frame);
    frame.terminal.introduce(
        "One model of many",
        "One evaluation is chosen among those of all {} trainings in unequal units, some with "
        "8 or 128 hidden units and some from other first parameters: that with the lowest "
        "loss, or the highest accuracy, on the examples named first. The choice by a test of "
        "100 is made ten times, each by another hundred of the fresh examples, with the "
        "accuracy on the other 900; its numbers are the means.",
        grid.size());
    choices_table(frame, searches);
    write_curves(frame, searches.front());
}

} // namespace attn::backpropagation
