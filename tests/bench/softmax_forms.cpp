/// \file
/// \brief What the softmax of a matrix costs in three forms: with a lazy reduction
/// inside a broadcast, with each reduction evaluated first, and in plain loops. Deliberately measures nothing else:
/// the page of pitfalls shows its table.
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "common/tensor/tensor.hpp"
#include "tests/bench/machine.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

using Floats = xt::xtensor<float, 2>;

constexpr std::size_t n = 512;

/// The maximum inside the broadcast: each element asks for its row's maximum again. (The
/// whole softmax as one expression, a sum over this one, crashes with xtensor 0.24.3.)
Floats reduction_inside(const Floats& s)
{
    const Floats powers = xt::exp(s - xt::amax(s, {1}, xt::keep_dims));
    const Floats row_sum = xt::sum(powers, {1}, xt::keep_dims);
    return powers / row_sum;
}

/// Each reduction has a name and a container before it is broadcast.
Floats evaluated_first(const Floats& s)
{
    const Floats row_max = xt::amax(s, {1}, xt::keep_dims); // [n, 1]
    const Floats powers = xt::exp(s - row_max);             // [n, n]
    const Floats row_sum = xt::sum(powers, {1}, xt::keep_dims);
    return powers / row_sum;
}

/// Two passes over each row.
Floats plain_loops(const Floats& s)
{
    Floats weights = s;
    for (std::size_t i = 0; i < n; ++i) {
        float* row = &weights(i, 0);
        const float row_max = *std::max_element(row, row + n);
        float row_sum = 0;
        for (std::size_t j = 0; j < n; ++j) {
            row[j] = std::exp(row[j] - row_max);
            row_sum += row[j];
        }
        for (std::size_t j = 0; j < n; ++j) {
            row[j] /= row_sum;
        }
    }
    return weights;
}

struct Form
{
    std::string name;
    std::function<Floats(const Floats&)> softmax;
    int n_runs;
};

/// The best of several runs, in nanoseconds for one element.
double time_of(const Form& form, const Floats& scores)
{
    double best = 1e300;
    for (int run = 0; run < form.n_runs; ++run) {
        const auto start = std::chrono::steady_clock::now();
        const Floats weights = form.softmax(scores);
        const std::chrono::duration<double, std::nano> spent =
            std::chrono::steady_clock::now() - start;
        if (!(std::abs(weights(0, 0)) < 2)) { // look at the result, so that it is computed
            std::abort();
        }
        best = std::min(best, spent.count() / static_cast<double>(n * n));
    }
    return best;
}

} // namespace

int main(int argc, char** argv)
{
    Floats scores = Floats::from_shape({n, n});
    for (std::size_t i = 0; i < n * n; ++i) {
        scores.data()[i] = static_cast<float>((i * 7919) % 1000) / 100;
    }
    const std::vector<Form> forms = {
        {"a lazy reduction inside the broadcast", reduction_inside, 3},
        {"each reduction evaluated first", evaluated_first, 50},
        {"plain loops", plain_loops, 50}};
    attn::program::Table table({"softmax of 512 x 512 floats", "ns an element", "ratio"});
    std::vector<double> times;
    for (const Form& form : forms) {
        times.push_back(time_of(form, scores));
    }
    for (std::size_t i = 0; i < forms.size(); ++i) {
        table.row({forms[i].name, attn::program::fixed(times[i], 1),
                   attn::program::fixed(times[i] / times.back(), 1)});
    }
    return attn::bench::write_report(table.to_string() + "\n", argc, argv);
}
