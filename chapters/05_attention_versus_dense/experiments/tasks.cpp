#include "chapters/05_attention_versus_dense/experiments/experiments.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>

namespace attn::attention_versus_dense {

using random::Generator;

namespace {

/// How many days the tasks with lags look back.
constexpr std::size_t n_days = 31;

float uniform(Generator& generator, double low = -1, double high = 1)
{
    return static_cast<float>(generator.uniform(low, high));
}

Examples room_for(std::size_t n, std::size_t n_steps, std::size_t n_features,
                  std::size_t n_outputs)
{
    return {
        filled<float>({n, n_steps, n_features}, 0), filled<float>({n, n_outputs}, 0), {}, {}};
}

} // namespace

Examples pick(const Examples& all, const std::size_t* which, std::size_t n)
{
    const std::size_t n_steps = all.X.shape()[1];
    const std::size_t sequence = n_steps * all.X.shape()[2];
    const std::size_t n_outputs = all.Y.shape()[1];
    Examples some{uninitialised<float>({n, n_steps, all.X.shape()[2]}),
                  uninitialised<float>({n, n_outputs}),
                  {},
                  {}};
    if (all.mask) {
        some.mask = autograd::Mask(Shape{n, n_steps, 1});
    }
    for (std::size_t i = 0; i < n; ++i) {
        std::copy_n(all.X.data() + which[i] * sequence, sequence, some.X.data() + i * sequence);
        std::copy_n(all.Y.data() + which[i] * n_outputs, n_outputs,
                    some.Y.data() + i * n_outputs);
        if (all.mask) {
            std::copy_n(all.mask->data() + which[i] * n_steps, n_steps,
                        some.mask->data() + i * n_steps);
        }
    }
    return some;
}

Examples draw_marked(Generator& generator, std::size_t n, std::size_t n_steps,
                     std::size_t n_values)
{
    const std::size_t n_features = n_values + 1;
    Examples examples = room_for(n, n_steps, n_features, n_values);
    for (std::size_t i = 0; i < n; ++i) {
        float* const sequence = examples.X.data() + i * n_steps * n_features;
        for (std::size_t t = 0; t < n_steps; ++t) {
            std::generate_n(sequence + t * n_features, n_values,
                            [&] { return uniform(generator); });
        }
        const std::size_t marked_step = generator.below(n_steps);
        float* const marked = sequence + marked_step * n_features;
        marked[n_values] = 1;
        std::copy_n(marked, n_values, examples.Y.data() + i * n_values);
        examples.marked_step.push_back(marked_step);
    }
    return examples;
}

std::vector<LagTask> lag_tasks()
{
    const auto ago = [](std::size_t days) { return n_days - days; };
    Matrix features = xt::zeros<double>({n_days, std::size_t{2}});
    for (std::size_t day = 0; day < n_days; ++day) {
        features(day, 0) = 1.0 / n_days;
        features(day, 1) = 0.25 / n_days;
    }
    Matrix days = xt::zeros<double>({n_days, std::size_t{2}});
    days(ago(1), 0) = 0.6;
    days(ago(5), 0) = 0.3;
    days(ago(30), 0) = 0.1;
    Matrix signs = xt::zeros<double>({n_days, std::size_t{2}});
    signs(ago(1), 0) = 1;
    signs(ago(5), 0) = -0.6;
    signs(ago(1), 1) = 0.4;
    return {{"features", "mean of all prices + 0.25 mean of all rates", features},
            {"days", "0.6 price(1) + 0.3 price(5) + 0.1 price(30)", days},
            {"signs", "price(1) - 0.6 price(5) + 0.4 rate(1)", signs}};
}

Examples draw_lags(const LagTask& task, Generator& generator, std::size_t n)
{
    Examples examples = room_for(n, n_days, 2, 1);
    const double* const weights = task.weights.data();
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < n_days * 2; ++j) {
            const float x = uniform(generator);
            examples.X.data()[i * n_days * 2 + j] = x;
            sum += weights[j] * static_cast<double>(x);
        }
        examples.Y.data()[i] = static_cast<float>(sum);
    }
    return examples;
}

namespace {

/// Two different steps: one of 1 to 9, the other before the middle.
std::pair<std::size_t, std::size_t> two_steps(Generator& generator, std::size_t length)
{
    const std::size_t first = 1 + generator.below(9);
    std::size_t second = first;
    while (second == first) {
        second = 1 + generator.below(length / 2 - 1);
    }
    return {first, second};
}

} // namespace

Examples draw_arithmetic(Arithmetic arithmetic, Generator& generator, std::size_t n,
                         std::size_t t_0)
{
    expect(t_0 >= 20, "draw_arithmetic: t_0 must be at least 20, got {}", t_0);
    const std::size_t longest = t_0 + t_0 / 10;
    const bool adds = arithmetic == Arithmetic::addition;
    Examples examples = room_for(n, longest, 2, 1);
    examples.mask = autograd::Mask(Shape{n, longest, 1}, false);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t length = t_0 + generator.below(t_0 / 10 + 1);
        float* const sequence = examples.X.data() + i * longest * 2;
        for (std::size_t t = 0; t < length; ++t) {
            sequence[2 * t] = uniform(generator, adds ? -1 : 0, 1);
            examples.mask->data()[i * longest + t] = true;
        }
        const auto [first, second] = two_steps(generator, length);
        sequence[1] = sequence[2 * (length - 1) + 1] = -1;
        sequence[2 * first + 1] = sequence[2 * second + 1] = 1;
        const float a = sequence[2 * first];
        const float b = sequence[2 * second];
        examples.Y.data()[i] = adds ? 0.5F + (a + b) / 4 : a * b;
    }
    return examples;
}

Examples draw_order(Generator& generator, std::size_t n_pairs, std::size_t n_steps)
{
    Examples examples = room_for(2 * n_pairs, n_steps, 3, 1);
    const std::size_t sequence = n_steps * 3;
    for (std::size_t pair = 0; pair < n_pairs; ++pair) {
        float* const one = examples.X.data() + 2 * pair * sequence;
        for (std::size_t t = 0; t < n_steps; ++t) {
            one[3 * t + 2] = uniform(generator);
        }
        const std::vector<std::size_t> steps = generator.choice(n_steps, 2);
        one[3 * steps[0]] = 1;
        one[3 * steps[1] + 1] = 1;
        const float answer = steps[0] < steps[1] ? 1 : -1;

        float* const other = std::copy_n(one, sequence, one + sequence) - sequence;
        std::swap_ranges(other + 3 * steps[0], other + 3 * steps[0] + 3, other + 3 * steps[1]);
        examples.Y.data()[2 * pair] = answer;
        examples.Y.data()[2 * pair + 1] = -answer;
    }
    return examples;
}

} // namespace attn::attention_versus_dense
