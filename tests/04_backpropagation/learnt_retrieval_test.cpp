/// \file
/// \brief The tasks that scores are trained on, what came of it over three seeds as committed,
/// and one seed trained again for a short while.
#include "chapters/04_backpropagation/experiments/learnt_retrieval.hpp"

#include "chapters/04_backpropagation/experiments/score_makers.hpp"
#include "chapters/04_backpropagation/random_streams.hpp"
#include "tests/support/committed_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>

using namespace attn;
using namespace attn::backpropagation;
using attn::testing::check_first_losses;
using attn::testing::committed_table;
using Catch::Matchers::WithinAbs;

namespace {

/// The sum of products of two rows.
double dot(const double* a, const float* b, std::size_t n)
{
    return std::inner_product(a, a + n, b, 0.0);
}

/// The committed accuracies of a table, a row for each score and within it for each task; nan
/// where a score cannot be asked, which fails every comparison.
class Accuracies
{
public:
    Accuracies(const std::string& file, int n_tasks)
        : table_(testing::committed_table_with_gaps(file)), n_tasks_(n_tasks)
    {
    }
    double lowest(int task, int score) const { return at("lowest_accuracy", task, score); }
    double highest(int task, int score) const { return at("highest_accuracy", task, score); }
    double lowest_loss(int task, int score) const { return at("lowest_loss", task, score); }

private:
    double at(const char* column, int task, int score) const
    {
        const auto row = static_cast<std::size_t>(score * n_tasks_ + task);
        REQUIRE(table_.column("task").at(row) == task);
        REQUIRE(table_.column("score").at(row) == score);
        return table_.column(column)[row];
    }

    program::NumericTable table_;
    int n_tasks_;
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
    odd,
    with_bias
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

TEST_CASE("a query without noise is its key, mapped", "[04][property]")
{
    for (RetrievalTask& task : learnt_tasks(3)) {
        task.of.noise *= 0.0;
        const std::size_t d_q = task.of.M.shape(0);
        const std::size_t d_k = task.of.M.shape(1);
        random::Generator generator(4);
        const Batch batch = draw_batch(task, generator, 20);
        REQUIRE(batch.queries.shape() == Shape{20, 1, d_q});
        REQUIRE(batch.keys.shape() == Shape{20, task.n_keys, d_k});
        for (std::size_t i = 0; i < 20; ++i) {
            const float* const key =
                batch.keys.data() +
                (i * task.n_keys + static_cast<std::size_t>(batch.chosen[i])) * d_k;
            const float* const query = batch.queries.data() + i * d_q;
            // A stretched key has another length than the one that the query was made from.
            double factor = 1;
            if (task.keys == Keys::stretched) {
                factor = static_cast<double>(query[0] / key[0]);
                CHECK(factor > 0);
            }
            for (std::size_t m = 0; m < d_q; ++m) {
                CAPTURE(task.of.name, i, m);
                CHECK_THAT(query[m], WithinAbs(factor * dot(&task.of.M(m, 0), key, d_k), 2e-6));
            }
        }
    }
}

TEST_CASE("keys are normal numbers, queries have the noise that the task says",
          "[04][property]")
{
    const RetrievalTask task = learnt_tasks(1).front();
    random::Generator generator(6);
    const Batch batch = draw_batch(task, generator, 4000);
    double moments[5] = {};
    for (const float x : numbers_of(batch.keys)) {
        for (int power = 1; power <= 4; ++power) {
            moments[power] += std::pow(static_cast<double>(x), power) /
                              static_cast<double>(batch.keys.size());
        }
    }
    CHECK_THAT(moments[1], WithinAbs(0, 0.01));
    CHECK_THAT(moments[2], WithinAbs(1, 0.01));
    CHECK_THAT(moments[3], WithinAbs(0, 0.02));
    CHECK_THAT(moments[4], WithinAbs(3, 0.03));

    double squares = 0;
    std::vector<std::size_t> counts(task.n_keys);
    for (std::size_t i = 0; i < 4000; ++i) {
        const auto chosen = static_cast<std::size_t>(batch.chosen[i]);
        ++counts.at(chosen);
        for (std::size_t m = 0; m < 16; ++m) {
            const float noise = batch.queries.data()[i * 16 + m] -
                                batch.keys.data()[(i * task.n_keys + chosen) * 16 + m];
            squares += static_cast<double>(noise * noise) / (4000 * 16);
        }
    }
    CHECK_THAT(squares, WithinAbs(0.25, 0.005));
    CHECK(*std::min_element(counts.begin(), counts.end()) > 180); // 250 expected
}

TEST_CASE("symbols are one-hot and all different", "[04][property]")
{
    const RetrievalTask task = small_tasks(1).back();
    random::Generator generator(8);
    const Batch batch = draw_batch(task, generator, 30);
    for (std::size_t i = 0; i < 30; ++i) {
        std::set<std::ptrdiff_t> places;
        for (std::size_t j = 0; j < 8; ++j) {
            const float* const key = batch.keys.data() + (i * 8 + j) * 16;
            CHECK(std::count(key, key + 16, 1.0F) == 1);
            CHECK(std::count(key, key + 16, 0.0F) == 15);
            places.insert(std::find(key, key + 16, 1.0F) - key);
        }
        CHECK(places.size() == 8);
    }
}

TEST_CASE("accuracy and cross-entropy of known scores", "[04][oracle]")
{
    const Variable<float> scores(array_of<float>({2, 1, 3}, {1, 3, 2, 0, 0, 0}));
    CHECK(accuracy_of(scores, {1, 2}) == 0.5);
    CHECK(accuracy_of(scores, {0, 0}) == 0.5);
    const double e = std::exp(1.0);
    const double first = std::log(e + e * e * e + e * e) - 3;
    CHECK_THAT(cross_entropy_of(scores, {1, 2}).item(),
               WithinAbs((first + std::log(3.0)) / 2, 1e-6));
    CHECK_THROWS_AS(accuracy_of(scores, {1}), ContractError);
}

// [claim_learnt]
TEST_CASE("three seeds learn the matrix and the distance", "[04][claim]")
{
    const Accuracies table("trained_retrieval.csv", 6);
    for (const Task task : {rotated, wider}) { // where queries are mapped, a matrix is learnt
        CHECK(table.lowest(task, matrix) >= 0.955);
        CHECK(table.lowest(task, projected) >= 0.955);
        CHECK(table.lowest(task, matrix_and_bias) >= 0.995);
        CHECK(table.lowest(task, with_bias) >= 0.98);
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
    const Accuracies table("trained_retrieval.csv", 6);
    for (const Score score : {plain_dot, scaled, matrix, projected}) {
        CAPTURE(score);
        CHECK(table.lowest(same, score) >= 0.955);
    }
    for (const Score score : {by_cosine, key_bias, matrix_and_bias}) {
        CAPTURE(score);
        CHECK(table.lowest(same, score) >= 0.995);
    }
    CHECK(table.lowest(same, with_bias) >= 0.98);
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
    const Accuracies table("trained_retrieval.csv", 6);
    for (const Task task : {same, lengths, scale, rotated, noisy, wider}) {
        CAPTURE(task);
        CHECK(table.highest(task, odd) <= 0.10);                      // chance is 0.0625
        CHECK(table.lowest_loss(task, odd) >= std::log(16.0) - 0.01); // equal weights
    }
}
// [claim_odd]

// [claim_small]
TEST_CASE("few numbers to a key need its length, and the additive score its bias",
          "[04][claim]")
{
    const Accuracies table("trained_small.csv", 4);
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

TEST_CASE("the committed losses come again in the first hundred steps", "[04][train]")
{
    const program::NumericTable committed = committed_table("trained_first_losses.csv");
    const std::vector<std::string> scores = {"multiplicative", "multiplicative + key bias",
                                             "projected", "additive, no bias",
                                             "additive, bias"};
    std::vector<std::string> names; // all, since a score's first parameters go by its place
    for (const ScoreMaker<float>& maker : score_makers<float>()) {
        names.push_back(maker.name);
    }
    const std::vector<RetrievalTask> tasks = learnt_tasks(1);
    const RetrievalTask& task = tasks[rotated];
    REQUIRE(task.of.name == "rotated");
    std::size_t column = 1;
    for (const TrainedScore& result : train_scores(task, names, 1, {100, 64, 0.01, 500})) {
        if (result.n_parameters <= 1) {
            continue;
        }
        CAPTURE(result.score);
        REQUIRE(column < committed.columns.size());
        CHECK(result.score == scores[column - 1]);
        check_first_losses(result.losses, committed.columns[column++]);
    }
    CHECK(column == committed.columns.size());
}

TEST_CASE("the test asks about other tables than training showed", "[04][property]")
{
    const RetrievalTask task = learnt_tasks(1)[same];
    const LearntScore<float> score = [] {
        random::Generator nothing_to_draw(1);
        return score_named("dot").make({16, 16, 1}, nothing_to_draw);
    }();
    const auto loss_on = [&](std::uint64_t stream) {
        random::Generator generator(1, stream);
        const Batch batch = draw_batch(task, generator, 250);
        return static_cast<double>(
            cross_entropy_of(score.score(batch.queries, batch.keys), batch.chosen).item());
    };
    const double loss = train_scores(task, {"dot"}, 1, {1, 64, 0.01, 250})[0].cross_entropy;
    CHECK(loss == loss_on(stream::test));
    CHECK(loss != loss_on(stream::training));
}

TEST_CASE("one seed learns in a short while what the table says", "[04][train]")
{
    const std::vector<std::string> names = {"dot", "multiplicative",
                                            "multiplicative + key bias", "additive, no bias"};
    const std::vector<TrainedScore> results =
        train_scores(learnt_tasks(2)[rotated], names, 2, {200, 64, 0.01, 1000});
    REQUIRE(results.size() == 4);
    CHECK(results[0].accuracy < 0.2);
    CHECK(results[0].losses.empty());
    CHECK(results[1].accuracy > 0.9);
    CHECK(results[2].accuracy > results[1].accuracy);
    CHECK(results[3].accuracy < 0.12);
    CHECK(results[1].losses.back() < results[1].losses.front() / 2);

    // The same bits again; another seed, other bits.
    CHECK(train_scores(learnt_tasks(2)[rotated], names, 2, {20, 64, 0.01, 100})[1].losses ==
          std::vector<double>(results[1].losses.begin(), results[1].losses.begin() + 20));
    CHECK(train_scores(learnt_tasks(2)[rotated], names, 3, {1, 64, 0.01, 100})[1].losses[0] !=
          results[1].losses[0]);
}
