/// \file
/// \brief Operators that do in one walk over the rows what others do in several: the same bits,
/// values and gradients, on every instruction set and any number of threads; and so have the
/// others that threads share.
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layer_norm.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/linear.hpp"
#include "common/autograd/losses.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "tests/common/autograd/samples.hpp"
#include "tests/support/same_bits.hpp"

using namespace attn;
using namespace attn::autograd;
using namespace attn::testing;

namespace {

template <typename T>
using Inputs = std::vector<Variable<T>>;

template <typename T>
void check_same_bits(const ComputationIn<T>& fused, const ComputationIn<T>& separate,
                     const std::vector<Array<double>>& numbers)
{
    std::vector<Array<T>> in;
    for (const Array<double>& one : numbers) {
        in.push_back(converted<T>(one));
    }
    const Array<T> dy =
        converted<T>(random_array(separate(Inputs<T>(in.begin(), in.end())).shape(), 50));
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        const kernels::ComputeWith one_thread({kernels, 1});
        const Passage<T> wanted = walk<T>(separate, in, dy);
        for (const std::size_t n_threads : {1U, 2U, 3U}) {
            CAPTURE(kernels->name, n_threads, numbers[0].shape());
            const kernels::ComputeWith guard({kernels, n_threads});
            const Passage<T> found = walk<T>(fused, in, dy);
            CHECK(same_bits(found.value, wanted.value));
            for (std::size_t i = 0; i < in.size(); ++i) {
                CAPTURE(i);
                CHECK(same_bits(found.gradients[i], wanted.gradients[i]));
            }
        }
    }
}

template <typename T>
Variable<T> relu_of_linear(const Inputs<T>& in)
{
    return relu(linear(in[0], in[1], in[2]));
}

template <typename T>
Variable<T> in_one(const Inputs<T>& in)
{
    return linear_relu(in[0], in[1], in[2]);
}

template <typename T>
Normalised<T> sum_and_norm(const Inputs<T>& in)
{
    const Variable<T> sum = in[0] + in[1];
    return {sum, layer_norm(sum, in[2], in[3], 1e-3)};
}

template <typename T>
Normalised<T> sum_and_norm_in_one(const Inputs<T>& in)
{
    return add_and_normalise(in[0], in[1], in[2], in[3], 1e-3);
}

/// Both results of f in one.
template <typename T>
ComputationIn<T> both_of(Normalised<T> (*f)(const Inputs<T>&))
{
    return [f](const Inputs<T>& in) {
        const Normalised<T> results = f(in);
        return stack<T>({results.sum, results.normalised}, 0);
    };
}

} // namespace

TEST_CASE("a linear map with its ReLU has the bits of the two by themselves", "[autograd]")
{
    for (const Shape& x : std::vector<Shape>{{5}, {3, 5}, {2, 4, 17}, {0, 3}, {600, 33}}) {
        const std::size_t n_in = x.back();
        for (const std::size_t n_out : {1U, 16U, 300U}) {
            const std::vector<Array<double>> numbers = {
                random_array(x), random_array({n_in, n_out}, 1), random_array({n_out}, 2)};
            check_same_bits<float>(in_one<float>, relu_of_linear<float>, numbers);
            check_same_bits<double>(in_one<double>, relu_of_linear<double>, numbers);
        }
    }
    check_slopes(in_one<double>,
                 {random_array({3, 5}), random_array({5, 4}, 1), random_array({4}, 2)});
}

TEST_CASE("a sum with its norm has the bits of the two by themselves", "[autograd]")
{
    for (const Shape& x : std::vector<Shape>{{7}, {3, 1}, {2, 5, 17}, {0, 3}, {600, 300}}) {
        const Shape d = {x.back()};
        const std::vector<Array<double>> numbers = {random_array(x), random_array(x, 1),
                                                    random_array(d, 2), random_array(d, 3)};
        check_same_bits<float>(both_of(sum_and_norm_in_one<float>),
                               both_of(sum_and_norm<float>), numbers);
        check_same_bits<double>(both_of(sum_and_norm_in_one<double>),
                                both_of(sum_and_norm<double>), numbers);
    }
    check_slopes(both_of(sum_and_norm_in_one<double>),
                 {random_array({3, 5}), random_array({3, 5}, 1), random_array({5}, 2),
                  random_array({5}, 3)});
}

TEST_CASE("a cross entropy has the same bits on any number of threads", "[autograd]")
{
    std::vector<std::int64_t> targets(600);
    for (std::size_t i = 0; i < targets.size(); ++i) {
        targets[i] = i % 3 == 0 ? -100 : static_cast<std::int64_t>(i % 300);
    }
    const auto loss = [&](const auto& in) {
        return cross_entropy(in[0], targets, {.label_smoothing = .1});
    };
    check_same_bits<float>(loss, loss, {random_array({600, 300})});
    check_same_bits<double>(loss, loss, {random_array({600, 300})});
}

TEST_CASE("functions of many numbers have the same bits on any number of threads", "[autograd]")
{
    const auto check = [](auto&& f) {
        check_same_bits<float>(f, f, {random_array({90000})});
        check_same_bits<double>(f, f, {random_array({90000})});
    };
    check([](const auto& in) { return gelu(in[0]); });
    check([](const auto& in) { return gelu_tanh(in[0]); });
    check([](const auto& in) { return tanh(in[0]); });
    check([](const auto& in) { return relu(in[0]); });
}

TEST_CASE("a value of fused operators that nobody asks for moves no gradient", "[autograd]")
{
    const std::vector<Array<double>> numbers = {random_array({3, 5}), random_array({3, 5}, 1),
                                                random_array({5}, 2), random_array({5}, 3)};
    for (const auto asked : {&Normalised<double>::sum, &Normalised<double>::normalised}) {
        const auto one_of = [asked](Normalised<double> (*f)(const Inputs<double>&)) {
            return [=](const Inputs<double>& in) { return f(in).*asked; };
        };
        check_same_bits<double>(one_of(sum_and_norm_in_one<double>),
                                one_of(sum_and_norm<double>), numbers);
    }
}

TEST_CASE("fused operators name the shapes that do not go together", "[autograd]")
{
    const Variable<double> x(random_array({2, 3}));
    const Variable<double> W(random_array({3, 4}));
    const Variable<double> wide(random_array({5}));
    const Variable<double> gain(random_array({3}));
    CHECK_THROWS_WITH(linear_relu(x, W, wide), contains("linear_relu") && contains("[5]"));
    CHECK_THROWS_WITH(add_and_normalise(x, W, gain, gain), contains("[3, 4]"));
    CHECK_THROWS_AS(add_and_normalise(x, x, wide, gain), ContractError);
    CHECK_THROWS_AS(add_and_normalise(x, x, gain, gain, 0.0), ContractError);
}
