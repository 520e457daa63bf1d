#include "chapters/05_attention_versus_dense/exercises/solutions.hpp"

#include "chapters/05_attention_versus_dense/ceilings.hpp"
#include "chapters/05_attention_versus_dense/layers.hpp"
#include "chapters/05_attention_versus_dense/experiments/tasks.hpp"
#include "tests/05_attention_versus_dense/samples.hpp"
#include "tests/support/catch.hpp"

using namespace attn;
using namespace attn::attention_versus_dense;
using attn::testing::sequences;
using Catch::Matchers::WithinAbs;

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
    Vector W = Vector::from_shape({3});
    std::copy_n(layer.W.value().data(), 3, W.data());
    for (std::size_t n = 0; n < 4; ++n) {
        Matrix X = Matrix::from_shape({6, 3});
        std::copy_n(batch.data() + n * 18, 18, X.data());
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
