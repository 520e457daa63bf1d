/// \file
/// \brief What the page says of optimisers, mini-batches, validation and test: over three seeds
/// as committed, and one seed trained again for a short while.
#include "chapters/04_backpropagation/experiments/lesson.hpp"

#include "chapters/04_backpropagation/exercises/solutions.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/reductions.hpp"
#include "common/nn/optimisers.hpp"
#include "tests/support/committed_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

using namespace attn;
using namespace attn::backpropagation;
using attn::testing::check_first_losses;
using attn::testing::committed_table;
using Catch::Matchers::WithinAbs;

namespace {

/// One column of a committed table, [row][seed].
std::map<int, std::vector<double>> by_row(const program::NumericTable& table,
                                          const std::string& rows, const std::string& column)
{
    std::map<int, std::vector<double>> numbers;
    for (std::size_t i = 0; i < table.n_rows(); ++i) {
        numbers[static_cast<int>(table.column(rows)[i])].push_back(table.column(column)[i]);
    }
    return numbers;
}

enum Row
{
    sgd_all,
    momentum_all,
    adam_all,
    sgd_16,
    momentum_16,
    adam_16
};

/// The lowest validation loss of an attempt.
double best_validation(const std::vector<Evaluation>& evaluations)
{
    return std::min_element(evaluations.begin(), evaluations.end(),
                            [](const Evaluation& a, const Evaluation& b) {
                                return a.validation.loss < b.validation.loss;
                            })
        ->validation.loss;
}

} // namespace

// [claim_methods]
TEST_CASE("in each of three seeds Adam on mini-batches is ahead of all else", "[04][claim]")
{
    auto losses = by_row(committed_table("trained_methods.csv"), "method", "fresh_loss");
    REQUIRE(losses.size() == 6);
    for (std::size_t seed = 0; seed < 3; ++seed) {
        CAPTURE(seed);
        const auto loss = [&](Row row) { return losses[row].at(seed); };
        CHECK(loss(adam_16) <= loss(sgd_16) - 0.2); // no learning rate makes up for it
        CHECK(loss(adam_16) <= loss(momentum_16) - 0.15);
        CHECK(loss(adam_16) <= loss(adam_all) - 0.15); // nor for few steps
        CHECK(loss(sgd_16) <= loss(sgd_all) - 0.2);
        CHECK(loss(momentum_all) <= loss(sgd_all) - 0.05); // momentum helps where steps are few
        CHECK(std::abs(loss(momentum_16) - loss(sgd_16)) <=
              0.05); // and not where they are noisy
    }
}
// [claim_methods]

// [claim_choices]
TEST_CASE("what a choice was made by says too much of it, in each of three seeds",
          "[04][claim]")
{
    auto promised = by_row(committed_table("trained_choices.csv"), "chosen_by", "promised");
    auto kept = by_row(committed_table("trained_choices.csv"), "chosen_by", "kept");
    auto loss = by_row(committed_table("trained_choices.csv"), "chosen_by", "fresh_loss");
    for (std::size_t seed = 0; seed < 3; ++seed) {
        CAPTURE(seed);
        CHECK(promised[0].at(seed) >= 0.99); // by the loss in training: known by heart
        CHECK(kept[0].at(seed) <= 0.66);
        CHECK(loss[0].at(seed) >= loss[1].at(seed) + 0.3); // and sure of what is wrong
        CHECK(std::abs(promised[1].at(seed) - kept[1].at(seed)) <= 0.05);
        CHECK(promised[2].at(seed) >= kept[2].at(seed) + 0.05); // by a small test set
    }
}
// [claim_choices]

// [claim_overfitted]
TEST_CASE("the widest model at its last look is overfitted", "[04][claim]")
{
    const program::NumericTable table = committed_table("trained_lesson.csv");
    const std::vector<double>& train = table.column("wide_train");
    const std::vector<double>& validation = table.column("wide_validation");
    const std::vector<double>& fresh = table.column("wide_fresh");
    REQUIRE(fresh.size() == n_evaluations + 1);
    const auto best = static_cast<std::size_t>(
        std::min_element(validation.begin(), validation.end()) - validation.begin());
    CHECK(train.back() < 0.02);
    CHECK(fresh.back() > fresh[best] + 0.2);
    CHECK(best < n_evaluations / 2);
    CHECK_THAT(fresh.front(), WithinAbs(std::log(8.0), 0.3)); // it began with equal weights
}
// [claim_overfitted]

TEST_CASE("one seed, a few trainings: the order of the methods", "[04][train]")
{
    const Split lesson = draw_lesson(2);
    const double adam = best_validation(train(lesson, {Method::adam, n_lesson_batch, 0.01}));
    const double sgd = best_validation(train(lesson, {Method::sgd, n_lesson_batch, 0.1}));
    const double all = best_validation(train(lesson, {Method::adam, n_lesson_train, 0.03}));
    CHECK(adam < sgd - 0.1);
    CHECK(adam < all - 0.1);

    // Exercise 4.6: with every number of the query in its own standard deviations, plain SGD
    // does what needed Adam before.
    const Split standardised = solutions::standardised(lesson);
    const double sgd_standardised =
        best_validation(train(standardised, {Method::sgd, n_lesson_batch, 0.1}));
    CHECK(sgd_standardised < sgd - 0.1);
}

TEST_CASE("the committed curve of a training comes again", "[04][train]")
{
    const program::NumericTable table = committed_table("trained_lesson.csv");
    const std::vector<Evaluation> evaluations =
        train(draw_lesson(1), {Method::adam, n_lesson_batch, 0.01, 128});
    for (std::size_t look = 0; look < 4; ++look) { // 96 steps, with 4 decimals
        CAPTURE(look);
        check_first_losses({evaluations[look].train.loss}, {table.column("wide_train")[look]},
                           4);
        check_first_losses({evaluations[look].fresh.loss}, {table.column("wide_fresh")[look]},
                           4);
    }
}

TEST_CASE("a study does not depend on the number of threads", "[04][train]")
{
    const std::vector<Attempt> attempts = {{Method::sgd, n_lesson_train, 0.1},
                                           {Method::momentum, n_lesson_train, 0.1},
                                           {Method::adam, n_lesson_train, 0.1, 8}};
    const std::vector<Study> one = study_lesson({1, 2}, attempts, 1);
    const std::vector<Study> two = study_lesson({1, 2}, attempts, 2);
    for (std::size_t seed = 0; seed < 2; ++seed) {
        for (std::size_t i = 0; i < attempts.size(); ++i) {
            CHECK(one[seed].evaluations[i].back().fresh.loss ==
                  two[seed].evaluations[i].back().fresh.loss);
            CHECK(one[seed].evaluations[i].size() == n_evaluations + 1);
        }
    }
    CHECK(one[0].evaluations[0].back().fresh.loss != one[1].evaluations[0].back().fresh.loss);
}

TEST_CASE("choices take what they are told to", "[04][oracle]")
{
    Study study{{{Method::adam, 16, 0.1}, {Method::sgd, 16, 0.1}, {Method::adam, 16, 0.3, 8}},
                {}};
    const auto look = [](double train_loss, double validation_loss, double test) {
        Evaluation one;
        one.train.loss = train_loss;
        one.validation.loss = validation_loss;
        one.small_tests = {test, 0.5};
        one.fresh.accuracy = (test + 0.5) / 2;
        return one;
    };
    study.evaluations = {{look(3, 3, 0.1), look(2, 4, 0.2)},
                         {look(3, 2, 0.9), look(5, 5, 0.1)},
                         {look(1, 1, 0.3), look(9, 9, 0.3)}};
    const Choice by_train = choose(study, [](const Evaluation& one) { return one.train.loss; });
    CHECK(by_train.attempt == 2);
    CHECK(by_train.evaluation == 0);
    CHECK(best_of(study, Method::adam, 16).attempt == 0); // not the one of another width
    CHECK(best_of(study, Method::adam, 16).evaluation == 0);
    CHECK(best_of(study, Method::sgd, 16).attempt == 1);
    CHECK_THROWS_AS(best_of(study, Method::momentum, 16), ContractError);

    // The first test set promises 0.9 and the other one keeps 0.5; the second promises 0.5,
    // and of equal ones the first look is taken, where the other one has 0.1.
    const Promise promise = choose_by_small_tests(study);
    CHECK_THAT(promise.promised, WithinAbs((0.9 + 0.5) / 2, 1e-12));
    CHECK_THAT(promise.kept, WithinAbs((0.5 + 0.1) / 2, 1e-12));
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
