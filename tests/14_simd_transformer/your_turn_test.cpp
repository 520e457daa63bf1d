/// \file
/// \brief Judges what the reader wrote in chapter 14's your_turn.hpp, with messages that teach.
#include "chapters/14_simd_transformer/your_turn.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>

using namespace attn;
using attn::simd_transformer::empty_state;
using attn::simd_transformer::OnlineSoftmaxState;
using attn::testing::random_matrix;
using Catch::Matchers::WithinAbs;
namespace yours = attn::simd_transformer::your_turn;

namespace {

constexpr double masked = -std::numeric_limits<double>::infinity();

} // namespace

TEST_CASE("add tile, one tile is softmax without its division", "[14][your_turn]")
{
    OnlineSoftmaxState row = empty_state(2);
    yours::add_tile(row, {0, std::log(3.0)}, {{4, 0}, {0, 4}});
    INFO("scores 0 and ln 3: the larger one has the weight exp(0) = 1, the other one 1/3. The "
         "total is their sum, and the context is the sum of weight times value; it is divided "
         "once, at the end, and not here");
    CHECK_THAT(row.total, WithinAbs(4.0 / 3, 1e-12));
    CHECK_THAT(row.context(0), WithinAbs(4.0 / 3, 1e-12));
    CHECK_THAT(row.context(1), WithinAbs(4, 1e-12));
}

TEST_CASE("add tile, the largest score is remembered", "[14][your_turn]")
{
    OnlineSoftmaxState row = empty_state(1);
    yours::add_tile(row, {1, 5, 2}, {{0}, {0}, {0}});
    INFO("scores 1, 5 and 2: remember the largest score, 5, for the tiles that follow");
    CHECK(row.largest == 5);
    yours::add_tile(row, {3}, {{0}});
    INFO("after a tile with the score 3 it is still 5: the largest of all tiles so far, not of "
         "the last one");
    CHECK(row.largest == 5);
}

TEST_CASE("add tile, a larger score comes later", "[14][your_turn]")
{
    OnlineSoftmaxState row = empty_state(1);
    yours::add_tile(row, {0}, {{6}});
    yours::add_tile(row, {std::log(2.0)}, {{0}});
    {
        INFO("scores 0, then ln 2: what was added up before is multiplied by exp(old - new), "
             "here 1/2, and that is never larger than 1");
        CHECK(row.total < 2);
        CHECK(row.context(0) <= 6);
    }
    {
        INFO(
            "scores 0, then ln 2: the total was added up under a smaller largest score. It "
            "shrinks by exp(old largest - new largest) = 1/2 before the new weight 1 is added");
        CHECK_THAT(row.total, WithinAbs(1.5, 1e-12));
    }
    INFO("scores 0, then ln 2: the context was added up under a smaller largest score. It "
         "shrinks "
         "by exp(old largest - new largest) = 1/2, from 6 to 3");
    CHECK_THAT(row.context(0), WithinAbs(3, 1e-12));
}

TEST_CASE("add tile, large scores", "[14][your_turn]")
{
    OnlineSoftmaxState row = empty_state(1);
    yours::add_tile(row, {1000, 1001}, {{1}, {2}});
    yours::add_tile(row, {2000}, {{3}});
    INFO("scores of 1000 and more: the exponential of that is no double. Before you take a "
         "power, subtract the largest score");
    CHECK_THAT(row.total, WithinAbs(1, 1e-12));
    CHECK_THAT(row.context(0), WithinAbs(3, 1e-12));
}

TEST_CASE("add tile, masked keys", "[14][your_turn]")
{
    OnlineSoftmaxState row = empty_state(1);
    yours::add_tile(row, {masked, masked}, {{7}, {8}});
    {
        INFO("a tile whose keys are all masked, and none was seen before: -inf - (-inf) is no "
             "number. Nothing is added, and the total is still 0");
        CHECK(row.total == 0);
        CHECK(row.context(0) == 0);
    }
    yours::add_tile(row, {0, masked}, {{5}, {9}});
    yours::add_tile(row, {masked}, {{7}});
    INFO("one key is seen, with the score 0 and the value 5: its weight is 1, and that of "
         "masked "
         "keys, before and after, exactly 0");
    CHECK(row.total == 1);
    CHECK(row.context(0) == 5);
}

TEST_CASE("add tile, however the keys are cut", "[14][your_turn]")
{
    const Matrix scores = random_matrix(1, 12, 1);
    const Matrix values = random_matrix(12, 3, 2);
    OnlineSoftmaxState whole = empty_state(3);
    const auto meet = [&](OnlineSoftmaxState& row, std::size_t first, std::size_t last) {
        const Vector s = xt::view(scores, 0, xt::range(first, last));
        const Matrix v = xt::view(values, xt::range(first, last), xt::all());
        yours::add_tile(row, s, v);
    };
    meet(whole, 0, 12);
    OnlineSoftmaxState cut = empty_state(3);
    meet(cut, 0, 1);
    meet(cut, 1, 6);
    meet(cut, 6, 12);
    INFO("twelve keys in one tile, or in tiles of 1, 5 and 6: the same is remembered");
    CHECK_THAT(cut.total, WithinAbs(whole.total, 1e-12));
    for (std::size_t k = 0; k < 3; ++k) {
        CHECK_THAT(cut.context(k), WithinAbs(whole.context(k), 1e-12));
    }
}
