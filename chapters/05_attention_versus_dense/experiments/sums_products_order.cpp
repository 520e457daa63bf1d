#include "chapters/05_attention_versus_dense/experiments/experiments.hpp"

#include "chapters/05_attention_versus_dense/ceilings.hpp"
#include "common/program/number.hpp"
#include "common/program/seeds.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

namespace attn::attention_versus_dense {

using program::fixed;
using program::Frame;
using program::seeds_of;
using random::Generator;

namespace {

Fitted fit_lags(const std::string& name, const LagTask& task, std::uint64_t seed,
                std::size_t n_train, const Training& training)
{
    const auto draw = [&](Generator& generator, std::size_t n) {
        return draw_lags(task, generator, n);
    };
    return fit_task(name, draw, seed, n_train, training);
}

/// What came of one of Raffel and Ellis' tasks.
struct ArithmeticResult
{
    double r_squared; ///< on fresh sequences of the length that it learnt from
    double near;      ///< share of them with an error below .04
    double twice;     ///< R^2 on sequences twice as long; nan if it cannot be asked
};

ArithmeticResult fit_arithmetic(const std::string& name, Arithmetic arithmetic,
                                std::uint64_t seed, std::size_t n_train,
                                const Training& training)
{
    constexpr std::size_t t_0 = 50;
    const auto draw = [&](Generator& generator, std::size_t n) {
        return draw_arithmetic(arithmetic, generator, n, t_0);
    };
    const Fitted fitted = fit_task(name, draw, seed, n_train, training, 32);
    Generator generator(seed, random::Stream::layer_test);
    const Examples test = draw(generator, training.n_test);
    ArithmeticResult result{fitted.fit.test,
                            share_within(predictions(fitted.model, test), test.Y, 0.04),
                            std::numeric_limits<double>::quiet_NaN()};
    if (maker_named(name).any_length) {
        const Examples longer =
            draw_arithmetic(arithmetic, generator, training.n_test / 10, 2 * t_0);
        result.twice = r_squared(predictions(fitted.model, longer), longer.Y);
    }
    return result;
}

/// Learns which of two symbols came first: the share of fresh examples that it is right about.
double fit_order(const std::string& name, std::uint64_t seed, std::size_t n_train,
                 const Training& training)
{
    const auto draw = [](Generator& generator, std::size_t n) {
        return draw_order(generator, n / 2, 20);
    };
    const Fitted fitted = fit_task(name, draw, seed, n_train, training);
    const Array<float> predicted = predictions(fitted.model, fitted.test);
    const Array<float>& Y = fitted.test.Y;
    std::size_t n_right = 0;
    for (std::size_t i = 0; i < Y.size(); ++i) {
        n_right += predicted.data()[i] * Y.data()[i] > 0 ? 1 : 0;
    }
    return static_cast<double>(n_right) / static_cast<double>(Y.size());
}

} // namespace

void show_lags(Frame& frame)
{
    const std::vector<LagTask> tasks = lag_tasks();
    std::vector<std::string> names;
    std::string in_words;
    for (const LagTask& task : tasks) {
        names.push_back(task.name);
        in_words += fmt::format(" {}: {}.", task.name, task.target);
    }
    frame.terminal.introduce(
        "Prices and interest rates",
        "A month of 31 days, each with a price and a rate; price(5) is that of five days ago, "
        "and yesterday's is price(1).{} R^2 on 10000 fresh months after 1500 steps on 500; the "
        "median of three seeds. Chance, the mean of the answers, has 0. The lower rows are the "
        "best that constant weights can do, by algebra.",
        in_words);
    const std::vector<std::string> models = {
        "attention, tanh, b_t", "attention, b_t",   "attention",        "mean of the steps",
        "dense, over features", "dense, over time", "dense, over both", "dense, 128 hidden"};
    Grid grid(frame, models, names);
    grid.fill(frame, [&](std::size_t row, std::size_t column, std::uint64_t seed) {
        return fit_lags(models[row], tasks[column], seed, 500, training_of(frame, 1500))
            .fit.test;
    });
    const auto formula = [&](const char* name, double ConstantWeights::*which) {
        std::vector<std::string> cells = {name};
        for (const LagTask& task : tasks) {
            cells.push_back(fixed(best_with_constant_weights(task.weights).*which, 3));
        }
        return cells;
    };
    grid.print(frame, "model",
               {formula("best: equal weights", &ConstantWeights::mean),
                formula("best: beta_t, not negative", &ConstantWeights::attention),
                formula("best: w_t of any sign", &ConstantWeights::over_time),
                formula("best: w_tk", &ConstantWeights::over_both)});
    grid.write(frame, "trained_lags.csv", "task");
}

namespace {

/// What one number for all answers gets: the share within .04 of it, and the R^2.
struct Constant
{
    double near;
    double r_squared;
};

/// The number that most answers are within .04 of.
Constant best_constant(Arithmetic arithmetic, std::uint64_t seed)
{
    Generator generator(seed, random::Stream::layer_test);
    const Examples test = draw_arithmetic(arithmetic, generator, 10000, 50);
    Constant best{0, 0};
    for (int hundredth = 0; hundredth <= 100; ++hundredth) {
        const Array<float> constant =
            filled<float>(test.Y.shape(), static_cast<float>(hundredth) * 0.01F);
        const double near = share_within(constant, test.Y, 0.04);
        if (near > best.near) {
            best = {near, r_squared(constant, test.Y)};
        }
    }
    return best;
}

const std::vector<std::string> networks = {"embedding, tanh attention", "embedding, attention",
                                           "embedding, mean", "dense, 128 hidden"};

constexpr std::array<Arithmetic, 2> both = {Arithmetic::addition, Arithmetic::multiplication};

} // namespace

void show_arithmetic(Frame& frame)
{
    frame.terminal.introduce(
        "Raffel and Ellis: add or multiply two marked numbers",
        "Sequences of 50 to 55 steps, a number and a marker each; two numbers are marked. 2000 "
        "steps on 20000 sequences, an embedding of 32 units. R^2 and the share of errors below "
        "0.04 on 10000 fresh sequences, and R^2 on 1000 sequences twice as long; the median of "
        "three seeds. Constant: the number that is most often within 0.04 of the answer.");

    // A fit gives the three numbers of its task.
    const std::vector<std::uint64_t> seeds = seeds_of(frame);
    const std::size_t n_train = frame.options.quick ? 500 : 20000;
    const auto results = program::run_rows_with_seeds(
        frame, "training", both.size() * networks.size(), seeds,
        [&](std::size_t fit, std::uint64_t seed) {
            return fit_arithmetic(networks[fit % networks.size()], both[fit / networks.size()],
                                  seed, n_train, training_of(frame, 2000));
        });

    for (std::size_t task = 0; task < both.size(); ++task) {
        const std::string name = task == 0 ? "addition" : "multiplication";
        Grid grid(frame, networks, {"R^2", "error < 0.04", "R^2 at T = 100"});
        for (std::size_t row = 0; row < networks.size(); ++row) {
            for (std::size_t i = 0; i < seeds.size(); ++i) {
                const ArithmeticResult& result = results[task * networks.size() + row][i];
                grid.at(row, 0, seeds[i]) = result.r_squared;
                grid.at(row, 1, seeds[i]) = result.near;
                grid.at(row, 2, seeds[i]) = result.twice;
            }
        }
        if (task > 0) {
            frame.terminal.line();
        }
        const Constant constant = best_constant(both[task], seeds[0]);
        grid.print(frame, name,
                   {{"constant", fixed(constant.r_squared, 3), fixed(constant.near, 3), "-"}});
        grid.write(frame, ("trained_" + name + ".csv").c_str(), "measure",
                   {"r_squared", "error_below_0_04", "r_squared_at_100"});
    }
}

void show_order(Frame& frame)
{
    frame.terminal.introduce(
        "Which came first?",
        "A and B stand at two of 20 steps. Every sequence has a twin in which the two are "
        "exchanged, and the answer is the other one. The share of correct answers on 10000 "
        "fresh "
        "sequences after 600 steps of Adam on 2000; the median of three seeds. Chance, and the "
        "best rule that is blind to order, is one half.");
    const std::vector<std::string> models = {
        "mean of the steps",      "embedding, mean",
        "embedding, maximum",     "embedding, tanh attention",
        "attention, tanh, one b", "attention, tanh, b_t",
        "attention, b_t",         "dense, over both"};
    Grid grid(frame, models, {"correct"});
    grid.fill(frame, [&](std::size_t row, std::size_t, std::uint64_t seed) {
        return fit_order(models[row], seed, 2000, training_of(frame, 600));
    });
    grid.print(frame, "model", {{"chance", "0.500"}});
    grid.write(frame, "trained_order.csv", "measure");
}

} // namespace attn::attention_versus_dense
