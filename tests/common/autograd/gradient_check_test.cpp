/// \file
/// \brief The gradient checker, checked: it passes a right rule and rejects planted errors.
#include "common/autograd/gradient_check.hpp"
#include "common/autograd/rule.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace attn;
using namespace attn::autograd;

namespace {

using Rule =
    std::function<double(const Array<double>& x, const Array<double>& dy, std::size_t i)>;

/// y = x * x, with the given rule for its gradient.
Computation square_with(const Rule& rule)
{
    return [rule](const std::vector<Variable<double>>& inputs) {
        const Variable<double>& x = inputs[0];
        Array<double> y = uninitialised<double>(x.shape());
        for (std::size_t i = 0; i < x.size(); ++i) {
            y.data()[i] = x.value().data()[i] * x.value().data()[i];
        }
        return record(std::move(y), x.needs_gradient(),
                      [x, rule](const Array<double>& /*y*/, const Array<double>& dy) {
                          add_to_gradient(
                              x, [&](std::size_t i) { return rule(x.value(), dy, i); });
                      });
    };
}

double right_rule(const Array<double>& x, const Array<double>& dy, std::size_t i)
{
    return 2 * x.data()[i] * dy.data()[i];
}

/// [3, 3], no two entries alike.
std::vector<Array<double>> inputs()
{
    return {array_of<double>({3, 3}, {.3, -1.2, .7, 2.1, -.4, .9, 1.5, -.8, .1})};
}

} // namespace

TEST_CASE("the gradient checker passes a right rule", "[common][autograd]")
{
    const GradientCheck check = check_gradient(square_with(right_rule), inputs());
    CHECK(check.passed);
    CHECK(check.worst < 1e-8);
    CHECK(check.first_mismatch.empty());
}

TEST_CASE("the gradient checker rejects a wrong rule, and names where", "[common][autograd]")
{
    const auto right = right_rule;
    const std::vector<std::pair<Rule, std::string>> rules = {
        {[=](auto& x, auto& dy, auto i) { return 1.001 * right(x, dy, i); },
         "input 0, entry 0"},
        {[=](auto& x, auto& dy, auto i) { return right(x, dy, i % 3 * 3 + i / 3); }, "entry 1"},
        {[=](auto& x, auto& dy, auto i) { return i == 8 ? 0 : right(x, dy, i); }, "entry 8"},
        {[=](auto& x, auto& dy, auto i) { return i == 4 ? std::nan("") : right(x, dy, i); },
         "entry 4"}};
    for (const auto& [rule, where] : rules) {
        const GradientCheck check = check_gradient(square_with(rule), inputs());
        CHECK_FALSE(check.passed);
        CHECK_THAT(check.first_mismatch, testing::contains(where));
    }
}

TEST_CASE(
    "the gradient checker rejects a rule that does not add to what is there, or reads what "
    "is not",
    "[common][autograd]")
{
    for (const bool always_adds : {false, true}) {
        const auto identity = [=](const std::vector<Variable<double>>& in) {
            const Variable<double>& x = in[0];
            return record(Array<double>(x.value()), x.needs_gradient(),
                          [=](const Array<double>& /*y*/, const Array<double>& dy) {
                              double* const dx = open_gradient(x).data;
                              for (std::size_t i = 0; i < x.size(); ++i) {
                                  dx[i] = (always_adds ? dx[i] : 0) + dy.data()[i];
                              }
                          });
        };
        CHECK_FALSE(check_gradient(identity, inputs()).passed);
    }
}
