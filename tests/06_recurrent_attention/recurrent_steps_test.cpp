/// \file
/// \brief The steps as the page writes them: by hand, against the fused operators, and how far
/// a gradient comes through them.
#include "common/autograd/recurrent_steps.hpp"

#include "chapters/06_recurrent_attention/experiments/distance.hpp"
#include "common/autograd/gradient_check.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/linear.hpp"
#include "common/nn/initialise.hpp"
#include "tests/support/catch.hpp"

#include <cmath>

using namespace attn;
using namespace attn::recurrent_attention;
using autograd::gru_update;
using autograd::lstm_update;
using autograd::LstmState;
using autograd::rnn_update;
using Catch::Matchers::WithinAbs;
using Numbers = Variable<double>;

namespace {

Numbers random_numbers(const Shape& shape, std::uint64_t stream)
{
    random::Generator generator(6, stream);
    return Numbers(nn::initialise::normal<double>(shape, 0.0, 1.0, generator));
}

void check_equal(const Numbers& a, const Numbers& b)
{
    REQUIRE(a.shape() == b.shape());
    for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK_THAT(a.value().data()[i], WithinAbs(b.value().data()[i], 1e-12));
    }
}

double sigma(double x)
{
    return 1 / (1 + std::exp(-x));
}

} // namespace

TEST_CASE("the plain steps with a pencil", "[06][oracle]")
{
    const auto row = [](std::initializer_list<double> numbers) {
        return Numbers(array_of<double>({1, numbers.size()}, numbers));
    };
    CHECK_THAT(rnn_update(row({0.5}), row({0.25})).item(), WithinAbs(std::tanh(0.75), 1e-12));

    const double proposal = std::tanh(0.3 + sigma(0.6) * 0.7);
    CHECK_THAT(gru_update(row({0.1, -0.2, 0.3}), row({0.5, 0.4, 0.7}), row({2})).item(),
               WithinAbs((1 - sigma(0.2)) * proposal + sigma(0.2) * 2, 1e-12));

    const LstmState<double> next =
        lstm_update(row({0.1, 0.2, 0.3, 0.4}), row({1, 1, 1, 1}), row({-1}));
    const double cell = sigma(1.2) * -1 + sigma(1.1) * std::tanh(1.3);
    CHECK_THAT(next.cell.item(), WithinAbs(cell, 1e-12));
    CHECK_THAT(next.hidden.item(), WithinAbs(sigma(1.4) * std::tanh(cell), 1e-12));
}

TEST_CASE("the plain steps are the fused ones", "[06][oracle]")
{
    const std::size_t batch = 3;
    const std::size_t hidden = 5;
    const Numbers h = random_numbers({batch, hidden}, 1);
    const Numbers cell = random_numbers({batch, hidden}, 2);
    const auto of_blocks = [&](std::size_t g, auto compare) {
        const Numbers a = random_numbers({batch, g * hidden}, 3);
        const Numbers U = random_numbers({hidden, g * hidden}, 4);
        const Numbers b = random_numbers({g * hidden}, 5);
        compare(a, U, b, linear(h, U, b));
    };
    of_blocks(1, [&](const auto& a, const auto& U, const auto& b, const auto& r) {
        check_equal(rnn_update(a, r), rnn_step(a, h, U, b));
    });
    of_blocks(3, [&](const auto& a, const auto& U, const auto& b, const auto& r) {
        check_equal(gru_update(a, r, h), gru_step(a, h, U, b));
    });
    of_blocks(4, [&](const auto& a, const auto& U, const auto& b, const auto& r) {
        const LstmState<double> plain = lstm_update(a, r, cell);
        const LstmState<double> fused = lstm_step(a, LstmState<double>{h, cell}, U, b);
        check_equal(plain.hidden, fused.hidden);
        check_equal(plain.cell, fused.cell);
    });
}

TEST_CASE("the gradients of the plain steps", "[06][gradient]")
{
    using Inputs = std::vector<Numbers>;
    const auto arrays = [](std::size_t g) {
        return std::vector<Array<double>>{random_numbers({2, g * 3}, 11).value(),
                                          random_numbers({2, g * 3}, 12).value(),
                                          random_numbers({2, 3}, 13).value()};
    };
    const auto gru = autograd::check_gradient(
        [](const Inputs& in) { return gru_update(in[0], in[1], in[2]); }, arrays(3));
    INFO(gru.first_mismatch);
    CHECK(gru.passed);
    const auto lstm = autograd::check_gradient(
        [](const Inputs& in) {
            const LstmState<double> next = lstm_update(in[0], in[1], in[2]);
            return concatenate(Inputs{next.hidden, next.cell}, 1);
        },
        arrays(4));
    INFO(lstm.first_mismatch);
    CHECK(lstm.passed);
}

TEST_CASE("blocks that do not fit name both shapes", "[06]")
{
    const Numbers h = random_numbers({2, 3}, 1);
    const Numbers a = random_numbers({2, 8}, 2);
    CHECK_THROWS_WITH(gru_update(a, a, h),
                      attn::testing::contains("[2, 3]") && attn::testing::contains("[2, 8]"));
    CHECK_THROWS_AS(lstm_update(a, a, h), ContractError);
}

// [claim_distance]
TEST_CASE("a gradient shrinks or grows as a power of the steps, a context divides it once",
          "[06][claim]")
{
    for (const std::size_t n : {1U, 10U, 100U}) {
        const auto T = static_cast<double>(n);
        CHECK_THAT(gradient_through_steps(Unit::rnn, 0.9, n) / std::pow(0.9, T),
                   WithinAbs(1, 1e-9));
        CHECK_THAT(gradient_through_steps(Unit::rnn, 1.1, n) / std::pow(1.1, T),
                   WithinAbs(1, 1e-9));
        CHECK_THAT(gradient_through_steps(Unit::gru, 0.0, n) / std::pow(0.5, T),
                   WithinAbs(1, 1e-9));
        CHECK_THAT(gradient_through_steps(Unit::lstm, 5.0, n) / std::pow(sigma(5), T),
                   WithinAbs(1, 1e-9));
        CHECK_THAT(gradient_through_context(n), WithinAbs(1 / T, 1e-15));
    }
    CHECK(gradient_through_steps(Unit::rnn, 0.9, 100) < 1e-4);
    CHECK(gradient_through_steps(Unit::rnn, 1.1, 100) > 1e4);
    CHECK(gradient_through_steps(Unit::lstm, 5.0, 100) > 0.5);
    CHECK_THROWS_AS(gradient_through_steps(Unit::rnn, 1.0, 0), ContractError);
    CHECK_THROWS_AS(gradient_through_context(0), ContractError);
}
// [claim_distance]
