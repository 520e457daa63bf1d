/// \file
/// \brief The same numbers in another arrangement: where each goes, and where its gradient comes
/// back to.
#include "common/autograd/layout.hpp"
#include "tests/common/autograd/samples.hpp"

#include <vector>

using namespace attn;
using namespace attn::autograd;
using namespace attn::testing;

namespace {

using Doubles = Variable<double>;
using Lengths = std::vector<std::size_t>;
using Numbers = std::vector<double>;

/// 0, 1, 2, ... row by row.
Doubles counted(const Shape& shape)
{
    Array<double> x(shape);
    for (std::size_t i = 0; i < x.size(); ++i) {
        x.data()[i] = static_cast<double>(i);
    }
    return Doubles(x);
}

} // namespace

TEST_CASE("reshape keeps the order of the numbers", "[common][autograd]")
{
    const Doubles y = reshape(counted({2, 3}), {3, 1, 2});
    CHECK(lengths_of(y.shape()) == Lengths{3, 1, 2});
    CHECK(list_of(y.value()) == Numbers{0, 1, 2, 3, 4, 5});
    CHECK(lengths_of(reshape(counted({0, 3}), {2, 0}).shape()) == Lengths{2, 0});
    check_slopes(
        [](const auto& x) {
            return reshape(x[0], {3, 1, 2});
        },
        {random_array({2, 3})});
    check_slopes([](const auto& x) { return reshape(x[0], {}); }, {random_array({1, 1})});
    CHECK_THROWS_WITH(reshape(counted({2, 3}), {4}),
                      contains("shape [4] does not hold as many numbers as [2, 3]"));
}

TEST_CASE("transpose and permute move each number to its place", "[common][autograd]")
{
    CHECK(list_of(transpose(counted({2, 3})).value()) == Numbers{0, 3, 1, 4, 2, 5});
    const Doubles y = permute(counted({2, 3, 2}), {2, 0, 1});
    CHECK(lengths_of(y.shape()) == Lengths{2, 2, 3});
    CHECK(list_of(y.value()) == Numbers{0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11});
    CHECK(lengths_of(transpose(counted({2, 3, 4, 5}), 1, -2).shape()) == Lengths{2, 4, 3, 5});
    CHECK(lengths_of(transpose(counted({0, 3})).shape()) == Lengths{3, 0});
    CHECK(list_of(permute(counted({}), {}).value()) == Numbers{0});
    check_slopes([](const auto& x) { return transpose(x[0]); }, {random_array({2, 3})});
    check_slopes(
        [](const auto& x) {
            return permute(x[0], {3, 1, 0, 2});
        },
        {random_array({2, 3, 1, 4})});
    check_slopes([](const auto& x) { return transpose(x[0]); }, {random_array({0, 3})});
    CHECK_THROWS_WITH(permute(counted({2, 3}), {0, 0}), contains("[2, 3]"));
    CHECK_THROWS_WITH(permute(counted({2, 3}), {0}), contains("[2, 3]"));
    CHECK_THROWS_WITH(transpose(counted({2, 3}), 2), contains("there is no axis 2"));
}

TEST_CASE("slice and select take parts along any axis", "[common][autograd]")
{
    CHECK(list_of(slice(counted({2, 3}), 1, 1, 3).value()) == Numbers{1, 2, 4, 5});
    CHECK(list_of(slice(counted({3, 2}), 0, 1, 2).value()) == Numbers{2, 3});
    CHECK(lengths_of(slice(counted({2, 3}), -1, 2, 2).shape()) == Lengths{2, 0});
    const Doubles column = select(counted({2, 3, 2}), 1, 2);
    CHECK(lengths_of(column.shape()) == Lengths{2, 2});
    CHECK(list_of(column.value()) == Numbers{4, 5, 10, 11});
    check_slopes([](const auto& x) { return slice(x[0], 1, 1, 3); }, {random_array({2, 4, 3})});
    check_slopes([](const auto& x) { return slice(x[0], -1, 2, 2); }, {random_array({2, 3})});
    check_slopes([](const auto& x) { return select(x[0], 0, 1); }, {random_array({3})});
    CHECK_THROWS_WITH(slice(counted({2, 3}), 1, 2, 4), contains("part 2 to 4 of axis 1"));
    CHECK_THROWS_WITH(slice(counted({2, 3}), 1, 2, 1), contains("[2, 3]"));
    CHECK_THROWS_WITH(select(counted({2, 3}), 0, 2), contains("index 2 along axis 0"));
}

TEST_CASE("concatenate and stack put parts together along any axis", "[common][autograd]")
{
    const std::vector<Doubles> parts = {counted({2, 1}), counted({2, 2}), counted({2, 0})};
    const Doubles joined = concatenate(parts, 1);
    CHECK(lengths_of(joined.shape()) == Lengths{2, 3});
    CHECK(list_of(joined.value()) == Numbers{0, 0, 1, 1, 2, 3});
    const std::vector<Doubles> pair = {counted({2}), counted({2})};
    CHECK(list_of(stack(pair, 0).value()) == Numbers{0, 1, 0, 1});
    CHECK(list_of(stack(pair, -1).value()) == Numbers{0, 0, 1, 1});
    CHECK(lengths_of(stack(std::vector<Doubles>{counted({})}, 0).shape()) == Lengths{1});
    check_slopes(
        [](const auto& x) {
            return concatenate<double>({x[0], x[1], x[0]}, -2);
        },
        {random_array({2, 1, 3}, 1), random_array({2, 2, 3}, 2)});
    check_slopes(
        [](const auto& x) {
            return stack<double>({x[0], x[1], x[0]}, 1);
        },
        {random_array({2, 3}, 1), random_array({2, 3}, 2)});
    CHECK_THROWS_WITH(concatenate<double>({counted({2, 3}), counted({3, 3})}, 1),
                      contains("[2, 3] and [3, 3]"));
    CHECK_THROWS_WITH(concatenate<double>({counted({2, 3}), counted({2})}, 0),
                      contains("[2, 3] and [2]"));
    CHECK_THROWS_WITH(stack<double>({counted({2, 3}), counted({3, 2})}, 0),
                      contains("[2, 3] and [3, 2]"));
    CHECK_THROWS_WITH(stack<double>({}, 0), contains("at least one"));
    CHECK_THROWS_WITH(concatenate<double>({}, 0), contains("at least one"));
}
