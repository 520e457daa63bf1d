#include "chapters/04_backpropagation/experiments/root_of_d.hpp"

#include "chapters/04_backpropagation/experiments/retrieval_tasks.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/losses.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/softmax.hpp"
#include "common/nn/optimisers.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/seeds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace attn::backpropagation {

using autograd::matmul;
using program::fixed;
using program::Frame;
using program::significant;
using program::spread;
using program::Spread;
using random::Generator;

namespace {

/// Two projections, each number of whose results has unit variance, and their score.
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
    Generator parameters(seed, stream::root_parameters);
    const Projections model{matrix_parameter<float>(parameters, task.of.M.shape(0), training.d),
                            matrix_parameter<float>(parameters, task.of.M.shape(1), training.d),
                            training.scaled ? 1 / std::sqrt(static_cast<double>(training.d))
                                            : 1.0};
    nn::Parameters<float> list;
    list.add("U", model.U);
    list.add("V", model.V);
    const auto optimiser = optimiser_of(training.method, training.learning_rate, list);

    Generator data(seed, stream::root_data);
    const Batch test = draw_batch(task, data, 500);
    RootResult result{0, training.most_steps, false};
    for (std::size_t step = 0; step < training.most_steps; ++step) {
        if (accuracy_of(model.score(test), test.chosen) >= 0.9) {
            return {result.first_loss, step, true};
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
    return result;
}

void show_root(Frame& frame)
{
    frame.terminal.introduce(
        "What the root of d does to a training",
        "Queries and keys of the rotated task are projected to d numbers each, by learnt "
        "matrices. Steps until 9 of 10 of 500 new queries find their key (lowest, median and "
        "highest of three seeds) with the score q.k / sqrt(d) and with q.k; before them the "
        "median of the first loss. Loss of the context: its squared error from the right "
        "key's value. Loss of the weights: their cross-entropy. Learning rates: Adam 0.003, "
        "SGD 0.3.");
    struct Setting
    {
        Objective objective;
        Method method;
        double learning_rate;
    };
    constexpr std::array<Setting, 3> settings = {{{Objective::values, Method::adam, 0.003},
                                                  {Objective::values, Method::sgd, 0.3},
                                                  {Objective::weights, Method::adam, 0.003}}};
    constexpr std::array<std::size_t, 3> sizes = {64, 256, 1024};
    std::vector<RootTraining> rows; // scaled and plain by turns
    for (const auto& [objective, method, learning_rate] : settings) {
        for (const std::size_t d : sizes) {
            for (const bool scaled : {true, false}) {
                rows.push_back({d, scaled, objective, method, learning_rate, 400});
            }
        }
    }
    const std::vector<std::vector<RootResult>> results =
        program::run_rows_with_seeds(frame, "training", rows.size(), seeds_of(frame),
                                     [&](std::size_t row, std::uint64_t seed) {
                                         return train_projections(rows[row], seed);
                                     });

    const auto steps = [&](std::size_t row) {
        return spread(results[row], [](const RootResult& one) { return one.n_steps; });
    };
    const auto first_loss = [&](std::size_t row) {
        return spread(results[row], [](const RootResult& one) { return one.first_loss; });
    };
    program::Table table({"loss of the", "method", "d", "scaled: first loss", "steps",
                          "q.k: first loss", "steps"});
    program::CsvRows csv({"setting", "d", "scaled_lowest", "scaled_median", "scaled_highest",
                          "plain_lowest", "plain_median", "plain_highest", "plain_first_loss"},
                         significant, 4);
    for (std::size_t row = 0; row < rows.size(); row += 2) {
        const Spread scaled = steps(row);
        const Spread plain = steps(row + 1);
        table.row({rows[row].objective == Objective::values ? "context" : "weights",
                   rows[row].method == Method::adam ? "Adam" : "SGD",
                   std::to_string(rows[row].d), fixed(first_loss(row).median(), 2),
                   scaled.text(0), fixed(first_loss(row + 1).median(), 2), plain.text(0)});
        csv.add({static_cast<double>(row / (2 * sizes.size())),
                 static_cast<double>(rows[row].d), scaled.lowest(), scaled.median(),
                 scaled.highest(), plain.lowest(), plain.median(), plain.highest(),
                 first_loss(row + 1).median()});
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_root.csv", csv.columns());
}

} // namespace attn::backpropagation
