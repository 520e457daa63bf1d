/// \file
/// \brief Sums, differences, products and quotients: values, gradients, shapes that go together
/// and shapes that do not.
#include "common/autograd/arithmetic.hpp"
#include "tests/common/autograd/samples.hpp"

#include <cmath>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::autograd;
using namespace attn::testing;

namespace {

using Doubles = Variable<double>;

/// One of the four operations, with the oracle for a pair of numbers.
struct Operation
{
    std::string name;
    Doubles (*on_variables)(const Doubles&, const Doubles&);
    Variable<float> (*on_floats)(const Variable<float>&, const Variable<float>&);
    double (*on_numbers)(double, double);
};

const std::vector<Operation>& operations()
{
    static const std::vector<Operation> all = {
        {"add", add<double>, add<float>, [](double a, double b) { return a + b; }},
        {"subtract", subtract<double>, subtract<float>,
         [](double a, double b) { return a - b; }},
        {"multiply", multiply<double>, multiply<float>,
         [](double a, double b) { return a * b; }},
        {"divide", divide<double>, divide<float>, [](double a, double b) { return a / b; }}};
    return all;
}

/// Two shapes and what they are repeated to.
struct ShapePair
{
    Shape a;
    Shape b;
    Shape both;
};

const std::vector<ShapePair>& shape_pairs()
{
    static const std::vector<ShapePair> all = {{{}, {}, {}},
                                               {{1, 1}, {1, 1}, {1, 1}},
                                               {{3, 4}, {3, 4}, {3, 4}},
                                               {{3}, {1, 3}, {1, 3}},
                                               {{3, 4}, {4}, {3, 4}},
                                               {{4}, {3, 4}, {3, 4}},
                                               {{3, 4}, {3, 1}, {3, 4}},
                                               {{3, 1}, {1, 4}, {3, 4}},
                                               {{}, {2, 3}, {2, 3}},
                                               {{2, 3}, {}, {2, 3}},
                                               {{2, 1, 4}, {3, 1}, {2, 3, 4}},
                                               {{2, 3, 4, 2}, {3, 1, 2}, {2, 3, 4, 2}},
                                               {{5, 1, 2, 1}, {1, 3, 1, 4}, {5, 3, 2, 4}},
                                               {{0, 3}, {3}, {0, 3}},
                                               {{1, 3}, {0, 3}, {0, 3}}};
    return all;
}

/// Numbers away from 0, so that quotients are tame.
Array<double> away_from_zero(const Shape& shape, std::uint64_t stream)
{
    Array<double> x = random_array(shape, stream);
    for (double& x_i : numbers_of(x)) {
        x_i += x_i < 0 ? -1.0 : 1.0;
    }
    return x;
}

} // namespace

TEST_CASE("arithmetic agrees with plain numbers on every pair of shapes, and has the slopes of "
          "differences",
          "[common][autograd]")
{
    for (const Operation& operation : operations()) {
        for (const ShapePair& pair : shape_pairs()) {
            CAPTURE(operation.name, to_text(pair.a), to_text(pair.b));
            const Array<double> a = away_from_zero(pair.a, 1);
            const Array<double> b = away_from_zero(pair.b, 2);
            const Array<double> y = operation.on_variables(a, b).value();
            const Array<float> in_float =
                operation.on_floats(converted<float>(a), converted<float>(b)).value();
            REQUIRE(lengths_of(y.shape()) == lengths_of(pair.both));
            REQUIRE(lengths_of(in_float.shape()) == lengths_of(pair.both));
            for (std::size_t i = 0; i < y.size(); ++i) {
                const double wanted =
                    operation.on_numbers(a.data()[source_index(pair.both, pair.a, i)],
                                         b.data()[source_index(pair.both, pair.b, i)]);
                CHECK(y.data()[i] == wanted);
                CHECK_THAT(in_float.data()[i], Catch::Matchers::WithinAbs(wanted, 2e-6));
            }
            check_slopes([&](const auto& x) { return operation.on_variables(x[0], x[1]); },
                         {a, b});
        }
    }
}

TEST_CASE("a variable that enters twice receives both gradients", "[common][autograd]")
{
    for (const Operation& operation : operations()) {
        CAPTURE(operation.name);
        check_slopes(
            [&](const auto& x) {
                return operation.on_variables(operation.on_variables(x[0], x[0]), x[0]);
            },
            {away_from_zero({2, 3}, 3)});
    }
}

TEST_CASE("operations with one number, squares and roots pass the check", "[common][autograd]")
{
    const auto passes = [](const ComputationIn<double>& computation) {
        for (const Shape& shape : {Shape{}, Shape{1, 1}, Shape{2, 3}, Shape{0, 2}}) {
            Array<double> x = away_from_zero(shape, 4);
            for (double& x_i : numbers_of(x)) {
                x_i = std::abs(x_i);
            }
            CAPTURE(to_text(shape));
            check_slopes(computation, {x});
        }
    };
    passes([](const auto& x) { return scale_and_shift(x[0], -2.5, .5); });
    passes([](const auto& x) { return -x[0]; });
    passes([](const auto& x) { return 3.0 * x[0] - 1.0; });
    passes([](const auto& x) { return (2.0 - x[0]) / 4.0 + 1.0; });
    passes([](const auto& x) { return squared(x[0]); });
    passes([](const auto& x) { return square_root(x[0]); });

    const Doubles x(array_of<double>({3}, {1, 4, 9}));
    CHECK(list_of((-x).value()) == std::vector<double>{-1, -4, -9});
    CHECK(list_of((2.0 * x).value()) == std::vector<double>{2, 8, 18});
    CHECK(list_of((x / 2.0).value()) == std::vector<double>{.5, 2, 4.5});
    CHECK(list_of((x + 1.0).value()) == std::vector<double>{2, 5, 10});
    CHECK(list_of((x - 1.0).value()) == std::vector<double>{0, 3, 8});
    CHECK(list_of((1.0 - x).value()) == std::vector<double>{0, -3, -8});
    CHECK(list_of(squared(x).value()) == std::vector<double>{1, 16, 81});
    CHECK(list_of(square_root(x).value()) == std::vector<double>{1, 2, 3});
}

TEST_CASE("arithmetic refuses shapes that do not go together and names both",
          "[common][autograd]")
{
    for (const Operation& operation : operations()) {
        const Doubles a(random_array({2, 3}));
        const Doubles b(random_array({2, 4}));
        CHECK_THROWS_AS(operation.on_variables(a, b), ContractError);
        CHECK_THROWS_WITH(operation.on_variables(a, b),
                          contains(operation.name + ": shapes [2, 3] and [2, 4]"));
    }
    const Doubles many(random_array({1, 1, 1, 1, 1, 1, 1, 1, 2}));
    CHECK_THROWS_WITH(add(many, Doubles(random_array({2}))), contains("at most 8 axes"));
}
