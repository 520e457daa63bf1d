/// \file
/// \brief Trains attention and dense layers on sequences of which one step is marked, and
/// shows the weights that attention gives to the steps. A place to start one's own.
#include "chapters/05_attention_versus_dense/models.hpp"
#include "common/autograd/losses.hpp"
#include "common/nn/optimisers.hpp"
#include "common/random/random.hpp"
#include "common/tensor/array.hpp"

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace {

using namespace attn;

/// Sequences, and what is to be predicted from each.
struct Examples
{
    Array<float> X; ///< [n, n_steps, n_values + 1], the marker last
    Array<float> Y; ///< [n, n_values], the numbers of the marked step
};

/// Draws sequences of random numbers. A marker is 1 at one step and 0 at all others.
Examples draw(random::Generator& rng, std::size_t n, std::size_t n_steps, std::size_t n_values)
{
    Examples examples{filled({n, n_steps, n_values + 1}, 0.0F), filled({n, n_values}, 0.0F)};
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t marked = rng.below(n_steps);
        examples.X(i, marked, n_values) = 1;
        for (std::size_t t = 0; t < n_steps; ++t) {
            for (std::size_t k = 0; k < n_values; ++k) {
                examples.X(i, t, k) = static_cast<float>(rng.uniform(-1, 1));
                examples.Y(i, k) += examples.X(i, t, k) * examples.X(i, t, n_values);
            }
        }
    }
    return examples;
}

} // namespace

int main()
{
    namespace layers = attention_versus_dense;

    // What may be changed.
    const std::size_t n_steps = 20;     // T, steps of a sequence
    const std::size_t n_values = 4;     // numbers at each step, beside the marker
    const std::size_t batch = 64;       // sequences at a time
    const std::size_t n_batches = 25;   // to learn from: 1600 sequences
    const std::size_t n_updates = 1000; // steps of Adam
    const std::uint64_t seed = 1;       // of data and first parameters
    const std::vector<std::string> names = {"attention",        "attention, tanh, b_t",
                                            "gated sum",        "embedding, mean",
                                            "dense, over both", "dense, 512 hidden"};

    // The data: batches to learn from, the same for all models, and new sequences.
    random::Generator rng(seed);
    std::vector<Examples> training;
    for (std::size_t i = 0; i < n_batches; ++i) {
        training.push_back(draw(rng, batch, n_steps, n_values));
    }
    const Examples test = draw(rng, 2000, n_steps, n_values);

    // The share of the variance that a model explains. The numbers have the mean 0.
    const auto r_squared = [](const layers::Model& model, const Examples& examples) {
        const float missed =
            mean_squared_error<float>(model.predict(examples.X, {}).y, examples.Y).item();
        return 1 - missed / xt::mean(xt::square(examples.Y))();
    };

    // The weights of two sequences as text: a digit counts tenths, a dot is less than one.
    const auto picture = [](const Array<float>& weights) { // [n, n_steps, 1]
        std::string text;
        for (std::size_t i = 0; i < 2 * n_steps; ++i) {
            const int tenths = static_cast<int>(10 * weights.data()[i]);
            text += i == n_steps ? "  " : "";
            text += tenths == 0 ? "." : tenths == 10 ? "#" : std::to_string(tenths);
        }
        return text;
    };
    const Array<float> markers = // [n, n_steps, 1]
        xt::view(test.X, xt::all(), xt::all(), xt::range(n_values, n_values + 1));
    std::string pictures = fmt::format("{:<22}{}\n", "markers", picture(markers));

    fmt::print("{:<22}{:>10}{:>14}{:>8}\n", "R^2 on sequences", "parameters", "learnt from",
               "new");
    for (const std::string& name : names) {
        // The model: the layer with a linear readout, by its name in models.cpp.
        random::Generator start(seed, 1); // of its first parameters
        const layers::ModelMaker& maker = layers::maker_named(name);
        const layers::Model model = maker.make({n_steps, n_values + 1, n_values}, start);

        // Train it, with a learning rate that falls to 0.
        const nn::Schedule falling = nn::linear_decay(n_updates);
        nn::Adam<float> adam(model.parameters, {.learning_rate = maker.learning_rate});
        for (std::size_t update = 0; update < n_updates; ++update) {
            const auto& [X, Y] = training[update % n_batches];
            adam.learning_rate = maker.learning_rate * falling(update);
            const autograd::Tape<float> tape;
            backward(mean_squared_error<float>(model.predict(X, {}).y, Y));
            adam.step();
        }

        // Show what it explains, and where it attends to, if it does.
        fmt::print("{:<22}{:>10}{:>14.2f}{:>8.2f}\n", name, model.parameters.n_numbers(),
                   r_squared(model, training.back()), r_squared(model, test));
        if (const auto weights = model.predict(test.X, {}).weights) {
            pictures += fmt::format("{:<22}{}\n", name, picture(weights->value()));
        }
    }
    fmt::print("\nWeights of the steps of two new sequences, in tenths\n{}", pictures);

    // Try: n_batches = 800 and n_updates = 4000, from which the dense network learns it, too;
    // n_steps = 10, of which a tanh chooses better; "embedding, maximum" or "dense, 128 gated".
}
