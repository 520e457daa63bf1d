/// \file
/// \brief Trains a recurrent network to recall which digit stood beside a letter, without
/// attention and with attention to its own past states, and prints which state it attends to. A
/// place to start one's own.
#include "chapters/06_recurrent_attention/attention_cell.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/nn/layers.hpp"
#include "common/nn/optimisers.hpp"
#include "common/tasks/recall.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <string>
#include <vector>

int main()
{
    using namespace attn;
    using namespace attn::recurrent_attention;

    const Unit unit = Unit::rnn;     // what takes a step
    const Score score = Score::sum;  // how the last state is compared with earlier ones
    const std::size_t hidden = 32;   // numbers in a state
    const std::size_t n_steps = 240; // of training, each on 64 new examples
    const std::size_t interval = 40; // steps between two tests
    const std::uint64_t seed = 1;    // of everything
    const std::vector<std::string> pairs = {"A3", "C7", "F1", "B2", "H5", "D4"};
    const tasks::RecallTask task{.n_pairs = pairs.size(), .n_symbols = 8}; // A to H, 1 to 8

    fmt::print("right after step: ");
    for (std::size_t step = interval; step <= n_steps; step += interval) {
        fmt::print("{:6}", step);
    }
    for (const Memory memory : {Memory::none, Memory::own_states}) {
        // The model: a recurrent layer, and a linear one for the digit.
        random::Generator rng(seed);
        const AttentionCell<float> cell({.unit = unit, .memory = memory, .score = score},
                                        2 * task.n_symbols, hidden, rng);
        const nn::Linear<float> readout(hidden, task.n_symbols, rng);
        nn::Parameters<float> parameters;
        parameters.add_layer("cell", cell);
        parameters.add_layer("readout", readout);
        const auto logits_of = [&](const CellOutputs<float>& read) { // [batch, n_symbols]
            return readout(select(read.outputs, 1, read.outputs.shape()[1] - 1));
        };
        const auto answer_of = [&](const Variable<float>& logits, std::size_t row) {
            const float* const of_row = logits.value().data() + row * task.n_symbols;
            return std::max_element(of_row, of_row + task.n_symbols) - of_row;
        };

        // Train it, and test it now and then on 500 new examples.
        fmt::print("\n{:18}", memory == Memory::none ? "without attention" : "with attention");
        nn::Adam<float> adam(parameters, {.learning_rate = 5e-3});
        for (std::size_t step = 1; step <= n_steps; ++step) {
            // Letter and digit are one-hot: [batch, n_pairs + n_query_steps, 2 n_symbols].
            const tasks::RecallBatch batch = draw_recall(task, 64, rng);
            autograd::Tape<float> tape;
            backward(cross_entropy(logits_of(cell(batch.inputs)), batch.answers));
            nn::clip_by_global_norm(parameters, 1.0);
            adam.step();
            if (step % interval == 0) {
                const autograd::NoGradient<float> forwards;
                const tasks::RecallBatch test = draw_recall(task, 500, rng);
                const Variable<float> logits = logits_of(cell(test.inputs));
                double n_right = 0;
                for (std::size_t row = 0; row < test.answers.size(); ++row) {
                    n_right += answer_of(logits, row) == test.answers[row] ? 1 : 0;
                }
                fmt::print("{:6.2f}", n_right / 500);
            }
        }
        if (memory == Memory::none) {
            continue;
        }

        // What it attends to: the pairs above are read, then one of their letters, twice.
        const std::size_t n = pairs.size();
        Array<float> inputs =
            filled<float>({n, n + task.n_query_steps, 2 * task.n_symbols}, 0.0F);
        for (std::size_t row = 0; row < n; ++row) {
            for (std::size_t step = 0; step < inputs.shape()[1]; ++step) {
                const bool asks = step >= n;
                const std::string& pair = pairs[asks ? row : step];
                const auto letter = static_cast<std::size_t>(pair[0] - 'A');
                const auto digit = static_cast<std::size_t>(pair[1] - '1');
                inputs(row, step, letter) = 1;
                inputs(row, step, task.n_symbols + digit) = asks ? 0 : 1;
            }
        }
        const CellOutputs<float> read = cell(inputs);
        const Variable<float> logits = logits_of(read);
        const Array<float>& weights = read.weights.back().value(); // last step [n, n + 1]
        fmt::print("\n\nweights of the state after:  none");
        for (const std::string& pair : pairs) {
            fmt::print("{:>6}", pair);
        }
        fmt::print("  answer\n");
        for (std::size_t row = 0; row < n; ++row) {
            fmt::print("which digit stood beside {}? ", pairs[row][0]);
            for (std::size_t state = 0; state <= n; ++state) {
                fmt::print("{:6.2f}", weights(row, state));
            }
            fmt::print("{:8}\n", answer_of(logits, row) + 1);
        }
    }
    // Try: two pairs more, "E6" and "G8"; hidden = 16; Unit::lstm; .n_query_steps = 1, with
    // which the state that is the query has not read the letter yet.
}
