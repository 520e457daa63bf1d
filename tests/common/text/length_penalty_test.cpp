/// \file
/// \brief Length penalties by hand, and that they decide between sentences of different
/// lengths.
#include "common/tensor/check.hpp"
#include "common/text/beams.hpp"
#include "common/text/search.hpp"
#include "tests/common/text/prefix_models.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <limits>
#include <vector>

using attn::ContractError;
using namespace attn::testing;
using namespace attn::text;

TEST_CASE("a length penalty is that of its source", "[text]")
{
    for (const std::size_t length : {1U, 2U, 40U}) {
        CHECK(no_length_penalty().divisor(length) == 1);
        CHECK(gnmt_length_penalty(0).divisor(length) == 1);
    }
    CHECK(gnmt_length_penalty(0.6).divisor(1) == 1);
    CHECK(gnmt_length_penalty(1).divisor(7) == 2);
    CHECK_THAT(gnmt_length_penalty(0.6).divisor(10),
               Catch::Matchers::WithinAbs(1.7328621, 1e-6)); // 2.5^.6
    const double bad =
        GENERATE(-0.1, std::numeric_limits<double>::quiet_NaN(), -minus_infinity);
    CHECK_THROWS_AS(gnmt_length_penalty(bad), ContractError);
}

TEST_CASE("a length penalty lets the longer sentence win", "[text]")
{
    // Empty: log .3 = -1.204. One word and the end: log .7 + log .35 = -1.406.
    const auto model = [](const WordNumbers& prefix) -> std::vector<double> {
        return prefix.size() == 1 ? std::vector<double>{std::log(0.3), std::log(0.7)}
                                  : std::vector<double>{std::log(0.35), std::log(0.65)};
    };
    const auto best_length = [&model](const LengthPenalty& penalty) {
        return beam_search(model, limits_of(0, 2),
                           BeamOptions{.width = 3, .penalty = penalty})[0]
            .words.size();
    };
    CHECK(best_length(no_length_penalty()) == 0);
    CHECK(best_length(gnmt_length_penalty(0.6)) == 0); // -1.406 / (7/6)^.6 = -1.282
    CHECK(best_length(gnmt_length_penalty(2)) == 1);   // -1.406 / (7/6)^2 = -1.033
}
