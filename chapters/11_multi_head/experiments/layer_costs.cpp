#include "chapters/11_multi_head/experiments/experiments.hpp"

#include "chapters/11_multi_head/linear_attention.hpp"
#include "chapters/11_multi_head/multi_head.hpp"
#include "common/autograd/layout.hpp"
#include "common/nn/initialise.hpp"
#include "common/nn/recurrent_layers.hpp"
#include "common/program/number.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>

namespace attn::multi_head {

using program::fixed;

namespace {

constexpr std::size_t convolution_width = 3; // positions

} // namespace

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
    return Variable<float>(nn::initialise::normal<float>(shape, 0.0, 1.0, generator));
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

/// A table's head and its lines.
class Timings
{
public:
    explicit Timings(const char* what)
        : text(fmt::format("{:<18} {:>6} {:>5} {:>14}\n", what, "n", "d", "microseconds"))
    {
    }

    void add(const char* name, std::size_t n, std::size_t d, const std::function<void()>& run)
    {
        text += fmt::format("{:<18} {:>6} {:>5} {:>14.1f}\n", name, n, d, shortest(run));
    }

    std::string text;
};

/// Self-attention with 4 heads, GRU and convolution forwards, one sentence in float.
std::string time_layers(const std::vector<std::size_t>& lengths,
                        const std::vector<std::size_t>& widths)
{
    Timings timings("a whole sentence");
    for (const std::size_t d : widths) {
        random::Generator generator(1);
        MultiHeadAttention<float> attention({.d_model = d, .n_heads = 4}, generator);
        attention.attend = attend_by_operators<float>; // the faster one for long sentences
        const nn::Gru<float> gru({.n_in = d, .hidden = d}, generator);
        const nn::Linear<float> w(convolution_width * d, d, generator);
        for (const std::size_t n : lengths) {
            const Variable<float> x = random_rows({1, n, d}, generator);
            timings.add("self-attention", n, d, [&] { attention(x); });
            timings.add("recurrent, GRU", n, d, [&] { gru(x); });
            timings.add("convolution of 3", n, d, [&] { convolution(x, w); });
        }
    }
    return timings.text;
}

/// One more position, where n have been read.
std::string time_steps(const std::vector<std::size_t>& lengths, std::size_t d)
{
    random::Generator generator(1);
    const MultiHeadAttention<float> attention({.d_model = d, .n_heads = 4}, generator);
    const nn::Gru<float> gru({.n_in = d, .hidden = d}, generator);
    Timings timings("one position more");
    for (const std::size_t n : lengths) {
        const Variable<float> x = random_rows({1, 1, d}, generator);
        const ProjectedMemory<float> memory{random_rows({1, n, d}, generator),
                                            random_rows({1, n, d}, generator)};
        timings.add("self-attention", n, d, [&] {
            const ProjectedMemory<float> own = attention.project(x, x);
            attention.attend_to(x, memory, {});
        });
        const auto state = gru.zero_states(1);
        const Variable<float> row = reshape(x, {1, d});
        timings.add("recurrent, GRU", n, d, [&] { gru.step(row, state); });
        LinearState linear(d, d);
        timings.add("linear attention", n, d, [&] {
            const ProjectedMemory<float> own = attention.project(x, x);
            attention.W_o(linear_context(linear, attention.W_q(x), own));
        });
    }
    return timings.text;
}

} // namespace

std::string timed_report()
{
    const autograd::NoGradient<float> forwards;
    return time_layers({64, 256, 1024}, {64, 256}) + "\n" + time_steps({64, 1024, 4096}, 64);
}

// ---------------------------------------------------------------- printed

void show_layer_costs(program::Frame& frame)
{
    constexpr std::size_t d = 64;
    frame.terminal.introduce(
        "What a layer costs, counted",
        "Multiplications of one layer on n positions of d = {} numbers, in millions, its "
        "matrices "
        "included. Waiting: how many steps must be taken one after the other, however many "
        "processors there are. Path: how many steps lie between the two most distant "
        "positions.",
        d);
    program::Table table({"layer", "multiplications", "n = 64", "n = 1024", "n = 4096",
                          "waiting", "path, n = 1024"});
    const std::vector<LayerCost> at_64 = layer_costs(64, d);
    const std::vector<LayerCost> at_1024 = layer_costs(1024, d);
    const std::vector<LayerCost> at_4096 = layer_costs(4096, d);
    const auto millions = [](std::size_t number) {
        return fixed(static_cast<double>(number) * 1e-6, 1);
    };
    for (std::size_t i = 0; i < at_64.size(); ++i) {
        table.row({at_64[i].name, at_64[i].formula, millions(at_64[i].multiplications),
                   millions(at_1024[i].multiplications), millions(at_4096[i].multiplications),
                   at_1024[i].waiting_steps == 1 ? "1" : "n",
                   std::to_string(at_1024[i].longest_path)});
    }
    frame.terminal.table(table);
    frame.terminal.line();
    frame.terminal.paragraph(
        "Linear attention waits in the form that is counted here; at once it does not, and "
        "costs as much as self-attention. To write one position more where n have been read:");
    frame.terminal.line();
    program::Table steps(
        {"layer", "multiplications", "n = 64", "n = 4096", "numbers kept, n = 64", "n = 4096"});
    const std::vector<StepCost> near = step_costs(64, d);
    const std::vector<StepCost> far = step_costs(4096, d);
    for (std::size_t i = 0; i < near.size(); ++i) {
        steps.row({near[i].name, near[i].formula, std::to_string(near[i].multiplications),
                   std::to_string(far[i].multiplications), std::to_string(near[i].kept),
                   std::to_string(far[i].kept)});
    }
    frame.terminal.table(steps);
}

void show_timed_layers(program::Frame& frame)
{
    frame.terminal.introduce(
        "What a layer costs, timed now on this computer",
        "Forwards, one sentence in float on one thread, the shortest of several runs. "
        "Self-attention has 4 heads.");
    frame.terminal.line(timed_report());
}

} // namespace attn::multi_head
