/// \file
/// \brief What the ladder of softmax brings, in bytes a second beside a copy with the same kind
/// of stores, and what fused operators save beside those they replace.
#include "chapters/14_simd_transformer/experiments/experiments.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layer_norm.hpp"
#include "common/autograd/linear.hpp"
#include "common/kernels/row_blocks.hpp"
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "common/random/random.hpp"
#include "tests/bench/report.hpp"
#include "tests/bench/turns.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace attn;
using namespace attn::bench;
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

constexpr std::array<std::size_t, 4> lengths = {64, 512, 2048, 4096};

/// What the ladder takes for matrices of so many numbers, rows of every length and the copies
/// over the same two arrays: a copy's time depends on where its arrays lie.
struct LadderTimes
{
    std::size_t n_numbers;
    std::vector<Candidate> copies;                ///< through the cache, and around it
    std::vector<std::vector<Candidate>> variants; ///< by the lengths, and by the ladder
};

LadderTimes measure_ladder(std::size_t n_numbers)
{
    const Array<float> x = random_numbers({n_numbers}, 1);
    Array<float> y(x.shape());
    const Execution how{};
    std::vector<Candidate> all = {
        {"copy", 1, [&] { ladder_kernels(how).machine.copy(x.data(), y.data(), n_numbers); }},
        {"around", 1,
         [&] { ladder_kernels(how).machine.stream(x.data(), y.data(), n_numbers); }}};
    for (const std::size_t n : lengths) {
        for (const SoftmaxVariant& variant : softmax_variants()) {
            all.push_back({variant.name, 1, [&, n] {
                               variant.run(how, {n_numbers / n, n}, x.data(), y.data());
                           }});
        }
    }
    time_in_turns(all, {.n_turns = 4, .n_samples = 3});
    for (Candidate& one : all) {
        one.run = nullptr; // the arrays end here
    }
    LadderTimes times{n_numbers, {all[0], all[1]}, {}};
    for (auto begin = all.begin() + 2; begin != all.end();) {
        const auto end = begin + static_cast<std::ptrdiff_t>(softmax_variants().size());
        times.variants.emplace_back(begin, end);
        begin = end;
    }
    return times;
}

/// GB/s of something that reads and writes n floats.
std::string bandwidth(std::size_t n, double milliseconds)
{
    return program::fixed(8e-6 * static_cast<double>(n) / milliseconds, 1);
}

std::string percent(double part, double whole)
{
    return program::fixed(100 * part / whole, 0);
}

std::string ladder_report(const std::string& title, const LadderTimes& times)
{
    std::vector<std::string> header = {title + ", rows of"};
    for (const std::size_t n : lengths) {
        header.insert(header.end(), {std::to_string(n), "%"});
    }
    program::Table table(header);
    for (std::size_t i = 0; i < softmax_variants().size(); ++i) {
        const std::string name = softmax_variants()[i].name;
        const Candidate& copy = times.copies[name == "around the cache" ? 1 : 0];
        std::vector<std::string> row = {name == "threads" ? "threads, on one" : name};
        for (const std::vector<Candidate>& variants : times.variants) {
            const double best = variants[i].best();
            row.insert(row.end(),
                       {bandwidth(times.n_numbers, best), percent(copy.best(), best)});
        }
        table.row(row);
    }
    return fmt::format("{}copy: {} GB/s; around the cache: {} GB/s\n\n", table.to_string(),
                       bandwidth(times.n_numbers, times.copies[0].best()),
                       bandwidth(times.n_numbers, times.copies[1].best()));
}

/// The last variant beside the copy, rows of 512 and more.
Goal softmax_goal(const LadderTimes& times)
{
    Goal goal{.what =
                  fmt::format("softmax out of the cache; {}", kernels::default_kernels().name),
              .sizes = "rows of",
              .unit = "% of a copy",
              .bound = 80,
              .measured = {}};
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (lengths[i] >= 512) {
            goal.sizes += fmt::format(" {}", lengths[i]);
            goal.measured.push_back(100 * times.copies[0].best() /
                                    times.variants[i].back().best());
        }
    }
    return goal;
}

/// The copy, on threads as the last variant uses them.
void copy_in_blocks(const Execution& how, MatrixSize size, const float* x, float* y)
{
    const kernels::ComputeWith these(how);
    kernels::for_each_block_of_rows(
        size.n_rows, size.n, [&](std::size_t first, std::size_t n_rows) {
            ladder_kernels(how).machine.copy(x + first * size.n, y + first * size.n,
                                             n_rows * size.n);
        });
}

/// The last variant with each instruction set, and on one and two threads.
std::string sets_report()
{
    constexpr MatrixSize size = {16384, 512};
    const Array<float> x = random_numbers({size.n_rows, size.n}, 1);
    Array<float> y(x.shape());
    program::Table table({"rows of 512, 32 MiB", "threads", "GB/s", "% of copy"});
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const std::size_t n_threads : {1U, 2U}) {
            const Execution how{kernels, n_threads};
            std::vector<Candidate> both = {
                {"copy", n_threads, [&] { copy_in_blocks(how, size, x.data(), y.data()); }},
                {"softmax", n_threads, [&] { softmax(how, size, x.data(), y.data()); }}};
            time_in_turns(both, {.n_turns = 4});
            table.row({kernels->name, std::to_string(n_threads),
                       bandwidth(x.size(), both[1].best()),
                       percent(both[0].best(), both[1].best())});
        }
    }
    return table.to_string() + "\n";
}

// ---------------------------------------------------------------- operators

using Inputs = std::vector<Variable<float>>;
using Operator = std::function<Variable<float>(const Inputs&)>;

/// Operators by themselves, and the one that does the same in one walk.
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

std::vector<Replacement> replacements(std::size_t n, std::size_t d, std::size_t d_ff)
{
    const Array<float> x = random_numbers({n, d}, 1);
    return {{"linear, relu",
             [](const Inputs& in) { return relu(autograd::linear(in[0], in[1], in[2])); },
             [](const Inputs& in) { return autograd::linear_relu(in[0], in[1], in[2]); },
             {x, random_numbers({d, d_ff}, 2), random_numbers({d_ff}, 3)}},
            {"add, layer norm",
             [](const Inputs& in) { return autograd::layer_norm(in[0] + in[3], in[1], in[2]); },
             [](const Inputs& in) {
                 return autograd::add_and_normalise(in[0], in[3], in[1], in[2]).normalised;
             },
             {x, random_numbers({d}, 4), random_numbers({d}, 5), random_numbers({n, d}, 6)}}};
}

std::string microseconds(double seconds)
{
    return program::fixed(1e6 * seconds, 0);
}

std::string operators_report()
{
    program::Table table(
        {"one thread: us", "of", "forward", "fused", "ratio", "and back", "fused", "ratio"});
    for (const auto& list : {replacements(384, 64, 128), replacements(1024, 512, 2048)}) {
        for (const Replacement& one : list) {
            Times plain;
            Times fused;
            for (int round = 0; round < n_rounds; ++round) {
                keep_best(plain, one.plain, one.inputs);
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
    const LadderTimes far = measure_ladder(in_memory);
    return write_report(
        "GB/s, counting 8 bytes a number, and per cent of the copy with the same kind of "
        "stores, "
        "over the\nsame arrays. One thread: the processor's time; two: the time that "
        "passes.\n\n" +
            ladder_report("128 KiB", measure_ladder(in_cache)) + ladder_report("64 MiB", far) +
            sets_report() + operators_report(),
        argc, argv, {softmax_goal(far)});
}
