/// \file
/// \brief The tape itself: what is recorded, what is not, what is left, and what memory it takes.
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/reductions.hpp"
#include "common/autograd/tape.hpp"
#include "tests/common/autograd/samples.hpp"
#include "tests/support/catch.hpp"

#include <optional>
#include <thread>

using namespace attn;
using namespace attn::autograd;
using attn::testing::contains;
using attn::testing::random_array;

namespace {

Variable<double> number(double x)
{
    return parameter(Array<double>(Shape{}, x));
}

} // namespace

TEST_CASE("a walk back gives the slope of every parameter", "[common][autograd]")
{
    Tape<double> tape;
    const Variable<double> x = number(3);
    const Variable<double> y = number(5);
    const Variable<double> product = x * y;
    backward(squared(product) + x);
    CHECK(x.gradient()() == 2 * 15 * 5 + 1);
    CHECK(y.gradient()() == 2 * 15 * 3);
    CHECK(product.gradient()() == 30); // held, so its gradient is still there
}

TEST_CASE("gradients of several walks add up until they are cleared", "[common][autograd]")
{
    Tape<double> tape;
    Variable<double> x = number(3);
    backward(2.0 * x);
    backward(2.0 * x);
    CHECK(x.gradient()() == 4);
    x.clear_gradient();
    CHECK_FALSE(x.has_gradient());
    backward(2.0 * x);
    CHECK(x.gradient()() == 2);
}

TEST_CASE("a value nobody needs for the loss gets no gradient", "[common][autograd]")
{
    Tape<double> tape;
    const Variable<double> x = number(3);
    const Variable<double> y = number(4);
    const Variable<double> unused = x * y;
    backward(2.0 * x);
    CHECK_FALSE(y.has_gradient());
    CHECK_FALSE(unused.has_gradient());
    CHECK_THROWS_WITH(unused.gradient(), contains("no walk back has reached this value"));
}

TEST_CASE("no gradient goes through constants, detached values or a scope without gradients",
          "[common][autograd]")
{
    Tape<double> tape;
    const Variable<double> x = number(3);
    CHECK_FALSE(Variable<double>(Array<double>(Shape{}, 1.0)).needs_gradient());
    CHECK_FALSE(detach(2.0 * x).needs_gradient());
    {
        const NoGradient<double> nothing_recorded;
        CHECK_FALSE((2.0 * x).needs_gradient());
    }
    CHECK((2.0 * x).needs_gradient());
    backward(x * detach(x));
    CHECK(x.gradient()() == 3);
}

TEST_CASE("a loss that would pass its gradient nowhere is refused", "[common][autograd]")
{
    const Variable<double> x = number(3);
    const auto refused = [](const Variable<double>& loss, const char* sentence) {
        CHECK_THROWS_WITH(backward(loss), contains(sentence));
    };
    std::optional<Variable<double>> of_dropped_tape;
    {
        const Tape<double> dropped;
        of_dropped_tape = 2.0 * x;
    }
    refused(x, "there is no tape");
    Tape<double> tape;
    refused(Variable<double>(random_array({2})), "one number, got shape [2]");
    refused(Variable<double>(random_array({})), "no parameter stands behind the loss");
    refused(x, "was not computed on this tape");
    refused(*of_dropped_tape, "the steps to this loss are gone");
    refused(3.0 * *of_dropped_tape, "a value of shape [] whose step is gone");

    const Variable<double> shared = x * x;
    const Variable<double> first = 2.0 * shared;
    const Variable<double> second = 3.0 * shared;
    {
        const Tape<double> inner;
        refused(first, "was not computed on this tape");
    }
    CHECK_FALSE(x.has_gradient());
    backward(first); // with steps of another loss behind it
    CHECK(x.gradient()() == 12);
    refused(first, "the steps to this loss are gone");
    refused(second, "the steps to this loss are gone");
    refused(5.0 * shared, "a value of shape [] whose step is gone");
    CHECK(x.gradient()() == 12);
    backward(5.0 * detach(shared) * x);
    CHECK(x.gradient()() == 12 + 45);
    CHECK_THROWS_WITH(Variable<double>(random_array({2, 1})).item(), contains("[2, 1]"));
}

TEST_CASE("a gradient has the shape of its value, whatever was there before",
          "[common][autograd]")
{
    Tape<double> tape;
    Variable<double> x = parameter(random_array({2}));
    backward(sum(2.0 * x));
    x.value() = random_array({5});
    CHECK_THROWS_WITH(backward(sum(2.0 * x)),
                      contains("the shape [5]") && contains("of shape [2]"));
    x.clear_gradient();
    backward(sum(2.0 * x));
    CHECK((x.gradient() == filled<double>({5}, 2.0)));
}

TEST_CASE("an inner tape takes the steps while it lives", "[common][autograd]")
{
    Tape<double> outer;
    const Variable<double> x = number(3);
    const Variable<double> early = 2.0 * x;
    {
        Tape<double> inner;
        backward(5.0 * x);
        CHECK(x.gradient()() == 5);
    }
    backward(early);
    CHECK(x.gradient()() == 7);
}

TEST_CASE("a loss of an inner tape may use a value of an outer one as a constant only",
          "[common][autograd]")
{
    Tape<double> outer;
    const Variable<double> x = number(3);
    const Variable<double> early = 2.0 * x;
    {
        Tape<double> inner;
        CHECK_THROWS_WITH(backward(early * number(1)), contains("is on an outer tape"));
    }
    {
        const NoGradient<double> nothing_recorded;
        Tape<double> inner;
        CHECK_THROWS_WITH(backward(early * number(1)), contains("is on an outer tape"));
        backward(detach(early) * x);
    }
    CHECK_FALSE(early.has_gradient());
    backward(early);
    CHECK(x.gradient()() == 6 + 2);
}

TEST_CASE("each thread has a tape of its own", "[common][autograd]")
{
    Tape<double> tape;
    bool recorded = true;
    std::thread([&] { recorded = (2.0 * number(1)).needs_gradient(); }).join();
    CHECK_FALSE(recorded);
}

TEST_CASE("a tape of a hundred thousand steps comes and goes without deep recursion",
          "[common][autograd]")
{
    const Variable<double> x = number(1);
    std::optional<Variable<double>> y;
    {
        Tape<double> tape;
        y = x;
        for (int i = 0; i < 100000; ++i) {
            y = *y + 1.0;
        }
    } // forgotten, while the last value is still held
    CHECK(y->item() == 100001);
    y.reset();
    Tape<double> tape;
    y = x;
    for (int i = 0; i < 100000; ++i) {
        y = *y + 1.0;
    }
    backward(*y);
    CHECK(x.gradient()() == 1);
}

TEST_CASE("live bytes are the same after 10 and after 1000 steps", "[common][autograd]")
{
    const auto live_after = [](int n_steps) {
        Variable<float> W = parameter(testing::converted<float>(random_array({7, 5})));
        const Variable<float> x(testing::converted<float>(random_array({33, 7}, 1)));
        Tape<float> tape;
        for (int step = 0; step < n_steps; ++step) {
            backward(mean(squared(matmul(x, W))));
            W.clear_gradient();
        }
        return live_bytes();
    };
    const std::ptrdiff_t before = live_bytes();
    const std::ptrdiff_t after_10 = live_after(10);
    const std::ptrdiff_t after_1000 = live_after(1000);
    CHECK(after_10 == after_1000);
    CHECK(after_10 > before);
    CHECK(live_bytes() == before);
}
