/// \file
/// \brief The tasks, the models that are asked, and how they are fitted.
#include "chapters/05_attention_versus_dense/experiments/experiments.hpp"

#include "common/random/streams.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

using namespace attn;
using namespace attn::attention_versus_dense;
using attn::testing::contains;
using Catch::Matchers::WithinAbs;

TEST_CASE("the answer stands at the marked step, and the step moves", "[05][property]")
{
    random::Generator generator(1);
    const Examples examples = draw_marked(generator, 400, 6, 3);
    REQUIRE(examples.X.shape() == Shape{400, 6, 4});
    std::vector<int> counts(6);
    for (std::size_t i = 0; i < 400; ++i) {
        const std::size_t marked_step = examples.marked_step[i];
        ++counts.at(marked_step);
        for (std::size_t t = 0; t < 6; ++t) {
            CHECK(examples.X(i, t, 3) == (t == marked_step ? 1.0F : 0.0F));
        }
        for (std::size_t k = 0; k < 3; ++k) {
            CHECK(examples.Y(i, k) == examples.X(i, marked_step, k));
            CHECK(std::abs(examples.Y(i, k)) <= 1);
        }
    }
    CHECK(*std::min_element(counts.begin(), counts.end()) > 40); // 67 expected
}

TEST_CASE("a sum of prices and rates has the weights that the task says", "[05][oracle]")
{
    const std::vector<LagTask> tasks = lag_tasks();
    REQUIRE(tasks.size() == 3);
    CHECK(tasks[1].weights(30, 0) == 0.6); // yesterday is the last row
    CHECK(tasks[1].weights(26, 0) == 0.3);
    CHECK(tasks[1].weights(1, 0) == 0.1); // thirty days ago
    CHECK(tasks[2].weights(26, 0) == -0.6);
    CHECK(tasks[2].weights(30, 1) == 0.4);
    for (const LagTask& task : tasks) {
        random::Generator generator(2);
        const Examples examples = draw_lags(task, generator, 20);
        REQUIRE(examples.X.shape() == Shape{20, 31, 2});
        for (std::size_t i = 0; i < 20; ++i) {
            double sum = 0;
            for (std::size_t t = 0; t < 31; ++t) {
                for (std::size_t k = 0; k < 2; ++k) {
                    sum += task.weights(t, k) * static_cast<double>(examples.X(i, t, k));
                }
            }
            CHECK_THAT(static_cast<double>(examples.Y(i, 0)), WithinAbs(sum, 1e-6));
        }
    }
}

TEST_CASE("Raffel and Ellis' sequences are as their paper has them", "[05][property]")
{
    for (const Arithmetic arithmetic : {Arithmetic::addition, Arithmetic::multiplication}) {
        random::Generator generator(3);
        const Examples examples = draw_arithmetic(arithmetic, generator, 200, 50);
        REQUIRE(examples.X.shape() == Shape{200, 55, 2});
        std::set<std::size_t> lengths;
        for (std::size_t i = 0; i < 200; ++i) {
            std::vector<std::size_t> marked;
            std::size_t length = 0;
            for (std::size_t t = 0; t < 55; ++t) {
                if ((*examples.mask)(i, t, 0)) {
                    length = t + 1;
                } else {
                    CHECK(examples.X(i, t, 0) == 0);
                }
                if (examples.X(i, t, 1) == 1) {
                    marked.push_back(t);
                }
            }
            lengths.insert(length);
            REQUIRE(marked.size() == 2);
            CHECK(marked[0] >= 1);
            CHECK(marked[0] <= 9);
            CHECK(marked[1] < length / 2);
            CHECK(examples.X(i, 0, 1) == -1);
            CHECK(examples.X(i, length - 1, 1) == -1);
            const float a = examples.X(i, marked[0], 0);
            const float b = examples.X(i, marked[1], 0);
            const float wanted =
                arithmetic == Arithmetic::addition ? 0.5F + (a + b) / 4 : a * b;
            CHECK_THAT(static_cast<double>(examples.Y(i, 0)),
                       WithinAbs(static_cast<double>(wanted), 1e-7));
        }
        CHECK(lengths == std::set<std::size_t>{50, 51, 52, 53, 54, 55});
    }
    random::Generator generator(3);
    CHECK_THROWS_AS(draw_arithmetic(Arithmetic::addition, generator, 1, 10), ContractError);
}

TEST_CASE("twins differ in the order of A and B alone", "[05][property]")
{
    random::Generator generator(4);
    const Examples examples = draw_order(generator, 30, 8);
    for (std::size_t i = 0; i < 60; i += 2) {
        const auto marked_step = [&](std::size_t example, std::size_t symbol) {
            std::size_t t = 0;
            while (examples.X(example, t, symbol) != 1) {
                ++t;
            }
            return t;
        };
        CHECK(marked_step(i, 0) == marked_step(i + 1, 1));
        CHECK(marked_step(i, 1) == marked_step(i + 1, 0));
        CHECK(examples.Y(i, 0) == (marked_step(i, 0) < marked_step(i, 1) ? 1.0F : -1.0F));
        CHECK(examples.Y(i + 1, 0) == -examples.Y(i, 0));
        std::multiset<float> one;
        std::multiset<float> other;
        for (std::size_t t = 0; t < 8; ++t) {
            one.insert(examples.X(i, t, 2));
            other.insert(examples.X(i + 1, t, 2));
        }
        CHECK(one == other);
    }
}

TEST_CASE("some of the examples", "[05]")
{
    random::Generator generator(5);
    const Examples all = draw_arithmetic(Arithmetic::addition, generator, 5, 20);
    const std::size_t which[] = {4, 0};
    const Examples some = pick(all, which, 2);
    REQUIRE(some.X.shape() == Shape{2, 22, 2});
    CHECK(some.X(0, 3, 0) == all.X(4, 3, 0));
    CHECK(some.Y(1, 0) == all.Y(0, 0));
    CHECK((*some.mask)(0, 21, 0) == (*all.mask)(4, 21, 0));
}

TEST_CASE("every model says something of the right shape, and of the lengths it claims",
          "[05][property]")
{
    random::Generator data(6);
    const Examples usual = draw_marked(data, 7, 9, 2);
    const Examples longer = draw_marked(data, 7, 10, 2);
    std::set<std::string> names;
    for (const ModelMaker& maker : model_makers()) {
        CAPTURE(maker.name);
        names.insert(maker.name);
        random::Generator generator(7);
        const Model model = maker.make({9, 3, 2}, generator);
        const Prediction prediction = model.predict(usual.X, {});
        CHECK(prediction.y.shape() == Shape{7, 2});
        CHECK(model.parameters.n_numbers() > 0);
        if (prediction.weights) {
            CHECK(prediction.weights->shape() == Shape{7, 9, 1});
        }
        if (maker.any_length) {
            CHECK(model.predict(longer.X, {}).y.shape() == Shape{7, 2});
        } else {
            CHECK_THROWS_AS(model.predict(longer.X, {}), ContractError);
        }
    }
    CHECK(names.size() == model_makers().size());
    CHECK_THROWS_WITH(maker_named("convolution"), contains("convolution"));
}

TEST_CASE("attention, tanh, b_t has the numbers of the layer and of its readout", "[05]")
{
    random::Generator generator(7);
    const auto n_numbers = [&](const char* name) {
        return maker_named(name).make({20, 5, 4}, generator).parameters.n_numbers();
    };
    CHECK(n_numbers("attention, tanh, b_t") == 49);
    CHECK(n_numbers("attention") == 29);
    CHECK(n_numbers("dense, over both") == 404);
    CHECK(n_numbers("dense, 512 hidden") == 53764);
}

TEST_CASE("the share of the variance that is explained", "[05][golden]")
{
    const Array<float> Y = array_of<float>({4, 1}, {1, 2, 3, 4});
    CHECK(r_squared(Y, Y) == 1);
    CHECK_THAT(r_squared(filled<float>({4, 1}, 2.5F), Y), WithinAbs(0, 1e-7));
    CHECK_THAT(r_squared(array_of<float>({4, 1}, {1, 2, 3, 5}), Y), WithinAbs(0.8, 1e-7));
    CHECK_THAT(r_squared(array_of<float>({4, 1}, {4, 3, 2, 1}), Y), WithinAbs(-3, 1e-7));
    // The mean over the outputs: 1 and -3.
    CHECK_THAT(r_squared(array_of<float>({4, 2}, {1, 4, 2, 3, 3, 2, 4, 1}),
                         array_of<float>({4, 2}, {1, 1, 2, 2, 3, 3, 4, 4})),
               WithinAbs(-1, 1e-7));
    CHECK(share_within(array_of<float>({4, 1}, {1, 2.01F, 3.5F, 4}), Y, 0.04) == 0.75);
    CHECK(share_within(array_of<float>({4, 1}, {1, 2, 3.5F, 4}), Y, 0.5) ==
          0.75); // not "at most"
    CHECK_THROWS_WITH(r_squared(Y, filled<float>({3, 1}, 1)),
                      contains("[4, 1]") && contains("[3, 1]"));
    CHECK_THROWS_AS(share_within(Y, filled<float>({3, 1}, 1), 1), ContractError);
}

// [three_sets]
TEST_CASE("the three sets of a task are different draws, and no model changes them",
          "[05][property]")
{
    const Draw draw = [](random::Generator& generator, std::size_t n) {
        return draw_marked(generator, n, 6, 2);
    };
    const Split split = draw_split(draw, 3, 40, 50);
    REQUIRE(split.train.X.shape()[0] == 40);
    REQUIRE(split.validation.X.shape()[0] == 500);
    REQUIRE(split.test.X.shape()[0] == 50);
    std::set<float> seen; // one number of each example, uniform and so never drawn twice here
    for (const Examples* part : {&split.train, &split.validation, &split.test}) {
        for (std::size_t i = 0; i < part->X.shape()[0]; ++i) {
            CHECK(seen.insert(part->X(i, 0, 0)).second);
        }
    }
    const Training training{2, 8, 1, 1, 50};
    CHECK((fit_task("attention", draw, 3, 40, training).test.X == split.test.X));
    CHECK((fit_task("dense, 128 hidden", draw, 3, 40, training).test.X == split.test.X));
}
// [three_sets]

TEST_CASE("a model learns at its own rate, or at a multiple of it", "[05][property]")
{
    const Draw draw = [](random::Generator& generator, std::size_t n) {
        return draw_marked(generator, n, 6, 2);
    };
    const Split split = draw_split(draw, 3, 40, 50);
    const ModelMaker maker = maker_named("attention");
    for (const double factor : {1.0, 3.0}) {
        random::Generator generator(3, random::Stream::layer_parameters);
        Model model = maker.make({6, 3, 2}, generator);
        const Training training{20, 8, factor, 1, 50};
        const Fit by_rate = fit(model, split, training, factor * maker.learning_rate, 3);
        const Fit by_factor = fit_task("attention", draw, 3, 40, training).fit;
        CHECK(by_rate.losses == by_factor.losses);
        CHECK(by_rate.validation == by_factor.validation);
    }
}

TEST_CASE("a fit is kept where validation liked it best, and comes again", "[05][property]")
{
    random::Generator data(8);
    const auto draw = [&](std::size_t n) { return draw_lags(lag_tasks()[1], data, n); };
    Split split{draw(300), draw(200), draw(200)};
    const auto fitted = [&](std::uint64_t seed) {
        random::Generator generator(1);
        Model model = maker_named("dense, over both").make({31, 2, 1}, generator);
        const Fit result = fit(model, split, {300, 32, 1, 5}, 0.01, seed);
        CHECK_THAT(r_squared(predictions(model, split.test), split.test.Y),
                   WithinAbs(result.test, 1e-12));
        return std::pair(result, predictions(model, split.train));
    };
    const auto [first, predicted] = fitted(1);
    CHECK(first.test > 0.99);
    CHECK(first.last_train > 0.99);
    CHECK(first.losses.size() == 300);
    CHECK(first.losses.back() < first.losses.front() / 10);
    CHECK(fitted(1).first.losses == first.losses);
    CHECK(fitted(2).first.losses != first.losses);

    // The test part chooses nothing: with another one the model is the same.
    split.test.Y *= -1.0F;
    CHECK((fitted(1).second == predicted));
}

TEST_CASE("weights of a model that attends, and of one that does not", "[05]")
{
    random::Generator generator(9);
    const Examples examples = draw_marked(generator, 3, 6, 2);
    const Matrix weights =
        weights_of(maker_named("attention").make({6, 3, 2}, generator), examples);
    REQUIRE(weights.shape(0) == 3);
    REQUIRE(weights.shape(1) == 6);
    CHECK_THAT(xt::sum(weights)(), WithinAbs(3, 1e-5));
    CHECK_THROWS_AS(
        weights_of(maker_named("mean of the steps").make({6, 3, 2}, generator), examples),
        ContractError);
}
