/// \file
/// \brief Rows of a table: against one-hot rows times the table, repeated and padding rows, what
/// is refused.
#include "common/autograd/embedding.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrix_product.hpp"
#include "tests/common/autograd/samples.hpp"

using namespace attn;
using namespace attn::autograd;
using namespace attn::testing;

namespace {

using Indices = std::vector<std::int64_t>;

/// The rows with these numbers, as a computation for the checks.
auto rows_of(const Indices& indices, const Shape& shape,
             std::optional<std::int64_t> padding = std::nullopt)
{
    return [=](const auto& in) { return gather_rows(in[0], indices, shape, padding); };
}

} // namespace

TEST_CASE("rows of a table pass the gradient check", "[common][autograd]")
{
    check_slopes(rows_of({0}, {}), {random_array({1, 1})});
    check_slopes(rows_of({3, 0, 3, 3, 2, 0}, {2, 3}), {random_array({5, 3})});
    check_slopes(rows_of({}, {0, 4}), {random_array({5, 3})});
    check_float(rows_of({3, 0, 3, 3, 2, 0}, {6}), {random_array({5, 3})});
}

TEST_CASE("rows of a table are one-hot rows times the table", "[common][autograd]")
{
    const Indices indices = {3, 0, 3, 1};
    Array<double> one_hot = filled({4, 5}, 0.0);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        one_hot.data()[i * 5 + static_cast<std::size_t>(indices[i])] = 1;
    }
    const auto product = [&](const auto& in) {
        return matmul(Variable<double>(one_hot), in[0]);
    };
    const std::vector<Array<double>> table = {random_array({5, 3}, 1)};
    const Array<double> dy = random_array({4, 3}, 2);
    const Passage<double> gathered = walk<double>(rows_of(indices, {4}), table, dy);
    const Passage<double> multiplied = walk<double>(product, table, dy);
    check_close(gathered.value, multiplied.value, 0);
    check_close(gathered.gradients[0], multiplied.gradients[0], 1e-15);
}

TEST_CASE("the padding row of a table is read, but not learnt", "[common][autograd]")
{
    const std::vector<Array<double>> table = {random_array({3, 2}, 1)};
    const Array<double> dy = filled({2, 2, 2}, 1.0);
    const Passage<double> passage = walk<double>(rows_of({0, 2, 0, 1}, {2, 2}, 0), table, dy);
    CHECK(list_of(passage.gradients[0]) == std::vector<double>{0, 0, 1, 1, 1, 1});
    CHECK(passage.value.data()[4] == table[0].data()[0]);
    // What reaches it by another way stays.
    const auto beside = [](const auto& in) {
        return concatenate<double>({gather_rows(in[0], Indices{0, 2}, {2}, 0), in[0]}, 0);
    };
    CHECK(list_of(walk<double>(beside, table, filled({5, 2}, 1.0)).gradients[0]) ==
          std::vector<double>{1, 1, 1, 1, 2, 2});
}

TEST_CASE("an index that is no row of the table is named", "[common][autograd]")
{
    const Variable<double> table(random_array({5, 3}));
    const auto gather = [&](const Indices& indices, const Shape& shape,
                            std::optional<std::int64_t> padding = std::nullopt) {
        return gather_rows(table, indices, shape, padding);
    };
    CHECK_THROWS_WITH(gather({0, 5}, {2}), contains("index 5 is no row") && contains("[5, 3]"));
    CHECK_THROWS_WITH(gather({-1}, {1}), contains("index -1 is no row"));
    CHECK_THROWS_WITH(gather({0}, {1}, 5), contains("padding 5 is no row"));
    CHECK_THROWS_WITH(gather({0, 1, 2}, {2, 2}), contains("[2, 2] must be 4, got 3"));
    CHECK_THROWS_AS(gather({5}, {1}), ContractError);
    CHECK_THROWS_AS(gather_rows(Variable<double>(random_array({5})), Indices{0}, {1}),
                    ContractError);
}
