/// \file
/// \brief What the ladder of softmax brings, in bytes a second beside a copy with the same kind
/// of stores, and what the fused operators of chapter 14 save beside those they replace.
/// Deliberately without attention and without products alone; both have reports of their own.
#include "chapters/14_simd_transformer/fast_layers.hpp"
#include "chapters/14_simd_transformer/fused.hpp"
#include "chapters/14_simd_transformer/machine.hpp"
#include "chapters/14_simd_transformer/row_blocks.hpp"
#include "chapters/14_simd_transformer/softmax.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layer_norm.hpp"
#include "common/autograd/linear.hpp"
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "common/random/random.hpp"
#include "tests/bench/machine.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace attn;
using namespace attn::simd_transformer;
using autograd::Variable;

constexpr int n_rounds = 4;

Array<float> random_numbers(const Shape& shape, std::uint64_t stream)
{
    random::Generator generator(3, stream);
    Array<float> x(shape);
    for (float& number : x) {
        number = static_cast<float>(generator.normal());
    }
    return x;
}

// ---------------------------------------------------------------- softmax

/// Seconds of the best of all rounds: of copies, and of each rung.
struct LadderTimes
{
    double copy = 1e300;
    double stream = 1e300;
    std::vector<double> rungs = std::vector<double>(softmax_ladder().size(), 1e300);
};

/// All of it in turns, so that a slow while of the machine is shared.
LadderTimes times_of_ladder(const Execution& how, MatrixSize size)
{
    const Array<float> x = random_numbers({size.n_rows, size.n}, 1);
    Array<float> y(x.shape());
    const auto keep_best = [&](double& best, const std::function<void()>& run) {
        best = std::min(best, best_seconds(run, {.seconds = 0.05}));
    };
    LadderTimes times;
    for (int round = 0; round < n_rounds; ++round) {
        keep_best(times.copy, [&] { how.kernels->machine.copy(x.data(), y.data(), x.size()); });
        keep_best(times.stream,
                  [&] { how.kernels->machine.stream(x.data(), y.data(), x.size()); });
        for (std::size_t i = 0; i < times.rungs.size(); ++i) {
            keep_best(times.rungs[i],
                      [&] { softmax_ladder()[i].run(how, size, x.data(), y.data()); });
        }
    }
    return times;
}

/// GB/s of something that reads and writes n floats.
std::string bandwidth(std::size_t n, double seconds)
{
    return program::fixed(8e-9 * static_cast<double>(n) / seconds, 1);
}

std::string percent(double part, double whole)
{
    return program::fixed(100 * part / whole, 0);
}

/// Of rows by their length, the ladder's times.
struct LadderOfLength
{
    std::size_t n;
    LadderTimes times;
};

/// The rungs on matrices of n_numbers, with rows of some lengths.
std::vector<LadderOfLength> measure_ladder(std::size_t n_numbers)
{
    std::vector<LadderOfLength> all;
    for (const std::size_t n : {64U, 512U, 2048U, 4096U}) {
        all.push_back({n, times_of_ladder({}, {n_numbers / n, n})});
    }
    return all;
}

std::string ladder_report(const std::string& title, std::size_t n_numbers,
                          const std::vector<LadderOfLength>& lengths)
{
    std::vector<std::string> header = {title + ", rows of"};
    std::vector<std::vector<std::string>> lines = {{"copy"}, {"copy around the cache"}};
    for (const SoftmaxRung& rung : softmax_ladder()) {
        lines.push_back({rung.name});
    }
    for (const auto& [n, times] : lengths) {
        header.insert(header.end(), {std::to_string(n), "%"});
        lines[0].insert(lines[0].end(), {bandwidth(n_numbers, times.copy), ""});
        lines[1].insert(lines[1].end(), {bandwidth(n_numbers, times.stream), ""});
        for (std::size_t i = 0; i < times.rungs.size(); ++i) {
            const bool around = std::string(softmax_ladder()[i].name) == "around the cache";
            lines[i + 2].insert(lines[i + 2].end(),
                                {bandwidth(n_numbers, times.rungs[i]),
                                 percent(around ? times.stream : times.copy, times.rungs[i])});
        }
    }
    program::Table table(header);
    for (const std::vector<std::string>& line : lines) {
        table.row(line);
    }
    return table.to_string() + "\n";
}

/// The last rung beside the copy, rows of 512 and more.
bench::Goal softmax_goal(const std::vector<LadderOfLength>& lengths)
{
    bench::Goal goal{.what =
                         fmt::format("softmax out of the cache; {}", default_kernels().name),
                     .sizes = "rows of",
                     .unit = "% of a copy",
                     .bound = 80,
                     .measured = {}};
    for (const auto& [n, times] : lengths) {
        if (n >= 512) {
            goal.sizes += fmt::format(" {}", n);
            goal.measured.push_back(100 * times.copy / times.rungs.back());
        }
    }
    return goal;
}

/// The copy, on threads as the last rung uses them.
void copy_in_blocks(const Execution& how, MatrixSize size, const float* x, float* y)
{
    blocks_of_rows(size.n_rows, size.n)
        .for_each(how, [&](std::size_t, std::size_t first, std::size_t n_rows) {
            how.kernels->machine.copy(x + first * size.n, y + first * size.n, n_rows * size.n);
        });
}

/// The last rung with each instruction set, and on one and two threads.
std::string sets_report()
{
    constexpr MatrixSize size = {16384, 512};
    const Array<float> x = random_numbers({size.n_rows, size.n}, 1);
    Array<float> y(x.shape());
    program::Table table({"rows of 512, 32 MiB", "threads", "GB/s", "% of copy"});
    for (const Kernels* kernels : instruction_sets()) {
        for (const std::size_t n_threads : {1U, 2U}) {
            const Execution how{kernels, n_threads};
            double copied = 1e300;
            double seconds = 1e300;
            for (int round = 0; round < n_rounds; ++round) {
                const auto keep_best = [&](double& best, const std::function<void()>& run) {
                    best = std::min(best, best_seconds(run, {.seconds = 0.1}));
                };
                keep_best(copied, [&] { copy_in_blocks(how, size, x.data(), y.data()); });
                keep_best(seconds, [&] { softmax(how, size, x.data(), y.data()); });
            }
            const double reached = 8e-9 * static_cast<double>(x.size()) / seconds;
            table.row({kernels->name, std::to_string(n_threads), program::fixed(reached, 1),
                       percent(copied, seconds)});
        }
    }
    return table.to_string() + "\n";
}

// ---------------------------------------------------------------- operators

using Inputs = std::vector<Variable<float>>;
using Operator = std::function<Variable<float>(const Inputs&)>;

/// An operator of common, and what replaces it.
struct Replacement
{
    std::string name;
    Operator plain;
    Operator fused;
    std::vector<Array<float>> inputs;
};

/// Seconds forward, and forward and back.
struct Times
{
    double forward = 1e300;
    double both = 1e300;
};

void keep_best(Times& best, const Operator& f, const std::vector<Array<float>>& arrays)
{
    Inputs inputs;
    for (const Array<float>& array : arrays) {
        inputs.push_back(autograd::parameter(Array<float>(array)));
    }
    const autograd::NoGradient<float> looking;
    best.forward = std::min(best.forward, best_seconds([&] { f(inputs); }, {.seconds = 0.03}));
    Array<float> dy = random_numbers(f(inputs).shape(), 9);
    const auto back_and_forth = [&] {
        autograd::Tape<float> tape;
        const Variable<float> y = f(inputs);
        const Variable<float> loss = autograd::record(
            Array<float>(Shape{}, 0.0F), true, [&](const Array<float>&, const Array<float>&) {
                y.node().gradient = std::move(dy);
                y.node().has_gradient = true;
            });
        autograd::backward(loss);
        dy = std::move(*y.node().gradient);
        for (Variable<float>& x : inputs) {
            x.clear_gradient();
        }
    };
    best.both = std::min(best.both, best_seconds(back_and_forth, {.seconds = 0.03}));
}

std::string shape_text(const std::vector<Array<float>>& inputs)
{
    const Shape& shape = inputs[0].shape();
    return inputs.size() > 1 && inputs[1].dimension() == 2 && inputs[1].shape() != shape
               ? fmt::format("{} x {} by {}", shape[0], shape[1], inputs[1].shape()[1])
               : fmt::format("{} x {}", shape[0], shape[1]);
}

std::vector<Replacement> replacements(std::size_t n, std::size_t d, std::size_t d_ff,
                                      std::size_t n_classes)
{
    const Execution how{};
    const Array<float> x = random_numbers({n, d}, 1);
    const std::vector<Array<float>> product = {x, random_numbers({d, d_ff}, 2),
                                               random_numbers({d_ff}, 3)};
    const std::vector<Array<float>> norm = {x, random_numbers({d}, 4), random_numbers({d}, 5)};
    std::vector<std::int64_t> targets(n);
    for (std::size_t i = 0; i < n; ++i) {
        targets[i] = static_cast<std::int64_t>(i * 7 % n_classes);
    }
    const autograd::CrossEntropy smoothed{.label_smoothing = 0.1};
    return {{"linear, relu",
             [](const Inputs& in) { return relu(autograd::linear(in[0], in[1], in[2])); },
             [=](const Inputs& in) { return linear_relu(how, in[0], in[1], in[2]); }, product},
            {"linear, gelu",
             [](const Inputs& in) { return gelu(autograd::linear(in[0], in[1], in[2])); },
             [=](const Inputs& in) { return linear_gelu(how, in[0], in[1], in[2]); }, product},
            {"layer norm",
             [](const Inputs& in) { return autograd::layer_norm(in[0], in[1], in[2]); },
             [=](const Inputs& in) { return layer_norm(how, in[0], in[1], in[2]); }, norm},
            {"add, layer norm",
             [](const Inputs& in) { return autograd::layer_norm(in[0] + in[3], in[1], in[2]); },
             [=](const Inputs& in) {
                 return add_and_normalise(how, in[0], in[3], in[1], in[2]).normalised;
             },
             {x, norm[1], norm[2], random_numbers({n, d}, 6)}},
            {"cross entropy",
             [=](const Inputs& in) {
                 return autograd::cross_entropy<float>(in[0], targets, smoothed);
             },
             [=](const Inputs& in) { return cross_entropy(how, in[0], targets, smoothed); },
             {random_numbers({n, n_classes}, 7)}}};
}

std::string microseconds(double seconds)
{
    return program::fixed(1e6 * seconds, 0);
}

std::string operators_report()
{
    program::Table table(
        {"one thread: us", "of", "forward", "fused", "ratio", "and back", "fused", "ratio"});
    for (const auto& list :
         {replacements(384, 64, 128, 270), replacements(1024, 512, 2048, 8192)}) {
        for (const Replacement& one : list) {
            Times plain;
            Times fused;
            for (int round = 0; round < n_rounds; ++round) {
                keep_best(plain, one.plain, one.inputs);
                const Products products({}, {});
                keep_best(fused, one.fused, one.inputs);
            }
            table.row({one.name, shape_text(one.inputs), microseconds(plain.forward),
                       microseconds(fused.forward),
                       program::fixed(plain.forward / fused.forward, 2),
                       microseconds(plain.both), microseconds(fused.both),
                       program::fixed(plain.both / fused.both, 2)});
        }
    }
    return table.to_string() + "\n";
}

} // namespace

int main(int argc, char** argv)
{
    constexpr std::size_t in_cache = std::size_t(1) << 15U;
    constexpr std::size_t in_memory = std::size_t(1) << 24U;
    const std::vector<LadderOfLength> far = measure_ladder(in_memory);
    return bench::write_report(
        "GB/s, counting 8 bytes a number, and per cent of the copy with the same kind of "
        "stores.\n\n" +
            ladder_report("128 KiB", in_cache, measure_ladder(in_cache)) +
            ladder_report("64 MiB", in_memory, far) + sets_report() + operators_report(),
        argc, argv, {softmax_goal(far)});
}
