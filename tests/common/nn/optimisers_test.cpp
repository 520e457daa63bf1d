/// \file
/// \brief Optimisers against PyTorch over ten steps, clipping and schedules against their
/// formulas.
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/losses.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/reductions.hpp"
#include "common/nn/optimisers.hpp"
#include "common/nn/training.hpp"
#include "common/program/trained_bits.hpp"
#include "tests/support/golden.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>

using namespace attn::nn;
using namespace attn::testing;
using namespace attn;
using attn::autograd::Variable;

namespace {

using MakeOptimiser = std::function<std::unique_ptr<Optimiser<double>>(Parameters<double>)>;

/// The linear regression that PyTorch's optimisers were given.
struct Regression
{
    Variable<double> x{golden("regression.x")};
    Variable<double> y{golden("regression.y")};
    Variable<double> w = autograd::parameter(golden("regression.w"));
    Variable<double> b = autograd::parameter(golden("regression.b"));

    Parameters<double> parameters() const
    {
        Parameters<double> list;
        list.add("w", w);
        list.add("b", b);
        return list;
    }

    Variable<double> loss() const { return autograd::mean_squared_error(matmul(x, w) + b, y); }
};

/// Takes ten steps and compares losses and parameters after each.
void check_ten_steps(const std::string& name, const MakeOptimiser& make)
{
    CAPTURE(name);
    const Regression regression;
    const std::unique_ptr<Optimiser<double>> optimiser = make(regression.parameters());
    const Array<double> w = golden(name + ".w");
    const Array<double> b = golden(name + ".b");
    const Array<double> losses = golden(name + ".loss");
    for (std::size_t step = 0; step < 10; ++step) {
        CAPTURE(step);
        autograd::Tape<double> tape;
        const Variable<double> loss = regression.loss();
        CHECK_THAT(loss.item(), Catch::Matchers::WithinRel(losses.data()[step], 1e-12));
        backward(loss);
        optimiser->step();
        CHECK(golden_difference(numbers_of(regression.w.value()),
                                numbers_of(w).subspan(step * 6, 6)) <= 1e-12);
        CHECK(golden_difference(numbers_of(regression.b.value()),
                                numbers_of(b).subspan(step * 2, 2)) <= 1e-12);
    }
}

template <typename Kind>
MakeOptimiser maker(const typename Kind::Options& options)
{
    return [options](Parameters<double> parameters) {
        return std::make_unique<Kind>(std::move(parameters), options);
    };
}

} // namespace

TEST_CASE("gradient descent takes PyTorch's ten steps", "[common][nn][golden]")
{
    check_ten_steps("sgd_momentum", maker<Sgd<double>>({.learning_rate = .01, .momentum = .9}));
    check_ten_steps(
        "sgd_momentum_decay",
        maker<Sgd<double>>({.learning_rate = .01, .momentum = .9, .weight_decay = .1}));
}

TEST_CASE("Adam and AdamW take PyTorch's ten steps", "[common][nn][golden]")
{
    check_ten_steps("adam", maker<Adam<double>>({.learning_rate = .01}));
    check_ten_steps("adam_betas",
                    maker<Adam<double>>(
                        {.learning_rate = .05, .beta_1 = .8, .beta_2 = .95, .epsilon = 1e-3}));
    check_ten_steps("adam_l2", maker<Adam<double>>({.learning_rate = .01, .weight_decay = .1}));
    check_ten_steps("adamw",
                    maker<Adam<double>>(
                        {.learning_rate = .01, .weight_decay = .1, .decay = Decay::decoupled}));
}

TEST_CASE("what only decays becomes zero, and never a subnormal number", "[common][nn]")
{
    Variable<float> w = autograd::parameter(filled<float>({40}, 2));
    Parameters<float> list;
    list.add("w", w);
    Adam<float> adam(list, {.beta_2 = 0.9});
    Sgd<float> sgd(list, {.momentum = 0.9});
    for (const auto& [m, step] :
         {std::pair<const float*, Optimiser<float>*>{adam.means[0].data(), &adam},
          {adam.mean_squares[0].data(), &adam},
          {sgd.momenta[0].data(), &sgd}}) {
        float last = 0;
        for (int i = 0; i < 1000; ++i) {
            autograd::Tape<float> tape;
            backward(sum((i == 0 ? 1.0F : 0.0F) * w));
            step->step();
            for (const std::size_t entry : {0U, 39U}) { // gradients of 1 only: never below 0
                CHECK((m[entry] == 0 || m[entry] >= 0x1p-100F));
            }
            last = std::max(m[0], m[39]);
        }
        CHECK(last == 0);
    }
}

TEST_CASE("gradients are clipped as PyTorch clips them", "[common][nn][golden]")
{
    for (const std::string name : {"clip_grad_norm", "clip_grad_norm_idle"}) {
        CAPTURE(name);
        const Regression regression;
        Parameters<double> parameters = regression.parameters();
        autograd::Tape<double> tape;
        backward(regression.loss());
        testing::check_golden(regression.w.gradient(), name + ".before.w");
        const double norm =
            clip_by_global_norm(parameters, golden(name + ".max_norm").data()[0]);
        CHECK_THAT(norm, Catch::Matchers::WithinRel(golden(name + ".norm").data()[0], 1e-12));
        testing::check_golden(regression.w.gradient(), name + ".after.w");
        testing::check_golden(regression.b.gradient(), name + ".after.b");
    }
}

TEST_CASE("a parameter that no gradient has reached stays where it is", "[common][nn]")
{
    const Variable<double> moved = autograd::parameter(Array<double>(Shape{2}, 1.0));
    const Variable<double> left = autograd::parameter(Array<double>(Shape{2}, 1.0));
    Parameters<double> parameters;
    parameters.add("moved", moved);
    parameters.add("left", left);
    Adam<double> adam(parameters, {.weight_decay = .1});
    autograd::Tape<double> tape;
    backward(
        autograd::mean_squared_error(moved, Variable<double>(Array<double>(Shape{2}, 0.0))));
    adam.step();
    CHECK(moved.value()(0) < 1);
    CHECK(left.value()(0) == 1);
    CHECK(adam.n_steps == std::vector<std::int64_t>{1, 0});
    CHECK_FALSE(moved.has_gradient());
}

TEST_CASE("optimisers refuse options that make no sense", "[common][nn]")
{
    const Parameters<double> none;
    CHECK_THROWS_AS(Sgd<double>(none, {.learning_rate = 0}), ContractError);
    CHECK_THROWS_WITH(Sgd<double>(none, {.momentum = 1}), contains("momentum"));
    CHECK_THROWS_WITH(Sgd<double>(none, {.weight_decay = -1}), contains("weight_decay"));
    CHECK_THROWS_WITH(Adam<double>(none, {.learning_rate = -1}), contains("learning_rate"));
    CHECK_THROWS_WITH(Adam<double>(none, {.beta_1 = 1}), contains("beta_1"));
    CHECK_THROWS_WITH(Adam<double>(none, {.beta_2 = -.1}), contains("beta_2"));
    CHECK_THROWS_WITH(Adam<double>(none, {.epsilon = 0}), contains("epsilon"));
    CHECK_THROWS_WITH(Adam<double>(none, {.weight_decay = -1}), contains("weight_decay"));
    Parameters<double> parameters;
    CHECK_THROWS_AS(clip_by_global_norm(parameters, 0), ContractError);

    Variable<double> grown = autograd::parameter(Array<double>(Shape{2}, 1.0));
    parameters.add("grown", grown);
    Adam<double> adam(parameters, {});
    for (const bool before_the_loss : {false, true}) {
        grown.value() = Array<double>(Shape{before_the_loss ? 5U : 2U}, 1.0);
        const autograd::Tape<double> tape;
        backward(autograd::sum(2.0 * grown));
        grown.value() = Array<double>(Shape{5}, 1.0);
        CHECK_THROWS_WITH(adam.step(), contains("'grown' had shape [2], and now has [5]"));
        grown.clear_gradient();
    }
}

TEST_CASE("schedules follow their formulas", "[common][nn]")
{
    const Schedule rise = warm_up(4, linear_decay(10, .5));
    CHECK(rise(0) == .25);
    CHECK(rise(3) == 1);
    CHECK(rise(4) == 1);
    CHECK_THAT(rise(9), Catch::Matchers::WithinAbs(.75, 1e-15));
    CHECK(rise(14) == .5);
    CHECK(rise(1000) == .5);
    CHECK(linear_decay(10)(10) == 0);
    CHECK_THROWS_AS(warm_up(0, linear_decay(10)), ContractError);
    CHECK_THROWS_AS(linear_decay(0), ContractError);
    CHECK_THROWS_AS(linear_decay(10, 1.5), ContractError);

    const Schedule fall = cosine_decay(8, .1);
    CHECK(fall(0) == 1);
    CHECK_THAT(fall(2), Catch::Matchers::WithinAbs(.55 + .45 * std::sqrt(.5), 1e-15));
    CHECK_THAT(fall(4), Catch::Matchers::WithinAbs(.55, 1e-15));
    CHECK_THAT(fall(8), Catch::Matchers::WithinAbs(.1, 1e-15));
    CHECK(fall(9) == fall(8));
    CHECK_THROWS_AS(cosine_decay(0), ContractError);
    CHECK_THROWS_AS(cosine_decay(10, -.1), ContractError);
}

namespace {

/// What a small training adds to the sum of all.
std::uint64_t bits_of_a_training(double first_weight)
{
    const auto sum = [] {
        const std::string text = program::trained_bits();
        return text.empty() ? 0 : std::stoull(text.substr(text.find(": ") + 2), nullptr, 16);
    };
    const std::uint64_t before = sum();
    {
        const Regression regression;
        Variable<double> w = regression.w;
        w.value().data()[0] = first_weight;
        Sgd<double> sgd(regression.parameters(), {.learning_rate = 0.1});
        autograd::Tape<double> tape;
        backward(regression.loss());
        sgd.step();
        CHECK(sum() == before);
        count_training(regression.parameters());
    }
    return sum() - before;
}

} // namespace

TEST_CASE("the bits of all trainings tell one in the last place of one parameter", "[nn]")
{
    const std::uint64_t sum = bits_of_a_training(0.5);
    CHECK(sum != 0);
    CHECK(bits_of_a_training(0.5) == sum);
    CHECK(bits_of_a_training(std::nextafter(0.5, 1.0)) != sum);
    // Of a training that came to nothing, only that.
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(bits_of_a_training(nan) == bits_of_a_training(-nan));
    // An optimiser counts nothing by itself.
    const std::string before = program::trained_bits();
    {
        const Regression regression;
        Sgd<double> uncounted(regression.parameters(), {.learning_rate = 0.1});
        autograd::Tape<double> tape;
        backward(regression.loss());
        uncounted.step();
    }
    CHECK(program::trained_bits() == before);
}
