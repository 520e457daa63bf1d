#include "chapters/05_attention_versus_dense/experiments/experiments.hpp"

#include "common/autograd/losses.hpp"
#include "common/nn/optimisers.hpp"
#include "common/nn/training.hpp"
#include "common/random/streams.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace attn::attention_versus_dense {

namespace {

/// Calls say(part, begin) for a few hundred examples at a time.
template <typename Say>
void in_parts(const Examples& examples, Say say)
{
    constexpr std::size_t at_a_time = 250;
    const std::size_t n = examples.X.shape()[0];
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (std::size_t begin = 0; begin < n; begin += at_a_time) {
        say(pick(examples, all.data() + begin, std::min(at_a_time, n - begin)), begin);
    }
}

void expect_same_shape(const Array<float>& predicted, const Array<float>& Y,
                       const char* function)
{
    expect(predicted.shape() == Y.shape() && Y.dimension() == 2,
           "{}: predicted {} and Y {} must have one shape [n, n_outputs]", function,
           predicted.shape(), Y.shape());
}

} // namespace

Array<float> predictions(const Model& model, const Examples& examples)
{
    const std::size_t n_outputs = examples.Y.shape()[1];
    Array<float> predicted = uninitialised<float>({examples.X.shape()[0], n_outputs});
    in_parts(examples, [&](const Examples& part, std::size_t begin) {
        const Prediction prediction = model.predict(part.X, part.mask);
        std::copy_n(prediction.y.value().data(), prediction.y.size(),
                    predicted.data() + begin * n_outputs);
    });
    return predicted;
}

Matrix weights_of(const Model& model, const Examples& examples)
{
    const std::size_t n_steps = examples.X.shape()[1];
    Matrix weights = Matrix::from_shape({examples.X.shape()[0], n_steps});
    in_parts(examples, [&](const Examples& part, std::size_t begin) {
        const Prediction prediction = model.predict(part.X, part.mask);
        expect(prediction.weights.has_value(), "weights_of: the model '{}' does not attend",
               model.name);
        std::copy_n(prediction.weights->value().data(), prediction.weights->size(),
                    weights.data() + begin * n_steps);
    });
    return weights;
}

Vector r_squared_of_each(const Array<float>& predicted, const Array<float>& Y)
{
    expect_same_shape(predicted, Y, "r_squared");
    const std::size_t n = Y.shape()[0];
    const std::size_t n_outputs = Y.shape()[1];
    Vector each = Vector::from_shape({n_outputs});
    for (std::size_t k = 0; k < n_outputs; ++k) {
        double mean = 0;
        for (std::size_t i = 0; i < n; ++i) {
            mean += static_cast<double>(Y.data()[i * n_outputs + k]) / static_cast<double>(n);
        }
        double missed = 0;
        double variance = 0;
        for (std::size_t i = k; i < n * n_outputs; i += n_outputs) {
            const auto y = static_cast<double>(Y.data()[i]);
            const double miss = y - static_cast<double>(predicted.data()[i]);
            missed += miss * miss;
            variance += (y - mean) * (y - mean);
        }
        each(k) = 1 - missed / variance;
    }
    return each;
}

double r_squared(const Array<float>& predicted, const Array<float>& Y)
{
    const Vector each = r_squared_of_each(predicted, Y);
    return std::accumulate(each.begin(), each.end(), 0.0) / static_cast<double>(each.size());
}

double share_within(const Array<float>& predicted, const Array<float>& Y, double bound)
{
    expect_same_shape(predicted, Y, "share_within");
    std::size_t n_near = 0;
    for (std::size_t i = 0; i < Y.size(); ++i) {
        const double miss =
            static_cast<double>(Y.data()[i]) - static_cast<double>(predicted.data()[i]);
        n_near += std::abs(miss) < bound ? 1 : 0;
    }
    return static_cast<double>(n_near) / static_cast<double>(Y.size());
}

namespace {

double r_squared_of(const Model& model, const Examples& examples)
{
    return r_squared(predictions(model, examples), examples.Y);
}

} // namespace

Fit fit(Model& model, const Split& split, const Training& training, double learning_rate,
        std::uint64_t seed)
{
    nn::Adam<float> adam(model.parameters, {.learning_rate = learning_rate,
                                            .weight_decay = training.weight_decay,
                                            .decay = nn::Decay::decoupled});
    random::Generator generator(seed, random::Stream::layer_order);
    Fit result{0, 0, 0, {}};
    std::vector<Array<float>> best = values_of(model.parameters);
    double highest = -std::numeric_limits<double>::infinity();
    std::vector<std::size_t> order; // of the examples that are still to come in this epoch
    std::size_t n_evaluations = 0;
    for (std::size_t step = 1; step <= training.n_steps; ++step) {
        // Take a batch and step.
        if (training.falls) {
            adam.learning_rate = learning_rate *
                                 static_cast<double>(training.n_steps - step + 1) /
                                 static_cast<double>(training.n_steps);
        }
        if (order.size() < training.batch) {
            order = generator.permutation(split.train.X.shape()[0]);
        }
        order.resize(order.size() - training.batch);
        const Examples batch = pick(split.train, order.data() + order.size(), training.batch);
        {
            const autograd::Tape<float> tape;
            const Variable<float> loss =
                mean_squared_error<float>(model.predict(batch.X, batch.mask).y, batch.Y);
            result.losses.push_back(static_cast<double>(loss.item()));
            autograd::backward(loss);
        }
        adam.step();

        // Evaluate, and keep the best.
        if (step * training.n_evaluations >= (n_evaluations + 1) * training.n_steps) {
            ++n_evaluations;
            const double here = r_squared_of(model, split.validation);
            if (here > highest) {
                highest = here;
                best = values_of(model.parameters);
            }
        }
    }
    result.validation = highest;
    result.last_train = r_squared_of(model, split.train);
    set_values(model.parameters, best);
    nn::count_training(model.parameters);
    result.test = r_squared_of(model, split.test);
    return result;
}

Split draw_split(const Draw& draw, std::uint64_t seed, std::size_t n_train, std::size_t n_test)
{
    random::Generator for_training(seed, random::Stream::layer_training);
    random::Generator for_validation(seed, random::Stream::layer_validation);
    random::Generator for_test(seed, random::Stream::layer_test);
    return {draw(for_training, n_train), draw(for_validation, 500), draw(for_test, n_test)};
}

Fitted fit_task(const std::string& name, const Draw& draw, std::uint64_t seed,
                std::size_t n_train, const Training& training, std::size_t d_hidden)
{
    Split split = draw_split(draw, seed, n_train, training.n_test);
    const ModelMaker& maker = maker_named(name);
    std::vector<double> factors = {training.rate_factor.value_or(1)};
    if (!training.rate_factor && maker.thrice) {
        factors.push_back(3);
    }
    std::optional<Fitted> best;
    for (const double factor : factors) {
        random::Generator parameters(seed, random::Stream::layer_parameters);
        Model model = maker.make({split.train.X.shape()[1], split.train.X.shape()[2],
                                  split.train.Y.shape()[1], d_hidden, 32},
                                 parameters);
        model.name = name;
        Fit result = fit(model, split, training, factor * maker.learning_rate, seed);
        if (!best || result.validation > best->fit.validation) {
            best = Fitted{std::move(model), {}, std::move(result)};
        }
    }
    best->test = std::move(split.test);
    return std::move(*best);
}

Training training_of(const program::Frame& frame, std::size_t n_steps)
{
    Training training;
    training.n_steps = frame.options.quick ? 40 : n_steps;
    training.n_evaluations = frame.options.quick ? 2 : training.n_evaluations;
    training.n_test = frame.options.quick ? 500 : training.n_test;
    return training;
}

} // namespace attn::attention_versus_dense
