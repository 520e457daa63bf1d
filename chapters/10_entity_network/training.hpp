/// \file
/// \brief How networks learn from stories, the entity network and those beside it; and how often
/// they answer right.
#pragma once

#include "chapters/10_entity_network/entity_network.hpp"
#include "chapters/10_entity_network/world.hpp"
#include "common/autograd/tape.hpp"
#include "common/nn/optimisers.hpp"
#include "common/nn/training.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::entity_network {

/// How a network is trained.
struct TrainingOptions
{
    Task task = Task::moves;   ///< what happens and what is asked
    std::size_t shortest = 8;  ///< sentences in a story, at least
    std::size_t longest = 8;   ///< and at most
    std::size_t n_steps = 500; ///< batches of 64 stories
    std::size_t n_stories = 0; ///< that are learnt from again and again; 0: new ones always
    std::uint64_t seed = 1;    ///< of everything
};

/// Stories that a network learns from at once.
inline constexpr std::size_t batch_size = 64;

// [train]
/// Trains a network by Adam, whose rate falls from .01 to a twentieth, gradients no longer than 5.
/// \tparam Network  has loss(batch) and parameters()
/// \throws nn::Diverged if the loss is no number any more
template <typename Network>
void train(Network& network, const TrainingOptions& training)
{
    random::Generator generator(training.seed, random::Stream::story_training);
    const std::vector<Story> kept =
        draw_stories(training.task, training.n_stories, training.longest, generator);
    nn::Parameters<float> parameters = network.parameters();
    nn::Adam<float> adam(parameters, {.learning_rate = 0.01});
    const nn::Schedule rate = nn::linear_decay(training.n_steps, 0.05);
    nn::Training<float> loop({.n_steps = training.n_steps, .show_progress = false}, parameters,
                             {});
    while (loop.goes_on()) {
        adam.learning_rate = 0.01 * rate(loop.step());
        const std::size_t n_sentences =
            training.shortest + generator.below(training.longest - training.shortest + 1);
        std::vector<Story> stories;
        for (std::size_t i = 0; i < batch_size; ++i) {
            stories.push_back(kept.empty() ? draw_story(training.task, n_sentences, generator)
                                           : kept[generator.below(kept.size())]);
        }
        autograd::Tape<float> tape;
        const Variable<float> loss = network.loss(batch_of(stories));
        backward(loss);
        nn::clip_by_global_norm(parameters, 5.0);
        adam.step();
        loop.record(static_cast<double>(loss.item()));
    }
    nn::count_training(parameters); // for --checksums
    loop.end();
}
// [train]

/// A trained entity network.
EntityNetwork<float> train_entity_network(const EntityOptions& options,
                                          const TrainingOptions& training);

/// The share of stories that a network answers right.
/// \tparam Network  has logits(batch)
/// \param stories   of one length
template <typename Network>
double accuracy(const Network& network, const std::vector<Story>& stories)
{
    const autograd::NoGradient<float> forwards;
    const StoryBatch batch = batch_of(stories);
    const Array<float> logits = network.logits(batch).value();
    double right = 0;
    for (std::size_t i = 0; i < batch.n_stories; ++i) {
        const float* const row = logits.data() + i * n_places;
        right += std::max_element(row, row + n_places) - row == batch.answers[i] ? 1 : 0;
    }
    return right / static_cast<double>(batch.n_stories);
}

/// Stories that no training has seen.
std::vector<Story> test_stories(Task task, std::size_t n_stories, std::size_t n_sentences,
                                std::uint64_t seed);

} // namespace attn::entity_network
