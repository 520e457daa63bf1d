/// \file
/// \brief The layers against plain loops, their properties and their complaints.
#include "chapters/05_attention_versus_dense/layers.hpp"

#include "common/autograd/gradient_check.hpp"
#include "tests/05_attention_versus_dense/samples.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <vector>

using namespace attn;
using namespace attn::attention_versus_dense;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

namespace {

AttentionOverTime<double> layer_of(ScoreBias bias, Squash squash, std::size_t n_steps = 6,
                                   std::size_t n_features = 3)
{
    random::Generator generator(3);
    AttentionOverTime<double> layer(n_features, n_steps, bias, squash, generator);
    if (layer.b) {
        layer.b->value() =
            nn::initialise::normal<double>(layer.b->shape(), 0.0, 1.0, generator);
    }
    return layer;
}

std::vector<double> bias_of(const AttentionOverTime<double>& layer, std::size_t n_steps)
{
    std::vector<double> b(n_steps, 0.0);
    for (std::size_t t = 0; layer.b && t < n_steps; ++t) {
        b[t] = layer.b->value().data()[layer.b->size() == 1 ? 0 : t];
    }
    return b;
}

} // namespace

TEST_CASE("attention over time is what plain loops say", "[05][oracle]")
{
    const Array<double> X = sequences(4, 6, 3);
    for (const ScoreBias bias : {ScoreBias::none, ScoreBias::one, ScoreBias::per_step}) {
        for (const Squash squash : {Squash::none, Squash::tanh}) {
            const AttentionOverTime<double> layer = layer_of(bias, squash);
            const Attended<double> attended = layer(X);
            REQUIRE(attended.scores.shape() == Shape{4, 6, 1});
            REQUIRE(attended.weights.shape() == Shape{4, 6, 1});
            REQUIRE(attended.context.shape() == Shape{4, 3});
            for (std::size_t n = 0; n < 4; ++n) {
                const PlainAttention plain(X, n, layer.W.value(), bias_of(layer, 6),
                                           squash == Squash::tanh);
                for (std::size_t t = 0; t < 6; ++t) {
                    CHECK_THAT(attended.weights.value()(n, t, 0),
                               WithinAbs(plain.weights[t], 1e-12));
                }
                for (std::size_t k = 0; k < 3; ++k) {
                    CHECK_THAT(attended.context.value()(n, k),
                               WithinAbs(plain.context[k], 1e-12));
                }
            }
        }
    }
}

TEST_CASE("attention is a gated sum with exponential gates, divided by their sum",
          "[05][identity]")
{
    const Array<double> X = sequences(4, 6, 3);
    random::Generator generator(2);
    GatedSum<double> layer(3, generator);
    layer.b.value().fill(0.4);
    const Gated<double> gated = layer(X);
    REQUIRE(gated.gates.shape() == Shape{4, 6, 1});
    REQUIRE(gated.context.shape() == Shape{4, 3});
    AttentionOverTime<double> attention = layer_of(ScoreBias::none, Squash::none);
    attention.W.value() = layer.W.value();
    const Attended<double> attended = attention(X);
    for (std::size_t n = 0; n < 4; ++n) {
        std::vector<double> f(3, 0.0);
        std::vector<double> by_exponentials(3, 0.0);
        double sum = 0;
        for (std::size_t t = 0; t < 6; ++t) {
            double z = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                z += X(n, t, k) * layer.W.value()(k, 0);
            }
            const double gate = 1 / (1 + std::exp(-z - 0.4));
            CHECK_THAT(gated.gates.value()(n, t, 0), WithinAbs(gate, 1e-12));
            sum += std::exp(z);
            for (std::size_t k = 0; k < 3; ++k) {
                f[k] += gate * X(n, t, k);
                by_exponentials[k] += std::exp(z) * X(n, t, k);
            }
        }
        for (std::size_t k = 0; k < 3; ++k) {
            CHECK_THAT(gated.context.value()(n, k), WithinAbs(f[k], 1e-12));
            CHECK_THAT(attended.context.value()(n, k),
                       WithinAbs(by_exponentials[k] / sum, 1e-12));
        }
    }
}

TEST_CASE("weights with a pencil, with and without tanh", "[05][golden]")
{
    AttentionOverTime<double> layer = layer_of(ScoreBias::none, Squash::tanh, 2, 1);
    layer.W.value().fill(1.0);
    const Array<double> X = array_of<double>({1, 2, 1}, {0.0, 100.0});
    // tanh: scores 0 and 1, so the second weight is e / (1 + e).
    CHECK_THAT(layer(X).context.item(), WithinAbs(100 * 0.7310585786300049, 1e-10));
    layer.squash = Squash::none;
    CHECK_THAT(layer(X).context.item(), WithinAbs(100, 1e-10));
}

TEST_CASE("weights are positive, sum to one, and the context lies among the steps",
          "[05][property]")
{
    const Array<double> X = sequences(5, 6, 3, 2);
    const Attended<double> attended = layer_of(ScoreBias::per_step, Squash::tanh)(X);
    const Array<double>& weights = attended.weights.value();
    const Array<double>& context = attended.context.value();
    CHECK(xt::all(weights > 0.0));
    CHECK(xt::all(xt::abs(xt::sum(weights, {1}) - 1.0) < 1e-14));
    CHECK(xt::all(context >= xt::amin(X, {1})));
    CHECK(xt::all(context <= xt::amax(X, {1})));
}

TEST_CASE("padding has no weight, whatever it holds", "[05][property]")
{
    Array<double> X = sequences(2, 6, 3, 4);
    Mask mask(Shape{2, 6, 1}, true);
    mask(0, 4, 0) = mask(0, 5, 0) = false;
    const AttentionOverTime<double> layer = layer_of(ScoreBias::one, Squash::tanh);
    const Attended<double> before = layer(X, mask);
    CHECK(before.weights.value()(0, 5, 0) == 0);
    const Array<double> mean_before = mean_over_time<double>(X, mask).value();
    X(0, 4, 1) = 1e6;
    CHECK((layer(X, mask).context.value() == before.context.value()));
    CHECK((mean_over_time<double>(X, mask).value() == mean_before));
    double sum = 0;
    for (std::size_t t = 0; t < 4; ++t) {
        sum += X(0, t, 2) / 4;
    }
    CHECK_THAT(mean_before(0, 2), WithinAbs(sum, 1e-14));
    mask.fill(false);
    CHECK(mean_over_time<double>(X, mask).value()(1, 0) == 0); // nothing to see
}

TEST_CASE("the three dense layers are what plain loops say", "[05][oracle]")
{
    random::Generator generator(8);
    const Array<double> X = sequences(3, 5, 4, 5);
    const DenseOverFeatures<double> features(4, 2, generator);
    const DenseOverTime<double> time(5, 2, generator);
    const DenseOverBoth<double> both(5, 4, 2, generator);
    const Variable<double> y_features = features(X);
    const Variable<double> y_time = time(X);
    const Variable<double> y_both = both(X);
    REQUIRE(y_features.shape() == Shape{3, 5, 2});
    REQUIRE(y_time.shape() == Shape{3, 2, 4});
    REQUIRE(y_both.shape() == Shape{3, 2});
    for (std::size_t n = 0; n < 3; ++n) {
        for (std::size_t m = 0; m < 2; ++m) {
            double sum_both = both.linear.bias->value()(m);
            for (std::size_t t = 0; t < 5; ++t) {
                double sum = features.linear.bias->value()(m);
                for (std::size_t k = 0; k < 4; ++k) {
                    sum += X(n, t, k) * features.linear.weight.value()(k, m);
                    sum_both += X(n, t, k) * both.linear.weight.value()(t * 4 + k, m);
                }
                CHECK_THAT(y_features.value()(n, t, m), WithinAbs(sum, 1e-13));
            }
            CHECK_THAT(y_both.value()(n, m), WithinAbs(sum_both, 1e-13));
            for (std::size_t k = 0; k < 4; ++k) {
                double sum = time.bias.value()(m, 0);
                for (std::size_t t = 0; t < 5; ++t) {
                    sum += X(n, t, k) * time.weight.value()(t, m);
                }
                CHECK_THAT(y_time.value()(n, m, k), WithinAbs(sum, 1e-13));
            }
        }
    }
}

TEST_CASE("pooling without parameters", "[05][golden]")
{
    const Variable<double> X(array_of<double>({1, 3, 2}, {1, 9, 5, 2, 3, 4}));
    CHECK((mean_over_time(X).value() == array_of<double>({1, 2}, {3, 5})));
    CHECK((max_over_time(X).value() == array_of<double>({1, 2}, {5, 9})));
}

TEST_CASE("the gradients of the layers are those of differences", "[05][gradient]")
{
    const AttentionOverTime<double> layer = layer_of(ScoreBias::per_step, Squash::tanh, 4, 2);
    const auto attention = [&](const std::vector<Variable<double>>& inputs) {
        AttentionOverTime<double> moved = layer;
        moved.W = inputs[1];
        moved.b = inputs[2];
        return moved(inputs[0]).context;
    };
    CHECK(autograd::check_gradient(attention,
                                   {sequences(3, 4, 2), layer.W.value(), layer.b->value()})
              .passed);
    random::Generator generator(2);
    const GatedSum<double> gates(2, generator);
    const auto gated = [&](const std::vector<Variable<double>>& inputs) {
        GatedSum<double> moved = gates;
        moved.W = inputs[1];
        moved.b = inputs[2];
        return moved(inputs[0]).context;
    };
    CHECK(
        autograd::check_gradient(gated, {sequences(3, 4, 2), gates.W.value(), gates.b.value()})
            .passed);
    const DenseOverTime<double> time(4, 2, generator);
    const auto dense = [&](const std::vector<Variable<double>>& inputs) {
        DenseOverTime<double> moved = time;
        moved.weight = inputs[1];
        moved.bias = inputs[2];
        return moved(inputs[0]);
    };
    CHECK(autograd::check_gradient(dense,
                                   {sequences(3, 4, 2), time.weight.value(), time.bias.value()})
              .passed);
}

TEST_CASE("shapes that do not go together are named", "[05][shape]")
{
    const AttentionOverTime<double> layer = layer_of(ScoreBias::per_step, Squash::tanh);
    CHECK_THROWS_WITH(layer(sequences(2, 7, 3)), contains("[2, 7, 3]") && contains("[6, 1]"));
    CHECK_THROWS_WITH(layer(Array<double>(Shape{6, 3}, 0.0)), contains("[6, 3]"));
    CHECK_THROWS_WITH(layer(sequences(2, 6, 4)), contains("[2, 6, 4]") && contains("[3, 1]"));
    CHECK_THROWS_WITH(weighted_sum_over_time<double>(sequences(2, 6, 3), sequences(2, 5, 1)),
                      contains("[2, 6, 3]") && contains("[2, 5, 1]"));
    random::Generator generator(1);
    const Array<double> flat(Shape{2, 3}, 0.0);
    CHECK_THROWS_WITH(GatedSum<double>(3, generator)(flat), contains("[2, 3]"));
    CHECK_THROWS_AS(DenseOverFeatures<double>(3, 1, generator)(flat), ContractError);
    CHECK_THROWS_AS(DenseOverTime<double>(2, 1, generator)(flat), ContractError);
    CHECK_THROWS_AS(DenseOverBoth<double>(2, 3, 1, generator)(flat), ContractError);
    CHECK_THROWS_AS(DenseOverTime<double>(5, 1, generator)(sequences(2, 6, 3)), ContractError);
    CHECK_THROWS_AS(DenseOverBoth<double>(5, 3, 1, generator)(sequences(2, 6, 3)),
                    ContractError);
    CHECK_THROWS_AS(mean_over_time<double>(flat), ContractError);
    CHECK_THROWS_AS(max_over_time<double>(flat), ContractError);
}
