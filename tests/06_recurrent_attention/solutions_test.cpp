/// \file
/// \brief The solutions of chapter 6's exercises.
#include "chapters/06_recurrent_attention/exercises/solutions.hpp"

#include "chapters/06_recurrent_attention/experiments/experiments.hpp"
#include "chapters/06_recurrent_attention/memory_attention.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

#include <cmath>

using namespace attn;
using namespace attn::recurrent_attention;
using Catch::Matchers::WithinAbs;

TEST_CASE("exercise 6.1, the ceiling of a mean of products", "[06][solution]")
{
    CHECK_THAT(solutions::largest_weight(7, 1), WithinAbs(0.5519, 1e-4));
    CHECK(solutions::largest_weight(1, 1) == 1);
    CHECK_THAT(solutions::largest_weight(4, 0), WithinAbs(0.25, 1e-12));

    // States of +1 and -1 reach it: one equals the query, all others its negative.
    Array<double> memory = filled<double>({1, 7, 32}, -1.0);
    std::fill_n(memory.data(), 32, 1.0);
    const Variable<double> u(filled<double>({1, 32}, 1.0));
    const Variable<double> v(memory);
    const Attended<double> asked = read_memory(memory_scores(Score::mean, u, v), v);
    CHECK_THAT(asked.weights.value().data()[0],
               WithinAbs(solutions::largest_weight(7, 1), 1e-12));
    CHECK_THROWS_AS(solutions::largest_weight(0, 1), ContractError);
    CHECK_THROWS_AS(solutions::largest_weight(3, -1), ContractError);
}

TEST_CASE("exercise 6.2, half of a gradient", "[06][solution]")
{
    CHECK_THAT(solutions::half_life(0), WithinAbs(1, 1e-12));
    CHECK_THAT(solutions::half_life(5), WithinAbs(103.2, 0.1));
    CHECK(gradient_through_steps(Unit::lstm, 5, 103) > 0.5);
    CHECK(gradient_through_steps(Unit::lstm, 5, 104) < 0.5);
}

TEST_CASE("exercise 6.3, errors that can be compared", "[06][solution]")
{
    const Vector learnt = {1, 3, 2, 6}; // persistence errs by 2, 1, 4; with season 2 by 1, 3
    CHECK_THAT(solutions::mean_absolute_scaled_error({5, 5}, {6, 8}, learnt, 1),
               WithinAbs(2 / (7.0 / 3), 1e-12));
    CHECK_THAT(solutions::mean_absolute_scaled_error({5, 5}, {6, 8}, learnt, 2),
               WithinAbs(1, 1e-12));
    CHECK_THROWS_AS(solutions::mean_absolute_scaled_error({5}, {6, 8}, learnt, 1),
                    ContractError);
    CHECK_THROWS_AS(solutions::mean_absolute_scaled_error({5}, {6}, {2, 2}, 1), ContractError);
    CHECK_THROWS_AS(solutions::mean_absolute_scaled_error({5}, {6}, learnt, 4), ContractError);
}
