/// \file
/// \brief Operators that do in one walk over the rows what others do in several: the same bits,
/// values and gradients, on every instruction set and any number of threads.
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layer_norm.hpp"
#include "common/autograd/linear.hpp"
#include "common/autograd/reductions.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "tests/common/autograd/samples.hpp"
#include "tests/support/same_bits.hpp"

using namespace attn;
using namespace attn::autograd;
using namespace attn::testing;
using attn::testing::contains;

namespace {

template <typename T>
using Outputs = std::vector<Variable<T>>;
template <typename T>
using Operator = std::function<Outputs<T>(const std::vector<Variable<T>>& inputs)>;

/// What an operator makes of its inputs, and the gradients of all of them if each output is
/// multiplied by other numbers.
template <typename T>
std::vector<Array<T>> values_and_gradients(const Operator<T>& f,
                                           const std::vector<Array<double>>& numbers)
{
    const Tape<T> tape;
    std::vector<Variable<T>> inputs;
    for (const Array<double>& one : numbers) {
        inputs.push_back(parameter(Array<T>(xt::cast<T>(one))));
    }
    std::vector<Array<T>> all;
    Variable<T> loss(Array<T>(Shape{}, T(0)));
    std::uint64_t stream = 50;
    for (const Variable<T>& output : f(inputs)) {
        all.push_back(output.value());
        loss = loss + sum(output * Variable<T>(Array<T>(
                                       xt::cast<T>(random_array(output.shape(), ++stream)))));
    }
    backward(loss);
    for (const Variable<T>& input : inputs) {
        all.push_back(input.gradient());
    }
    return all;
}

template <typename T>
void check_same_bits(const Operator<T>& fused, const Operator<T>& separate,
                     const std::vector<Array<double>>& numbers)
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const std::size_t n_threads : {1U, 2U, 3U}) {
            CAPTURE(kernels->name, n_threads, numbers[0].shape());
            const kernels::ComputeWith guard({kernels, n_threads});
            const auto found = values_and_gradients(fused, numbers);
            const auto wanted = values_and_gradients(separate, numbers);
            REQUIRE(found.size() == wanted.size());
            for (std::size_t i = 0; i < found.size(); ++i) {
                CAPTURE(i);
                CHECK(same_bits(found[i], wanted[i]));
            }
        }
    }
}

template <typename T>
Outputs<T> relu_of_linear(const std::vector<Variable<T>>& in)
{
    return {relu(linear(in[0], in[1], in[2]))};
}

template <typename T>
Outputs<T> in_one(const std::vector<Variable<T>>& in)
{
    return {linear_relu(in[0], in[1], in[2])};
}

template <typename T>
Outputs<T> sum_and_norm(const std::vector<Variable<T>>& in)
{
    const Variable<T> sum = in[0] + in[1];
    return {sum, layer_norm(sum, in[2], in[3], 1e-3)};
}

template <typename T>
Outputs<T> sum_and_norm_in_one(const std::vector<Variable<T>>& in)
{
    const Normalised<T> both = add_and_normalise(in[0], in[1], in[2], in[3], 1e-3);
    return {both.sum, both.normalised};
}

} // namespace

TEST_CASE("a linear map with its ReLU has the bits of the two by themselves", "[autograd]")
{
    for (const Shape& x : std::vector<Shape>{{5}, {3, 5}, {2, 4, 17}, {0, 3}, {520, 70}}) {
        const std::size_t n_in = x.back();
        for (const std::size_t n_out : {1U, 16U, 67U}) {
            const std::vector<Array<double>> numbers = {
                random_array(x), random_array({n_in, n_out}, 1), random_array({n_out}, 2)};
            check_same_bits<float>(in_one<float>, relu_of_linear<float>, numbers);
            check_same_bits<double>(in_one<double>, relu_of_linear<double>, numbers);
        }
    }
}

TEST_CASE("a sum with its norm has the bits of the two by themselves", "[autograd]")
{
    for (const Shape& x : std::vector<Shape>{{7}, {3, 1}, {2, 5, 17}, {0, 3}, {1501, 67}}) {
        const Shape d = {x.back()};
        const std::vector<Array<double>> numbers = {random_array(x), random_array(x, 1),
                                                    random_array(d, 2), random_array(d, 3)};
        check_same_bits<float>(sum_and_norm_in_one<float>, sum_and_norm<float>, numbers);
        check_same_bits<double>(sum_and_norm_in_one<double>, sum_and_norm<double>, numbers);
    }
}

TEST_CASE("a value of fused operators that nobody asks for moves no gradient", "[autograd]")
{
    const std::vector<Array<double>> numbers = {random_array({3, 5}), random_array({3, 5}, 1),
                                                random_array({5}, 2), random_array({5}, 3)};
    for (const std::size_t asked : {0U, 1U}) {
        const auto one_of = [asked](const Operator<double>& f) {
            return [=](const std::vector<Variable<double>>& in) {
                return Outputs<double>{f(in)[asked]};
            };
        };
        const auto gradients = [&](const Operator<double>& f) {
            const Tape<double> tape;
            std::vector<Variable<double>> inputs;
            for (const Array<double>& one : numbers) {
                inputs.push_back(parameter(one));
            }
            backward(sum(f(inputs)[0] * f(inputs)[0]));
            return Array<double>(inputs[0].gradient());
        };
        CHECK(same_bits(gradients(one_of(sum_and_norm_in_one<double>)),
                        gradients(one_of(sum_and_norm<double>))));
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
