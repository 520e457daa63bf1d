#include "chapters/02_nadaraya_watson/your_turn.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>

using namespace attn;
using attn::testing::check_close;
using attn::testing::row_sum;
using Catch::Matchers::WithinAbs;
namespace yours = attn::nadaraya_watson::your_turn;

TEST_CASE("epanechnikov, a key at the query counts most and the kernel falls from there",
          "[02][your_turn]")
{
    double previous = yours::epanechnikov(0);
    INFO("K(0) is the largest value and positive");
    CHECK(previous > 0);
    for (double u = 0.05; u < 1; u += 0.05) {
        INFO("a farther key never counts more; u = " << u);
        CHECK(yours::epanechnikov(u) < previous);
        previous = yours::epanechnikov(u);
    }
}

TEST_CASE("epanechnikov, both sides count alike", "[02][your_turn]")
{
    for (const double u : {0.1, 0.5, 0.99, 1.0, 3.0}) {
        INFO("a key on the left and a key on the right at the same distance, u = " << u);
        CHECK(yours::epanechnikov(-u) == yours::epanechnikov(u));
    }
}

TEST_CASE("epanechnikov, nothing counts from one bandwidth on", "[02][your_turn]")
{
    for (const double u : {1.0, -1.0, 1.5, -2.0, 1e10}) {
        INFO("1 - u * u turns negative beyond 1: a kernel has to stop at 0; u = " << u);
        CHECK(yours::epanechnikov(u) == 0);
    }
}

TEST_CASE("epanechnikov, a parabola and not a tent", "[02][your_turn]")
{
    const double share = yours::epanechnikov(0.5) / yours::epanechnikov(0);
    INFO(
        "half a bandwidth away a parabola still has three quarters of its height; a half means "
        "that you wrote 1 - |u|, the triangular kernel");
    CHECK_THAT(share, WithinAbs(0.75, 1e-12));
}

TEST_CASE("epanechnikov, the area under it is 1", "[02][your_turn]")
{
    double area = 0;
    for (int i = -2000; i < 2000; ++i) {
        area += 1e-3 * yours::epanechnikov((i + 0.5) * 1e-3);
    }
    INFO("the area under 1 - u * u from -1 to 1 is 4/3: what has it to be multiplied by?");
    CHECK_THAT(area, WithinAbs(1, 1e-5));
}

TEST_CASE("weights, rows sum to one", "[02][your_turn]")
{
    const Matrix weights = yours::weights({0.2, 1.4, 3}, {0, 1, 2, 3, 3}, 1.5);
    {
        INFO("a row a query and a column a key");
        REQUIRE(weights.shape(0) == 3);
        REQUIRE(weights.shape(1) == 5);
    }
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 5; ++j) {
            INFO("a kernel is never negative, nor is a share of it");
            CHECK(weights(i, j) >= 0);
        }
        INFO("a weight is the key's share of all the row's kernel values: divide by their "
             "sum; row "
             << i);
        CHECK_THAT(row_sum(weights, i), WithinAbs(1, 1e-12));
    }
    INFO("two keys at the same place weigh the same");
    CHECK(weights(2, 3) == weights(2, 4));
}

TEST_CASE("weights, the bandwidth is the unit of distance", "[02][your_turn]")
{
    const Matrix small = yours::weights({0.5}, {0, 1, 2, 3}, 2);
    const Matrix large = yours::weights({5}, {0, 10, 20, 30}, 20);
    {
        INFO("in other units, keys and bandwidth ten times as large, nothing changes: the "
             "distance counts in bandwidths");
        check_close(large, small, 1e-12);
    }
    {
        INFO(
            "the kernel is asked for u = (query - key) / bandwidth: with bandwidth 2 the query "
            "0.5 sees the keys 0 and 1 at 0.25 and -0.25, the key 2 at -0.75, and not the "
            "key 3");
        check_close(small, {{15.0 / 37, 15.0 / 37, 7.0 / 37, 0}}, 1e-12);
    }
}

TEST_CASE("weights, an empty window weighs nothing", "[02][your_turn]")
{
    const Matrix weights = yours::weights({10}, {0, 1, 2}, 1);
    for (std::size_t j = 0; j < 3; ++j) {
        INFO(
            "no key within the bandwidth: 0 / 0 is not a number, so look at the sum before you "
            "divide; the weights of an empty window are 0");
        CHECK(weights(0, j) == 0);
    }
}
