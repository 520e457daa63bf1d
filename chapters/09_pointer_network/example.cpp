/// \file
/// \brief Trains a pointer network to put short lists in order, then lets it point at the
/// elements of a longer one: its attention weights are the answer. A place to start one's own.
#include "chapters/09_pointer_network/pointer_network.hpp"
#include "chapters/09_pointer_network/tasks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <numeric>
#include <vector>

int main()
{
    using namespace attn;
    using namespace attn::pointer_network;

    const auto before = [](float a, float b) { return a < b; }; // the order that it learns
    const std::size_t longest = 8;   // numbers in a list that is learnt from, at most
    const std::size_t n_steps = 200; // of training, each on 64 new lists
    const std::uint64_t seed = 1;    // of everything
    const PointerOptions options{.n_features = 1, // numbers in an element
                                 .hidden = 32,    // numbers in its vector, and in a state
                                 .encoder = ListEncoder::set,
                                 .score = Score::additive,
                                 .mask = Mask::chosen};
    const std::vector<float> list = {0.62F, 0.11F, 0.95F, 0.38F, 0.07F,
                                     0.71F, 0.40F, 0.26F, 0.83F, 0.55F};

    // The data: lists of uniform numbers. The targets are their positions, in the right order.
    const auto draw = [&](std::size_t n_lists, std::size_t n, random::Generator& generator) {
        PointingBatch batch{.n_lists = n_lists, .n_elements = n, .n_steps = n};
        batch.elements = uninitialised<float>({n_lists, n, 1});
        for (float& number : batch.elements) {
            number = static_cast<float>(generator.uniform());
        }
        for (std::size_t i = 0; i < n_lists; ++i) {
            std::vector<std::int64_t> order(n);
            std::iota(order.begin(), order.end(), 0);
            std::sort(order.begin(), order.end(), [&](std::int64_t j, std::int64_t k) {
                return before(batch.elements(i, j, 0), batch.elements(i, k, 0));
            });
            batch.targets.insert(batch.targets.end(), order.begin(), order.end());
        }
        return batch;
    };

    // Train a new network on lists of 4 numbers and more.
    const PointerNetwork<float> network =
        train(options,
              [&](random::Generator& generator) {
                  return draw(batch_size, 4 + generator.below(longest - 3), generator);
              },
              {.n_steps = n_steps, .peak_rate = 0.01, .seed = seed});

    // How many lists it puts in order without a mistake, longer ones among them.
    random::Generator generator(seed);
    for (const std::size_t n : {longest, 2 * longest, 3 * longest}) {
        const PointingBatch batch = draw(500, n, generator);
        const Pointed answers = network.point(batch.elements);
        std::size_t n_right = 0;
        auto wanted = batch.targets.begin();
        for (const std::vector<std::size_t>& positions : answers.positions) {
            n_right += std::equal(positions.begin(), positions.end(), wanted) ? 1 : 0;
            wanted += static_cast<std::ptrdiff_t>(n);
        }
        fmt::print("{:2} numbers: {:3} of 500 lists are in order\n", n, n_right);
    }

    // What it does with the list above: the weights of each step, an element a column.
    const std::size_t n = list.size();
    const Pointed answer = network.point(array_of<float>({1, n, 1}, list), n, true);
    fmt::print("\n{:>8}", "list:");
    for (const float number : list) {
        fmt::print("{:6.2f}", number);
    }
    fmt::print("  points at\n");
    for (std::size_t step = 0; step < n; ++step) {
        fmt::print("step {:2}:", step + 1);
        for (const float weight : answer.weights[step]) { // [1, 1, n]
            fmt::print("{:6.2f}", weight);
        }
        fmt::print("{:9.2f}\n", list[answer.positions[0][step]]);
    }
    // Try: Mask::none; ListEncoder::lstm; std::abs(a - 0.5F) < std::abs(b - 0.5F), the numbers
    // nearest to the middle first.
}
