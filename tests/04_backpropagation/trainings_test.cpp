/// \file
/// \brief What came of the trainings over three seeds, as committed; one task trained again,
/// and how a model is chosen.
#include "chapters/04_backpropagation/exercises/solutions.hpp"
#include "chapters/04_backpropagation/experiments/learnt_retrieval.hpp"
#include "chapters/04_backpropagation/experiments/model_selection.hpp"
#include "chapters/04_backpropagation/experiments/root_of_d.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/reductions.hpp"
#include "common/nn/optimisers.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/spread.hpp"
#include "tests/support/committed_table.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::backpropagation;
using attn::testing::check_first_losses;
using attn::testing::committed_table;
using attn::testing::numbers_where;
using Catch::Matchers::WithinAbs;

namespace {

enum MethodRow
{
    sgd_all,
    momentum_all,
    adam_all,
    sgd_16,
    momentum_16,
    adam_16
};

/// The committed accuracies of a table, a row for each score and within it for each task; nan
/// where a score cannot be asked, which fails every comparison.
class Accuracies
{
public:
    explicit Accuracies(const std::string& file)
        : table_(testing::committed_table_with_gaps(file))
    {
    }
    double lowest(int task, int score) const { return at("lowest_accuracy", task, score); }
    double highest(int task, int score) const { return at("highest_accuracy", task, score); }
    double lowest_loss(int task, int score) const { return at("lowest_loss", task, score); }

private:
    double at(const char* column, int task, int score) const
    {
        return numbers_where(table_, column, {{"task", task}, {"score", score}}).at(0);
    }

    program::NumericTable table_;
};

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
    additive_no_bias,
    additive_bias
};
enum Task
{
    same,
    lengths,
    scale,
    rotated,
    noisy,
    wider
};

} // namespace

// [claim_methods]
TEST_CASE("in each of three seeds Adam on mini-batches is ahead of all else", "[04][claim]")
{
    const program::NumericTable table = committed_table("trained_methods.csv");
    for (const int seed : {0, 1, 2}) {
        CAPTURE(seed);
        const auto loss = [&](MethodRow row) {
            return numbers_where(table, "fresh_loss", {{"method", row}, {"seed", seed}}).at(0);
        };
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
    const program::NumericTable table = committed_table("trained_choices.csv");
    enum Row
    {
        training_loss,
        validation_loss,
        small_test
    };
    for (const int seed : {0, 1, 2}) {
        CAPTURE(seed);
        const auto number = [&](const char* column, Row row) {
            return numbers_where(table, column, {{"chosen_by", row}, {"seed", seed}}).at(0);
        };
        const auto too_high_by = [&](Row row) {
            return number("promised", row) - number("kept", row);
        };
        CHECK(number("promised", training_loss) >= 0.99); // known by heart
        CHECK(number("kept", training_loss) <= 0.66);
        CHECK(number("fresh_loss", training_loss) >= // and sure of what is wrong
              number("fresh_loss", validation_loss) + 0.3);
        CHECK(std::abs(too_high_by(validation_loss)) <= 0.05);
        CHECK(too_high_by(small_test) >= 0.05);
    }
}
// [claim_choices]

// [claim_overfitted]
TEST_CASE("the widest model at its last evaluation is overfitted", "[04][claim]")
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
    const auto turn = std::min_element(fresh.begin(), fresh.end()) - fresh.begin();
    CHECK(table.column("rounds")[static_cast<std::size_t>(turn)] == 8);
    CHECK(best < n_evaluations / 2);
    CHECK_THAT(fresh.front(), WithinAbs(std::log(8.0), 0.3)); // it began with equal weights
}
// [claim_overfitted]

// [claim_learnt]
TEST_CASE("three seeds learn the matrix and the distance", "[04][claim]")
{
    const Accuracies table("trained_retrieval.csv");
    for (const Task task : {rotated, wider}) { // where queries are mapped, a matrix is learnt
        CHECK(table.lowest(task, matrix) >= 0.955);
        CHECK(table.lowest(task, projected) >= 0.955);
        CHECK(table.lowest(task, matrix_and_bias) >= 0.995);
        CHECK(table.lowest(task, additive_bias) >= 0.98);
    }
    CHECK(table.lowest(noisy, matrix) >= 0.74); // the noise is left out of account
    CHECK(table.lowest(noisy, projected) >= 0.74);
    CHECK(table.highest(noisy, plain_dot) <= 0.30);
    CHECK(table.lowest(scale, by_cosine) >= 0.995); // lengths are divided away
    CHECK(table.highest(scale, plain_dot) <= 0.62);
    CHECK(table.highest(scale, matrix) <= 0.62);
    CHECK(table.lowest(lengths, key_bias) >= table.highest(lengths, by_cosine) + 0.02);
}
// [claim_learnt]

TEST_CASE("the other accuracies of the first table have their floors", "[04][claim]")
{
    const Accuracies table("trained_retrieval.csv");
    for (const Score score : {plain_dot, scaled, matrix, projected}) {
        CAPTURE(score);
        CHECK(table.lowest(same, score) >= 0.955);
    }
    for (const Score score : {by_cosine, key_bias, matrix_and_bias}) {
        CAPTURE(score);
        CHECK(table.lowest(same, score) >= 0.995);
    }
    CHECK(table.lowest(same, additive_bias) >= 0.98);
    CHECK(table.lowest(scale, plain_dot) >= 0.56);
    CHECK(table.lowest(scale, matrix) >= 0.52);
    CHECK(table.lowest(scale, projected) >= 0.54);
    CHECK(table.lowest(noisy, matrix_and_bias) >= 0.93);
    CHECK(table.highest(rotated, plain_dot) <= 0.2); // the luck of a rotation
    CHECK(table.highest(rotated, by_cosine) <= 0.2);
    for (const Task task : {same, lengths, scale, rotated, noisy}) {
        CAPTURE(task);
        CHECK(table.highest(task, scaled) == table.highest(task, plain_dot));
        CHECK(table.lowest(task, matrix_and_bias) > table.highest(task, matrix));
    }
}

// [claim_odd]
TEST_CASE("without a bias nothing is learnt, on any task with mirror images", "[04][claim]")
{
    const Accuracies table("trained_retrieval.csv");
    for (const Task task : {same, lengths, scale, rotated, noisy, wider}) {
        CAPTURE(task);
        CHECK(table.highest(task, additive_no_bias) <= 0.10); // chance is 0.0625
        CHECK(table.lowest_loss(task, additive_no_bias) >=
              std::log(16.0) - 0.01); // equal weights
    }
}
// [claim_odd]

// [claim_small]
TEST_CASE("few numbers to a key need its length, and the additive score its bias",
          "[04][claim]")
{
    const Accuracies table("trained_small.csv");
    enum Row
    {
        only_matrix,
        with_key_bias,
        no_bias,
        bias_32,
        bias_128
    };
    const double floors_of_the_matrix[] = {0.42, 0.69, 0.90};
    for (const int task : {0, 1, 2}) { // keys of 2, 4 and 8 numbers
        CAPTURE(task);
        CHECK(table.lowest(task, only_matrix) >= floors_of_the_matrix[task]);
        CHECK(table.highest(task, no_bias) <= 0.25); // chance is 0.125
        for (const Row row : {with_key_bias, bias_32, bias_128}) {
            CHECK(table.lowest(task, row) >= 0.95);
            CHECK(table.lowest(task, row) >= table.highest(task, only_matrix) + 0.05);
        }
    }
    for (const Row row : {only_matrix, with_key_bias, no_bias, bias_32, bias_128}) {
        CHECK(table.lowest(3, row) >= 0.92); // symbols: everything learns them, bias or not
    }
}
// [claim_small]

// [claim_root]
TEST_CASE("through the context the root makes more rates work, and the best one faster",
          "[04][claim]")
{
    const program::NumericTable table = committed_table("trained_root.csv");
    REQUIRE(table.n_rows() == 72); // 3 settings, 3 sizes, 2 scores, 4 rates
    const std::vector<double> adam = {0.003, 0.01, 0.03, 0.1};
    const std::vector<double> sgd = {0.3, 1, 3, 10};
    const std::vector<double> rates[] = {adam, sgd, adam}; // context twice, weights
    const auto at = [&](const char* column, int setting, int d, int scaled, double rate) {
        const std::vector<double> found =
            numbers_where(table, column,
                          {{"setting", setting}, {"d", d}, {"scaled", scaled}, {"rate", rate}});
        REQUIRE(found.size() == 1);
        return found[0];
    };
    const auto best = [&](int setting, int d, int scaled) {
        double steps = 200;
        for (const double rate : rates[setting]) {
            steps = std::min(steps, at("median", setting, d, scaled, rate));
        }
        return steps;
    };
    for (const int d : {64, 256, 1024}) {
        for (const int setting : {0, 1}) { // the context, by Adam and by SGD
            CAPTURE(d, setting);
            for (const double rate : rates[setting]) {
                CHECK(at("arrived", setting, d, 1, rate) == 3); // with the root every seed
            }
            CHECK(at("arrived", setting, d, 0, rates[setting].back()) == 0); // without: none
            CHECK(best(setting, d, 1) <= 3);
            CHECK(best(setting, d, 0) >= 16);
        }
        for (const double rate : adam) { // the weights: all arrive, after as many steps
            CAPTURE(d, rate);
            CHECK(at("arrived", 2, d, 1, rate) == 3);
            CHECK(at("arrived", 2, d, 0, rate) == 3);
            CHECK(std::abs(at("median", 2, d, 1, rate) - at("median", 2, d, 0, rate)) <= 2);
            CHECK(at("first_loss", 2, d, 0, rate) > 4 * at("first_loss", 2, d, 1, rate));
        }
        CHECK(best(1, d, 0) < best(0, d, 0)); // without the root SGD is ahead of Adam
        CHECK(at("median", 1, d, 0, 0.3) <= at("median", 1, d, 1, 0.3)); // at one rate
    }
    for (const double rate : adam) { // at d = 1024 two rates of four work
        CHECK(at("arrived", 0, 1024, 0, rate) == (rate < 0.02 ? 3 : 0));
    }
}
// [claim_root]

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

// [claim_units]
TEST_CASE("equal units help SGD more than Adam, and leave Adam ahead", "[04][claim]")
{
    const program::NumericTable unequal = committed_table("trained_methods.csv");
    const program::NumericTable equal = committed_table("trained_units.csv");
    enum EqualRow
    {
        sgd_equal,
        adam_equal
    };
    double lead_unequal = 0; // sums over the seeds
    double lead_equal = 0;
    for (const int seed : {0, 1, 2}) {
        CAPTURE(seed);
        const auto loss = [&](const program::NumericTable& table, int row) {
            return numbers_where(table, "fresh_loss", {{"method", row}, {"seed", seed}}).at(0);
        };
        CHECK(loss(equal, sgd_equal) < loss(unequal, adam_16));
        CHECK(loss(equal, adam_equal) < loss(equal, sgd_equal));
        lead_unequal += loss(unequal, sgd_16) - loss(unequal, adam_16);
        lead_equal += loss(equal, sgd_equal) - loss(equal, adam_equal);
    }
    CHECK(lead_equal < 0.6 * lead_unequal);
    const auto median = [&](const program::NumericTable& table, int row) { // as printed
        return program::Spread(numbers_where(table, "fresh_loss", {{"method", row}})).text(2);
    };
    CHECK_THAT(median(unequal, sgd_16), testing::contains("/1.37/"));
    CHECK_THAT(median(unequal, adam_16), testing::contains("/1.05/"));
    CHECK_THAT(median(equal, sgd_equal), testing::contains("/0.89/"));
    CHECK_THAT(median(equal, adam_equal), testing::contains("/0.73/"));
}
// [claim_units]

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
