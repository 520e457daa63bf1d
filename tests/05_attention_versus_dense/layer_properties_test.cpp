/// \file
/// \brief What holds of the layers without training: indices, order, length, ceilings, the
/// exercises; and Raffel and Ellis' network against plain loops.
#include "chapters/05_attention_versus_dense/experiments/experiments.hpp"

#include "chapters/05_attention_versus_dense/ceilings.hpp"
#include "chapters/05_attention_versus_dense/exercises/solutions.hpp"
#include "chapters/05_attention_versus_dense/raffel_ellis.hpp"
#include "tests/05_attention_versus_dense/samples.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

using namespace attn;
using namespace attn::attention_versus_dense;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

namespace {

std::map<std::string, LayerProperties> all_properties(std::uint64_t seed)
{
    std::map<std::string, LayerProperties> properties;
    for (const ComparedLayer& layer : compared_layers(seed, 20, 5)) {
        properties.emplace(layer.name, properties_of(layer, seed, 20, 5));
    }
    return properties;
}

double phi(double x)
{
    return x > 0 ? x : 0.01 * x;
}

} // namespace

// [claim_facts]
TEST_CASE("attention and the maximum see the input, dense layers do not", "[05][claim]")
{
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const std::map<std::string, LayerProperties> of = all_properties(seed);
        for (const char* dense : {"dense over features, mean", "dense over time",
                                  "dense over both", "mean of the steps"}) {
            CHECK_FALSE(of.at(dense).weight_varies); // linear in the sequence
        }
        for (const char* blind :
             {"attention", "attention, tanh", "attention, tanh, one b",
              "Raffel and Ellis, 16 units", "maximum of the steps", "gated sum"}) {
            CHECK(of.at(blind).weight_varies);
            CHECK(of.at(blind).order_change < 1e-12); // any order, the same result
            CHECK(of.at(blind).any_length);
        }
        for (const char* placed : {"attention, b_t", "attention, tanh, b_t"}) {
            CHECK(of.at(placed).weight_varies);
            CHECK(of.at(placed).order_change > 0.01);
            CHECK_FALSE(of.at(placed).any_length); // b_t knows no step T + 1
        }
        for (const char* placed : {"dense over time", "dense over both"}) {
            CHECK(of.at(placed).order_change > 0.01);
            CHECK_FALSE(of.at(placed).any_length);
        }
        CHECK(of.at("dense over features, mean").order_change < 1e-12);
    }
}
// [claim_facts]

TEST_CASE("the numbers to be learnt are as many as the table says", "[05][claim]")
{
    std::map<std::string, std::size_t> counts;
    for (const ComparedLayer& layer : compared_layers(1, 20, 5)) {
        counts[layer.name] = layer.n_numbers;
    }
    CHECK(counts.at("dense over features, mean") == 5 + 1);
    CHECK(counts.at("dense over time") == 20 + 1);
    CHECK(counts.at("dense over both") == 20 * 5 + 1);
    CHECK(counts.at("attention, tanh, b_t") == 5 + 20);
    CHECK(counts.at("attention, tanh, one b") == 5 + 1);
    CHECK(counts.at("attention") == 5);
    CHECK(counts.at("gated sum") == 5 + 1);
    CHECK(counts.at("mean of the steps") == 0);
}

// [claim_counting]
TEST_CASE("a mean of steps cannot count: written down twice, they give the same", "[05][claim]")
{
    const Array<double> X = sequences(5, 20, 5);
    const Array<double> twice = xt::concatenate(xt::xtuple(X, X), 1);
    for (const ComparedLayer& layer : compared_layers(1, 20, 5)) {
        if (!properties_of(layer, 1, 20, 5).any_length) {
            continue;
        }
        CAPTURE(layer.name);
        const Array<double> once = layer.apply(X).value();
        const Array<double> of_both = layer.apply(twice).value();
        const double factor = layer.name == "gated sum" ? 2 : 1; // a sum counts
        CHECK(xt::amax(xt::abs(of_both - factor * once))() < 1e-12);
    }
}
// [claim_counting]

// [claim_twins]
TEST_CASE("two classes that no order-blind layer can tell apart", "[05][claim]")
{
    // Each sequence stands beside its twin, in which A and B are exchanged.
    random::Generator generator(4);
    const Examples pairs = draw_order(generator, 50, 20);
    const Array<double> X = pairs.X;
    for (const ComparedLayer& layer : compared_layers(1, 20, 3)) {
        const Array<double> result = layer.apply(X).value();
        const std::size_t d = result.size() / 100;
        double apart = 0;
        for (std::size_t i = 0; i < 100; i += 2) {
            for (std::size_t k = 0; k < d; ++k) {
                apart = std::max(
                    apart, std::abs(result.data()[i * d + k] - result.data()[(i + 1) * d + k]));
            }
        }
        CAPTURE(layer.name);
        const bool sees_order = layer.name.find("b_t") != std::string::npos ||
                                layer.name == "dense over time" ||
                                layer.name == "dense over both";
        // The noise of the two steps is exchanged with the symbols, so all is a permutation.
        CHECK((sees_order ? apart > 1e-3 : apart < 1e-12));
    }
}
// [claim_twins]

// [claim_ceiling]
TEST_CASE("a tanh caps the weight and what can be read of the marked step", "[05][claim]")
{
    CHECK_THAT(largest_weight(2, 20), WithinAbs(0.2800, 5e-5));
    CHECK_THAT(largest_weight(2, 100), WithinAbs(0.0695, 5e-5));
    CHECK_THAT(marked_ceiling(2, 20), WithinAbs(0.7418, 5e-5)); // with a bias
    CHECK_THAT(marked_ceiling(1, 20), WithinAbs(0.2800, 5e-5)); // without one
    CHECK_THAT(marked_ceiling(2, 100), WithinAbs(0.3555, 5e-5));
    CHECK_THAT(marked_ceiling(2, 500), WithinAbs(0.0986, 5e-5));
    for (const std::size_t T : {2U, 5U, 20U, 100U}) {
        for (const double range : {0.0, 0.5, 2.0, 9.0}) {
            const double a = largest_weight(range, T);
            const double b = (1 - a) / static_cast<double>(T - 1);
            CHECK_THAT(marked_ceiling(range, T),
                       WithinAbs(a * a / (a * a + static_cast<double>(T - 1) * b * b), 1e-14));
        }
        CHECK_THAT(marked_ceiling(0, T), WithinAbs(1 / static_cast<double>(T), 1e-14));
        CHECK(marked_ceiling(std::numeric_limits<double>::infinity(), T) == 1);
    }
    CHECK_THROWS_AS(largest_weight(-1, 3), ContractError);
    CHECK_THROWS_AS(marked_ceiling(1, 0), ContractError);
}
// [claim_ceiling]

TEST_CASE("no score pushed through a tanh gives more weight", "[05][property]")
{
    random::Generator generator(6);
    AttentionOverTime<double> layer(4, 20, ScoreBias::per_step, Squash::tanh, generator);
    for (const double scale : {1.0, 10.0, 1000.0}) {
        layer.W.value() = nn::initialise::normal<double>({4, 1}, 0.0, scale, generator);
        layer.b->value() = nn::initialise::normal<double>({20, 1}, 0.0, scale, generator);
        const Variable<double> weights = layer(sequences(50, 20, 4)).weights;
        for (const double weight : numbers_of(weights.value())) {
            CHECK(weight <= largest_weight(2, 20) + 1e-12);
        }
    }
}

// [claim_constant]
TEST_CASE("what constant weights can do on prices and rates", "[05][claim]")
{
    const std::vector<LagTask> tasks = lag_tasks();
    const ConstantWeights features = best_with_constant_weights(tasks[0].weights);
    CHECK_THAT(features.mean, WithinAbs(1, 1e-12));
    const ConstantWeights days = best_with_constant_weights(tasks[1].weights);
    CHECK_THAT(days.mean, WithinAbs(1 / (31 * 0.46), 1e-12)); // (sum w)^2 / T / sum w^2
    CHECK_THAT(days.attention, WithinAbs(1, 1e-12));
    const ConstantWeights signs = best_with_constant_weights(tasks[2].weights);
    CHECK_THAT(signs.attention,
               WithinAbs(1.16 / 1.52, 1e-9)); // all of yesterday, none of day 5
    CHECK(signs.over_time > 0.97);
    CHECK(signs.over_time < 0.98);
    CHECK(signs.over_both == 1);
    CHECK_THROWS_AS(best_with_constant_weights(xt::zeros<double>({3, 2})), ContractError);
}
// [claim_constant]

TEST_CASE("one sign for all days is the best that was found by trying", "[05][oracle]")
{
    // Non-negative beta on yesterday and on day 5, any readout: explained share by algebra.
    double best = 0;
    for (int step = 0; step <= 1000; ++step) {
        const double one = std::cos(step * 1.5707963 / 1000);
        const double five = std::sin(step * 1.5707963 / 1000);
        const double price = one * 1 + five * -0.6;
        const double rate = one * 0.4;
        best = std::max(best, (price * price + rate * rate) / 1.52);
    }
    CHECK_THAT(best_with_constant_weights(lag_tasks()[2].weights).attention,
               WithinAbs(best, 1e-4));
}

TEST_CASE("Raffel and Ellis' network is what plain loops say", "[05][oracle]")
{
    random::Generator generator(9);
    const RaffelEllis<double> network({3, 4, 5, 2}, generator);
    const Array<double> X = sequences(2, 6, 3, 7);
    const RaffelEllisOutput<double> output = network(X);
    REQUIRE(output.y.shape() == Shape{2, 2});
    for (std::size_t n = 0; n < 2; ++n) {
        Array<double> h(Shape{1, 6, 4});
        for (std::size_t t = 0; t < 6; ++t) {
            for (std::size_t d = 0; d < 4; ++d) {
                double z = network.embedding.bias->value()(d);
                for (std::size_t k = 0; k < 3; ++k) {
                    z += X(n, t, k) * network.embedding.weight.value()(k, d);
                }
                h(0, t, d) = phi(z);
            }
        }
        const testing::PlainAttention plain(h, 0, network.attention->W.value(),
                                            std::vector<double>(6, 0.0), true);
        for (std::size_t m = 0; m < 2; ++m) {
            double y = network.readout.bias->value()(m);
            for (std::size_t d = 0; d < 5; ++d) {
                double s = network.head.bias->value()(d);
                for (std::size_t j = 0; j < 4; ++j) {
                    s += plain.context[j] * network.head.weight.value()(j, d);
                }
                y += phi(s) * network.readout.weight.value()(d, m);
            }
            CHECK_THAT(output.y.value()(n, m), WithinAbs(y, 1e-12));
        }
    }
    CHECK(network.parameters().n_numbers() == 3 * 4 + 4 + 4 + 1 + 4 * 5 + 5 + 5 * 2 + 2);
}

TEST_CASE("the network with another pooling has no weights to show", "[05]")
{
    random::Generator generator(9);
    const Array<double> X = sequences(2, 6, 3, 7);
    const Mask mask(Shape{2, 6, 1}, true);
    const RaffelEllis<double> mean({3, 4, 5, 2, Pooling::mean}, generator);
    CHECK_FALSE(mean(X).attended.has_value());
    CHECK_THAT(mean(X).y.value()(1, 1), WithinAbs(mean(X, mask).y.value()(1, 1), 1e-13));
    const RaffelEllis<double> maximum({3, 4, 5, 2, Pooling::maximum}, generator);
    CHECK(maximum(X).y.shape() == Shape{2, 2});
    CHECK_THROWS_WITH(maximum(X, mask), contains("[2, 6, 3]"));
    CHECK_THROWS_AS(mean(sequences(2, 6, 4)), ContractError);
}

TEST_CASE("exercise 5.1, the range that a ceiling needs", "[05][solution]")
{
    for (const std::size_t T : {2U, 20U, 100U}) {
        for (const double r_squared : {0.6, 0.9, 0.99}) {
            CHECK_THAT(marked_ceiling(solutions::range_needed(r_squared, T), T),
                       WithinAbs(r_squared, 1e-12));
        }
    }
    CHECK_THAT(solutions::range_needed(0.99, 100), WithinAbs(4.5951, 5e-5)); // ln 99
    CHECK_THROWS_AS(solutions::range_needed(0.04, 20), ContractError);
    CHECK_THROWS_AS(solutions::range_needed(1.0, 20), ContractError);
    CHECK_THROWS_AS(solutions::range_needed(0.9, 1), ContractError);
}

TEST_CASE("exercise 5.2, the layer is a lookup with one learnt query", "[05][solution]")
{
    random::Generator generator(1);
    const AttentionOverTime<double> layer(3, 6, ScoreBias::none, Squash::none, generator);
    const Array<double> batch = sequences(4, 6, 3);
    const Array<double> contexts = layer(batch).context.value();
    const Vector W = xt::view(layer.W.value(), xt::all(), 0);
    for (std::size_t n = 0; n < 4; ++n) {
        const Matrix X = xt::view(batch, n);
        const Vector context = solutions::as_lookup(X, W);
        for (std::size_t k = 0; k < 3; ++k) {
            CHECK_THAT(context(k), WithinAbs(contexts(n, k), 1e-12));
        }
    }
    CHECK_THROWS_AS(solutions::as_lookup(xt::zeros<double>({6, 2}), W), ContractError);
}

TEST_CASE("exercise 5.3, a dense layer does what constant weights do", "[05][solution]")
{
    const Vector beta = {0.6, 0.3, 0.1};
    const Vector readout = {2, -1};
    const Matrix twin = solutions::dense_twin(beta, readout);
    random::Generator generator(1);
    DenseOverBoth<double> dense(3, 2, 1, generator);
    std::copy_n(twin.data(), 6, dense.linear.weight.value().data());
    dense.linear.bias->value().fill(0.0);
    const Array<double> X = sequences(5, 3, 2);
    const Array<double> y = dense(X).value();
    for (std::size_t n = 0; n < 5; ++n) {
        double wanted = 0;
        for (std::size_t t = 0; t < 3; ++t) {
            wanted += beta(t) * (2 * X(n, t, 0) - X(n, t, 1));
        }
        CHECK_THAT(y(n, 0), WithinAbs(wanted, 1e-13));
    }
}

TEST_CASE("exercise 5.4, with a clock among the features order is seen", "[05][solution]")
{
    // A counts 1, B counts -1, and later steps weigh more: positive if A came last.
    random::Generator generator(2);
    const Examples twins = draw_order(generator, 40, 20);
    AttentionOverTime<double> layer(4, 0, ScoreBias::none, Squash::none, generator);
    layer.W.value() = array_of<double>({4, 1}, {0, 0, 0, 10});
    const Array<double> X = twins.X;
    const Array<double> context = layer(solutions::with_clock(X)).context.value();
    for (std::size_t i = 0; i < 80; ++i) {
        const double answer = context(i, 1) - context(i, 0);
        CHECK(answer * static_cast<double>(twins.Y(i, 0)) > 0);
    }
    CHECK_THROWS_AS(solutions::with_clock(Array<double>(Shape{2, 3}, 0.0)), ContractError);
}
