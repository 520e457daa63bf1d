#include "chapters/10_entity_network/training.hpp"

namespace attn::entity_network {

EntityNetwork<float> train_entity_network(const EntityOptions& options,
                                          const TrainingOptions& training)
{
    random::Generator first(training.seed, 102ULL << 40U);
    EntityNetwork<float> network(options, first);
    train(network, training);
    return network;
}

std::vector<Story> test_stories(Task task, std::size_t n_stories, std::size_t n_sentences,
                                std::uint64_t seed)
{
    random::Generator generator(seed, (103ULL << 40U) + n_sentences);
    return draw_stories(task, n_stories, n_sentences, generator);
}

} // namespace attn::entity_network
