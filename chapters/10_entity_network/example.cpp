/// \file
/// \brief Trains an entity network on short stories, then shows for a new one which slots each
/// sentence is written into, and which slot the question reads. A place to start one's own.
#include "chapters/10_entity_network/entity_network.hpp"
#include "chapters/10_entity_network/training.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <string>

int main()
{
    using namespace attn;
    using namespace attn::entity_network;

    const Task task = Task::carried;   // objects move along with whoever has them
    const std::size_t n_sentences = 8; // in a story that is learnt from
    const std::size_t n_steps = 600;   // of training, each on 64 new stories
    const std::uint64_t seed = 1;      // of everything
    const EntityOptions options{.d = 32, .keys = Keys::persons, .n_slots = 4};
    const std::string text =
        "Clara went to the attic. Clara picked up the lamp. Ben moved to the hall. "
        "Clara walked to the cellar. David went to the hall. Where is the lamp?";

    // The model: each slot has a key, here the embedding of a person's name.
    random::Generator generator(seed);
    EntityNetwork<float> network(options, generator);

    // Train it on stories, questions and answers. Nothing says which gate to open.
    train(network, {.task = task,
                    .shortest = n_sentences,
                    .longest = n_sentences,
                    .n_steps = n_steps,
                    .seed = seed});

    // How often it is right about stories that it has not seen, of this length and of twice.
    for (const std::size_t length : {n_sentences, 2 * n_sentences}) {
        const auto stories = test_stories(task, 1000, length, seed);
        fmt::print("stories of {:2} sentences: {:.3f} of the answers are right\n", length,
                   accuracy(network, stories));
    }

    // What it does with the story above: the gate of each slot, a sentence a row, and the
    // answer that it would give after that sentence.
    const Story story = read_story(text, "the story").story;
    fmt::print("\n{:28}", "gate of the slot of:");
    for (std::size_t slot = 0; slot < options.n_slots; ++slot) {
        fmt::print("{:>7}", options.keys == Keys::persons ? std::string(vocabulary[slot])
                                                          : fmt::format("no. {}", slot + 1));
    }
    fmt::print("  answer so far\n");
    const autograd::NoGradient<float> forwards;
    for (std::size_t n = 1; n <= story.sentences.size(); ++n) {
        Story so_far = story;
        so_far.sentences.resize(n);
        const Reading<float> reading = network.read(batch_of({&so_far, 1}));
        const Array<float>& logits = reading.logits.value(); // [1, n_places]
        const auto best = std::max_element(logits.begin(), logits.end()) - logits.begin();
        fmt::print("{:28}", text_of(so_far.sentences.back()));
        for (const float gate : reading.gates.back()) { // [1, n_slots, 1]
            fmt::print("{:7.2f}", gate);
        }
        fmt::print("  {}\n", vocabulary.at(static_cast<std::size_t>(first_place + best)));
    }

    // From which slot it answers: the weights of the read, which sum to 1.
    fmt::print("{:28}", question_about(story.question));
    const Variable<float> weights = network.read(batch_of({&story, 1})).weights;
    for (const float weight : weights.value()) { // [1, 1, n_slots]
        fmt::print("{:7.2f}", weight);
    }
    fmt::print("  (weights of the read)\n");
    // Try: Keys::free with 2 slots for the 4 persons; Task::dropped; n_steps = 100; a story of
    // your own (world.hpp has the words).
}
