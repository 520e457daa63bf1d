/// \file
/// \brief The list of named parameters.
#include "common/nn/parameters.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <vector>

using namespace attn;
using namespace attn::nn;
using attn::testing::contains;

namespace {

/// A layer with two parameters.
struct Layer
{
    autograd::Variable<float> weight = autograd::parameter(filled<float>({2, 3}, 1));
    autograd::Variable<float> bias = autograd::parameter(filled<float>({3}, 1));

    Parameters<float> parameters() const
    {
        Parameters<float> list;
        list.add("weight", weight, FileLayout::transposed);
        list.add("bias", bias);
        return list;
    }
};

} // namespace

TEST_CASE("parameters of layers stand in order under the layer's name", "[common][nn]")
{
    Parameters<float> parameters;
    const Layer first;
    const Layer second;
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
    CHECK(&parameters.at("first.bias").variable.node() == &first.bias.node());
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
