#include "chapters/11_multi_head/experiments/experiments.hpp"

#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/nn/optimisers.hpp"
#include "common/nn/training.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace attn::multi_head {

using program::fixed;
using program::Frame;
using program::significant;
using program::spread;
using random::Generator;

// ---------------------------------------------------------------- the task

PairBatch draw_pairs(const PairTask& task, std::size_t n_rows, Generator& generator)
{
    expect(task.n >= 2 && task.m > 0,
           "draw_pairs: two vectors of some numbers are needed, got {} of {}", task.n, task.m);
    PairBatch batch{filled<float>({n_rows, task.n, 2}, 0.0F),
                    uninitialised<float>({n_rows, task.n, task.m}),
                    uninitialised<float>({n_rows, 1, task.m})};
    for (float& number : numbers_of(batch.vectors)) {
        number = static_cast<float>(generator.uniform(-1, 1));
    }
    for (std::size_t row = 0; row < n_rows; ++row) {
        const std::vector<std::size_t> marked = generator.choice(task.n, 2);
        batch.marks.data()[(row * task.n + marked[0]) * 2] = 1;
        batch.marks.data()[(row * task.n + marked[1]) * 2 + 1] = 1;
        const float* const v = batch.vectors.data() + row * task.n * task.m;
        for (std::size_t j = 0; j < task.m; ++j) {
            batch.targets.data()[row * task.m + j] =
                v[marked[0] * task.m + j] - v[marked[1] * task.m + j];
        }
    }
    return batch;
}

double share_of_one_mean(const Vector& weights, std::size_t a, std::size_t b)
{
    expect(a < weights.size() && b < weights.size() && a != b,
           "share_of_one_mean: {} and {} are no two positions of {}", a, b, weights.size());
    double squares = 0;
    for (const double alpha : weights) {
        squares += alpha * alpha;
    }
    expect(squares > 0, "share_of_one_mean: all {} weights are 0", weights.size());
    const double difference = weights(a) - weights(b);
    return difference * difference / (2 * squares);
}

// ---------------------------------------------------------------- a training

namespace {

constexpr std::size_t n_marks = 2;
constexpr std::size_t d_pairs = 32; // numbers in the layer
constexpr PairTask pair_task;

/// A learnt query, attention, a linear readout.
struct PairModel
{
    PairModel(const PairTraining& training, Generator& generator)
        : inputs(training.inputs),
          attention({.d_model = d_pairs,
                     .n_heads = training.n_heads,
                     .d_key_inputs = all() ? n_marks + pair_task.m : n_marks,
                     .d_value_inputs = all() ? n_marks + pair_task.m : pair_task.m},
                    generator),
          readout(d_pairs, pair_task.m, generator)
    {
        parameters.add_layer("attention", attention);
        parameters.add_layer("readout", readout);
    }

    /// Whether keys and values are made from everything.
    bool all() const { return inputs == PairInputs::everything; }

    /// [batch, 1, m]
    Variable<float> predict(const PairBatch& batch, Inside<float>* inside = nullptr) const
    {
        const Variable<float> marks(batch.marks);
        const Variable<float> vectors(batch.vectors);
        const Variable<float> one(filled<float>({batch.marks.shape()[0], 1, d_pairs}, 1.0F));
        const Variable<float> both = autograd::concatenate<float>({marks, vectors}, -1);
        return all() ? readout(attention(one, both, both, {}, inside))
                     : readout(attention(one, marks, vectors, {}, inside));
    }

    PairInputs inputs;
    MultiHeadAttention<float> attention;
    nn::Linear<float> readout;
    nn::Parameters<float> parameters;
};

double r_squared(const Array<float>& predicted, const Array<float>& wanted)
{
    double error = 0;
    double variance = 0; // around 0, the mean of the targets by symmetry
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double right = static_cast<double>(wanted.data()[i]);
        const double wrong = static_cast<double>(predicted.data()[i]) - right;
        error += wrong * wrong;
        variance += right * right;
    }
    return 1 - error / variance;
}

/// Mean weights of each head on a, b and the others.
Matrix mean_weights(const Array<float>& weights, const PairBatch& batch)
{
    const std::size_t n_rows = weights.shape()[0];
    const std::size_t n_heads = weights.shape()[1];
    const std::size_t n = weights.shape()[3];
    Matrix means = xt::zeros<double>({n_heads, std::size_t{3}});
    for (std::size_t row = 0; row < n_rows; ++row) {
        for (std::size_t head = 0; head < n_heads; ++head) {
            for (std::size_t i = 0; i < n; ++i) {
                const float* const mark = batch.marks.data() + (row * n + i) * n_marks;
                const std::size_t where = mark[0] > 0 ? 0 : mark[1] > 0 ? 1 : 2;
                means(head, where) +=
                    static_cast<double>(weights.data()[(row * n_heads + head) * n + i]) /
                    static_cast<double>(n_rows);
            }
        }
    }
    return means;
}

/// What one head's weights allow if one matrix serves all rows:
/// (mean of alpha_a - alpha_b)^2 / (2 mean of sum alpha^2).
double ceiling_of(const Array<float>& weights, const Matrix& means)
{
    double squares = 0;
    for (const float alpha : weights) {
        squares += static_cast<double>(alpha) * static_cast<double>(alpha);
    }
    squares /= static_cast<double>(weights.shape()[0]);
    const double difference = means(0, 0) - means(0, 1);
    return difference * difference / (2 * squares);
}

} // namespace

PairResult train_pairs(const PairTraining& training, std::uint64_t seed)
{
    Generator first(seed, random::Stream::pair_parameters);
    Generator examples(seed, random::Stream::pair_training);
    Generator fresh(seed, random::Stream::pair_test);
    PairModel model(training, first);
    nn::Adam<float> adam(model.parameters, {.learning_rate = 3e-3});
    const PairBatch test = draw_pairs(pair_task, 5000, fresh);

    PairResult result;
    result.n_parameters = model.parameters.n_numbers();
    for (std::size_t step = 0; step < training.n_steps; ++step) {
        const PairBatch batch = draw_pairs(pair_task, 64, examples);
        autograd::Tape<float> tape;
        const Variable<float> loss =
            mean_squared_error(model.predict(batch), Variable<float>(batch.targets));
        result.losses.push_back(static_cast<double>(loss.item()));
        autograd::backward(loss);
        adam.step();
    }
    nn::count_training(model.parameters);
    Inside<float> inside;
    result.r_squared = r_squared(model.predict(test, &inside).value(), test.targets);
    result.weights = mean_weights(inside.weights, test);
    std::size_t n_prefer_a = 0;
    for (std::size_t head = 0; head < training.n_heads; ++head) {
        n_prefer_a += result.weights(head, 0) > result.weights(head, 1) ? 1 : 0;
    }
    result.n_preferred = n_prefer_a == 0 || n_prefer_a == training.n_heads ? 1 : 2;
    if (training.n_heads == 1) {
        result.ceiling = ceiling_of(inside.weights, result.weights);
    }
    return result;
}

// ---------------------------------------------------------------- printed

namespace {

std::string name_of(PairInputs inputs)
{
    return inputs == PairInputs::marks_are_keys ? "marks" : "marks and vectors";
}

constexpr std::size_t n_pair_seeds = 10;

struct PairRow
{
    PairTraining training;
    std::size_t n_seeds;
};

std::vector<PairRow> pair_rows()
{
    std::vector<PairRow> rows;
    for (const std::size_t n_heads : {1U, 2U, 4U}) {
        rows.push_back({{.n_heads = n_heads}, n_pair_seeds});
    }
    for (const std::size_t n_heads : {1U, 2U}) {
        rows.push_back({{.n_heads = n_heads, .inputs = PairInputs::everything}, 3});
    }
    return rows;
}

void save_pairs(Frame& frame, const std::vector<PairRow>& rows,
                const std::vector<std::vector<PairResult>>& results)
{
    program::Results saved({"heads", "keys_see"}, {{"seed", significant, 10},
                                                   {"r_squared", fixed, 4},
                                                   {"ceiling", fixed, 4},
                                                   {"seen", fixed, 0}});
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (std::size_t seed = 0; seed < results[row].size(); ++seed) {
            const PairTraining& training = rows[row].training;
            const PairResult& result = results[row][seed];
            saved.add({std::to_string(training.n_heads), name_of(training.inputs)},
                      {static_cast<double>(frame.options.seed + seed), result.r_squared,
                       result.ceiling, static_cast<double>(result.n_preferred)});
        }
    }
    frame.files.write_csv("trained_pairs.csv", saved.columns());
    // A column a number of heads, for the figure.
    program::CsvRows seeds({{"seed", significant, 10},
                            {"heads_1", fixed, 4},
                            {"heads_2", fixed, 4},
                            {"heads_4", fixed, 4}});
    for (std::size_t seed = 0; seed < results[0].size(); ++seed) {
        seeds.add({static_cast<double>(frame.options.seed + seed), results[0][seed].r_squared,
                   results[1][seed].r_squared, results[2][seed].r_squared});
    }
    frame.files.write_csv("trained_pair_seeds.csv", seeds.columns());
    frame.files.write_csv("trained_pair_losses.csv",
                          program::CsvColumns().add("two_heads",
                                                    program::first_losses(results[1][0].losses),
                                                    significant, 6));
}

} // namespace

void show_marked_pairs(Frame& frame)
{
    const std::vector<PairRow> rows = pair_rows();
    frame.terminal.introduce(
        "Several heads: the difference of two marked vectors",
        "Ten vectors, two of them marked, a and b: answer v_a - v_b. One layer of 32 numbers "
        "with a learnt query and a linear readout, in 1, 2 or 4 heads: the same numbers to "
        "learn. Share of variance explained, R^2, on 5000 new rows: lowest, median, highest "
        "seed. Ceiling: the highest R^2 that the weights of the one head allow. Found: in "
        "how many seeds R^2 is above .98. The last two columns "
        "are mean weights of the first seed's first head.");
    std::vector<std::vector<PairResult>> results;
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        results.emplace_back(frame.options.quick ? 1 : rows[row].n_seeds);
        for (std::size_t seed = 0; seed < results[row].size(); ++seed) {
            all.emplace_back(row, seed);
        }
    }
    program::side_by_side(frame, "marked pairs", all.size(), [&](std::size_t index) {
        const auto& [row, seed] = all[index];
        PairTraining training = rows[row].training;
        training.n_steps = frame.options.quick ? 50 : training.n_steps;
        results[row][seed] = train_pairs(training, frame.options.seed + seed);
    });

    program::Table table(
        {"keys see", "heads", "parameters", "R^2", "ceiling", "found", "on a", "on b"});
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::vector<PairResult>& of = results[row];
        const PairTraining& training = rows[row].training;
        const auto n_found = std::count_if(
            of.begin(), of.end(), [](const PairResult& r) { return r.r_squared > 0.98; });
        const bool bounded = training.n_heads == 1 && training.inputs != PairInputs::everything;
        const Matrix& weights = of[0].weights;
        table.row({name_of(training.inputs), std::to_string(training.n_heads),
                   std::to_string(of[0].n_parameters),
                   spread(of, [](const auto& r) { return r.r_squared; }).text(3),
                   bounded ? spread(of, [](const auto& r) { return r.ceiling; }).text(3) : "",
                   fmt::format("{} of {}", n_found, of.size()), fixed(weights(0, 0), 2),
                   fixed(weights(0, 1), 2)});
    }
    frame.terminal.table(table);
    frame.terminal.line();
    frame.terminal.paragraph("Always answering 0 has an R^2 of 0; answering v_a, as if there "
                             "were no b, has 0.5.");
    save_pairs(frame, rows, results);
}

} // namespace attn::multi_head
