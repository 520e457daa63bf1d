#include "chapters/05_attention_versus_dense/experiments/experiments.hpp"

#include "chapters/05_attention_versus_dense/ceilings.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/results.hpp"
#include "common/program/seeds.hpp"
#include "common/random/streams.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace attn::attention_versus_dense {

using program::fixed;
using program::Frame;
using program::seeds_of;
using program::significant;

Fitted fit_marked(const std::string& name, std::uint64_t seed, std::size_t n_train,
                  std::size_t n_steps, const Training& training, std::size_t n_values)
{
    const auto draw = [&](random::Generator& generator, std::size_t n) {
        return draw_marked(generator, n, n_steps, n_values);
    };
    return fit_task(name, draw, seed, n_train, training);
}

namespace {

/// The squared correlation of two rows of numbers.
double squared_correlation(const Vector& a, const Vector& b)
{
    const Vector x = a - xt::mean(a)();
    const Vector y = b - xt::mean(b)();
    const double product = xt::sum(x * y)();
    return product * product / (xt::sum(x * x)() * xt::sum(y * y)());
}

/// Where a tanh with one number a step hides that number.
struct ScalarTrap
{
    double r_squared; ///< of the prediction
    double of_value;  ///< squared correlation of the answer with the context's value
    double of_weight; ///< and with the weight of the marked step, which is the context's marker
};

/// The layer of the question.
constexpr const char* trap_model = "attention, tanh, b_t";

/// Learns the marked step with one number a step.
ScalarTrap fit_scalar_trap(std::uint64_t seed, std::size_t n_train, const Training& training)
{
    const auto& [model, examples, fit] =
        fit_marked(trap_model, seed, n_train, n_marked_steps, training, 1);
    const std::size_t n_test = training.n_test;
    const Matrix weights = weights_of(model, examples);
    Vector answers = Vector::from_shape({n_test});
    Vector value = xt::zeros<double>({n_test});
    Vector weight = Vector::from_shape({n_test});
    for (std::size_t i = 0; i < n_test; ++i) {
        answers(i) = static_cast<double>(examples.Y.data()[i]);
        weight(i) = weights(i, examples.marked_step[i]);
        for (std::size_t t = 0; t < n_marked_steps; ++t) {
            value(i) += weights(i, t) *
                        static_cast<double>(examples.X.data()[(i * n_marked_steps + t) * 2]);
        }
    }
    return {fit.test, squared_correlation(answers, value),
            squared_correlation(answers, weight)};
}

/// How many examples, and how many steps of Adam the dense layers take over them. The others,
/// with few parameters, have converged after 1500.
struct Size
{
    std::size_t n_train;
    std::size_t n_steps;
};

constexpr std::array<Size, 4> sizes = {{{500, 600}, {1600, 1000}, {5000, 2000}, {50000, 4000}}};

/// Of which the longer sequences and the first losses are.
constexpr std::size_t usual = 2;

template <typename Range, typename Text>
std::vector<std::string> texts(const char* first, const Range& range, Text text)
{
    std::vector<std::string> cells = {first};
    for (const auto& one : range) {
        cells.push_back(text(one));
    }
    return cells;
}

/// The layers that the main page compares, then the others.
const std::vector<std::string> compared = {"attention",
                                           "gated sum",
                                           "embedding, mean",
                                           "embedding, maximum",
                                           "dense, 128 gated",
                                           "dense, 512 hidden",
                                           "dense, over both",
                                           "attention, tanh, b_t",
                                           "attention, tanh, one b",
                                           "dense, 128 hidden",
                                           "least squares, of means",
                                           "least squares, of all"};
constexpr std::size_t n_on_main_page = 8;

const std::vector<std::string> of_any_length = {"attention, tanh, one b", "attention",
                                                "gated sum", "embedding, mean",
                                                "embedding, maximum"};

constexpr std::array<std::size_t, 3> longer_lengths = {20, 50, 100};

const std::vector<std::string> over_both = {"dense, 128 hidden", "dense, 512 hidden",
                                            "dense, 128 gated"};

bool is_solved(const std::string& name)
{
    return name.starts_with("least squares");
}

/// The row of a model, if it is among some.
std::optional<std::size_t> row_of(const std::string& model,
                                  const std::vector<std::string>& models)
{
    const auto found = std::find(models.begin(), models.end(), model);
    return found == models.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - models.begin()));
}

/// What a model says of longer sequences.
void evaluate_longer(const Frame& frame, const Model& model, std::uint64_t seed, Grid& longer)
{
    const std::optional<std::size_t> row = row_of(model.name, of_any_length);
    for (std::size_t i = 0; row && i < longer_lengths.size(); ++i) {
        random::Generator generator(seed, random::Stream::layer_test);
        const Examples test =
            draw_marked(generator, training_of(frame, 0).n_test, longer_lengths[i]);
        longer.at(*row, i, seed) = r_squared(predictions(model, test), test.Y);
    }
}

} // namespace

Training marked_training(const Frame& frame, const std::string& name, std::size_t n_train)
{
    const auto* const size = std::find_if(
        sizes.begin(), sizes.end(), [&](const Size& one) { return one.n_train == n_train; });
    expect(size != sizes.end(), "marked_training: there is no plan for {} examples", n_train);
    return training_of(frame, name.starts_with("dense") ? size->n_steps : 1500);
}

std::size_t marked_examples(const Frame& frame, std::size_t n_train)
{
    return frame.options.quick ? std::min<std::size_t>(n_train, 500) : n_train;
}

double least_squares_marked(const std::string& name, std::uint64_t seed, std::size_t n_train,
                            std::size_t n_test)
{
    const auto numbers = name == "least squares, of means" ? means_of_steps : flattened;
    const Split split =
        draw_split([](random::Generator& generator,
                      std::size_t n) { return draw_marked(generator, n, n_marked_steps); },
                   seed, n_train, n_test);
    const LinearMap map = least_squares(numbers(split.train), split.train.Y);
    return r_squared(map(numbers(split.test)), split.test.Y);
}

// Longer than 60 lines: one training fills its three tables.
void show_marked_by_size(Frame& frame)
{
    frame.terminal.introduce(
        "The marked step, by the number of examples",
        "20 steps of 4 numbers and a marker; the 4 numbers of the marked step are to be "
        "predicted. R^2 on 10000 fresh sequences by the number of examples learnt from, the "
        "median of three seeds. Trainings take 1500 batches of 64 examples; those of dense "
        "layers and networks 600, 1000, 2000 and 4000, by column.");
    const std::vector<std::string> columns = {"500", "1600", "5000", "50000"};
    Grid grid(frame, compared, columns);
    Grid longer(frame, of_any_length, {"T = 20", "T = 50", "T = 100"});
    Grid own(frame, over_both, columns); // on the examples that they learnt from
    std::vector<std::string> trained;
    std::copy_if(compared.begin(), compared.end(), std::back_inserter(trained),
                 [](const std::string& name) { return !is_solved(name); });
    std::vector<std::vector<double>> losses(trained.size());
    grid.fill(frame, [&](std::size_t row, std::size_t column, std::uint64_t seed) {
        const std::size_t n_train = marked_examples(frame, sizes[column].n_train);
        const Training training = marked_training(frame, compared[row], sizes[column].n_train);
        if (is_solved(compared[row])) {
            return least_squares_marked(compared[row], seed, n_train, training.n_test);
        }
        const Fitted fitted =
            fit_marked(compared[row], seed, n_train, n_marked_steps, training);
        if (const auto own_row = row_of(compared[row], over_both)) {
            own.at(*own_row, column, seed) = fitted.fit.last_train;
        }
        if (column == usual) {
            evaluate_longer(frame, fitted.model, seed, longer);
            if (seed == frame.options.seed) {
                losses[row] = fitted.fit.losses;
            }
        }
        return fitted.fit.test;
    });
    const std::vector<std::vector<std::string>> formula = {
        texts("best linear map: 1/T", sizes,
              [](const Size&) { return fixed(marked_ceiling(0, n_marked_steps), 3); })};
    grid.print(frame, "model", formula, 0, n_on_main_page);
    frame.terminal.introduce(
        "The marked step, with other layers",
        "The same for the layers that the table above leaves out. Least squares is not "
        "trained: it solves for the linear map with the smallest squared error on the "
        "examples, of the means of the features or of all numbers of a sequence.");
    grid.print(frame, "model", formula, n_on_main_page, compared.size());
    grid.write(frame, "trained_by_size.csv", "n_train");
    frame.files.write_csv("trained_first_losses.csv",
                          program::first_losses_of(trained, losses));

    frame.terminal.introduce("What the dense networks know by heart",
                             "R^2 of the same networks on the very examples that they learnt "
                             "from, after the last step.");
    own.print(frame, "model", {});
    own.write(frame, "trained_by_heart.csv", "n_train");

    frame.terminal.introduce(
        "Longer sequences than those learnt from",
        "The same models, learnt from {} examples of 20 steps, on fresh sequences of 20, 50 "
        "and 100 steps. A model that takes no other length than 20 is not in this table.",
        sizes[usual].n_train);
    longer.print(frame, "model",
                 {texts("formula with tanh", longer_lengths,
                        [](std::size_t T) { return fixed(marked_ceiling(2, T), 3); }),
                  texts("mean of the steps", longer_lengths,
                        [](std::size_t T) { return fixed(marked_ceiling(0, T), 3); })});
    longer.write(frame, "trained_longer.csv", "n_steps",
                 program::texts_of(longer_lengths, fixed, 0));
}

void show_marked_by_length(Frame& frame)
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
        return fit_marked(models[row], seed, marked_examples(frame, 5000), lengths[column],
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
    grid.write(frame, "trained_by_length.csv", "n_steps", program::texts_of(lengths, fixed, 0));
}

void show_scalar_trap(Frame& frame)
{
    frame.terminal.introduce(
        "One number a step",
        "The same with one number and the marker, and the layer of the question. Where is the "
        "answer? Its squared correlation with the two numbers of the context: the value, and "
        "the marker, which is the marked step's weight. Lowest, median and highest of three "
        "seeds. Chance has an R^2 of 0, the mean of the steps 0.05.");
    const std::vector<ScalarTrap> traps = program::run_rows_with_seeds(
        frame, "training", 1, seeds_of(frame), [&](std::size_t, std::uint64_t seed) {
            return fit_scalar_trap(seed, marked_examples(frame, 5000),
                                   training_of(frame, 2000));
        })[0];
    const std::string key = program::key_name(trap_model);
    program::Results results({"model"}, {{"seed", significant, 10},
                                         {"r_squared", fixed, 4},
                                         {"of_value", fixed, 4},
                                         {"of_weight", fixed, 4}});
    for (std::size_t i = 0; i < traps.size(); ++i) {
        results.add({key}, {static_cast<double>(frame.options.seed + i), traps[i].r_squared,
                            traps[i].of_value, traps[i].of_weight});
    }
    program::Table table({"R^2", "formula", "in the context's value", "in the marked weight"});
    table.row({results.spread_of(key, "r_squared").text(3),
               fixed(marked_ceiling(2, n_marked_steps), 3),
               results.spread_of(key, "of_value").text(3),
               results.spread_of(key, "of_weight").text(3)});
    frame.terminal.table(table);
    frame.files.write_csv("trained_trap.csv", results.columns());
}

void show_weights(Frame& frame)
{
    constexpr std::size_t n_samples = 8;
    const std::vector<std::string> models = {"attention", "attention, tanh, one b"};
    random::Generator generator(frame.options.seed, random::Stream::layer_test);
    const Examples samples = draw_marked(generator, n_samples, n_marked_steps);
    std::vector<Matrix> betas;
    std::vector<Array<float>> outputs;
    for (const std::string& name : models) {
        const Model model = fit_marked(name, frame.options.seed, marked_examples(frame, 5000),
                                       n_marked_steps, training_of(frame, 2000))
                                .model;
        betas.push_back(weights_of(model, samples));
        outputs.push_back(predictions(model, samples));
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

    program::WidgetData data;
    data.set("models", std::vector<std::string>{"without tanh", "with tanh"});
    data.set("places", marked_steps, 3);
    data.set("targets", Matrix(samples.Y), 3);
    data.set("weights_0", betas[0], 3).set("weights_1", betas[1], 3);
    data.set("answers_0", Matrix(outputs[0]), 3).set("answers_1", Matrix(outputs[1]), 3);
    frame.files.write_widget_data("trained_05_weights.data.js", data);
}

} // namespace attn::attention_versus_dense
