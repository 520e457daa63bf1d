/// \file
/// \brief What page 14g says of the steps that several machines share.
#include "chapters/14_simd_transformer/many_machines/step_time.hpp"

#include "tests/support/catch.hpp"

using namespace attn::simd_transformer;
using Catch::Matchers::WithinRel;

namespace {

SharedStep step_of(double n_parameters, std::size_t n_examples)
{
    return {.n_parameters = n_parameters,
            .n_examples = n_examples,
            .tokens_an_example = 64,
            .flops_a_second = 2e11,
            .bytes_a_second = 1.25e9};
}

} // namespace

TEST_CASE("one of many machines sends less than twice what one of two does", "[14]")
{
    const SharedStep step = step_of(1000, 32);
    CHECK(bytes_sent(step, 1) == 0);
    CHECK(bytes_sent(step, 2) == 4000);
    CHECK(bytes_sent(step, 10) / bytes_sent(step, 2) == 1.8);
    CHECK(bytes_sent(step, 1000) < 2 * bytes_sent(step, 2));
}

TEST_CASE("a batch is not cut below its examples", "[14]")
{
    const SharedStep step = step_of(1000, 32);
    CHECK(seconds_of_arithmetic(step, 8) == seconds_of_arithmetic(step, 1) / 8);
    CHECK(seconds_of_arithmetic(step, 64) == seconds_of_arithmetic(step, 32));
    CHECK_THAT(seconds_of_arithmetic(step, 3),
               WithinRel(11 * seconds_of_arithmetic(step, 32), 1e-12));
}

TEST_CASE("rounds of messages grow with the machines", "[14]")
{
    CHECK(n_rounds(1) == 0);
    CHECK(n_rounds(2) == 1 + 1 + 1);
    CHECK(n_rounds(5) == 3 + 1 + 4);
    CHECK(n_rounds(8) == 3 + 1 + 7);
    SharedStep step = step_of(1000, 64);
    const double quick = 1 / steps_a_second(step, 64);
    step.seconds_a_round = 1e-3;
    CHECK_THAT(1 / steps_a_second(step, 64) - quick, WithinRel(0.070, 1e-9));
}

TEST_CASE("the number of parameters cancels", "[14][claim]")
{
    const auto gain = [](double n_parameters) {
        const SharedStep step = step_of(n_parameters, 64);
        return steps_a_second(step, 8) / steps_a_second(step, 1);
    };
    CHECK_THAT(gain(1e5), WithinRel(gain(1e9), 1e-12));
}

TEST_CASE("a batch of more tokens than balance the cable is faster on any number of machines",
          "[14][claim]")
{
    for (const std::size_t n : {2U, 8U, 64U}) {
        SharedStep step = step_of(1e6, 64);
        const double tokens = balancing_tokens(step.flops_a_second, step.bytes_a_second);
        step.tokens_an_example = 1.01 * tokens / 64;
        CHECK(steps_a_second(step, n) > steps_a_second(step, 1));
        step.tokens_an_example = 0.99 * tokens / 64;
        CHECK(steps_a_second(step, n) < steps_a_second(step, 1));
    }
}

TEST_CASE("with so many tokens on each of many machines, the exchange takes as long as the "
          "arithmetic",
          "[14][claim]")
{
    SharedStep step = step_of(1e6, 1000);
    step.tokens_an_example = balancing_tokens(step.flops_a_second, step.bytes_a_second);
    CHECK_THAT(seconds_of_arithmetic(step, 1000) * step.bytes_a_second,
               WithinRel(bytes_sent(step, 1000), 2e-3));
}
