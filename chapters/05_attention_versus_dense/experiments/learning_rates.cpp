#include "chapters/05_attention_versus_dense/experiments/learning_rates.hpp"

#include "chapters/05_attention_versus_dense/experiments/marked_step.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
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
    program::CsvRows csv({"rate", "third", "own", "thrice"}, fixed, 4);
    for (std::size_t row = 0; row < makers.size(); ++row) {
        const std::vector<double>& of = found[row];
        const double rate = makers[row].learning_rate;
        const std::string one = program::significant(rate, 2);
        const std::string two = one + ", " + program::significant(3 * rate, 2);
        table.row({makers[row].name, makers[row].thrice ? two : one, fixed(of[0], 3),
                   fixed(of[1], 3), fixed(of[2], 3)});
        csv.add({makers[row].learning_rate, of[0], of[1], of[2]});
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_rates.csv", csv.columns());
}

} // namespace attn::attention_versus_dense
