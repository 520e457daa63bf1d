/// \file
/// \brief Named parameters, linear layers, embeddings and perceptrons: names, starts, and
/// PyTorch's numbers.
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/reductions.hpp"
#include "common/nn/layers.hpp"
#include "common/nn/parameters.hpp"
#include "tests/common/nn/golden.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/same_bits.hpp"

#include <string>
#include <vector>

using namespace attn;
using namespace attn::nn;
using namespace attn::testing;

namespace {

using Names = std::vector<std::string>;

/// Name, layout and shape of each.
Names names_of(const Parameters<double>& parameters)
{
    Names names;
    for (const NamedParameter<double>& one : parameters) {
        names.push_back(one.name +
                        (one.layout == FileLayout::transposed ? " transposed " : " ") +
                        to_text(one.variable.shape()));
    }
    return names;
}

} // namespace

TEST_CASE("layers have PyTorch's names and layouts", "[common][nn]")
{
    random::Generator generator(1);
    CHECK(names_of(Linear<double>(3, 5, generator).parameters()) ==
          Names{"weight transposed [3, 5]", "bias [5]"});
    CHECK(names_of(Linear<double>(3, 5, generator, Bias::none).parameters()) ==
          Names{"weight transposed [3, 5]"});
    CHECK(names_of(Embedding<double>(7, 2, generator).parameters()) == Names{"weight [7, 2]"});
    CHECK(names_of(LayerNorm<double>(4).parameters()) == Names{"weight [4]", "bias [4]"});
    CHECK(names_of(Mlp<double>({3, 4, 2}, autograd::tanh<double>, generator).parameters()) ==
          Names{"0.weight transposed [3, 4]", "0.bias [4]", "2.weight transposed [4, 2]",
                "2.bias [2]"});
}

TEST_CASE("a perceptron is linear layers and a function between them", "[common][nn]")
{
    random::Generator generator(3);
    const Mlp<double> mlp({3, 4, 2}, autograd::tanh<double>, generator);
    const Variable<double> x(random_array({2, 5, 3}));
    check_close(mlp(x).value(), mlp.layers[1](autograd::tanh(mlp.layers[0](x))).value(), 0);
    CHECK(mlp(x).shape() == Shape{2, 5, 2});
    const Mlp<double> single({3, 2}, autograd::tanh<double>, generator);
    check_close(single(x).value(), single.layers[0](x).value(), 0);
    CHECK_THROWS_AS(Mlp<double>({3}, autograd::tanh<double>, generator), ContractError);
    CHECK_THROWS_AS(Mlp<double>({3, 0, 2}, autograd::tanh<double>, generator), ContractError);
}

TEST_CASE("a linear layer without a bias is linear", "[common][nn]")
{
    random::Generator generator(4);
    const Linear<double> layer(3, 5, generator, Bias::none);
    const Variable<double> zero(filled({2, 3}, 0.0));
    CHECK(same_bits(layer(zero).value(), filled({2, 5}, 0.0)));
    CHECK_THROWS_AS(Linear<double>(0, 5, generator), ContractError);
}

TEST_CASE("an embedding's padding word starts at zero and stays there", "[common][nn]")
{
    random::Generator generator(5);
    autograd::Tape<double> tape;
    const Embedding<double> embedding(4, 3, generator, 2);
    const Variable<double> rows = embedding(std::vector<std::int64_t>{2, 1}, {2});
    CHECK(list_of(rows.value())[0] == 0.0);
    CHECK(list_of(rows.value())[3] != 0.0);
    backward(autograd::sum(rows));
    CHECK(list_of(embedding.weight.gradient()) ==
          std::vector<double>{0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0});
    CHECK_THROWS_WITH(Embedding<double>(4, 3, generator, 4), contains("padding 4"));
    CHECK_THROWS_WITH(embedding(std::vector<std::int64_t>{4}, {1}), contains("index 4"));
}

TEST_CASE("an embedding gives PyTorch's numbers", "[common][nn][golden]")
{
    random::Generator generator(6);
    autograd::Tape<double> tape;
    const Embedding<double> embedding(5, 3, generator);
    load_golden(embedding.parameters(), "embedding.");
    const Array<double> stored = golden("embedding.indices");
    const std::vector<std::int64_t> indices(stored.begin(), stored.end());
    const Variable<double> output = embedding(indices, stored.shape());
    check_close(output.value(), golden("embedding.output"), 0);
    backward(autograd::sum(output * Variable<double>(golden("embedding.projection"))));
    check_golden_gradients(embedding.parameters(), "embedding.");
}

TEST_CASE("layer normalisation starts without gain and bias", "[common][nn]")
{
    const LayerNorm<double> layer(2, 1e-12);
    const Variable<double> x(array_of<double>({2, 2}, {1, 3, 5, -5}));
    check_close(layer(x).value(), array_of<double>({2, 2}, {-1, 1, 1, -1}), 1e-11);
}

TEST_CASE("layer normalisation gives PyTorch's numbers", "[common][nn][golden]")
{
    const std::string name = GENERATE("layer_norm.", "layer_norm_constant.");
    INFO(name);
    autograd::Tape<double> tape;
    const LayerNorm<double> layer(5);
    load_golden(layer.parameters(), name);
    const Variable<double> x = autograd::parameter(golden(name + "x"));
    const Variable<double> output = layer(x);
    check_close(output.value(), golden(name + "output"), 1e-12);
    backward(autograd::sum(output * Variable<double>(golden(name + "projection"))));
    check_golden_gradients(layer.parameters(), name);
    check_close(x.gradient(), golden(name + "gradient.x"), 1e-12);
}

TEST_CASE("parameters of layers stand in order under the layer's name", "[common][nn]")
{
    Parameters<float> parameters;
    random::Generator generator(7);
    const Linear<float> first(2, 3, generator);
    const Linear<float> second(2, 3, generator);
    parameters.add_layer("first", first);
    parameters.add_layer("second", second);
    std::vector<std::string> names;
    for (const NamedParameter<float>& one : parameters) {
        names.push_back(one.name);
    }
    CHECK(names == std::vector<std::string>{"first.weight", "first.bias", "second.weight",
                                            "second.bias"});
    CHECK(parameters.size() == 4);
    CHECK(parameters.n_numbers() == 18);
    CHECK(parameters.at("second.weight").layout == FileLayout::transposed);
    CHECK_THROWS_WITH(parameters.at("third"), contains("none named 'third'"));
    CHECK(&parameters.at("first.bias").variable.node() == &first.bias->node());
}

TEST_CASE("a name twice, a constant, and a vector to be transposed are refused", "[common][nn]")
{
    Parameters<float> parameters;
    parameters.add("w", autograd::parameter(filled<float>({2}, 1)));
    CHECK_THROWS_WITH(parameters.add("w", autograd::parameter(filled<float>({2}, 1))),
                      contains("already one named 'w'"));
    CHECK_THROWS_WITH(parameters.add("c", autograd::Variable<float>(filled<float>({2}, 1))),
                      contains("'c' is a constant"));
    CHECK_THROWS_WITH(
        parameters.add("v", autograd::parameter(filled<float>({2}, 1)), FileLayout::transposed),
        contains("[2]"));
}
