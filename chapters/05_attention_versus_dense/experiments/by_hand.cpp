#include "chapters/05_attention_versus_dense/experiments/experiments.hpp"

#include "chapters/05_attention_versus_dense/ceilings.hpp"
#include "common/autograd/activations.hpp"
#include "common/program/number.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>

namespace attn::attention_versus_dense {

using program::fixed;
using program::Frame;
using random::Generator;

namespace {

constexpr std::size_t steps_by_hand = 20;
constexpr std::size_t values_by_hand = 4;
constexpr std::size_t features_by_hand = values_by_hand + 1;

/// Attention with one b, or none where b is 0, that scores the first number and the marker.
SetByHand attention_by_hand(const char* name, Squash squash, float of_number, float of_marker,
                            float b)
{
    Generator unused(1);
    AttentionOverTime<float> layer(features_by_hand, 0, ScoreBias::one, squash, unused);
    layer.W.value().fill(0.0F);
    layer.W.value()(0, 0) = of_number;
    layer.W.value()(values_by_hand, 0) = of_marker;
    layer.b->value().fill(b);
    return {name, [layer](const Array<float>& X) {
                return Matrix(layer(Variable<float>(X)).context.value());
            }};
}

SetByHand gated_by_hand()
{
    Generator unused(1);
    GatedSum<float> layer(features_by_hand, unused);
    layer.W.value().fill(0.0F);
    layer.W.value()(values_by_hand, 0) = 40;
    layer.b.value().fill(-20.0F);
    return {"gated sum", [layer](const Array<float>& X) {
                return Matrix(layer(Variable<float>(X)).context.value());
            }};
}

} // namespace

Matrix by_rectifiers(const Array<float>& X)
{
    // Two units a number and a step: the number and the marker in, with weights 1 and -1.
    constexpr std::size_t n_units = 2 * steps_by_hand * values_by_hand;
    Generator unused(1);
    DenseOverBoth<float> layer(steps_by_hand, features_by_hand, n_units, unused);
    Array<float>& W = layer.linear.weight.value();
    W.fill(0.0F);
    layer.linear.bias->value().fill(-1.0F);
    Matrix readout = xt::zeros<double>({n_units, values_by_hand});
    std::size_t unit = 0;
    for (std::size_t t = 0; t < steps_by_hand; ++t) {
        for (std::size_t k = 0; k < values_by_hand; ++k) {
            for (const int sign : {1, -1}) {
                W(t * features_by_hand + k, unit) = static_cast<float>(sign);
                W(t * features_by_hand + values_by_hand, unit) = 1;
                readout(unit, k) = sign;
                ++unit;
            }
        }
    }
    const Matrix hidden = Matrix(relu(layer(Variable<float>(X))).value());
    Matrix answers = xt::zeros<double>({hidden.shape(0), values_by_hand});
    for (std::size_t i = 0; i < hidden.shape(0); ++i) {
        for (std::size_t j = 0; j < n_units; ++j) {
            for (std::size_t k = 0; k < values_by_hand; ++k) {
                answers(i, k) += hidden(i, j) * readout(j, k);
            }
        }
    }
    return answers;
}

std::vector<SetByHand> layers_by_hand()
{
    return {attention_by_hand("attention", Squash::none, 0, 20, 0),
            gated_by_hand(),
            {"dense, 160 hidden", by_rectifiers},
            attention_by_hand("attention, tanh, one b", Squash::tanh, 0, 40, -20),
            attention_by_hand("the same, with number 1", Squash::tanh, 0.25F, 6, -3)};
}

Vector explained_by(const SetByHand& layer, std::uint64_t seed, std::size_t n_examples)
{
    const Split split = draw_split(
        [](Generator& generator, std::size_t n) {
            return draw_marked(generator, n, steps_by_hand, values_by_hand);
        },
        seed, n_examples, n_examples);
    const LinearMap readout = least_squares(layer.apply(split.train.X), split.train.Y);
    return r_squared_of_each(readout(layer.apply(split.test.X)), split.test.Y);
}

void show_by_hand(Frame& frame)
{
    frame.terminal.introduce(
        "The marked step, with parameters set by hand",
        "Nothing is learnt but the readout, by least squares. R^2 of the four numbers on 10000 "
        "fresh sequences of 20 steps. With a tanh, first the marker alone is scored, then "
        "number 1 as well.");
    program::Table table({"layer", "number 1", "numbers 2 to 4", "mean"});
    const std::size_t n_examples = frame.options.quick ? 500 : 10000;
    for (const SetByHand& layer : layers_by_hand()) {
        const Vector each = explained_by(layer, frame.options.seed, n_examples);
        const double others = (each(1) + each(2) + each(3)) / 3;
        table.row({layer.name, fixed(each(0), 4), fixed(others, 4),
                   fixed((each(0) + 3 * others) / 4, 4)});
    }
    const std::string formula = fixed(marked_ceiling(2, steps_by_hand), 4);
    table.row({"formula with tanh and b", formula, formula, formula});
    frame.terminal.table(table);
}

} // namespace attn::attention_versus_dense
