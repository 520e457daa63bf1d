/// \file
/// \brief What the softmax of a matrix costs in three forms: with a lazy reduction
/// inside a broadcast, with each reduction evaluated first, and in plain loops. The page of
/// pitfalls shows its table.
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "common/tensor/tensor.hpp"
#include "tests/bench/report.hpp"
#include "tests/bench/turns.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using Floats = xt::xtensor<float, 2>;

constexpr std::size_t n = 512;

/// The maximum inside the broadcast: each element asks for its row's maximum again. Element by
/// element, because assigned as a whole the expression reads behind the matrix with xtensor
/// 0.24 and 0.25, and with the sum over it crashes.
Floats reduction_inside(const Floats& s)
{
    const auto lazy = xt::exp(s - xt::amax(s, {1}, xt::keep_dims));
    Floats powers = Floats::from_shape(s.shape());
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            powers(i, j) = lazy(i, j);
        }
    }
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
    Floats (*softmax)(const Floats&);
};

} // namespace

int main(int argc, char** argv)
{
    Floats scores = Floats::from_shape({n, n});
    for (std::size_t i = 0; i < n * n; ++i) {
        scores.data()[i] = static_cast<float>((i * 7919) % 1000) / 100;
    }
    const std::vector<Form> forms = {
        {"a lazy reduction inside the broadcast", reduction_inside},
        {"each reduction evaluated first", evaluated_first},
        {"plain loops", plain_loops}};
    std::vector<attn::bench::Candidate> candidates;
    for (const Form& form : forms) {
        candidates.push_back(
            {form.name, 1, [&] {
                 const Floats weights = form.softmax(scores);
                 if (!(std::abs(weights(0, 0)) < 2)) { // so that it is computed
                     std::abort();
                 }
             }});
    }
    attn::bench::time_in_turns(candidates, {.n_turns = 5});
    attn::program::Table table({"softmax of 512 x 512 floats", "ns an element", "ratio"});
    for (const attn::bench::Candidate& one : candidates) {
        table.row({one.name, attn::program::fixed(1e6 * one.best() / (n * n), 1),
                   attn::program::fixed(one.best() / candidates.back().best(), 1)});
    }
    return attn::bench::write_report(table.to_string() + "\n", argc, argv);
}
