/// \file
/// \brief The product of stacks of matrices: against plain loops, transposed and not, repeated
/// and not.
#include "common/autograd/matrix_product.hpp"
#include "tests/common/autograd/samples.hpp"

#include <utility>
#include <vector>

using namespace attn;
using namespace attn::autograd;
using namespace attn::testing;

namespace {

/// Shapes of op(A) and op(B), and of the product.
struct ProductCase
{
    Shape a;
    Shape b;
    Shape c;
};

const std::vector<ProductCase>& product_cases()
{
    static const std::vector<ProductCase> all = {
        {{1, 1}, {1, 1}, {1, 1}},          {{2, 3}, {3, 4}, {2, 4}},
        {{5, 1}, {1, 3}, {5, 3}},          {{0, 3}, {3, 2}, {0, 2}},
        {{2, 0}, {0, 3}, {2, 3}},          {{2, 3, 4}, {4, 2}, {2, 3, 2}},
        {{2, 3, 4}, {1, 4, 2}, {2, 3, 2}}, {{3, 4}, {2, 4, 2}, {2, 3, 2}},
        {{2, 3, 4}, {2, 4, 5}, {2, 3, 5}}, {{2, 1, 3, 2}, {3, 2, 2}, {2, 3, 3, 2}},
        {{1, 3, 4}, {2, 4, 1}, {2, 3, 1}}};
    return all;
}

Shape stored(Shape shape, Transpose transpose)
{
    if (transpose == Transpose::yes) {
        std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    }
    return shape;
}

/// Entry (i, j) of the matrix of a stack that belongs to matrix number `stack` of the result.
double entry(const Array<double>& x, Transpose transpose, const Shape& result,
             std::size_t stack, std::size_t i, std::size_t j)
{
    const Shape& shape = x.shape();
    const auto leading = [](const Shape& all) { return Shape(all.begin(), all.end() - 2); };
    const std::size_t matrix = source_index(leading(result), leading(shape), stack);
    const std::size_t n_columns = shape[shape.size() - 1];
    const std::size_t n_rows = shape[shape.size() - 2];
    return transpose == Transpose::no ? x.data()[(matrix * n_rows + i) * n_columns + j]
                                      : x.data()[(matrix * n_rows + j) * n_columns + i];
}

const std::vector<Transpose> both_ways = {Transpose::no, Transpose::yes};

} // namespace

TEST_CASE(
    "matmul agrees with plain loops, transposed or not, and has the slopes of differences",
    "[common][autograd]")
{
    for (const ProductCase& shapes : product_cases()) {
        for (const Transpose a_transposed : both_ways) {
            for (const Transpose b_transposed : both_ways) {
                CAPTURE(to_text(shapes.a), to_text(shapes.b), static_cast<int>(a_transposed),
                        static_cast<int>(b_transposed));
                const Array<double> a = random_array(stored(shapes.a, a_transposed), 1);
                const Array<double> b = random_array(stored(shapes.b, b_transposed), 2);
                const Array<double> c =
                    matmul<double>(a, b, a_transposed, b_transposed).value();
                const Array<float> floats =
                    matmul<float>(converted<float>(a), converted<float>(b), a_transposed,
                                  b_transposed)
                        .value();
                REQUIRE(lengths_of(c.shape()) == lengths_of(shapes.c));
                REQUIRE(lengths_of(floats.shape()) == lengths_of(shapes.c));
                const std::size_t n = shapes.c[shapes.c.size() - 2];
                const std::size_t m = shapes.c[shapes.c.size() - 1];
                const std::size_t inner = shapes.a[shapes.a.size() - 1];
                for (std::size_t flat = 0; flat < c.size(); ++flat) {
                    const std::size_t stack = flat / (n * m);
                    double wanted = 0;
                    for (std::size_t l = 0; l < inner; ++l) {
                        wanted += entry(a, a_transposed, shapes.c, stack, flat / m % n, l) *
                                  entry(b, b_transposed, shapes.c, stack, l, flat % m);
                    }
                    CHECK_THAT(c.data()[flat], Catch::Matchers::WithinAbs(wanted, 1e-13));
                    CHECK_THAT(floats.data()[flat], Catch::Matchers::WithinAbs(wanted, 1e-5));
                }
                check_slopes(
                    [&](const auto& x) {
                        return matmul(x[0], x[1], a_transposed, b_transposed);
                    },
                    {a, b});
            }
        }
    }
}

TEST_CASE("a matrix times itself passes the check", "[common][autograd]")
{
    check_slopes([](const auto& x) { return matmul(matmul(x[0], x[0]), x[0]); },
                 {random_array({3, 3})});
}

TEST_CASE("matmul refuses what does not go together and names both shapes",
          "[common][autograd]")
{
    const Variable<double> a(random_array({2, 3}));
    CHECK_THROWS_AS(matmul(a, a), ContractError);
    CHECK_THROWS_WITH(matmul(a, a), contains("shapes [2, 3] and [2, 3] do not go together"));
    CHECK_THROWS_WITH(matmul(a, Variable<double>(random_array({4, 3})), Transpose::yes),
                      contains("[2, 3] transposed and [4, 3]"));
    CHECK_THROWS_WITH(matmul(a, Variable<double>(random_array({3}))),
                      contains("[2, 3] and [3]"));
    CHECK_THROWS_WITH(matmul(Variable<double>(random_array({2, 2, 3})),
                             Variable<double>(random_array({3, 3, 1}))),
                      contains("matmul: shapes [2] and [3]"));
}
