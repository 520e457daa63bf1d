/// \file
/// \brief The solutions of chapter 7's exercises.
#include "chapters/07_seq2seq/exercises/solutions.hpp"

#include "common/tensor/check.hpp"
#include "common/text/beams.hpp"
#include "tests/support/catch.hpp"

#include <cmath>

using namespace attn;
using Catch::Matchers::WithinAbs;
namespace solutions = attn::seq2seq::solutions;

TEST_CASE("exercise 7.1, how right a word must be", "[07]")
{
    CHECK_THAT(solutions::needed_of_a_word(0.9, 30), WithinAbs(0.9965, 5e-5));
    CHECK_THAT(solutions::needed_of_a_word(0.9, 5), WithinAbs(0.9791, 5e-5));
    CHECK_THAT(solutions::needed_of_a_word(0.25, 2), WithinAbs(0.5, 1e-12));
    CHECK_THROWS_AS(solutions::needed_of_a_word(0, 3), ContractError);
    CHECK_THROWS_AS(solutions::needed_of_a_word(0.5, 0), ContractError);
}

TEST_CASE("exercise 7.2, from which alpha on the longer sentence is preferred", "[07]")
{
    const double alpha = solutions::alpha_of_equal_scores(-4, 5, -5, 8);
    CHECK_THAT(alpha, WithinAbs(0.85, 0.005));
    const text::LengthPenalty penalty = text::gnmt_length_penalty(alpha);
    CHECK_THAT(-4 / penalty.divisor(5), WithinAbs(-5 / penalty.divisor(8), 1e-12));
    const text::LengthPenalty stronger = text::gnmt_length_penalty(alpha + 0.1);
    CHECK(-4 / stronger.divisor(5) < -5 / stronger.divisor(8));
    CHECK_THROWS_AS(solutions::alpha_of_equal_scores(-4, 5, -3, 8), ContractError);
    CHECK_THROWS_AS(solutions::alpha_of_equal_scores(-4, 5, -5, 5), ContractError);
}

// [claim_circular]
TEST_CASE("exercise 7.3, the circular state remembers nothing", "[07][claim]")
{
    for (const double x : {-2.0, 0.0, 0.7}) {
        const double state = solutions::circular_state(0.8, x, 0.0);
        CHECK_THAT(state, WithinAbs(std::tanh(0.8 * state + x), 1e-12));
        // Whatever state was there before, the input alone decides.
        CHECK_THAT(solutions::circular_state(0.8, x, 0.9), WithinAbs(state, 1e-12));
        CHECK_THAT(solutions::circular_state(0.8, x, -0.9), WithinAbs(state, 1e-12));
    }
    CHECK_THROWS_AS(solutions::circular_state(1.0, 0, 0), ContractError);
}
// [claim_circular]
