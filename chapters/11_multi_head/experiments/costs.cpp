#include "chapters/11_multi_head/experiments/costs.hpp"

#include "chapters/11_multi_head/linear_attention.hpp"
#include "chapters/11_multi_head/multi_head.hpp"
#include "common/autograd/layout.hpp"
#include "common/nn/recurrent_layers.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>

namespace attn::multi_head {

// ---------------------------------------------------------------- counted

std::vector<LayerCost> layer_costs(std::size_t n, std::size_t d)
{
    expect(n > 0 && d > 0, "layer_costs: positions and numbers are needed, got {} and {}", n,
           d);
    constexpr std::size_t k = convolution_width;
    const std::size_t reach = k - 1; // positions that one layer more reaches
    return {{"self-attention", "2 n^2 d + 4 n d^2", 2 * n * n * d + 4 * n * d * d, 1, 1},
            {"recurrent, GRU", "6 n d^2", 6 * n * d * d, n, n},
            {"convolution of 3", "3 n d^2", k * n * d * d, 1, (n - 1 + reach - 1) / reach},
            {"linear attention", "2 n d^2 + 4 n d^2", 6 * n * d * d, n, 1}};
}

std::vector<StepCost> step_costs(std::size_t n, std::size_t d)
{
    expect(n > 0 && d > 0, "step_costs: positions and numbers are needed, got {} and {}", n, d);
    return {{"self-attention", "2 n d + 4 d^2", 2 * n * d + 4 * d * d, 2 * n * d},
            {"recurrent, GRU", "6 d^2", 6 * d * d, d},
            {"linear attention", "2 d^2 + 4 d^2", 6 * d * d, d * d + d}};
}

// ---------------------------------------------------------------- timed

namespace {

using Clock = std::chrono::steady_clock;

/// How long something took.
struct Timing
{
    std::string name;
    std::size_t n; ///< positions
    std::size_t d; ///< numbers at each
    double microseconds;
};

/// The shortest of several runs, in microseconds; at least ten of them, for at least 50 ms in
/// all.
double shortest(const std::function<void()>& run)
{
    double best = 1e300;
    double all = 0;
    for (int i = 0; i < 10 || all < 5e4; ++i) {
        const Clock::time_point start = Clock::now();
        run();
        const std::chrono::duration<double, std::micro> spent = Clock::now() - start;
        best = std::min(best, spent.count());
        all += spent.count();
    }
    return best;
}

Variable<float> random_rows(const Shape& shape, random::Generator& generator)
{
    Array<float> numbers = uninitialised<float>(shape);
    for (float& number : numbers_of(numbers)) {
        number = static_cast<float>(generator.normal());
    }
    return Variable<float>(std::move(numbers));
}

/// Y_t = [x_{t-2}, x_{t-1}, x_t] W, zeros before the first.
Variable<float> convolution(const Variable<float>& x, const nn::Linear<float>& w)
{
    const std::size_t n = x.shape()[1];
    const std::size_t d = x.shape()[2];
    constexpr std::size_t before = convolution_width - 1;
    const Variable<float> zeros(filled<float>({1, before, d}, 0.0F));
    const Variable<float> padded = autograd::concatenate<float>({zeros, x}, 1);
    std::vector<Variable<float>> shifted;
    for (std::size_t i = 0; i < convolution_width; ++i) {
        shifted.push_back(slice(padded, 1, i, i + n));
    }
    return w(autograd::concatenate(shifted, -1));
}

Vector as_vector(const Variable<float>& x)
{
    Vector numbers = Vector::from_shape({x.size()});
    std::copy(x.value().begin(), x.value().end(), numbers.begin());
    return numbers;
}

/// One step of the state, between projections.
Variable<float> linear_context(LinearState& state, const Variable<float>& query,
                               const ProjectedMemory<float>& own)
{
    const Vector c = state.step(as_vector(query), as_vector(own.keys), as_vector(own.values));
    Array<float> row = uninitialised<float>(query.shape());
    std::transform(c.begin(), c.end(), row.begin(),
                   [](double number) { return static_cast<float>(number); });
    return Variable<float>(std::move(row));
}

std::string lines_of(const std::vector<Timing>& timings, const char* what)
{
    std::string text =
        fmt::format("{:<18} {:>6} {:>5} {:>14}\n", what, "n", "d", "microseconds");
    for (const Timing& timing : timings) {
        text += fmt::format("{:<18} {:>6} {:>5} {:>14.1f}\n", timing.name, timing.n, timing.d,
                            timing.microseconds);
    }
    return text;
}

/// Self-attention with 4 heads, GRU and convolution forwards, one sentence in float.
std::vector<Timing> time_layers(const std::vector<std::size_t>& lengths,
                                const std::vector<std::size_t>& widths)
{
    const autograd::NoGradient<float> forwards;
    std::vector<Timing> timings;
    for (const std::size_t d : widths) {
        random::Generator generator(1);
        MultiHeadAttention<float> attention({.d_model = d, .n_heads = 4}, generator);
        attention.attend = attend_by_operators<float>; // the faster one for long sentences
        const nn::Gru<float> gru({.n_in = d, .hidden = d}, generator);
        const nn::Linear<float> w(convolution_width * d, d, generator);
        for (const std::size_t n : lengths) {
            const Variable<float> x = random_rows({1, n, d}, generator);
            timings.push_back({"self-attention", n, d, shortest([&] { attention(x); })});
            timings.push_back({"recurrent, GRU", n, d, shortest([&] { gru(x); })});
            timings.push_back({"convolution of 3", n, d, shortest([&] { convolution(x, w); })});
        }
    }
    return timings;
}

/// One more position, where n have been read.
std::vector<Timing> time_steps(const std::vector<std::size_t>& lengths, std::size_t d)
{
    const autograd::NoGradient<float> forwards;
    random::Generator generator(1);
    const MultiHeadAttention<float> attention({.d_model = d, .n_heads = 4}, generator);
    const nn::Gru<float> gru({.n_in = d, .hidden = d}, generator);
    std::vector<Timing> timings;
    for (const std::size_t n : lengths) {
        const Variable<float> x = random_rows({1, 1, d}, generator);
        const ProjectedMemory<float> memory{random_rows({1, n, d}, generator),
                                            random_rows({1, n, d}, generator)};
        timings.push_back({"self-attention", n, d, shortest([&] {
                               const ProjectedMemory<float> own = attention.project(x, x);
                               attention.look(x, memory, {});
                           })});
        const auto state = gru.zero_states(1);
        const Variable<float> row = reshape(x, {1, d});
        timings.push_back({"recurrent, GRU", n, d, shortest([&] { gru.step(row, state); })});
        LinearState linear(d, d);
        timings.push_back({"linear attention", n, d, shortest([&] {
                               const ProjectedMemory<float> own = attention.project(x, x);
                               attention.W_o(linear_context(linear, attention.W_q(x), own));
                           })});
    }
    return timings;
}

} // namespace

std::string timed_report()
{
    return lines_of(time_layers({64, 256, 1024}, {64, 256}), "a whole sentence") + "\n" +
           lines_of(time_steps({64, 1024, 4096}, 64), "one place more");
}

} // namespace attn::multi_head
