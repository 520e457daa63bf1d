#include "chapters/05_attention_versus_dense/experiments/experiments.hpp"

#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/results.hpp"
#include "common/program/seeds.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace attn::attention_versus_dense {

using program::fixed;
using program::Frame;

void show_learning_rates(Frame& frame)
{
    frame.terminal.introduce(
        "Were the learning rates fair?",
        "The learning rates of Adam, the same in all tasks. Of two rates that one counts which "
        "explains more of the validation set, training by training. Here each model learns the "
        "marked step from 5000 examples and one seed, at a third of its first rate, at that "
        "rate "
        "and at three times that rate. R^2 on the 500 examples of validation.");
    constexpr std::array<double, 3> factors = {1.0 / 3, 1, 3};
    const std::vector<ModelMaker>& makers = model_makers();
    std::vector<std::vector<double>> found(makers.size(), std::vector<double>(factors.size()));
    program::side_by_side(
        frame, "training", makers.size() * factors.size(), [&](std::size_t at) {
            const std::size_t row = at / factors.size();
            Training training = marked_training(frame, makers[row].name, 5000);
            training.rate_factor = factors[at % factors.size()];
            training.n_test = 500;
            found[row][at % factors.size()] =
                fit_marked(makers[row].name, frame.options.seed, marked_examples(frame, 5000),
                           n_marked_steps, training)
                    .fit.validation;
        });
    program::Table table({"model", "rates", "a third", "the first", "three times"});
    program::Results csv(
        {"model"},
        {{"rate", fixed, 4}, {"third", fixed, 4}, {"own", fixed, 4}, {"thrice", fixed, 4}});
    for (std::size_t row = 0; row < makers.size(); ++row) {
        const std::vector<double>& of = found[row];
        const double rate = makers[row].learning_rate;
        const std::string one = program::significant(rate, 2);
        const std::string two = one + ", " + program::significant(3 * rate, 2);
        table.row({makers[row].name, makers[row].thrice ? two : one, fixed(of[0], 3),
                   fixed(of[1], 3), fixed(of[2], 3)});
        csv.add({program::key_name(makers[row].name)}, {rate, of[0], of[1], of[2]});
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_rates.csv", csv.columns());
}

void show_falling_rate(Frame& frame)
{
    const std::string name = "dense, 128 gated";
    constexpr std::array<std::size_t, 3> sizes = {500, 1600, 5000};
    frame.terminal.introduce(
        "With a falling rate and weight decay",
        "The network of 128 gated units on the marked step: 8000 batches, at a rate that falls "
        "from 0.006 to 0, with a decoupled weight decay of 0.1. R^2 on fresh sequences, "
        "lowest, "
        "median and highest of three seeds, and on the examples learnt from (median).");
    const auto fits = program::run_rows_with_seeds(
        frame, "training", sizes.size(), program::seeds_of(frame),
        [&](std::size_t row, std::uint64_t seed) {
            Training training = training_of(frame, 8000);
            training.rate_factor = 2;
            training.falls = true;
            training.weight_decay = 0.1;
            return fit_marked(name, seed, sizes[row], n_marked_steps, training).fit;
        });
    program::Results results(
        {"examples"},
        {{"seed", program::significant, 10}, {"fresh", fixed, 4}, {"learnt_from", fixed, 4}});
    for (std::size_t row = 0; row < sizes.size(); ++row) {
        for (std::size_t seed = 0; seed < fits[row].size(); ++seed) {
            results.add({std::to_string(sizes[row])},
                        {static_cast<double>(frame.options.seed + seed), fits[row][seed].test,
                         fits[row][seed].last_train});
        }
    }
    frame.terminal.table(results.table(
        {"examples",
         {{"fresh", "fresh", 3, program::Cell::spread}, {"learnt from", "learnt_from", 3}}}));
    frame.files.write_csv("trained_falling.csv", results.columns());
}

} // namespace attn::attention_versus_dense
