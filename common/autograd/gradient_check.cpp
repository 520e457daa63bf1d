#include "common/autograd/gradient_check.hpp"

#include "common/autograd/rule.hpp"
#include "common/random/random.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace attn::autograd {

namespace {

using Arrays = std::vector<Array<double>>;

/// The result's entries, each times a fixed random number, added up.
class Projection
{
public:
    explicit Projection(std::uint64_t seed) : generator_(seed) {}

    /// The loss, as a step of the tape.
    Variable<double> operator()(const Variable<double>& y)
    {
        while (factors_.size() < y.size()) {
            factors_.push_back(generator_.normal());
        }
        Array<double> loss(Shape{}, sum_of(y.value()));
        return record(std::move(loss), y.needs_gradient(),
                      [y, this](const Array<double>& /*value*/, const Array<double>& gradient) {
                          const double dloss = gradient.data()[0];
                          add_to_gradient(y,
                                          [&](std::size_t i) { return dloss * factors_[i]; });
                      });
    }

private:
    double sum_of(const Array<double>& y) const
    {
        double sum = 0.0;
        for (std::size_t i = 0; i < y.size(); ++i) {
            sum += factors_[i] * y.data()[i];
        }
        return sum;
    }

    random::Generator generator_;
    std::vector<double> factors_;
};

std::vector<Variable<double>> as_parameters(const Arrays& inputs)
{
    std::vector<Variable<double>> parameters;
    for (const Array<double>& input : inputs) {
        parameters.push_back(parameter(Array<double>(input)));
    }
    return parameters;
}

/// The gradients after a walk back.
/// \param there  what they are before, which the rules must add to; if null there are none, only
///               memory that the rules must not read
Arrays gradients_by_rule(const Computation& computation, const Arrays& inputs,
                         Projection& projection, const Arrays* there = nullptr)
{
    Tape<double> tape;
    const std::vector<Variable<double>> parameters = as_parameters(inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        Node<double>& node = parameters[i].node();
        node.has_gradient = there != nullptr;
        node.gradient = there != nullptr ? (*there)[i]
                                         : filled(node.value.shape(),
                                                  std::numeric_limits<double>::quiet_NaN());
    }
    backward(projection(computation(parameters)));
    Arrays gradients;
    for (const Variable<double>& input : parameters) {
        gradients.push_back(input.has_gradient() ? input.gradient()
                                                 : filled(input.shape(), 0.0));
    }
    return gradients;
}

/// The loss with one entry of one input moved.
double loss_at(const Computation& computation, Arrays& inputs, Projection& projection,
               double& entry, double value)
{
    const double before = std::exchange(entry, value);
    const double loss = projection(computation(as_parameters(inputs))).item();
    entry = before;
    return loss;
}

/// The slope along one entry: central differences of h and h / 2, extrapolated to 0.
double slope_by_differences(const Computation& computation, Arrays& inputs,
                            Projection& projection, double& entry)
{
    const NoGradient<double> nothing_recorded;
    const double x = entry;
    const auto central = [&](double h) {
        return (loss_at(computation, inputs, projection, entry, x + h) -
                loss_at(computation, inputs, projection, entry, x - h)) /
               (2 * h);
    };
    const double h = 1e-3 * std::max(1.0, std::abs(x));
    return (4 * central(h / 2) - central(h)) / 3;
}

/// Compares two gradients entry by entry.
/// \param than  what the second is, for the message
void compare(const Arrays& by_rule, const Arrays& wanted, double tolerance, const char* than,
             GradientCheck& check)
{
    for (std::size_t input = 0; input < by_rule.size(); ++input) {
        for (std::size_t i = 0; i < by_rule[input].size(); ++i) {
            const double a = by_rule[input].data()[i];
            const double n = wanted[input].data()[i];
            const double larger = std::max(std::abs(a), std::abs(n));
            check.worst = std::max(check.worst, std::abs(a - n) / std::max(larger, 1e-3));
            if (check.passed && !(std::abs(a - n) <= tolerance * (larger + 1e-3))) {
                check.passed = false;
                check.first_mismatch = fmt::format("input {}, entry {}: {} by the rule, {} {}",
                                                   input, i, a, n, than);
            }
        }
    }
}

} // namespace

GradientCheck check_gradient(const Computation& computation,
                             const std::vector<Array<double>>& inputs, std::uint64_t seed)
{
    Projection projection(seed);
    const Arrays by_rule = gradients_by_rule(computation, inputs, projection);
    Arrays by_differences = inputs;
    Arrays moved = inputs;
    Arrays there = inputs;
    Arrays sums = by_rule;
    for (std::size_t input = 0; input < inputs.size(); ++input) {
        for (std::size_t i = 0; i < inputs[input].size(); ++i) {
            by_differences[input].data()[i] =
                slope_by_differences(computation, moved, projection, moved[input].data()[i]);
            there[input].data()[i] = 1 + static_cast<double>(i % 7);
            sums[input].data()[i] += there[input].data()[i];
        }
    }
    GradientCheck check;
    compare(by_rule, by_differences, 1e-6, "by differences", check);
    compare(gradients_by_rule(computation, inputs, projection, &there), sums, 1e-12,
            "with what was there", check);
    return check;
}

} // namespace attn::autograd
