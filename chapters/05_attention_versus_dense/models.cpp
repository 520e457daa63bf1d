#include "chapters/05_attention_versus_dense/models.hpp"

#include "chapters/05_attention_versus_dense/raffel_ellis.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>

namespace attn::attention_versus_dense {

using random::Generator;

namespace {

using MakeModel = std::function<Model(const ModelSizes&, Generator&)>;

/// Something that attends or pools, and a linear readout of the context.
MakeModel attention(ScoreBias bias, Squash squash)
{
    return [bias, squash](const ModelSizes& sizes, Generator& generator) {
        const AttentionOverTime<float> layer(sizes.n_features, sizes.n_steps, bias, squash,
                                             generator);
        const nn::Linear<float> readout(sizes.n_features, sizes.n_outputs, generator);
        Model model{"", {}, [layer, readout](const auto& X, const auto& mask) {
                        const Attended<float> attended = layer(X, mask);
                        return Prediction{readout(attended.context), attended.weights};
                    }};
        model.parameters.add_layer("attention", layer);
        model.parameters.add_layer("readout", readout);
        return model;
    };
}

Model gated_sum(const ModelSizes& sizes, Generator& generator)
{
    const GatedSum<float> layer(sizes.n_features, generator);
    const nn::Linear<float> readout(sizes.n_features, sizes.n_outputs, generator);
    Model model{"", {}, [layer, readout](const auto& X, const auto&) {
                    return Prediction{readout(layer(X).context), {}};
                }};
    model.parameters.add_layer("gated", layer);
    model.parameters.add_layer("readout", readout);
    return model;
}

Model mean_of_steps(const ModelSizes& sizes, Generator& generator)
{
    const nn::Linear<float> readout(sizes.n_features, sizes.n_outputs, generator);
    Model model{"", {}, [readout](const auto& X, const auto& mask) {
                    return Prediction{readout(mean_over_time(X, mask)), {}};
                }};
    model.parameters.add_layer("readout", readout);
    return model;
}

Model dense_over_features(const ModelSizes& sizes, Generator& generator)
{
    const DenseOverFeatures<float> layer(sizes.n_features, sizes.n_outputs, generator);
    Model model{"", {}, [layer](const auto& X, const auto& mask) {
                    return Prediction{mean_over_time(layer(X), mask), {}};
                }};
    model.parameters.add_layer("dense", layer);
    return model;
}

Model dense_over_time(const ModelSizes& sizes, Generator& generator)
{
    const DenseOverTime<float> layer(sizes.n_steps, 1, generator);
    const nn::Linear<float> readout(sizes.n_features, sizes.n_outputs, generator);
    Model model{"", {}, [layer, readout](const auto& X, const auto&) {
                    const Variable<float> y = layer(X); // [batch, 1, n_features]
                    return Prediction{readout(reshape(y, {y.shape()[0], y.shape()[2]})), {}};
                }};
    model.parameters.add_layer("dense", layer);
    model.parameters.add_layer("readout", readout);
    return model;
}

Model dense_over_both(const ModelSizes& sizes, Generator& generator)
{
    const DenseOverBoth<float> layer(sizes.n_steps, sizes.n_features, sizes.n_outputs,
                                     generator);
    Model model{"", {}, [layer](const auto& X, const auto&) {
                    return Prediction{layer(X), {}};
                }};
    model.parameters.add_layer("dense", layer);
    return model;
}

/// The dense layer over both with hidden units and a rectifier.
MakeModel hidden_units(std::size_t n_units)
{
    return [n_units](const ModelSizes& sizes, Generator& generator) {
        const DenseOverBoth<float> layer(sizes.n_steps, sizes.n_features, n_units, generator);
        const nn::Linear<float> readout(n_units, sizes.n_outputs, generator);
        Model model{"", {}, [layer, readout](const auto& X, const auto&) {
                        return Prediction{readout(relu(layer(X))), {}};
                    }};
        model.parameters.add_layer("dense", layer);
        model.parameters.add_layer("readout", readout);
        return model;
    };
}

/// Hidden units over both that are multiplied by gates over both, \cite dauphin2017.
MakeModel gated_units(std::size_t n_units)
{
    return [n_units](const ModelSizes& sizes, Generator& generator) {
        const DenseOverBoth<float> layer(sizes.n_steps, sizes.n_features, n_units, generator);
        const DenseOverBoth<float> gate(sizes.n_steps, sizes.n_features, n_units, generator);
        const nn::Linear<float> readout(n_units, sizes.n_outputs, generator);
        Model model{"", {}, [layer, gate, readout](const auto& X, const auto&) {
                        return Prediction{readout(layer(X) * sigmoid(gate(X))), {}};
                    }};
        model.parameters.add_layer("dense", layer);
        model.parameters.add_layer("gate", gate);
        model.parameters.add_layer("readout", readout);
        return model;
    };
}

MakeModel embedded(Pooling pooling, Squash squash)
{
    return [pooling, squash](const ModelSizes& sizes, Generator& generator) {
        const RaffelEllis<float> network(
            {sizes.n_features, sizes.d_hidden, sizes.d_head, sizes.n_outputs, pooling, squash},
            generator);
        Model model{"", {}, [network](const auto& X, const auto& mask) {
                        const RaffelEllisOutput<float> output = network(X, mask);
                        Prediction prediction{output.y, {}};
                        if (output.attended) {
                            prediction.weights = output.attended->weights;
                        }
                        return prediction;
                    }};
        model.parameters = network.parameters();
        return model;
    };
}

} // namespace

const std::vector<ModelMaker>& model_makers()
{
    static const std::vector<ModelMaker> table = {
        {"attention, tanh, b_t", 0.03, false, false,
         attention(ScoreBias::per_step, Squash::tanh)},
        {"attention, tanh, one b", 0.03, false, true, attention(ScoreBias::one, Squash::tanh)},
        {"attention, tanh", 0.03, false, true, attention(ScoreBias::none, Squash::tanh)},
        {"attention, b_t", 0.03, false, false, attention(ScoreBias::per_step, Squash::none)},
        {"attention", 0.03, false, true, attention(ScoreBias::none, Squash::none)},
        {"gated sum", 0.03, false, true, gated_sum},
        {"mean of the steps", 0.005, false, true, mean_of_steps},
        {"dense, over features", 0.005, false, true, dense_over_features},
        {"dense, over time", 0.005, false, false, dense_over_time},
        {"dense, over both", 0.0015, true, false, dense_over_both},
        {"dense, 128 hidden", 0.003, true, false, hidden_units(128)},
        {"dense, 512 hidden", 0.002, true, false, hidden_units(512)},
        {"dense, 128 gated", 0.003, true, false, gated_units(128)},
        {"embedding, tanh attention", 0.01, false, true,
         embedded(Pooling::attention, Squash::tanh)},
        {"embedding, attention", 0.01, false, true, embedded(Pooling::attention, Squash::none)},
        {"embedding, mean", 0.01, false, true, embedded(Pooling::mean, Squash::none)},
        {"embedding, maximum", 0.01, false, true, embedded(Pooling::maximum, Squash::none)},
    };
    return table;
}

const ModelMaker& maker_named(const std::string& name)
{
    const std::vector<ModelMaker>& table = model_makers();
    const auto found = std::find_if(table.begin(), table.end(), [&](const ModelMaker& maker) {
        return maker.name == name;
    });
    expect(found != table.end(), "maker_named: there is no model '{}'", name);
    return *found;
}

} // namespace attn::attention_versus_dense
