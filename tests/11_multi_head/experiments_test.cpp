/// \file
/// \brief What is exactly so and what is counted; tasks, the model with its ties, and short
/// trainings of one seed; the solutions of the exercises.
#include "chapters/01_lookup/lookup.hpp"
#include "chapters/11_multi_head/exercises/solutions.hpp"
#include "chapters/11_multi_head/experiments/experiments.hpp"
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

// ---------------------------------------------------------------- exactly so, and counted

TEST_CASE("heads change places only if each is named once", "[11]")
{
    random::Generator generator(1);
    const MultiHeadAttention<double> layer({.d_model = 6, .n_heads = 3}, generator);
    CHECK_THROWS_AS(heads_in_order(layer, {0, 1}, true), ContractError);
    CHECK_THROWS_AS(heads_in_order(layer, {0, 1, 1}, true), ContractError);
    CHECK_THROWS_AS(heads_in_order(layer, {0, 1, 2, 3}, true), ContractError);
    const MultiHeadAttention<double> same = heads_in_order(layer, {0, 1, 2}, true);
    CHECK(std::equal(same.W_q.weight.value().begin(), same.W_q.weight.value().end(),
                     layer.W_q.weight.value().begin()));
}

TEST_CASE("fast pairs come round again", "[11][claim]")
{
    CHECK(likeness_to_the_one_before(32, 3, 1) == 1);
    CHECK(likeness_to_the_one_before(4, 1, 3) == std::cos(2.0)); // one pair, of speed 1
    // Of all keys further than two positions back, those 57 and 58 back are most like the one
    // before.
    double highest = 0;
    for (std::size_t back = 3; back <= 56; ++back) {
        highest = std::max(highest, likeness_to_the_one_before(32, 3, back));
    }
    CHECK(highest < likeness_to_the_one_before(32, 3, 57));
    CHECK_THAT(likeness_to_the_one_before(32, 3, 57), WithinAbs(0.75575, 1e-5));
    CHECK_THAT(likeness_to_the_one_before(32, 3, 58), WithinAbs(0.79410, 1e-5));
    CHECK_THAT(likeness_to_the_one_before(32, 3, 2), WithinAbs(0.77891, 1e-5));
    CHECK_THROWS_AS(likeness_to_the_one_before(32, 17, 2), ContractError);
    CHECK_THROWS_AS(likeness_to_the_one_before(32, 3, 0), ContractError);
}

// [claim_costs]
TEST_CASE("what layers cost, counted", "[11][claim]")
{
    const std::vector<LayerCost> costs = layer_costs(100, 10);
    REQUIRE(costs.size() == 4);
    CHECK(costs[0].multiplications == 2 * 100 * 100 * 10 + 4 * 100 * 100);
    CHECK(costs[1].multiplications == 6 * 100 * 100);
    CHECK(costs[2].multiplications == 3 * 100 * 100);
    CHECK(costs[3].multiplications == 6 * 100 * 100);
    CHECK(costs[1].waiting_steps == 100);
    CHECK(costs[0].longest_path == 1);
    CHECK(costs[2].longest_path == 50); // two positions a layer
    CHECK(layer_costs(64, 64)[0].multiplications == layer_costs(64, 64)[1].multiplications);
    const std::vector<StepCost> near = step_costs(64, 64);
    const std::vector<StepCost> far = step_costs(4096, 64);
    CHECK(near[0].multiplications == near[1].multiplications);
    CHECK(far[0].multiplications == 22 * far[1].multiplications);
    CHECK(far[0].kept == 64 * near[0].kept);
    for (const std::size_t constant : {1U, 2U}) {
        CHECK(near[constant].kept == far[constant].kept);
        CHECK(near[constant].multiplications == far[constant].multiplications);
    }
    CHECK_THROWS_AS(layer_costs(0, 4), ContractError);
    CHECK_THROWS_AS(step_costs(4, 0), ContractError);
}
// [claim_costs]

// ---------------------------------------------------------------- tasks

TEST_CASE("answers of the tasks on symbols", "[11]")
{
    random::Generator generator(3);
    const auto as_target = [](std::size_t symbol) { return static_cast<std::int64_t>(symbol); };

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
            CHECK(line.targets[i] == (t == 0 ? no_target : as_target(on_line[t - 1])));
            CHECK(ring.targets[i] == as_target(on_ring[(t + 5) % 6]));
            CHECK(earlier.targets[3 * i] == (t == 0 ? no_target : as_target(letters[t - 1])));
            CHECK(earlier.targets[3 * i + 1] ==
                  (t < 3 ? no_target : as_target(letters[t - 3])));
            CHECK(earlier.targets[3 * i + 2] == as_target(letters[0]));
            ones += counted[t];
            CHECK(bits.targets[i] == as_target(ones % 2));
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
    REQUIRE(batch.targets.size() == 35);
    for (std::size_t i = 0; i < 35; ++i) {
        CHECK((batch.targets[i] == no_target) == (i % 7 != 6));
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

// ---------------------------------------------------------------- without positions

// [claim_commonest]
TEST_CASE("the symbol seen most often is the one before about as often", "[11][claim]")
{
    constexpr std::size_t n_rows = 20000;
    constexpr std::size_t length = 16;
    random::Generator generator(1);
    std::size_t n_right = 0;
    for (std::size_t row = 0; row < n_rows; ++row) {
        std::array<std::size_t, n_kinds> counts = {};
        std::size_t before = 0;
        for (std::size_t position = 1; position <= length; ++position) {
            const std::size_t symbol = generator.below(n_kinds);
            before = position + 1 == length ? symbol : before;
            ++counts[symbol];
        }
        const auto most = std::max_element(counts.begin(), counts.end()) - counts.begin();
        n_right += static_cast<std::size_t>(most) == before ? 1U : 0U;
    }
    CHECK_THAT(static_cast<double>(n_right) / n_rows, WithinAbs(0.26, 0.02));
}
// [claim_commonest]

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
    std::copy(batch.targets.begin(), batch.targets.end(), answers.begin());
    for (std::size_t i = 0; i < n_rows * n; ++i) {
        const float* const mark = batch.marks.data() + 2 * i;
        const double weight = mark[0] > 0 ? alpha.a : mark[1] > 0 ? alpha.b : alpha.other;
        for (std::size_t j = 0; j < m; ++j) {
            contexts(i / n, j) += weight * static_cast<double>(batch.vectors.data()[i * m + j]);
        }
    }
    // The contexts' columns made orthogonal, one after the other: each explains a share of its
    // own.
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
            CHECK(batch.targets.data()[row * 3 + m] ==
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
    const Array<float> by_hand = weights_on(model, test_sequences(task, 200, 6, 2).inputs);
    double two_back = 0;
    for (std::size_t row = 0; row < 200; ++row) {
        two_back += static_cast<double>(by_hand(row, 0, 5, 3)) / 200;
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

// ---------------------------------------------------------------- solutions

TEST_CASE("exercise 11.1, numbers to learn", "[11][solution]")
{
    for (const std::size_t n_heads : {1U, 2U, 4U}) {
        random::Generator generator(1);
        const MultiHeadAttention<float> layer(
            {.d_model = 8, .n_heads = n_heads, .d_key_inputs = 3, .d_value_inputs = 5},
            generator);
        CHECK(solutions::n_parameters(8, 3, 5) == layer.parameters().n_numbers());
    }
    CHECK(solutions::n_parameters(512, 512, 512) == 4 * 512 * 513);
}

TEST_CASE("exercise 11.2, a difference by one head", "[11][solution]")
{
    random::Generator generator(2);
    const PairBatch batch = draw_pairs({10, 4}, 1, generator);
    Matrix marks = Matrix::from_shape({10, 2});
    Matrix vectors = Matrix::from_shape({10, 4});
    std::copy(batch.marks.begin(), batch.marks.end(), marks.begin());
    std::copy(batch.vectors.begin(), batch.vectors.end(), vectors.begin());
    const Vector answer = solutions::difference_by_one_head(marks, vectors);
    for (std::size_t m = 0; m < 4; ++m) {
        CHECK_THAT(answer(m), WithinAbs(static_cast<double>(batch.targets.data()[m]), 1e-6));
    }
    for (const std::size_t n_rows : {10U, 9U}) {
        const Matrix no_marks = xt::zeros<double>({n_rows, std::size_t{2}});
        CHECK_THROWS_AS(solutions::difference_by_one_head(no_marks, vectors), ContractError);
    }
    const Matrix two = {{1, 2}, {3, 5}};
    const Vector second_less_first = solutions::difference_by_one_head({{0, 1}, {1, 0}}, two);
    CHECK_THAT(second_less_first(0), WithinAbs(2, 1e-12));
    CHECK_THAT(second_less_first(1), WithinAbs(3, 1e-12));
    const auto refused = [&](const Matrix& wrong, const char* why) {
        CHECK_THROWS_WITH(solutions::difference_by_one_head(wrong, two), contains(why));
    };
    refused({{1, 0}, {1, 0}}, "got 2 and 0");
    refused({{0, 1}, {0, 1}}, "got 0 and 2");
    refused({{1, 0}, {1, 1}}, "(1, 1)");
    refused({{2, 0}, {0, 1}}, "(2, 0)");
}

TEST_CASE("exercise 11.3, where the costs cross", "[11][solution]")
{
    for (const std::size_t d : {16U, 64U, 512U}) {
        const std::size_t n = solutions::longest_cheaper(d);
        CHECK(layer_costs(n, d)[0].multiplications <= layer_costs(n, d)[1].multiplications);
        CHECK(layer_costs(n + 1, d)[0].multiplications >
              layer_costs(n + 1, d)[1].multiplications);
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
