#include "chapters/05_attention_versus_dense/ceilings.hpp"
#include "chapters/05_attention_versus_dense/experiments/experiments.hpp"
#include "chapters/05_attention_versus_dense/experiments/report.hpp"
#include "chapters/05_attention_versus_dense/experiments/report_grid.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>
#include <optional>

namespace attn::attention_versus_dense::report {

using program::fixed;
using program::Frame;
using program::seeds_of;
using program::side_by_side;
using program::spread;

namespace {

/// How many examples, and how many steps of Adam the dense layers take over them. The others,
/// with few parameters, have arrived after 1500.
struct Size
{
    std::size_t n_train;
    std::size_t n_steps;
};

constexpr std::array<Size, 5> sizes = {
    {{500, 600}, {1600, 1000}, {5000, 2000}, {16000, 3000}, {50000, 4000}}};

/// Where the longer sequences and the first losses are asked for.
constexpr std::size_t usual = 2;

std::size_t examples_of(const Frame& frame, std::size_t n_train)
{
    return frame.options.quick ? std::min<std::size_t>(n_train, 500) : n_train;
}

template <typename Range, typename Text>
std::vector<std::string> texts(const char* first, const Range& range, Text text)
{
    std::vector<std::string> cells = {first};
    for (const auto& one : range) {
        cells.push_back(text(one));
    }
    return cells;
}

const std::vector<std::string> compared = {
    "attention, tanh, b_t", "attention, tanh, one b", "attention",        "embedding, mean",
    "embedding, maximum",   "dense, over features",   "dense, over time", "dense, over both",
    "dense, 128 hidden",    "dense, 512 hidden"};

const std::vector<std::string> of_any_length = {"attention, tanh, one b", "attention",
                                                "embedding, mean", "embedding, maximum"};

constexpr std::array<std::size_t, 3> lengths_asked = {20, 50, 100};

/// Writes the first losses of the first seed.
void write_first_losses(Frame& frame, const std::vector<std::vector<double>>& losses)
{
    std::vector<double> steps(program::first_losses(losses.front()).size());
    std::iota(steps.begin(), steps.end(), 0.0);
    program::CsvColumns columns;
    columns.add("step", steps, fixed, 0);
    for (std::size_t row = 0; row < compared.size(); ++row) {
        columns.add(column_name(compared[row]), program::first_losses(losses[row]),
                    program::significant, 6);
    }
    frame.files.write_csv("trained_first_losses.csv", columns);
}

const std::vector<std::string> over_both = {"dense, 128 hidden", "dense, 512 hidden"};

/// The row of a model, if it is among some.
std::optional<std::size_t> row_of(const std::string& model,
                                  const std::vector<std::string>& models)
{
    const auto found = std::find(models.begin(), models.end(), model);
    return found == models.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - models.begin()));
}

/// Asks a model about longer sequences.
void ask_longer(const Frame& frame, const Model& model, std::uint64_t seed, Grid& longer)
{
    const std::optional<std::size_t> row = row_of(model.name, of_any_length);
    for (std::size_t i = 0; row && i < lengths_asked.size(); ++i) {
        const Examples asked =
            marked_test(seed, training_of(frame, 0).n_test, lengths_asked[i]);
        longer.at(*row, i, seed) = r_squared(predictions(model, asked), asked.Y);
    }
}

} // namespace

Training training_of(const Frame& frame, std::size_t n_steps)
{
    Training training;
    training.n_steps = frame.options.quick ? 40 : n_steps;
    training.n_evaluations = frame.options.quick ? 2 : training.n_evaluations;
    training.n_test = frame.options.quick ? 500 : training.n_test;
    return training;
}

// Longer than 60 lines: one training fills its three tables.
void marked_by_size(Frame& frame)
{
    frame.terminal.introduce(
        "The marked step, by the number of examples",
        "20 steps of 4 numbers and a marker, which is 1 at one of them; the 4 numbers there "
        "are to be predicted. R^2 on 10000 fresh sequences, the median of three seeds, by the "
        "number of examples learnt from. Adam took 1500 steps of 64 examples, with the dense "
        "layers and networks 600, 1000, 2000, 3000 and 4000; of every model the parameters "
        "were "
        "kept that 500 other examples liked best. Saying the mean of the answers, the chance "
        "of this task, has 0; the best "
        "trivial rule, the mean of the steps, has 1/T.");
    const std::vector<std::string> columns = {"500", "1600", "5000", "16000", "50000"};
    Grid grid(frame, compared, columns);
    Grid longer(frame, of_any_length, {"T = 20", "T = 50", "T = 100"});
    Grid own(frame, over_both, columns); // on the examples that they learnt from
    std::vector<std::vector<double>> losses(compared.size());
    grid.fill(frame, [&](std::size_t row, std::size_t column, std::uint64_t seed) {
        const Size& size = sizes[column];
        const bool is_dense = compared[row].rfind("dense", 0) == 0;
        const Fitted fitted =
            fit_marked(compared[row], seed, examples_of(frame, size.n_train), n_marked_steps,
                       training_of(frame, is_dense ? size.n_steps : 1500));
        if (const auto own_row = row_of(compared[row], over_both)) {
            own.at(*own_row, column, seed) = fitted.fit.last_train;
        }
        if (column == usual) {
            ask_longer(frame, fitted.model, seed, longer);
            if (seed == frame.options.seed) {
                losses[row] = fitted.fit.losses;
            }
        }
        return fitted.fit.test;
    });
    grid.print(frame, "model",
               {texts("mean of the steps", sizes,
                      [](const Size&) { return fixed(marked_ceiling(0, n_marked_steps), 3); }),
                texts("chance", sizes, [](const Size&) { return fixed(0, 3); })});
    std::vector<double> numbers;
    for (const Size& size : sizes) {
        numbers.push_back(static_cast<double>(size.n_train));
    }
    grid.write(frame, "trained_by_size.csv", "n_train", numbers);
    write_first_losses(frame, losses);

    frame.terminal.line();
    frame.terminal.paragraph("R^2 of the dense networks on the examples that they learnt from, "
                             "at the end:");
    frame.terminal.line();
    own.print(frame, "model", {});
    own.write(frame, "trained_by_heart.csv", "n_train", numbers);

    frame.terminal.line();
    frame.terminal.paragraph(fmt::format(
        "The same models, learnt from {} examples of 20 steps, asked about longer sequences. "
        "What takes no other length than 20 is not in this table.",
        sizes[usual].n_train));
    frame.terminal.line();
    longer.print(frame, "model",
                 {texts("formula with tanh", lengths_asked,
                        [](std::size_t T) { return fixed(marked_ceiling(2, T), 3); }),
                  texts("mean of the steps", lengths_asked,
                        [](std::size_t T) { return fixed(marked_ceiling(0, T), 3); })});
    longer.write(frame, "trained_longer.csv", "n_steps",
                 std::vector<double>(lengths_asked.begin(), lengths_asked.end()));
}

void marked_by_length(Frame& frame)
{
    frame.terminal.introduce(
        "The marked step, by the number of steps",
        "R^2 on 10000 fresh sequences as before, after 1500 steps of Adam on 5000 sequences of "
        "T steps; the median of three seeds. The lower rows are the formulas. Chance "
        "is 0, and the best trivial rule is the mean of the steps.");
    const std::vector<std::string> models = {"attention, tanh, b_t", "attention, tanh, one b",
                                             "attention, tanh", "attention"};
    constexpr std::array<std::size_t, 5> lengths = {5, 10, 20, 50, 100};
    Grid grid(frame, models, {"T = 5", "T = 10", "T = 20", "T = 50", "T = 100"});
    grid.fill(frame, [&](std::size_t row, std::size_t column, std::uint64_t seed) {
        return fit_marked(models[row], seed, examples_of(frame, 5000), lengths[column],
                          training_of(frame, 1500))
            .fit.test;
    });
    const auto formula = [&](const char* name, double range) {
        return texts(name, lengths,
                     [range](std::size_t T) { return fixed(marked_ceiling(range, T), 3); });
    };
    grid.print(frame, "model",
               {formula("formula, tanh and bias", 2), formula("formula, tanh alone", 1),
                formula("mean of the steps", 0)});
    grid.write(frame, "trained_by_length.csv", "n_steps",
               std::vector<double>(lengths.begin(), lengths.end()));
}

void scalar_trap(Frame& frame)
{
    frame.terminal.introduce(
        "One number a step",
        "The same with one number and the marker, and the layer of the question. Where is the "
        "answer? Its squared correlation with the two numbers of the context: the value, and "
        "the marker, which is the marked step's weight. Lowest, median and highest of three "
        "seeds. Chance has an R^2 of 0, the mean of the steps 0.05.");
    const std::vector<std::uint64_t> seeds = seeds_of(frame);
    std::vector<ScalarTrap> traps(seeds.size());
    side_by_side(frame, "training", seeds.size(), [&](std::size_t i) {
        traps[i] =
            fit_scalar_trap(seeds[i], examples_of(frame, 5000), training_of(frame, 2000));
    });
    const auto r_squared = spread(traps, [](const ScalarTrap& one) { return one.r_squared; });
    const auto value = spread(traps, [](const ScalarTrap& one) { return one.of_value; });
    const auto weight = spread(traps, [](const ScalarTrap& one) { return one.of_weight; });
    program::Table table({"R^2", "formula", "in the context's value", "in the marked weight"});
    table.row({r_squared.text(3), fixed(marked_ceiling(2, n_marked_steps), 3), value.text(3),
               weight.text(3)});
    frame.terminal.table(table);
    program::CsvRows csv(
        {{"r_squared", fixed, 4}, {"of_value", fixed, 4}, {"of_weight", fixed, 4}});
    for (const ScalarTrap& trap : traps) {
        csv.add({trap.r_squared, trap.of_value, trap.of_weight});
    }
    frame.files.write_csv("trained_trap.csv", csv.columns());
}

void weights(Frame& frame)
{
    constexpr std::size_t n_samples = 8;
    const std::vector<std::string> models = {"attention", "attention, tanh, one b"};
    const Examples samples = marked_test(frame.options.seed, n_samples, n_marked_steps);
    std::vector<Matrix> betas;
    std::vector<Array<float>> answers;
    for (const std::string& name : models) {
        const Model model = fit_marked(name, frame.options.seed, examples_of(frame, 5000),
                                       n_marked_steps, training_of(frame, 2000))
                                .model;
        betas.push_back(weights_of(model, samples));
        answers.push_back(predictions(model, samples));
    }

    // For the figure a line a step; for the interactive one tables.
    program::CsvRows csv({{"sample", fixed, 0},
                          {"step", fixed, 0},
                          {"marked", fixed, 0},
                          {"plain", fixed, 4},
                          {"capped", fixed, 4}});
    Vector marked_steps = Vector::from_shape({n_samples});
    for (std::size_t i = 0; i < n_samples; ++i) {
        marked_steps(i) = static_cast<double>(samples.marked_step[i] + 1);
        for (std::size_t t = 0; t < n_marked_steps; ++t) {
            csv.add({static_cast<double>(i + 1), static_cast<double>(t + 1),
                     samples.marked_step[i] == t ? 1.0 : 0.0, betas[0](i, t), betas[1](i, t)});
        }
    }
    frame.files.write_csv("trained_weights.csv", csv.columns());

    const auto numbers = [](const Array<float>& array) {
        Matrix matrix = Matrix::from_shape({array.shape()[0], array.shape()[1]});
        std::copy_n(array.data(), array.size(), matrix.data());
        return matrix;
    };
    program::WidgetData data;
    data.set("models", std::vector<std::string>{"without tanh", "with tanh"});
    data.set("places", marked_steps, 3);
    data.set("targets", numbers(samples.Y), 3);
    data.set("weights_0", betas[0], 3).set("weights_1", betas[1], 3);
    data.set("answers_0", numbers(answers[0]), 3).set("answers_1", numbers(answers[1]), 3);
    frame.files.write_widget_data("trained_05_weights.data.js", data);
}

} // namespace attn::attention_versus_dense::report
