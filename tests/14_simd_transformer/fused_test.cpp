/// \file
/// \brief The fused operators beside those of common/autograd that they replace, forward and back,
/// with every instruction set, its products included.
#include "chapters/14_simd_transformer/fused.hpp"

#include "chapters/14_simd_transformer/fast_layers.hpp"
#include "chapters/14_simd_transformer/matrix_product.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layer_norm.hpp"
#include "common/autograd/linear.hpp"
#include "common/autograd/reductions.hpp"
#include "common/tensor/gemm_instead.hpp"
#include "tests/14_simd_transformer/samples.hpp"
#include "tests/common/autograd/samples.hpp"
#include "tests/support/same_bits.hpp"

#include <numeric>

using namespace attn;
using attn::testing::ComputationIn;
using attn::testing::contains;
using attn::testing::converted;
using attn::testing::difference;
using attn::testing::infinity;
using attn::testing::not_a_number;
using attn::testing::Passage;
using attn::testing::random_array;
using attn::testing::same_bits;
using attn::testing::walk;
using autograd::Variable;
namespace simd = attn::simd_transformer;

namespace {

/// A computation with operators of common, and the same with fused ones.
struct FusedCase
{
    std::string name;
    ComputationIn<double> plain;
    std::function<Variable<float>(const simd::Execution&, const std::vector<Variable<float>>&)>
        fused;
    std::vector<Array<double>> inputs;
};

std::vector<Array<float>> in_float(const std::vector<Array<double>>& arrays)
{
    std::vector<Array<float>> result;
    for (const Array<double>& array : arrays) {
        result.push_back(converted<float>(array));
    }
    return result;
}

/// Values and gradients agree; gradients also where something has flowed in before.
void check_fused(const FusedCase& c, const simd::Execution& how)
{
    CAPTURE(c.name, how.kernels->name);
    const simd::Products products(how, {});
    const Array<double> dy = attn::testing::random_gradient(c.plain, c.inputs);
    for (const std::size_t n_times : {std::size_t(1), std::size_t(2)}) {
        const Passage<double> expected = walk<double>(c.plain, c.inputs, dy, n_times);
        const Passage<float> actual = walk<float>(
            [&](const std::vector<Variable<float>>& in) { return c.fused(how, in); },
            in_float(c.inputs), converted<float>(dy), n_times);
        CHECK(difference(actual.value, expected.value) <= 1e-5);
        for (std::size_t input = 0; input < c.inputs.size(); ++input) {
            CAPTURE(n_times, input);
            CHECK(difference(actual.gradients[input], expected.gradients[input]) <= 1e-5);
        }
    }
}

void check_fused_everywhere(const FusedCase& c)
{
    for (const simd::Kernels* kernels : simd::instruction_sets()) {
        check_fused(c, {kernels, 1});
    }
}

/// A product with bias, and what is behind it.
struct LinearForm
{
    const char* name;
    ComputationIn<double> plain;
    Variable<float> (*fused)(const simd::Execution&, const Variable<float>&,
                             const Variable<float>&, const Variable<float>&);
};

std::vector<LinearForm> linear_forms()
{
    const auto product = [](const std::vector<Variable<double>>& in) {
        return autograd::linear(in[0], in[1], in[2]);
    };
    return {{"linear", product, simd::linear},
            {"linear_relu", [=](const auto& in) { return autograd::relu(product(in)); },
             simd::linear_relu},
            {"linear_gelu", [=](const auto& in) { return autograd::gelu(product(in)); },
             simd::linear_gelu}};
}

FusedCase linear_case(const LinearForm& form, const Shape& x, std::size_t n_out)
{
    return {form.name,
            form.plain,
            [fused = form.fused](const simd::Execution& how,
                                 const std::vector<Variable<float>>& in) {
                return fused(how, in[0], in[1], in[2]);
            },
            {random_array(x, 1), random_array({x.back(), n_out}, 2), random_array({n_out}, 3)}};
}

FusedCase norm_case(const Shape& x)
{
    const Shape d = {x.back()};
    return {"layer_norm",
            [](const auto& in) { return autograd::layer_norm(in[0], in[1], in[2], 1e-3); },
            [](const simd::Execution& how, const std::vector<Variable<float>>& in) {
                return simd::layer_norm(how, in[0], in[1], in[2], 1e-3);
            },
            {random_array(x, 1), random_array(d, 2), random_array(d, 3)}};
}

/// Both results of the sum and its norm, multiplied, so that each has a gradient of its own.
FusedCase add_and_normalise_case(const Shape& x)
{
    const Shape d = {x.back()};
    return {"add_and_normalise",
            [](const auto& in) {
                const auto sum = in[0] + in[1];
                return autograd::layer_norm(sum, in[2], in[3], 1e-3) * sum;
            },
            [](const simd::Execution& how, const std::vector<Variable<float>>& in) {
                const auto [sum, normalised] =
                    simd::add_and_normalise(how, in[0], in[1], in[2], in[3], 1e-3);
                return normalised * sum;
            },
            {random_array(x, 1), random_array(x, 4), random_array(d, 2), random_array(d, 3)}};
}

/// Every third row does not count.
FusedCase entropy_case(std::size_t n, std::size_t n_classes,
                       const autograd::CrossEntropy& options)
{
    std::vector<std::int64_t> targets(n);
    for (std::size_t i = 0; i < n; ++i) {
        targets[i] = i % 3 == 2 ? -100 : static_cast<std::int64_t>(i * 7 % n_classes);
    }
    Array<double> logits = random_array({n, n_classes}, 5);
    if (n > 0) {
        logits.data()[0] += 30; // one logit above all
    }
    return {"cross_entropy",
            [=](const auto& in) {
                return autograd::cross_entropy<double>(in[0], targets, options);
            },
            [=](const simd::Execution& how, const std::vector<Variable<float>>& in) {
                return simd::cross_entropy(how, in[0], targets, options);
            },
            {logits}};
}

/// One of each, large enough for several blocks of rows that are not equally long.
std::vector<FusedCase> large_cases()
{
    std::vector<FusedCase> cases;
    for (const LinearForm& form : linear_forms()) {
        cases.push_back(linear_case(form, {3, 201, 37}, 53));
    }
    cases.push_back(norm_case({5, 301, 67}));
    cases.push_back(add_and_normalise_case({1501, 67}));
    cases.push_back(entropy_case(1501, 67, {.label_smoothing = 0.1}));
    return cases;
}

bool same_passage(const Passage<float>& a, const Passage<float>& b)
{
    return same_bits(a.value, b.value) &&
           std::equal(a.gradients.begin(), a.gradients.end(), b.gradients.begin(),
                      b.gradients.end(), same_bits<float>);
}

} // namespace

TEST_CASE("a product, its bias and its activation in one are those one by one, at every width",
          "[14]")
{
    for (const LinearForm& form : linear_forms()) {
        for (std::size_t n_out = 1; n_out <= 70; ++n_out) {
            CAPTURE(n_out);
            check_fused_everywhere(linear_case(form, {n_out % 4 + 1, 3}, n_out));
        }
    }
}

TEST_CASE("a normalisation on vectors is that of common, at every width", "[14]")
{
    for (std::size_t d = 1; d <= 70; ++d) {
        CAPTURE(d);
        check_fused_everywhere(norm_case({d % 4 + 1, d}));
        check_fused_everywhere(add_and_normalise_case({d % 3 + 1, d}));
    }
}

TEST_CASE("a cross entropy that keeps no probabilities is that of common, at every width",
          "[14]")
{
    using autograd::Reduction;
    for (std::size_t n_classes = 1; n_classes <= 70; ++n_classes) {
        CAPTURE(n_classes);
        check_fused_everywhere(entropy_case(n_classes % 5 + 1, n_classes, {}));
        check_fused_everywhere(entropy_case(
            4, n_classes,
            {.ignored = -100, .label_smoothing = 0.1, .reduction = Reduction::sum}));
    }
}

TEST_CASE("fused operators over many blocks of rows agree with common", "[14]")
{
    for (const FusedCase& c : large_cases()) {
        check_fused_everywhere(c);
    }
}

TEST_CASE("fused operators take tensors without rows, and products without columns", "[14]")
{
    for (const LinearForm& form : linear_forms()) {
        check_fused_everywhere(linear_case(form, {0, 3}, 5));
        check_fused_everywhere(linear_case(form, {300, 70}, 0)); // the gradient of X is 0
    }
    check_fused_everywhere(norm_case({2, 0, 3}));
    check_fused_everywhere(add_and_normalise_case({0, 3}));
    check_fused_everywhere(entropy_case(0, 3, {}));
}

TEST_CASE("fused operators give the same bits for any number of threads", "[14]")
{
    for (const simd::Kernels* kernels : simd::instruction_sets()) {
        for (const FusedCase& c : large_cases()) {
            CAPTURE(kernels->name, c.name);
            const auto passage = [&](std::size_t n_threads) {
                const simd::Products products({kernels, n_threads}, {});
                return walk<float>(
                    [&](const std::vector<Variable<float>>& in) {
                        return c.fused({kernels, n_threads}, in);
                    },
                    in_float(c.inputs),
                    converted<float>(attn::testing::random_gradient(c.plain, c.inputs)));
            };
            const Passage<float> alone = passage(1);
            CHECK(same_passage(alone, passage(2)));
            CHECK(same_passage(alone, passage(5)));
        }
    }
}

TEST_CASE("the fused gelu and its slope keep their digits far out on both sides", "[14]")
{
    constexpr std::size_t n = 4001;
    Array<float> z = uninitialised<float>({n});
    for (std::size_t i = 0; i < n; ++i) {
        z.data()[i] = static_cast<float>(i) / 160.0F - 12.5F;
    }
    for (const simd::Kernels* kernels : simd::instruction_sets()) {
        const Passage<float> actual = walk<float>(
            [&](const auto& in) {
                return simd::linear_gelu({kernels, 1}, Variable<float>(filled({1, 1}, 0.0F)),
                                         Variable<float>(filled({1, n}, 0.0F)), in[0]);
            },
            {z}, filled<float>({1, n}, 1));
        for (std::size_t i = 0; i < n; ++i) {
            CAPTURE(kernels->name, z(i));
            const auto x = static_cast<double>(z(i));
            const double below = std::erfc(-x / std::sqrt(2.0)) / 2;
            REQUIRE_THAT(static_cast<double>(actual.value.data()[i]),
                         Catch::Matchers::WithinAbs(x * below, 1e-5 * std::abs(x) * below));
            const double at = x * std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0));
            REQUIRE_THAT(static_cast<double>(actual.gradients[0].data()[i]),
                         Catch::Matchers::WithinAbs(below + at, 1e-5 * (below + std::abs(at))));
        }
    }
}

TEST_CASE("rows of equal numbers, outliers and nan go through the fused operators as in common",
          "[14]")
{
    constexpr std::size_t d = 37;
    for (const simd::Kernels* kernels : simd::instruction_sets()) {
        CAPTURE(kernels->name);
        const simd::Execution how{kernels, 1};
        const Variable<float> gain(filled<float>({d}, 2));
        const Variable<float> bias(filled<float>({d}, 7));

        // A row of equal numbers becomes the bias, one outlier the root of what is left.
        Array<float> x = filled<float>({3, d}, 3);
        x(1, 5) = 3e4F;
        x(2, 36) = static_cast<float>(not_a_number);
        const Array<float> y = simd::layer_norm(how, Variable<float>(x), gain, bias).value();
        CHECK(y(0, 0) == 7.0F);
        CHECK(y(0, 36) == 7.0F);
        CHECK_THAT(static_cast<double>(y(1, 5)),
                   Catch::Matchers::WithinAbs(7 + 2 * std::sqrt(d - 1.0), 1e-4));
        CHECK(std::isnan(y(2, 0)));

        // What is not a number stays none behind an activation.
        const Variable<float> one(filled<float>({1, 1}, 1));
        Array<float> row = filled<float>({1, d}, -1);
        row(0, 3) = static_cast<float>(not_a_number);
        const Variable<float> zeros(filled<float>({d}, 0));
        for (const LinearForm& form : linear_forms()) {
            const Array<float> bent = form.fused(how, one, Variable<float>(row), zeros).value();
            CHECK(std::isnan(bent(0, 3)));
            CHECK_FALSE(std::isnan(bent(0, 4)));
        }
    }
}

TEST_CASE("a fused cross entropy takes classes of probability 0, and rows that do not count",
          "[14]")
{
    constexpr std::size_t n_classes = 21;
    const std::vector<std::int64_t> targets = {2, 20, -100};
    for (const simd::Kernels* kernels : simd::instruction_sets()) {
        CAPTURE(kernels->name);
        const simd::Execution how{kernels, 1};
        Array<float> x = filled<float>({3, n_classes}, 0);
        x(0, 0) = x(1, 19) = -static_cast<float>(infinity);
        x(2, 1) = static_cast<float>(not_a_number); // of a row that does not count
        const autograd::Tape<float> tape;
        const Variable<float> logits = autograd::parameter(Array<float>(x));
        const Variable<float> loss = simd::cross_entropy(how, logits, targets);
        CHECK_THAT(static_cast<double>(loss.item()),
                   Catch::Matchers::WithinAbs(std::log(20.0), 1e-6));
        autograd::backward(loss);
        CHECK(logits.gradient()(0, 0) == 0.0F);
        CHECK(logits.gradient()(1, 19) == 0.0F);
        for (std::size_t c = 0; c < n_classes; ++c) {
            CHECK(logits.gradient()(2, c) == 0.0F);
        }
        const std::vector<std::int64_t> none(3, -100);
        CHECK(simd::cross_entropy(how, logits, none).item() == 0.0F);
    }
}

TEST_CASE("fused operators refuse shapes that do not fit, by name", "[14]")
{
    const simd::Execution how{};
    const Variable<float> x(filled<float>({2, 3}, 0));
    const Variable<float> W(filled<float>({4, 5}, 0));
    const Variable<float> b(filled<float>({5}, 0));
    CHECK_THROWS_WITH(simd::linear_gelu(how, x, W, b),
                      "linear_gelu: the last axis of x [2, 3] must be the first of weight "
                      "[4, 5]");
    CHECK_THROWS_WITH(simd::linear_relu(how, x, W, x),
                      contains("linear_relu: there must be a"));
    CHECK_THROWS_AS(simd::layer_norm(how, x, b, b), ContractError);
    CHECK_THROWS_WITH(simd::add_and_normalise(how, x, W, b, b),
                      contains("add_and_normalise: y must have shape [2, 3]"));
    const std::vector<std::int64_t> targets = {0, 3};
    CHECK_THROWS_AS(simd::cross_entropy(how, x, targets), ContractError);
}

TEST_CASE("fused operators of constants are constants, and without a tape nothing is kept",
          "[14]")
{
    const simd::Execution how{};
    const Variable<float> x(filled<float>({2, 3}, 1));
    const Variable<float> W(filled<float>({3, 3}, 1));
    const Variable<float> b(filled<float>({3}, 1));
    const autograd::Tape<float> tape;
    for (const LinearForm& form : linear_forms()) {
        CHECK_FALSE(form.fused(how, x, W, b).needs_gradient());
    }
    CHECK_FALSE(simd::layer_norm(how, x, b, b).needs_gradient());
    CHECK_FALSE(simd::add_and_normalise(how, x, x, b, b).sum.needs_gradient());
}

TEST_CASE("the product of a fused operator is whatever gemm is replaced by", "[14]")
{
    const simd::Execution how{};
    const Variable<float> x(converted<float>(random_array({300, 64}, 1)));
    const Variable<float> W(converted<float>(random_array({64, 64}, 2)));
    const Variable<float> zeros(filled<float>({64}, 0));
    std::size_t n_products = 0;
    const GemmInstead counting([&](auto... product) {
        ++n_products;
        simd::multiply(how, product...);
    });
    const autograd::Tape<float> tape;
    const Variable<float> weight = autograd::parameter(W.value());
    const Variable<float> y = simd::linear_relu(how, x, weight, zeros);
    CHECK(n_products == 1);
    autograd::backward(autograd::sum(y));
    CHECK(n_products == 2);
}
