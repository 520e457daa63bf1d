/// \file
/// \brief Whether a training begins with the losses that are committed: to the last digit where
/// kernels keep the contract of bits, nearly where they do not. Deliberately only the losses: what
/// a model has learnt is compared by check_expected.
#pragma once

#include "common/kernels/instruction_sets.hpp"
#include "common/program/number.hpp"
#include "tests/support/catch.hpp"

#include <cstddef>
#include <vector>

namespace attn::testing {

/// Checks that a training begins with committed losses. With kernels that round twice, those for
/// SSE4.2, differences grow with the steps: there 1e-3 is asked.
/// \param losses     of the training, one a step
/// \param committed  of its first steps, as a program wrote them
/// \param n_digits   significant ones of what is committed
inline void check_first_losses(const std::vector<double>& losses,
                               const std::vector<double>& committed, int n_digits = 6)
{
    REQUIRE(!committed.empty());
    REQUIRE(losses.size() >= committed.size());
    for (std::size_t step = 0; step < committed.size(); ++step) {
        CAPTURE(step);
        if (kernels::default_kernels().fused) {
            CHECK(program::significant(losses[step], n_digits) ==
                  program::significant(committed[step], n_digits));
        } else {
            CHECK_THAT(losses[step], Catch::Matchers::WithinAbs(committed[step], 1e-3));
        }
    }
}

} // namespace attn::testing
