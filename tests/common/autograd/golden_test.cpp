/// \file
/// \brief Operators against PyTorch: softmax, activations and losses, with their gradients. Layer
/// normalisation, embeddings and recurrent networks are compared in nn, through the layers.
#include "common/autograd/activations.hpp"
#include "common/autograd/losses.hpp"
#include "common/autograd/rule.hpp"
#include "common/autograd/softmax.hpp"
#include "tests/support/golden.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace attn;
using namespace attn::autograd;
using attn::testing::check_golden;
using attn::testing::golden;
using attn::testing::golden_integers;

namespace {

using Doubles = Variable<double>;

/// The sum of y's entries, each times one of P: the loss whose gradients are golden.
Doubles projected(const Doubles& y, const Array<double>& P)
{
    double loss = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        loss += y.value().data()[i] * P.data()[i];
    }
    return record(Array<double>(Shape{}, loss), y.needs_gradient(),
                  [y, P](const Array<double>& /*loss*/, const Array<double>& /*one*/) {
                      add_to_gradient(y, [&](std::size_t i) { return P.data()[i]; });
                  });
}

/// Runs an operator on golden inputs, and compares its result and every gradient.
void check_operator(const std::string& name, const std::vector<std::string>& inputs,
                    const std::function<Doubles(const std::vector<Doubles>&)>& run)
{
    CAPTURE(name);
    std::vector<Doubles> variables;
    for (const std::string& input : inputs) {
        variables.push_back(parameter(golden(name + "." + input)));
    }
    Tape<double> tape;
    const Doubles y = run(variables);
    check_golden(y.value(), name + ".output");
    backward(projected(y, golden(name + ".projection")));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        check_golden(variables[i].gradient(), name + ".gradient." + inputs[i]);
    }
}

} // namespace

TEST_CASE("softmax and log softmax along every axis are PyTorch's",
          "[common][autograd][golden]")
{
    for (const std::ptrdiff_t axis : {0, 1, 2}) {
        const std::string at = "_axis" + std::to_string(axis);
        check_operator("softmax" + at, {"x"},
                       [axis](const auto& in) { return softmax(in[0], axis); });
        check_operator("log_softmax" + at, {"x"},
                       [axis](const auto& in) { return log_softmax(in[0], axis); });
    }
}

TEST_CASE("activations are PyTorch's", "[common][autograd][golden]")
{
    check_operator("gelu_erf", {"x"}, [](const auto& in) { return gelu(in[0]); });
    check_operator("gelu_tanh", {"x"}, [](const auto& in) { return gelu_tanh(in[0]); });
    check_operator("leaky_relu_0_01", {"x"}, [](const auto& in) { return leaky_relu(in[0]); });
    check_operator("leaky_relu_0_2", {"x"},
                   [](const auto& in) { return leaky_relu(in[0], .2); });
}

TEST_CASE("the cross entropy is PyTorch's, smoothed or not, summed or averaged",
          "[common][autograd][golden]")
{
    for (const bool smooth : {false, true}) {
        for (const Reduction reduction : {Reduction::mean, Reduction::sum}) {
            const std::string name = std::string("cross_entropy") + (smooth ? "_smooth" : "") +
                                     (reduction == Reduction::mean ? "_mean" : "_sum");
            CAPTURE(name);
            const Doubles logits = parameter(golden(name + ".logits"));
            const std::vector<std::int64_t> targets = golden_integers(name + ".targets");
            CrossEntropy options;
            options.label_smoothing = smooth ? .1 : 0;
            options.reduction = reduction;
            Tape<double> tape;
            const Doubles loss = cross_entropy<double>(logits, targets, options);
            check_golden(loss.value(), name + ".loss");
            backward(loss);
            check_golden(logits.gradient(), name + ".gradient.logits");
        }
    }
}
