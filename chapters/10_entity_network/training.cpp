#include "chapters/10_entity_network/training.hpp"

#include "common/random/streams.hpp"

namespace attn::entity_network {

EntityNetwork<float> train_entity_network(const EntityOptions& options,
                                          const TrainingOptions& training)
{
    random::Generator first(training.seed, random::Stream::entity_parameters);
    EntityNetwork<float> network(options, first);
    train(network, training);
    return network;
}

std::vector<Story> test_stories(Task task, std::size_t n_stories, std::size_t n_sentences,
                                std::uint64_t seed)
{
    random::Generator generator(seed, random::Stream::story_test, n_sentences);
    return draw_stories(task, n_stories, n_sentences, generator);
}

} // namespace attn::entity_network
