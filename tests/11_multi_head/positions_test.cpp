/// \file
/// \brief Positions: sinusoids, rotations, and what only depends on differences.
#include "chapters/11_multi_head/positions.hpp"

#include "chapters/01_lookup/lookup.hpp"

#include "common/autograd/gradient_check.hpp"
#include "tests/11_multi_head/samples.hpp"

using namespace attn;
using namespace attn::multi_head;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

TEST_CASE("sinusoids, with a pencil", "[11]")
{
    const Array<double> p = sinusoids<double>(3, 4); // frequencies 1 and 1/100
    CHECK(p.shape() == Shape{3, 4});
    for (const std::size_t t : {0U, 1U, 2U}) {
        const auto angle = static_cast<double>(t);
        CHECK_THAT(p.data()[4 * t], WithinAbs(std::sin(angle), 1e-15));
        CHECK_THAT(p.data()[4 * t + 1], WithinAbs(std::cos(angle), 1e-15));
        CHECK_THAT(p.data()[4 * t + 2], WithinAbs(std::sin(angle / 100), 1e-15));
        CHECK_THAT(p.data()[4 * t + 3], WithinAbs(std::cos(angle / 100), 1e-15));
    }
    CHECK_THROWS_AS(sinusoids<double>(3, 5), ContractError);
    CHECK_THROWS_AS(frequencies(0), ContractError);
}

// [claim_rotation]
TEST_CASE("a shift rotates the sinusoids of all positions alike", "[11][claim]")
{
    constexpr std::size_t d_model = 16;
    const Array<double> p = sinusoids<double>(200, d_model);
    const auto at = [&](std::size_t t) {
        Matrix row = Matrix::from_shape({1, d_model});
        std::copy_n(p.data() + t * d_model, d_model, row.begin());
        return row;
    };
    for (const std::size_t shift : {1U, 7U, 100U}) {
        const Matrix r = rotation_between_positions(d_model, static_cast<double>(shift));
        for (const std::size_t t : {0U, 3U, 99U}) {
            check_close(lookup::weighted_sum(at(t), r), at(t + shift), 1e-12);
        }
    }
    // So their dot product depends on the distance alone.
    const auto dot = [&](std::size_t t, std::size_t s) {
        return lookup::dot_product(at(t), at(s))(0, 0);
    };
    CHECK_THAT(dot(0, 5), WithinAbs(dot(150, 155), 1e-12));
    CHECK_THAT(dot(5, 0), WithinAbs(dot(150, 155), 1e-12)); // and not on which comes first
    CHECK_THAT(dot(9, 9), WithinAbs(d_model / 2.0, 1e-12));
}
// [claim_rotation]

// [claim_rotary]
TEST_CASE("rotated queries and keys meet by the distance of their positions", "[11][claim]")
{
    const Variable<double> q = normal_variable({1, 1, 8}, 1);
    const Variable<double> k = normal_variable({1, 1, 8}, 2);
    const auto repeated = [](const Variable<double>& x) { // the same at 30 positions
        return autograd::concatenate(std::vector<Variable<double>>(30, x), 1);
    };
    const Array<double> rotated_q = rotated_by_position(repeated(q), 2).value();
    const Array<double> rotated_k = rotated_by_position(repeated(k), 2).value();
    const auto dot = [&](std::size_t t, std::size_t s, std::size_t head) {
        double sum = 0;
        for (std::size_t m = 4 * head; m < 4 * head + 4; ++m) {
            sum += rotated_q.data()[t * 8 + m] * rotated_k.data()[s * 8 + m];
        }
        return sum;
    };
    for (const std::size_t head : {0U, 1U}) {
        CHECK_THAT(dot(5, 3, head), WithinAbs(dot(29, 27, head), 1e-12));
        CHECK_THAT(dot(2, 9, head), WithinAbs(dot(20, 27, head), 1e-12));
        CHECK(std::abs(dot(5, 3, head) - dot(3, 5, head)) > 1e-3); // the direction counts
    }
}

TEST_CASE("a pair of numbers in quarter turns, with a pencil", "[11][claim]")
{
    const auto turned = [](double x, double y, int position) {
        // As rows (sin, cos) rotate one way, pairs (cos, sin) rotate the other.
        const double angle = -position * std::acos(0.0);
        Matrix row = Matrix::from_shape({1, 2});
        row(0, 0) = x;
        row(0, 1) = y;
        return lookup::weighted_sum(row, rotation_between_positions(2, angle));
    };
    CHECK_THAT(turned(2, 1, 1)(0, 0), WithinAbs(-1, 1e-12));
    CHECK_THAT(turned(2, 1, 1)(0, 1), WithinAbs(2, 1e-12));
    CHECK_THAT(turned(2, 1, 2)(0, 0), WithinAbs(-2, 1e-12));
    CHECK_THAT(turned(2, 1, 2)(0, 1), WithinAbs(-1, 1e-12));
    CHECK_THAT(turned(0, 1, 1)(0, 0), WithinAbs(-1, 1e-12));
    CHECK_THAT(turned(0, 1, 2)(0, 1), WithinAbs(-1, 1e-12));
    const auto score = [&](int query_position, int key_position) {
        const Matrix q = turned(2, 1, query_position);
        return lookup::dot_product(q, turned(0, 1, key_position))(0, 0);
    };
    CHECK_THAT(score(0, 0), WithinAbs(1, 1e-12));
    CHECK_THAT(score(1, 0), WithinAbs(2, 1e-12));
    CHECK_THAT(score(2, 1), WithinAbs(2, 1e-12));
    CHECK_THAT(score(1, 2), WithinAbs(-2, 1e-12));
}
// [claim_rotary]

TEST_CASE("rotating, with a pencil", "[11]")
{
    // Two heads of four numbers: in each the pairs rotate by 1 and 1/100 a position.
    const Variable<double> x(
        array_of<double>({1, 3, 8}, std::vector<double>{1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0,
                                                        0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1}));
    for (const std::size_t first_position : {0U, 5U}) {
        const Array<double> y = rotated_by_position(x, 2, first_position).value();
        for (std::size_t row = 0; row < 3; ++row) {
            const auto t = static_cast<double>(first_position + row);
            const std::vector<double> wanted = {
                std::cos(t),  std::sin(t), std::cos(t / 100),  std::sin(t / 100),
                -std::sin(t), std::cos(t), -std::sin(t / 100), std::cos(t / 100)};
            for (std::size_t m = 0; m < 8; ++m) {
                CHECK_THAT(y.data()[row * 8 + m], WithinAbs(wanted[m], 1e-15));
            }
        }
    }
}

TEST_CASE("rotating keeps lengths, and leaves position 0", "[11]")
{
    const Variable<double> x = normal_variable({2, 5, 8}, 1);
    const Array<double> y = rotated_by_position(x, 2).value();
    for (std::size_t row = 0; row < 10; ++row) {
        double before = 0;
        double after = 0;
        for (std::size_t m = 0; m < 8; ++m) {
            before += std::pow(x.value().data()[row * 8 + m], 2);
            after += std::pow(y.data()[row * 8 + m], 2);
        }
        CHECK_THAT(after, WithinAbs(before, 1e-12));
    }
    CHECK(same_numbers(x.value(), y, 0, 8));
    CHECK(same_numbers(x.value(), y, 5 * 8, 8));
    CHECK_THROWS_WITH(rotated_by_position(normal_variable({2, 5, 6}, 1), 2),
                      contains("[2, 5, 6]"));
}

TEST_CASE("the gradient of rotating rotates back", "[11]")
{
    const autograd::GradientCheck check = autograd::check_gradient(
        [](const std::vector<Variable<double>>& in) {
            return rotated_by_position(in[0], 2, 3);
        },
        {normal_variable({2, 5, 8}, 1).value()});
    INFO(check.first_mismatch);
    CHECK(check.passed);
}
