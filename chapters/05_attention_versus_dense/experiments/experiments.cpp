#include "chapters/05_attention_versus_dense/experiments/experiments.hpp"

#include "chapters/05_attention_versus_dense/experiments/streams.hpp"

#include <limits>

namespace attn::attention_versus_dense {

using random::Generator;

namespace {

constexpr std::size_t n_validation = 500;

/// Draws the three sets from three streams, and fits.
template <typename Draw>
Fitted draw_and_fit(const std::string& name, std::uint64_t seed, std::size_t n_train,
                    Training training, std::size_t d_hidden, Draw draw)
{
    Generator for_training(seed, stream::training);
    Generator for_validation(seed, stream::validation);
    Generator for_test(seed, stream::test);
    const Split split{draw(for_training, n_train), draw(for_validation, n_validation),
                      draw(for_test, training.n_test)};
    const ModelMaker& maker = maker_named(name);
    Generator parameters(seed, stream::parameters);
    const ModelSizes sizes{split.train.X.shape()[1], split.train.X.shape()[2],
                           split.train.Y.shape()[1], d_hidden, 32};
    Model model = maker.make(sizes, parameters);
    model.name = name;
    training.learning_rate = maker.learning_rate;
    const Fit result = fit(model, split, training, seed);
    return {model, result};
}

} // namespace

Fitted fit_marked(const std::string& name, std::uint64_t seed, std::size_t n_train,
                  std::size_t n_steps, const Training& training, std::size_t n_values)
{
    return draw_and_fit(name, seed, n_train, training, 16,
                        [&](Generator& generator, std::size_t n) {
                            return draw_marked(generator, n, n_steps, n_values);
                        });
}

Examples marked_test(std::uint64_t seed, std::size_t n, std::size_t n_steps,
                     std::size_t n_values)
{
    Generator generator(seed, stream::test);
    return draw_marked(generator, n, n_steps, n_values);
}

Fitted fit_lags(const std::string& name, const LagTask& task, std::uint64_t seed,
                std::size_t n_train, const Training& training)
{
    return draw_and_fit(
        name, seed, n_train, training, 16,
        [&](Generator& generator, std::size_t n) { return draw_lags(task, generator, n); });
}

ArithmeticResult fit_arithmetic(const std::string& name, Arithmetic arithmetic,
                                std::uint64_t seed, std::size_t n_train,
                                const Training& training)
{
    constexpr std::size_t t_0 = 50;
    const auto draw = [&](Generator& generator, std::size_t n) {
        return draw_arithmetic(arithmetic, generator, n, t_0);
    };
    const Fitted fitted = draw_and_fit(name, seed, n_train, training, 32, draw);
    Generator generator(seed, stream::test);
    const Examples asked = draw(generator, training.n_test);
    ArithmeticResult result{fitted.fit.test,
                            share_within(predictions(fitted.model, asked), asked.Y, 0.04),
                            std::numeric_limits<double>::quiet_NaN()};
    if (maker_named(name).any_length) {
        const Examples longer =
            draw_arithmetic(arithmetic, generator, training.n_test / 10, 2 * t_0);
        result.twice = r_squared(predictions(fitted.model, longer), longer.Y);
    }
    return result;
}

double fit_order(const std::string& name, std::uint64_t seed, std::size_t n_train,
                 const Training& training)
{
    const auto draw = [](Generator& generator, std::size_t n) {
        return draw_order(generator, n / 2, n_marked_steps);
    };
    const Fitted fitted = draw_and_fit(name, seed, n_train, training, 16, draw);
    Generator generator(seed, stream::test);
    const Examples asked = draw(generator, training.n_test);
    const Array<float> predicted = predictions(fitted.model, asked);
    std::size_t n_right = 0;
    for (std::size_t i = 0; i < asked.Y.size(); ++i) {
        n_right += predicted.data()[i] * asked.Y.data()[i] > 0 ? 1 : 0;
    }
    return static_cast<double>(n_right) / static_cast<double>(asked.Y.size());
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

} // namespace

ScalarTrap fit_scalar_trap(std::uint64_t seed, std::size_t n_train, const Training& training)
{
    const Fitted fitted =
        fit_marked("attention, tanh, b_t", seed, n_train, n_marked_steps, training, 1);
    const std::size_t n_test = training.n_test;
    const Examples asked = marked_test(seed, n_test, n_marked_steps, 1);
    const Matrix weights = weights_of(fitted.model, asked);
    Vector answers = Vector::from_shape({n_test});
    Vector value = xt::zeros<double>({n_test});
    Vector weight = Vector::from_shape({n_test});
    for (std::size_t i = 0; i < n_test; ++i) {
        answers(i) = static_cast<double>(asked.Y.data()[i]);
        weight(i) = weights(i, asked.marked_step[i]);
        for (std::size_t t = 0; t < n_marked_steps; ++t) {
            value(i) += weights(i, t) *
                        static_cast<double>(asked.X.data()[(i * n_marked_steps + t) * 2]);
        }
    }
    return {fitted.fit.test, squared_correlation(answers, value),
            squared_correlation(answers, weight)};
}

} // namespace attn::attention_versus_dense
