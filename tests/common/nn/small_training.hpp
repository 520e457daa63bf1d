/// \file
/// \brief A small model with everything that a training that is taken up again must find: two
/// matrices, an optimiser, batches and noise drawn at random, the normal number that waits.
#pragma once

#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/losses.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/nn/checkpoint.hpp"
#include "common/nn/optimisers.hpp"

namespace attn::testing {

/// Learns a product of two numbers with noise on them.
template <typename Optimiser, typename T>
struct SmallTraining
{
    static constexpr std::size_t n_rows = 5;
    static constexpr std::size_t n_hidden = 7;

    random::Generator generator;
    autograd::Variable<T> first;  ///< [2, n_hidden]
    autograd::Variable<T> bias;   ///< [n_hidden]
    autograd::Variable<T> second; ///< [n_hidden, 1]
    nn::Parameters<T> parameters;
    Optimiser optimiser;

    explicit SmallTraining(std::uint64_t seed, double learning_rate = 0.05)
        : generator(seed), first(draw({2, n_hidden})), bias(draw({n_hidden})),
          second(draw({n_hidden, 1})), parameters(list()),
          optimiser(parameters, options(learning_rate))
    {
    }

    /// With momentum, where there is any: without, an optimiser would not need its memory.
    static typename Optimiser::Options options(double learning_rate)
    {
        typename Optimiser::Options chosen;
        chosen.learning_rate = learning_rate;
        if constexpr (requires { chosen.momentum; }) {
            chosen.momentum = 0.9;
        }
        return chosen;
    }

    autograd::Variable<T> draw(const Shape& shape)
    {
        Array<T> numbers = uninitialised<T>(shape);
        for (T& number : numbers_of(numbers)) {
            number = static_cast<T>(generator.normal());
        }
        return autograd::parameter(std::move(numbers));
    }

    nn::Parameters<T> list() const
    {
        nn::Parameters<T> all;
        all.add("first.weight", first, nn::FileLayout::transposed);
        all.add("first.bias", bias);
        all.add("second.weight", second, nn::FileLayout::transposed);
        return all;
    }

    nn::State<T> state()
    {
        nn::State<T> all;
        optimiser.list_state(all, "optimiser");
        all.add("generator", generator);
        return all;
    }

    double step()
    {
        // Draw an odd number of normal numbers, so that now and then one waits.
        Array<T> x = uninitialised<T>({n_rows, 2});
        Array<T> y = uninitialised<T>({n_rows, 1});
        for (std::size_t i = 0; i < n_rows; ++i) {
            const double a = generator.uniform(-1, 1);
            const double b = generator.uniform(-1, 1);
            x(i, 0) = static_cast<T>(a);
            x(i, 1) = static_cast<T>(b);
            y(i, 0) = static_cast<T>(a * b + 0.01 * generator.normal());
        }
        autograd::Tape<T> tape;
        const autograd::Variable<T> hidden =
            autograd::tanh(autograd::matmul(autograd::Variable<T>(x), first) + bias);
        const autograd::Variable<T> loss = autograd::mean_squared_error(
            autograd::matmul(hidden, second), autograd::Variable<T>(y));
        autograd::backward(loss);
        optimiser.step();
        return static_cast<double>(loss.item());
    }
};

} // namespace attn::testing
