/// \file
/// \brief Trains one attention head, then two, to subtract two marked vectors: one head cannot.
/// A place to start one's own.
#include "chapters/11_multi_head/multi_head.hpp"
#include "common/autograd/losses.hpp"
#include "common/nn/layers.hpp"
#include "common/nn/optimisers.hpp"
#include "common/random/random.hpp"

#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <vector>

namespace {

using namespace attn;
using autograd::Variable;
using multi_head::Inside;
using multi_head::MultiHeadAttention;

} // namespace

int main()
{
    const std::vector<std::size_t> head_counts = {1, 2}; // of the layers, one after the other
    const std::size_t n = 10;                            // vectors in a row, two of them marked
    const std::size_t d_v = 4;                           // numbers in a vector
    const std::size_t d_model = 32;  // numbers in the layer, shared by its heads
    const std::size_t n_steps = 700; // of the training
    const std::uint64_t seed = 4;    // of the parameters and of the data

    // The data: two of the vectors are marked, a and b, and the answer is v_a - v_b.
    struct Rows
    {
        Variable<float> marks;   // [batch, n, 2]: (1, 0) at a, (0, 1) at b, zeros elsewhere
        Variable<float> vectors; // v [batch, n, d_v], uniform between -1 and 1
        Variable<float> answers; // [batch, 1, d_v]
    };
    const auto draw = [&](std::size_t batch, random::Generator& rng) {
        Rows rows{filled({batch, n, 2}, 0.0F), filled({batch, n, d_v}, 0.0F),
                  filled({batch, 1, d_v}, 0.0F)};
        for (float& number : rows.vectors.value()) {
            number = static_cast<float>(rng.uniform(-1, 1));
        }
        for (std::size_t row = 0; row < batch; ++row) {
            const std::vector<std::size_t> marked = rng.choice(n, 2); // a and b
            for (std::size_t k = 0; k < d_v; ++k) {
                const Array<float>& v = rows.vectors.value();
                rows.answers.value()(row, 0, k) = v(row, marked[0], k) - v(row, marked[1], k);
            }
            rows.marks.value()(row, marked[0], 0) = 1;
            rows.marks.value()(row, marked[1], 1) = 1;
        }
        return rows;
    };

    for (const std::size_t n_heads : head_counts) {
        // The model: keys are made from the marks, values from the vectors, and the query is
        // learnt. However many heads share the layer, it has as many parameters.
        random::Generator parameters_rng(seed, 1);
        const MultiHeadAttention<float> attention(
            {.d_model = d_model, .n_heads = n_heads, .d_key_inputs = 2, .d_value_inputs = d_v},
            parameters_rng);
        const nn::Linear<float> readout(d_model, d_v, parameters_rng);
        const auto predict = [&](const Rows& rows, Inside<float>* inside = nullptr) {
            const std::size_t batch = rows.marks.shape()[0];
            const Variable<float> one(
                filled({batch, 1, d_model}, 1.0F)); // W_q makes it a query
            return readout(attention(one, rows.marks, rows.vectors, {}, inside));
        };

        // Train it, on new rows in each step.
        nn::Parameters<float> parameters;
        parameters.add_layer("attention", attention);
        parameters.add_layer("readout", readout);
        nn::Adam<float> adam(parameters, {.learning_rate = 3e-3});
        random::Generator data_rng(seed, 2);
        for (std::size_t step = 0; step < n_steps; ++step) {
            const Rows rows = draw(64, data_rng);
            autograd::Tape<float> tape;
            backward(mean_squared_error(predict(rows), rows.answers));
            adam.step();
        }

        // The share of variance that it explains on rows that it has not seen, and what each
        // head attends to in the first of them. Answers have the variance 1/3 + 1/3.
        const Rows rows = draw(2000, data_rng);
        Inside<float> inside; // its weights: [batch, n_heads, 1, n]
        const float error = mean_squared_error(predict(rows, &inside), rows.answers).item();
        fmt::print("heads: {}, parameters: {}, R^2: {:.2f}\n", n_heads, parameters.n_numbers(),
                   1 - error / (2.0 / 3));
        fmt::print("        ");
        for (std::size_t i = 0; i < n; ++i) {
            const Array<float>& marks = rows.marks.value();
            fmt::print("{:>6}", marks(0, i, 0) > 0 ? "a" : marks(0, i, 1) > 0 ? "b" : ".");
        }
        for (std::size_t head = 0; head < n_heads; ++head) {
            fmt::print("\n  head {}", head + 1);
            for (std::size_t i = 0; i < n; ++i) {
                fmt::print("{:6.2f}", inside.weights(0, head, 0, i));
            }
        }
        fmt::print("\n");
    }
    // Try: v_a + v_b as the answer, for which one head is enough; seed = 5, where both heads
    // attend to b, and then four heads: head_counts = {1, 2, 4}.
}
