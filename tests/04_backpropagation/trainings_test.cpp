/// \file
/// \brief One task trained again, which begins as committed, and how a model is chosen.
#include "chapters/04_backpropagation/exercises/solutions.hpp"
#include "chapters/04_backpropagation/experiments/experiments.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/reductions.hpp"
#include "common/nn/optimisers.hpp"
#include "common/program/csv_columns.hpp"
#include "tests/support/committed_table.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace attn;
using namespace attn::backpropagation;
using attn::testing::check_first_losses;
using attn::testing::committed_table;
using Catch::Matchers::WithinAbs;

namespace {

/// The rows and columns of the program's first table.
enum Score
{
    plain_dot,
    scaled,
    by_cosine,
    key_bias,
    matrix,
    matrix_and_bias,
    projected,
    additive_no_bias
};
enum Task
{
    same,
    lengths,
    scale,
    rotated
};

} // namespace

TEST_CASE("a training that does not get there gives up", "[04]")
{
    const RootResult result =
        train_projections({64, true, Objective::values, Method::adam, 0.003, 3}, 1);
    CHECK(!result.arrived);
    CHECK(result.n_steps == 3);
    // At a rate at which the score with the root is there at once, the other one is not.
    CHECK(train_projections({64, true, Objective::values, Method::sgd, 10, 10}, 1).arrived);
    CHECK(!train_projections({64, false, Objective::values, Method::sgd, 10, 10}, 1).arrived);
}

TEST_CASE("the committed trainings begin as committed, and learn what the table says",
          "[04][train]")
{
    std::vector<std::string> names; // all, since a score's first parameters go by its position
    for (const ScoreMaker<float>& maker : score_makers<float>()) {
        names.push_back(maker.name);
    }
    const RetrievalTask task = learnt_tasks(1)[rotated];
    REQUIRE(task.of.name == "rotated");
    const std::vector<TrainedScore> results =
        train_scores(task, names, 1, {200, 64, 0.01, 1000});
    const program::NumericTable committed = committed_table("trained_first_losses.csv");
    std::size_t column = 1;
    for (const TrainedScore& result : results) {
        if (result.n_parameters > 1) {
            CAPTURE(result.score);
            REQUIRE(column < committed.columns.size());
            CHECK(committed.names[column] == program::column_name(result.score));
            check_first_losses(result.losses, committed.columns[column++]);
        }
    }
    CHECK(column == committed.columns.size());
    CHECK(results[plain_dot].accuracy < 0.2);
    CHECK(results[plain_dot].losses.empty());
    CHECK(results[matrix].accuracy > 0.9);
    CHECK(results[matrix_and_bias].accuracy > results[matrix].accuracy);
    CHECK(results[additive_no_bias].accuracy < 0.12);
    CHECK(results[matrix].losses.back() < results[matrix].losses.front() / 2);

    const program::NumericTable curves = committed_table("trained_lesson.csv");
    const std::vector<Evaluation> evaluations =
        train(draw_split(1), {Method::adam, n_mini_batch, 0.01, 128});
    for (std::size_t i = 0; i < 4; ++i) { // 96 steps, with 4 decimals
        CAPTURE(i);
        check_first_losses({evaluations[i].train.loss}, {curves.column("wide_train")[i]}, 4);
        check_first_losses({evaluations[i].fresh.loss}, {curves.column("wide_fresh")[i]}, 4);
    }
}

TEST_CASE("the units are equal over the examples to learn from, and only over these",
          "[04][property]")
{
    Split split = draw_split(1);
    const Split before = standardised(split);
    const std::size_t d = split.train.queries.shape()[2];
    for (std::size_t m = 0; m < d; ++m) {
        double squares = 0;
        for (std::size_t i = m; i < before.train.queries.size(); i += d) {
            const auto x = static_cast<double>(before.train.queries.data()[i]);
            squares += x * x * static_cast<double>(d) /
                       static_cast<double>(before.train.queries.size());
        }
        CHECK_THAT(squares, WithinAbs(1, 1e-5));
    }
    split.validation.queries *= 100.0F;
    split.fresh.queries *= 100.0F;
    CHECK((standardised(split).train.queries == before.train.queries));
}

TEST_CASE("trained again in equal units, plain SGD gains", "[04][train]")
{
    const Split split = draw_split(2);
    const auto lowest_loss = [](const Split& examples) {
        double lowest = 10;
        for (const Evaluation& one : train(examples, {Method::sgd, n_mini_batch, 0.1})) {
            lowest = std::min(lowest, one.validation.loss);
        }
        return lowest;
    };
    CHECK(lowest_loss(standardised(split)) < lowest_loss(split) - 0.1);
}

TEST_CASE("scores are not tested on the tables that they learnt from", "[04]")
{
    // A step too small to change anything, and as many tables to test as to learn from.
    const TrainedScore result =
        train_scores(learnt_tasks(1)[rotated], {"multiplicative"}, 1, {1, 250, 1e-30, 250})[0];
    REQUIRE(result.losses.size() == 1);
    CHECK(std::abs(result.losses[0] - result.cross_entropy) > 1e-3);
}

TEST_CASE("choices take what they are told to", "[04][oracle]")
{
    GridSearch search{
        {{Method::adam, 16, 0.1}, {Method::sgd, 16, 0.1}, {Method::adam, 16, 0.3, 8}}, {}};
    const auto evaluation = [](double train_loss, double validation_loss, double test) {
        Evaluation one;
        one.train.loss = train_loss;
        one.validation.loss = validation_loss;
        one.small_tests = {test, 0.5};
        one.fresh.accuracy = (test + 0.5) / 2;
        return one;
    };
    search.evaluations = {{evaluation(3, 3, 0.1), evaluation(2, 4, 0.2)},
                          {evaluation(3, 2, 0.9), evaluation(5, 5, 0.1)},
                          {evaluation(1, 1, 0.3), evaluation(9, 9, 0.3)}};
    const Choice by_train =
        choose(search, [](const Evaluation& one) { return one.train.loss; });
    CHECK(by_train.run == 2);
    CHECK(by_train.evaluation == 0);
    CHECK(best_of(search, Method::adam, 16).run == 0); // not the one of another width
    CHECK(best_of(search, Method::adam, 16).evaluation == 0);
    CHECK(best_of(search, Method::sgd, 16).run == 1);
    CHECK_THROWS_AS(best_of(search, Method::momentum, 16), ContractError);

    // By the first test set 0.9 is chosen, and the other one has 0.5; by the second 0.5, and of
    // equal ones the first evaluation is taken, where the other one has 0.1.
    const Estimate estimate = choose_by_small_tests(search);
    CHECK_THAT(estimate.estimated_accuracy, WithinAbs((0.9 + 0.5) / 2, 1e-12));
    CHECK_THAT(estimate.accuracy, WithinAbs((0.5 + 0.1) / 2, 1e-12));
}

TEST_CASE("each method has a name of its own", "[04]")
{
    std::set<std::string_view> names;
    for (const Method& method : methods()) {
        names.insert(method.name);
    }
    CHECK(names.size() == methods().size());
}

TEST_CASE("momentum makes a steady slope count tenfold", "[04][solution]")
{
    for (const double momentum : {0.0, 0.5, 0.9}) {
        const autograd::Variable<double> x = autograd::parameter(filled<double>({1}, 0.0));
        nn::Parameters<double> parameters;
        parameters.add("x", x);
        nn::Sgd<double> sgd(parameters, {.learning_rate = 0.01, .momentum = momentum});
        double before = 0;
        for (int step = 0; step < 400; ++step) {
            before = x.value().data()[0];
            autograd::Tape<double> tape;
            autograd::backward(sum(3.0 * x)); // the slope is 3 everywhere
            sgd.step();
        }
        CHECK_THAT(before - x.value().data()[0],
                   WithinAbs(3 * solutions::lasting_rate(0.01, momentum), 1e-12));
    }
}
