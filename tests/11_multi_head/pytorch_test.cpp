/// \file
/// \brief The layer against PyTorch's, forward and back, in double and in float: the values of
/// tests/golden/11_multi_head.
#include "chapters/11_multi_head/multi_head.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/reductions.hpp"
#include "tests/11_multi_head/samples.hpp"
#include "tests/support/golden.hpp"

#include <cmath>

using namespace attn;
using namespace attn::multi_head;
using namespace attn::testing;

namespace {

struct GoldenCase
{
    std::string name;
    AttentionMask mask;
};

const std::vector<GoldenCase>& golden_cases()
{
    static const std::vector<GoldenCase> cases = {
        {"plain", {}}, {"both_masks", {{4, 1, 3}, true}}, {"sizes_differ", {{5, 2, 4}, false}}};
    return cases;
}

template <typename T>
Array<T> as(const Array<double>& numbers)
{
    return Array<T>(xt::cast<T>(numbers));
}

Array<double> golden_of(const GoldenCase& one, const std::string& name)
{
    return golden(one.name + "." + name, "11_multi_head");
}

/// The largest difference to a golden array, relative to its largest number.
template <typename T>
double difference(const Array<T>& actual, const GoldenCase& one, const std::string& name)
{
    const Array<double> wanted = golden_of(one, name);
    const Array<double> ours = as<double>(Array<double>(xt::cast<double>(actual)));
    return golden_difference(numbers_of(ours), numbers_of(wanted));
}

/// PyTorch's matrices are [n_out, n_in].
Array<double> transposed(const Array<double>& matrix)
{
    return transpose(Variable<double>(matrix)).value();
}

template <typename T>
void check_against_pytorch(const AttentionKernel<T>& kernel, double tolerance)
{
    for (const GoldenCase& one : golden_cases()) {
        const auto read = [&](const char* name) {
            return autograd::parameter(as<T>(golden_of(one, name)));
        };
        const Variable<T> x = read("x");
        const Variable<T> y = read("y");
        const Variable<T> z = read("z");
        random::Generator generator(1);
        MultiHeadAttention<T> layer({.d_model = 6,
                                     .n_heads = 3,
                                     .d_key_inputs = y.shape()[2],
                                     .d_value_inputs = z.shape()[2]},
                                    generator);
        layer.attend = kernel.attend;
        for (const nn::NamedParameter<T>& own : layer.parameters()) {
            const Array<double> golden_value = golden_of(one, own.name);
            Variable<T>(own.variable).value() =
                as<T>(own.layout == nn::FileLayout::transposed ? transposed(golden_value)
                                                               : golden_value);
        }

        const autograd::Tape<T> tape;
        Inside<T> inside;
        const Variable<T> output = layer(x, y, z, one.mask, &inside);
        autograd::backward(sum(output * Variable<T>(as<T>(golden_of(one, "projection")))));
        CAPTURE(kernel.name, one.name);
        CHECK(difference(output.value(), one, "output") <= tolerance);
        CHECK(difference(inside.weights, one, "weights") <= tolerance);
        CHECK(difference(x.gradient(), one, "gradient.x") <= tolerance);
        CHECK(difference(y.gradient(), one, "gradient.y") <= tolerance);
        CHECK(difference(z.gradient(), one, "gradient.z") <= tolerance);
        for (const nn::NamedParameter<T>& own : layer.parameters()) {
            CAPTURE(own.name);
            if (own.name ==
                "k_proj.bias") { // exactly 0 in theory: rounding errors on both sides
                for (const T number : own.variable.gradient()) {
                    CHECK(std::abs(static_cast<double>(number)) <= tolerance);
                }
                continue;
            }
            const Array<T> gradient =
                own.layout == nn::FileLayout::transposed
                    ? transpose(Variable<T>(own.variable.gradient())).value()
                    : own.variable.gradient();
            CHECK(difference(gradient, one, "gradient." + own.name) <= tolerance);
        }
    }
}

} // namespace

// [claim_pytorch]
TEST_CASE("the layer is PyTorch's, forward and back", "[11][claim]")
{
    for (const AttentionKernel<double>& kernel : attention_kernels<double>()) {
        check_against_pytorch(kernel, 1e-11);
    }
    for (const AttentionKernel<float>& kernel : attention_kernels<float>()) {
        check_against_pytorch(kernel, 1e-5);
    }
}
// [claim_pytorch]
