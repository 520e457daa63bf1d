#include "chapters/04_backpropagation/experiments/experiments.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/losses.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/softmax.hpp"
#include "common/nn/optimisers.hpp"
#include "common/nn/training.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/seeds.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attn::backpropagation {

using autograd::matmul;
using program::fixed;
using program::Frame;
using program::significant;
using program::spread;
using program::Spread;
using random::Generator;

namespace {

/// Two projections and their score. At first each number of a projected key has unit variance.
struct Projections
{
    Variable<float> U; ///< [d_q, d]
    Variable<float> V; ///< [d_k, d]
    double factor;     ///< 1, or 1 over the root of d

    /// (q U) (k V)^T with the brackets where they cost least: q (U V^T) k^T.
    Variable<float> score(const Batch& batch) const
    {
        const Variable<float> W = matmul(U, V, Transpose::no, Transpose::yes);
        return factor * multiplicative<float>(batch.queries, batch.keys, W);
    }
};

/// The loss of a batch, and the values that the contexts are asked for.
Variable<float> loss_of(const RootTraining& training, const Batch& batch,
                        const Variable<float>& scores, Generator& generator)
{
    if (training.objective == Objective::weights) {
        return cross_entropy_of(scores, batch.chosen);
    }
    constexpr std::size_t d_v = 16;
    const std::size_t n = batch.chosen.size();
    const std::size_t n_keys = scores.shape()[2];
    Array<float> values(Shape{n, n_keys, d_v});
    for (float& number : numbers_of(values)) {
        number = static_cast<float>(generator.normal());
    }
    Array<float> wanted(Shape{n, 1, d_v});
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t row = i * n_keys + static_cast<std::size_t>(batch.chosen[i]);
        std::copy_n(values.data() + row * d_v, d_v, wanted.data() + i * d_v);
    }
    const Variable<float> contexts =
        matmul(autograd::softmax(scores), Variable<float>(std::move(values)));
    return mean_squared_error(contexts, Variable<float>(std::move(wanted)));
}

} // namespace

RootResult train_projections(const RootTraining& training, std::uint64_t seed)
{
    const RetrievalTask task{scoring_functions::retrieval_tasks(seed)[2]}; // rotated
    Generator parameters(seed, random::Stream::root_of_d_parameters);
    const Projections model{matrix_parameter<float>(parameters, task.of.M.shape(0), training.d),
                            matrix_parameter<float>(parameters, task.of.M.shape(1), training.d),
                            training.scaled ? 1 / std::sqrt(static_cast<double>(training.d))
                                            : 1.0};
    nn::Parameters<float> list;
    list.add("U", model.U);
    list.add("V", model.V);
    const auto optimiser = training.method.optimiser(list, training.learning_rate);

    Generator data(seed, random::Stream::root_of_d_data);
    const Batch test = draw_batch(task, data, 500);
    RootResult result{0, training.most_steps, false};
    for (std::size_t step = 0; step < training.most_steps; ++step) {
        if (accuracy_of(model.score(test), test.chosen) >= 0.9) {
            result.n_steps = step;
            result.arrived = true;
            break;
        }
        const Batch batch = draw_batch(task, data, 128);
        autograd::Tape<float> tape;
        const Variable<float> loss = loss_of(training, batch, model.score(batch), data);
        if (step == 0) {
            result.first_loss = static_cast<double>(loss.item());
        }
        autograd::backward(loss);
        optimiser->step();
    }
    nn::count_training(list);
    return result;
}

namespace {

constexpr std::size_t n_rates = 4; // learning rates that each method tries

/// A row of the table: what is trained how, and how many numbers the projections have.
struct RootRow
{
    Objective objective;
    Method method;
    std::array<double, n_rates> rates; ///< learning rates, each tried with every seed
    std::size_t d;
};

/// The steps of one score at every learning rate, and the best of them.
struct OverRates
{
    std::vector<Spread> steps;          ///< [n_rates], over the seeds
    std::vector<std::size_t> n_arrived; ///< [n_rates], of the seeds
    std::size_t best = 0;  ///< the rate of the lowest median, the first of equal ones
    double first_loss = 0; ///< median over the seeds; no rate has acted on it yet

    std::size_t all_arrived() const
    {
        return std::accumulate(n_arrived.begin(), n_arrived.end(), std::size_t{0});
    }
};

/// \param of_rates  [n_rates][n_seeds]
OverRates over_rates(std::span<const std::vector<RootResult>> of_rates)
{
    OverRates over;
    for (const std::vector<RootResult>& seeds : of_rates) {
        over.steps.push_back(spread(seeds, [](const RootResult& one) { return one.n_steps; }));
        over.n_arrived.push_back(static_cast<std::size_t>(std::count_if(
            seeds.begin(), seeds.end(), [](const RootResult& one) { return one.arrived; })));
    }
    over.best = static_cast<std::size_t>(std::min_element(over.steps.begin(), over.steps.end(),
                                                          [](const Spread& a, const Spread& b) {
                                                              return a.median() < b.median();
                                                          }) -
                                         over.steps.begin());
    over.first_loss =
        spread(of_rates[0], [](const RootResult& one) { return one.first_loss; }).median();
    return over;
}

std::vector<RootRow> root_rows()
{
    constexpr std::array<double, n_rates> adam_rates = {0.003, 0.01, 0.03, 0.1};
    const std::vector<RootRow> trained = {
        // with every d
        {Objective::values, Method::adam, adam_rates, 0},
        {Objective::values, Method::sgd, {0.3, 1, 3, 10}, 0},
        {Objective::weights, Method::adam, adam_rates, 0},
    };
    std::vector<RootRow> rows;
    for (RootRow row : trained) {
        for (const std::size_t d : {64U, 256U, 1024U}) {
            row.d = d;
            rows.push_back(row);
        }
    }
    return rows;
}

/// "Adam 0.003, 0.01, 0.03, 0.1; SGD ...": every method with its learning rates.
std::string text_of_rates(const std::vector<RootRow>& rows)
{
    std::vector<std::string> texts;
    for (const RootRow& row : rows) {
        const std::string text =
            fmt::format("{} {}", row.method.name, fmt::join(row.rates, ", "));
        if (std::find(texts.begin(), texts.end(), text) == texts.end()) {
            texts.push_back(text);
        }
    }
    return fmt::format("{}", fmt::join(texts, "; "));
}

} // namespace

void show_root(Frame& frame)
{
    const std::size_t most_steps = frame.options.quick ? 20 : 200;
    const std::vector<RootRow> rows = root_rows();
    frame.terminal.introduce(
        "What the root of d does to a training",
        "Queries and keys of the rotated task are projected to d numbers each, by learnt "
        "matrices, and scored by q.k / sqrt(d) (scaled) or by q.k. Each training is given up "
        "after {} "
        "steps. Reached: in how many of all trainings, four learning rates with each seed, 9 "
        "of 10 of 500 new queries find their key. Steps: how many it took to get there at the "
        "best of the four rates (lowest, median and highest of three seeds). Loss of the "
        "context: its squared error from the right key's value. Loss of the weights: their "
        "cross-entropy. Rates: {}.",
        most_steps, text_of_rates(rows));
    const std::vector<std::uint64_t> seeds = seeds_of(frame);
    const std::vector<std::vector<RootResult>> results = program::run_rows_with_seeds(
        frame, "training", rows.size() * 2 * n_rates, seeds,
        [&](std::size_t index, std::uint64_t seed) {
            const auto& [objective, method, rates, d] = rows[index / (2 * n_rates)];
            const bool scaled = index / n_rates % 2 == 0;
            return train_projections(
                {d, scaled, objective, method, rates.at(index % n_rates), most_steps}, seed);
        });

    program::Table table({"loss of the", "method", "d", "scaled: reached", "best rate", "steps",
                          "q.k: reached", "best rate", "steps"});
    program::Results csv({"setting"}, {{"d", significant, 4},
                                       {"scaled", significant, 4},
                                       {"rate", significant, 4},
                                       {"lowest", significant, 4},
                                       {"median", significant, 4},
                                       {"highest", significant, 4},
                                       {"arrived", significant, 4},
                                       {"first_loss", significant, 4}});
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto& [objective, method, rates, d] = rows[row];
        std::vector<std::string> cells = {objective == Objective::values ? "context"
                                                                         : "weights",
                                          std::string(method.name), std::to_string(d)};
        const std::string setting = program::key_name(cells[0] + "_" + cells[1]);
        for (const bool scaled : {true, false}) {
            const OverRates over = over_rates(
                std::span(results).subspan((2 * row + (scaled ? 0 : 1)) * n_rates, n_rates));
            cells.push_back(
                fmt::format("{} of {}", over.all_arrived(), n_rates * seeds.size()));
            cells.push_back(significant(rates.at(over.best), 2));
            cells.push_back(over.steps[over.best].text(0));
            for (std::size_t rate = 0; rate < n_rates; ++rate) {
                const Spread& steps = over.steps[rate];
                csv.add({setting},
                        {static_cast<double>(d), scaled ? 1.0 : 0.0, rates.at(rate),
                         steps.lowest(), steps.median(), steps.highest(),
                         static_cast<double>(over.n_arrived[rate]), over.first_loss});
            }
        }
        table.row(cells);
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_root.csv", csv.columns());
}

} // namespace attn::backpropagation
