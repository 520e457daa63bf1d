/// \file
/// \brief Tasks, the model with its ties, what it keeps, and short trainings of one seed.
#include "chapters/01_lookup/lookup.hpp"
#include "chapters/11_multi_head/experiments/marked_pairs.hpp"
#include "chapters/11_multi_head/experiments/sequence_trainings.hpp"
#include "chapters/11_multi_head/experiments/streams.hpp"
#include "tests/support/committed_table.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>

using namespace attn;
using namespace attn::multi_head;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

namespace {

std::vector<std::size_t> symbols_of(const SequenceBatch& batch, std::size_t row)
{
    const std::size_t n = batch.inputs.shape()[1];
    const std::size_t width = batch.inputs.shape()[2];
    std::vector<std::size_t> symbols;
    for (std::size_t t = 0; t < n; ++t) {
        const float* const one_hot = batch.inputs.data() + (row * n + t) * width;
        symbols.push_back(
            static_cast<std::size_t>(std::max_element(one_hot, one_hot + width) - one_hot));
    }
    return symbols;
}

} // namespace

// ---------------------------------------------------------------- tasks

TEST_CASE("answers of the tasks on symbols", "[11]")
{
    random::Generator generator(3);
    const auto as_answer = [](std::size_t symbol) { return static_cast<std::int64_t>(symbol); };

    const SequenceBatch line = previous_symbol(5).draw(4, 6, generator);
    const SequenceBatch ring = previous_on_ring(5).draw(4, 6, generator);
    const SequenceBatch earlier = three_earlier(5).draw(4, 6, generator);
    const SequenceBatch bits = parity().draw(4, 6, generator);
    for (std::size_t row = 0; row < 4; ++row) {
        const auto on_line = symbols_of(line, row);
        const auto on_ring = symbols_of(ring, row);
        const auto letters = symbols_of(earlier, row);
        const auto counted = symbols_of(bits, row);
        std::size_t ones = 0;
        for (std::size_t t = 0; t < 6; ++t) {
            const std::size_t i = row * 6 + t;
            CHECK(line.answers[i] == (t == 0 ? no_answer : as_answer(on_line[t - 1])));
            CHECK(ring.answers[i] == as_answer(on_ring[(t + 5) % 6]));
            CHECK(earlier.answers[3 * i] == (t == 0 ? no_answer : as_answer(letters[t - 1])));
            CHECK(earlier.answers[3 * i + 1] ==
                  (t < 3 ? no_answer : as_answer(letters[t - 3])));
            CHECK(earlier.answers[3 * i + 2] == as_answer(letters[0]));
            ones += counted[t];
            CHECK(bits.answers[i] == as_answer(ones % 2));
        }
    }
    CHECK(previous_symbol(5).causal);
    CHECK(!previous_symbol(5, false).causal);
    CHECK(!previous_on_ring(5).causal);
    CHECK_THROWS_AS(previous_symbol(0), ContractError);
}

TEST_CASE("recall is asked at the last position alone", "[11]")
{
    random::Generator generator(3);
    const SequenceBatch batch = recall(8).draw(5, 7, generator);
    CHECK(batch.inputs.shape() == Shape{5, 7, 16});
    REQUIRE(batch.answers.size() == 35);
    for (std::size_t i = 0; i < 35; ++i) {
        CHECK((batch.answers[i] == no_answer) == (i % 7 != 6));
    }
    CHECK_THROWS_AS(recall(8).draw(5, 1, generator), ContractError);
}

TEST_CASE("one-hot rows", "[11]")
{
    const Array<float> rows = one_hot_row({2, 0}, 3);
    CHECK(rows.shape() == Shape{1, 2, 3});
    CHECK(std::vector<float>(rows.begin(), rows.end()) == std::vector<float>{0, 0, 1, 1, 0, 0});
    CHECK_THROWS_WITH(one_hot_row({3}, 3), contains("3 is none of 3"));
}

namespace {

/// Weights of n positions whose rows are both queries and keys: softmax(a_i . a_j).
Matrix weights_of_tied(const Matrix& a)
{
    Matrix scores = lookup::dot_product(a, a);
    return lookup::softmax(scores);
}

} // namespace

// [claim_ring]
TEST_CASE("one matrix for queries and keys, on a ring", "[11][claim]")
{
    constexpr std::size_t n = 7;
    for (std::uint64_t stream = 1; stream <= 20; ++stream) {
        const Matrix p = weights_of_tied(random_matrix(n, 4, stream)); // any rows a_i
        const double before = mean_weight_on_ring(p, -1);
        CHECK_THAT(before, WithinAbs(mean_weight_on_ring(p, 1), 1e-12));
        CHECK(before <= mean_weight_on_ring(p, 0) + 1e-12);
        CHECK(before <= 1.0 / 3);
        std::size_t n_right = 0; // positions that attend more to the one before than after
        for (std::size_t i = 0; i < n; ++i) {
            n_right += p(i, (i + n - 1) % n) > p(i, (i + 1) % n) ? 1U : 0U;
        }
        CHECK(n_right < n);
    }
}
// [claim_ring]

TEST_CASE("the mean on a ring refuses what is no ring", "[11]")
{
    const Matrix third = xt::ones<double>({3, 3}) / 3.0;
    CHECK_THAT(mean_weight_on_ring(third, -1), WithinAbs(1.0 / 3, 1e-12));
    CHECK_THROWS_AS(mean_weight_on_ring(Matrix(xt::ones<double>({2, 3})), 0), ContractError);
    CHECK_THROWS_AS(mean_weight_on_ring(Matrix(xt::ones<double>({2, 2})), 0), ContractError);
    CHECK_THROWS_AS(mean_weight_on_ring(third, 2), ContractError);
    CHECK_THROWS_AS(mean_weight_on_ring(Matrix(-third), 0), ContractError);
}

// ---------------------------------------------------------------- marked pairs

namespace {

/// The weights of a row: those on a, on b and on each other vector.
struct ByMark
{
    double a;
    double b;
    double other;
};

/// What the best matrix explains of the answers, if each row is weighted by its marks.
double best_r_squared(const PairBatch& batch, const ByMark& alpha)
{
    const std::size_t n_rows = batch.vectors.shape()[0];
    const std::size_t n = batch.vectors.shape()[1];
    const std::size_t m = batch.vectors.shape()[2];
    Matrix contexts = xt::zeros<double>({n_rows, m});
    Matrix answers = Matrix::from_shape({n_rows, m});
    std::copy(batch.answers.begin(), batch.answers.end(), answers.begin());
    for (std::size_t i = 0; i < n_rows * n; ++i) {
        const float* const mark = batch.marks.data() + 2 * i;
        const double weight = mark[0] > 0 ? alpha.a : mark[1] > 0 ? alpha.b : alpha.other;
        for (std::size_t j = 0; j < m; ++j) {
            contexts(i / n, j) += weight * static_cast<double>(batch.vectors.data()[i * m + j]);
        }
    }
    // The contexts' columns made orthogonal, one after the other: each explains a share of its own.
    double explained = 0;
    for (std::size_t column = 0; column < m; ++column) {
        Vector q = column_of(contexts, column);
        for (std::size_t before = 0; before < column; ++before) {
            const Vector other = column_of(contexts, before);
            q -= xt::sum(q * other)() / xt::sum(other * other)() * other;
        }
        xt::col(contexts, static_cast<long>(column)) = q;
        for (std::size_t answer = 0; answer < m; ++answer) {
            const double along = xt::sum(q * column_of(answers, answer))();
            explained += along * along / xt::sum(q * q)();
        }
    }
    return explained / xt::sum(answers * answers)();
}

} // namespace

// [claim_half]
TEST_CASE("what one matrix makes of one mean, by least squares", "[11][claim]")
{
    random::Generator generator(4);
    const PairBatch batch = draw_pairs({5, 3}, 20000, generator);
    for (const ByMark& alpha :
         std::vector<ByMark>{{1, 0, 0}, {0.9, 0.01, 0.03}, {0.5, 0.2, 0.1}, {0, 0.7, 0.1}}) {
        const Vector weights = {alpha.other, alpha.a, alpha.other, alpha.b, alpha.other};
        const double formula = share_of_one_mean(weights, 1, 3);
        CHECK_THAT(best_r_squared(batch, alpha), WithinAbs(formula, 0.02));
        CHECK(formula <= 0.5);
    }
}

TEST_CASE("no weights of one head get beyond one half", "[11][claim]")
{
    CHECK_THAT(share_of_one_mean({1, 0, 0}, 0, 1), WithinAbs(0.5, 1e-12));
    CHECK_THAT(share_of_one_mean({0.5, 0.5, 0}, 0, 1), WithinAbs(0, 1e-12));
    random::Generator generator(4);
    for (int draw = 0; draw < 1000; ++draw) {
        Vector weights = Vector::from_shape({5});
        for (double& weight : weights) {
            weight = generator.uniform();
        }
        CHECK(share_of_one_mean(weights, 1, 3) <= 0.5);
    }
    // Only a weight below zero, which a softmax does not give, would do it.
    CHECK_THAT(share_of_one_mean({0.5, -0.5}, 0, 1), WithinAbs(1, 1e-12));
}
// [claim_half]

TEST_CASE("pairs are drawn as they are described", "[11]")
{
    random::Generator generator(4);
    const PairBatch batch = draw_pairs({6, 3}, 50, generator);
    for (std::size_t row = 0; row < 50; ++row) {
        std::vector<std::size_t> where(2, 99);
        double marks = 0;
        for (std::size_t i = 0; i < 6; ++i) {
            for (std::size_t mark = 0; mark < 2; ++mark) {
                const float here = batch.marks.data()[(row * 6 + i) * 2 + mark];
                marks += static_cast<double>(here);
                where[mark] = here == 1 ? i : where[mark];
            }
        }
        CHECK(marks == 2);
        REQUIRE(where[0] != where[1]);
        for (std::size_t m = 0; m < 3; ++m) {
            const float* const v = batch.vectors.data() + row * 18;
            CHECK(batch.answers.data()[row * 3 + m] ==
                  v[where[0] * 3 + m] - v[where[1] * 3 + m]);
            CHECK(std::abs(v[m]) <= 1);
        }
    }
    CHECK_THROWS_AS(draw_pairs({1, 3}, 5, generator), ContractError);
    CHECK_THROWS_AS(share_of_one_mean({0, 0}, 0, 1), ContractError);
    CHECK_THROWS_AS(share_of_one_mean({1, 0}, 0, 0), ContractError);
}

// ---------------------------------------------------------------- the model

TEST_CASE("what is tied is learnt once", "[11]")
{
    const auto n_numbers = [](Tied tied) {
        random::Generator generator(1);
        const SequenceModel model(previous_symbol(8), {.tied = tied, .d = 16}, generator);
        return model.parameters.n_numbers();
    };
    const std::size_t matrix = 16 * 16 + 16;
    CHECK(n_numbers(Tied::none) - n_numbers(Tied::queries_and_keys) == matrix);
    CHECK(n_numbers(Tied::none) - n_numbers(Tied::keys_and_values) == matrix);
    CHECK(n_numbers(Tied::none) - n_numbers(Tied::all) == 2 * matrix);
}

TEST_CASE("tied queries and keys are the same numbers after a training too", "[11]")
{
    SequenceTraining training = projection_training(Setting::ring, Tied::queries_and_keys);
    training.n_steps = 5;
    const TrainedSequence trained = train_sequence(training, 1);
    random::Generator generator(2);
    Inside<float> inside;
    trained.model.logits(training.task.draw(1, 12, generator).inputs, &inside);
    CHECK(std::equal(inside.queries.begin(), inside.queries.end(), inside.keys.begin()));
    CHECK(!std::equal(inside.queries.begin(), inside.queries.end(), inside.values.begin()));
}

TEST_CASE("causal models of every kind do not see ahead", "[11]")
{
    for (const Mixer mixer : {Mixer::softmax, Mixer::linear, Mixer::gru}) {
        random::Generator generator(1);
        const SequenceTask task = parity();
        const SequenceModel model(task, {.mixer = mixer, .d = 8, .d_embedding = 4}, generator);
        SequenceBatch batch = task.draw(1, 6, generator);
        const Array<float> before = model.logits(batch.inputs).value();
        std::swap(batch.inputs.data()[4 * 2], batch.inputs.data()[4 * 2 + 1]);
        const Array<float> after = model.logits(batch.inputs).value();
        CAPTURE(static_cast<int>(mixer));
        for (std::size_t t = 0; t < 6; ++t) {
            const bool same = std::equal(before.begin() + static_cast<long>(2 * t),
                                         before.begin() + static_cast<long>(2 * t + 2),
                                         after.begin() + static_cast<long>(2 * t));
            CHECK(same == (t < 4));
        }
    }
}

TEST_CASE("learnt positions end where their rows end", "[11]")
{
    random::Generator generator(1);
    const SequenceTask task = previous_symbol(3);
    const SequenceModel model(task, {.positions = Positions::learnt, .d = 4, .longest = 5},
                              generator);
    CHECK(model.logits(task.draw(1, 5, generator).inputs).shape() == Shape{1, 5, 3});
    CHECK_THROWS_WITH(model.logits(task.draw(1, 6, generator).inputs), contains("6 positions"));
}

TEST_CASE("means over what is there", "[11]")
{
    CHECK(mean_of({{1, std::nan("")}, {std::nan(""), 3}}) == 2);
    CHECK(std::isnan(mean_of({{std::nan("")}})));
}

TEST_CASE("weights on a word", "[11]")
{
    random::Generator generator(1);
    const SequenceModel model(
        three_earlier(26), {.positions = Positions::learnt, .n_heads = 2, .d = 8}, generator);
    const std::vector<Matrix> tables = weights_on_word(model, "heads");
    REQUIRE(tables.size() == 2);
    CHECK(tables[0].shape(0) == 5);
    CHECK(tables[1](0, 0) == 1); // the first letter sees itself alone
    CHECK_THAT(row_sum(tables[1], 4), WithinAbs(1, 1e-6));
    CHECK_THROWS_WITH(weights_on_word(model, "Heads"), contains("'H'"));
}

TEST_CASE("what the last position attends to, by distance", "[11]")
{
    random::Generator generator(1);
    const SequenceTask task = previous_symbol(3);
    const SequenceModel model(task, {.positions = Positions::rotary, .d = 4}, generator);
    const Vector weights = weights_by_distance(model, task, 6, 2);
    REQUIRE(weights.size() == 6);
    CHECK_THAT(xt::sum(weights)(), WithinAbs(1, 1e-6));
    // With one sequence of all, by hand: the last row of its weights, read backwards.
    random::Generator fresh(2, stream::sequence_test);
    Inside<float> inside;
    model.logits(task.draw(200, 6, fresh).inputs, &inside);
    double two_back = 0;
    for (std::size_t row = 0; row < 200; ++row) {
        two_back += static_cast<double>(inside.weights(row, 0, 5, 3)) / 200;
    }
    CHECK_THAT(weights(2), WithinAbs(two_back, 1e-9));
    const SequenceModel two_heads(task, {.positions = Positions::rotary, .n_heads = 2, .d = 4},
                                  generator);
    CHECK_THROWS_WITH(weights_by_distance(two_heads, task, 6, 2), contains("[200, 2, 6, 6]"));
    const SequenceModel gru(task, {.mixer = Mixer::gru, .d = 4}, generator);
    CHECK_THROWS_AS(weights_by_distance(gru, task, 6, 2), ContractError);
}

TEST_CASE("a model is tested on other sequences than it has learnt from", "[11]")
{
    SequenceTask task = previous_symbol(8);
    std::vector<std::vector<std::size_t>> drawn; // the symbols of the first row, batch by batch
    task.draw = [&drawn, draw = task.draw](std::size_t n, std::size_t length,
                                           random::Generator& generator) {
        SequenceBatch batch = draw(n, length, generator);
        drawn.push_back(symbols_of(batch, 0));
        return batch;
    };
    SequenceTraining training{task, {.d = 4}, 64, 64};
    training.n_steps = 1;
    accuracy_by_position(train_sequence(training, 1).model, task, 64, 1, 1);
    REQUIRE(drawn.size() == 2);
    for (const std::size_t shift : {0U, 1U, 2U}) { // training draws a length before
        std::size_t n_equal = 0;
        for (std::size_t t = 0; t + shift < 64; ++t) {
            n_equal += drawn[0][t] == drawn[1][t + shift] ? 1U : 0U;
        }
        CHECK(n_equal < 32);
    }
}

// ---------------------------------------------------------------- a training

TEST_CASE("trained again, rotary positions find the symbol before, a tied layer does not",
          "[11][train]")
{
    // The rate falls over the whole of a training, so that it must be as long as that one.
    const NamedTraining rotary = position_trainings().back();
    const TrainedSequence trained = train_sequence(rotary.training, 1);
    check_first_losses(trained.losses,
                       committed_table("trained_place_losses.csv").column("rotary"));
    check_first_losses(train_pairs({.n_heads = 2, .n_steps = 100}, 1).losses,
                       committed_table("trained_pair_losses.csv").column("two_heads"));
    const auto accuracy = [](Tied tied) {
        SequenceTraining training = projection_training(Setting::line, tied);
        training.n_steps = 300;
        const TrainedSequence of_line = train_sequence(training, 7);
        return mean_of(
            accuracy_by_position(of_line.model, training.task, projection_length, 200, 7));
    };
    CHECK(accuracy(Tied::none) >= 0.95);
    CHECK(accuracy(Tied::queries_and_keys) <= 0.5);
}
