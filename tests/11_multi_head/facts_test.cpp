/// \file
/// \brief What is exactly so, what is counted, and the solutions of the exercises.
#include "chapters/11_multi_head/exercises/solutions.hpp"
#include "chapters/11_multi_head/experiments/costs.hpp"
#include "chapters/11_multi_head/experiments/facts.hpp"
#include "chapters/11_multi_head/experiments/marked_pairs.hpp"
#include "tests/support/matrices.hpp"

using namespace attn;
using namespace attn::multi_head;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

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
        CHECK_THAT(answer(m), WithinAbs(static_cast<double>(batch.answers.data()[m]), 1e-6));
    }
    CHECK_THROWS_AS(
        solutions::difference_by_one_head(Matrix(xt::zeros<double>({10, 2})), vectors),
        ContractError);
    CHECK_THROWS_AS(
        solutions::difference_by_one_head(Matrix(xt::zeros<double>({9, 2})), vectors),
        ContractError);
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
