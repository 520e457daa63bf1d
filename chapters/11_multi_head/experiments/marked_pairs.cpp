#include "chapters/11_multi_head/experiments/marked_pairs.hpp"

#include "chapters/11_multi_head/experiments/streams.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/nn/optimisers.hpp"

namespace attn::multi_head {

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
            batch.answers.data()[row * task.m + j] =
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

std::string name_of(PairInputs inputs)
{
    return inputs == PairInputs::marks_are_keys ? "marks" : "marks and vectors";
}

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
    Variable<float> answers(const PairBatch& batch, Inside<float>* inside = nullptr) const
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

double r_squared(const Array<float>& answers, const Array<float>& wanted)
{
    double error = 0;
    double variance = 0; // around 0, the mean of the answers by symmetry
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double right = static_cast<double>(wanted.data()[i]);
        const double wrong = static_cast<double>(answers.data()[i]) - right;
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
    Generator first(seed, stream::pair_parameters);
    Generator examples(seed, stream::pair_training);
    Generator fresh(seed, stream::pair_test);
    PairModel model(training, first);
    nn::Adam<float> adam(model.parameters, {.learning_rate = 3e-3});
    const PairBatch test = draw_pairs(pair_task, 5000, fresh);

    PairResult result;
    result.n_parameters = model.parameters.n_numbers();
    for (std::size_t step = 0; step < training.n_steps; ++step) {
        const PairBatch batch = draw_pairs(pair_task, 64, examples);
        autograd::Tape<float> tape;
        const Variable<float> loss =
            mean_squared_error(model.answers(batch), Variable<float>(batch.answers));
        result.losses.push_back(static_cast<double>(loss.item()));
        autograd::backward(loss);
        adam.step();
    }
    Inside<float> inside;
    result.r_squared = r_squared(model.answers(test, &inside).value(), test.answers);
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

} // namespace attn::multi_head
