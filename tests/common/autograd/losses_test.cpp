/// \file
/// \brief The losses against plain loops, their slopes against differences, what is ignored and
/// what is refused.
#include "common/autograd/losses.hpp"
#include "tests/common/autograd/samples.hpp"

#include <string>

using namespace attn;
using namespace attn::autograd;
using namespace attn::testing;

namespace {

using Targets = std::vector<std::int64_t>;

/// A size, its targets, and the options under which they are looked at.
struct LossCase
{
    Shape shape;          ///< of the logits
    Targets targets;      ///< one a row
    CrossEntropy options; ///< of the loss
};

const std::vector<LossCase>& loss_cases()
{
    static const std::vector<LossCase> list = {
        {{1, 1}, {0}, {}},
        {{1, 5}, {4}, {}},
        {{3, 1}, {0, 0, 0}, {-100, .3, Reduction::mean}},
        {{4, 7}, {0, 6, 3, 3}, {}},
        {{4, 7}, {0, 6, 3, 3}, {-100, .1, Reduction::mean}},
        {{4, 7}, {0, 6, 3, 3}, {-100, .1, Reduction::sum}},
        {{4, 7}, {0, 6, 3, 3}, {-100, 1, Reduction::mean}},
        {{4, 7}, {-100, 6, -100, 3}, {}},
        {{4, 7}, {0, 6, 0, 3}, {0, .1, Reduction::mean}},
        {{4, 7}, {0, 6, 0, 3}, {0, .1, Reduction::sum}},
        {{4, 7}, {0, 6, 0, 3}, {std::nullopt, .1, Reduction::mean}},
        {{2, 3}, {-100, -100}, {}},
        {{2, 3}, {-100, -100}, {-100, .1, Reduction::sum}},
        {{0, 3}, {}, {}},
        {{2, 131}, {130, 64}, {-100, .1, Reduction::mean}},
    };
    return list;
}

/// -sum over c of q_c log p_c a row, with q written out.
double plain_cross_entropy(const Array<double>& logits, const LossCase& at)
{
    const std::size_t n_classes = logits.shape()[1];
    double loss = 0;
    double n = 0;
    for (std::size_t i = 0; i < at.targets.size(); ++i) {
        if (at.options.ignored && at.targets[i] == *at.options.ignored) {
            continue;
        }
        double sum = 0;
        for (std::size_t c = 0; c < n_classes; ++c) {
            sum += std::exp(logits(i, c));
        }
        for (std::size_t c = 0; c < n_classes; ++c) {
            const double epsilon = at.options.label_smoothing;
            const double one_hot = static_cast<std::size_t>(at.targets[i]) == c ? 1 : 0;
            const double q = (1 - epsilon) * one_hot + epsilon / static_cast<double>(n_classes);
            loss -= q * std::log(std::exp(logits(i, c)) / sum);
        }
        n += 1;
    }
    return at.options.reduction == Reduction::sum || n == 0 ? loss : loss / n;
}

double loss_of(const Array<double>& logits, const Targets& targets,
               const CrossEntropy& options = {})
{
    return cross_entropy(Variable<double>(logits), targets, options).item();
}

/// Logits and targets that do not fit, and what the message must say of it.
void check_refused(const Shape& shape, const Targets& targets, const CrossEntropy& options,
                   const std::string& part)
{
    const Variable<double> logits(random_array(shape));
    CHECK_THROWS_AS(cross_entropy(logits, targets, options), ContractError);
    CHECK_THROWS_WITH(cross_entropy(logits, targets, options), contains(part));
}

} // namespace

// ---------------------------------------------------------------- cross entropy

TEST_CASE("cross entropy is the plain loops', has their slopes, and is the same in float",
          "[common][autograd]")
{
    for (const LossCase& at : loss_cases()) {
        INFO(to_text(at.shape) << ", smoothing " << at.options.label_smoothing);
        const Array<double> logits = random_array(at.shape);
        const auto loss = [&](const auto& in) {
            return cross_entropy(in[0], at.targets, at.options);
        };
        CHECK(loss(std::vector{Variable<double>(logits)}).rank() == 0);
        CHECK_THAT(loss_of(logits, at.targets, at.options),
                   Catch::Matchers::WithinRel(plain_cross_entropy(logits, at), 1e-13));
        check_slopes(loss, {logits});
        check_float(loss, {logits});
    }
}

TEST_CASE("a row that is ignored cannot matter, whatever stands there", "[common][autograd]")
{
    const Array<double> logits = random_array({3, 4});
    Array<double> planted = logits;
    for (std::size_t c = 0; c < 4; ++c) {
        planted(1, c) = c % 2 == 0 ? not_a_number : infinity;
    }
    const auto loss = [](const auto& in) {
        return cross_entropy(in[0], Targets{3, -100, 0}, {-100, .1});
    };
    const auto expected = walk<double>(loss, {logits}, filled({}, 1.));
    const auto y = walk<double>(loss, {planted}, filled({}, 1.));
    CHECK(y.value == expected.value);
    CHECK(y.gradients[0] == expected.gradients[0]);
    CHECK(y.gradients[0](1, 2) == 0);
}

TEST_CASE("cross entropy of huge and of infinite logits", "[common][autograd]")
{
    CHECK(loss_of(array_of<double>({1, 2}, {1e300, -1e300}), {0}) == 0);
    CHECK(loss_of(array_of<double>({1, 2}, {1e300, -1e300}), {1}) == 2e300);
    CHECK(loss_of(array_of<double>({1, 3}, {2, -infinity, -infinity}), {0}) == 0);
    CHECK(loss_of(array_of<double>({1, 2}, {2, -infinity}), {1}) == infinity);
    const auto y = walk<double>([](const auto& in) { return cross_entropy(in[0], Targets{0}); },
                                {array_of<double>({1, 3}, {1, 1, -infinity})}, filled({}, 1.));
    CHECK(list_of(y.gradients[0]) == std::vector{-.5, .5, 0.});
}

TEST_CASE("cross entropy refuses a target that is no class, naming where and how many",
          "[common][autograd]")
{
    check_refused({3, 5}, {0, 5, 1}, {}, "target 5 at position 1 is none of 5 classes");
    check_refused({3, 5}, {0, 1, -1}, {}, "target -1 at position 2 is none of 5 classes");
    check_refused({1, 5}, {-100}, {std::nullopt}, "target -100 at position 0");
    check_refused({2, 0}, {-100, 0}, {}, "target 0 at position 1 is none of 0 classes");
}

TEST_CASE("cross entropy refuses shapes that do not fit", "[common][autograd]")
{
    check_refused({3, 5}, {0, 1}, {}, "[3, 5], got [2]");
    check_refused({3}, {0, 1, 2}, {}, "got shape [3]");
    check_refused({3, 5, 1}, {0, 1, 2}, {}, "got shape [3, 5, 1]");
    check_refused({1, 5}, {0}, {-100, -.1}, "got -0.1");
    check_refused({1, 5}, {0}, {-100, 1.5}, "got 1.5");
    check_refused({1, 5}, {0}, {-100, not_a_number}, "got nan");
}

// ---------------------------------------------------------------- mean squared error

TEST_CASE("the mean squared error is the plain loops', has their slopes, and is the same in "
          "float",
          "[common][autograd]")
{
    for (const Shape& shape :
         std::vector<Shape>{{}, {1}, {1, 1}, {3, 7}, {0, 3}, {2, 3, 1, 5}}) {
        INFO(to_text(shape));
        const Array<double> p = random_array(shape);
        const Array<double> t = random_array(shape, 1);
        double expected = 0;
        for (std::size_t i = 0; i < p.size(); ++i) {
            expected += std::pow(p.data()[i] - t.data()[i], 2) / static_cast<double>(p.size());
        }
        const auto loss = [](const auto& in) { return mean_squared_error(in[0], in[1]); };
        CHECK(loss(std::vector<Variable<double>>{p, t}).rank() == 0);
        CHECK_THAT(loss(std::vector<Variable<double>>{p, t}).item(),
                   Catch::Matchers::WithinRel(expected, 1e-14));
        check_slopes(loss, {p, t});
        check_float(loss, {p, t});
    }
}

TEST_CASE("the mean squared error refuses two shapes", "[common][autograd]")
{
    const Variable<double> p(random_array({2, 3}));
    const Variable<double> t(random_array({3, 2}));
    CHECK_THROWS_AS(mean_squared_error(p, t), ContractError);
    CHECK_THROWS_WITH(mean_squared_error(p, t), contains("[2, 3], got [3, 2]"));
}
