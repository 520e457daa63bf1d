#include "chapters/10_entity_network/experiments/reader.hpp"

#include "chapters/10_entity_network/experiments/gates.hpp"
#include "common/program/files.hpp"

namespace attn::entity_network {

void show_readers_story(program::Frame& frame, const std::string& file, std::size_t n_steps)
{
    const bool from_input = file == "-";
    const ReadersStory read =
        read_story(program::read_file(from_input ? "/dev/stdin" : file, std::size_t{1} << 20U),
                   from_input ? "standard input" : file);
    const std::size_t steps = frame.options.quick ? 20 : n_steps;
    const EntityNetwork<float> network = train_entity_network({}, {.task = Task::anything,
                                                                   .shortest = 2,
                                                                   .longest = 12,
                                                                   .n_steps = steps,
                                                                   .seed = frame.options.seed});
    frame.terminal.introduce("Your story",
                             "The network has learnt in {} steps from stories of 2 to 12 "
                             "sentences; yours has {}. A row for "
                             "each sentence: how far the gate of each slot opens. In the last "
                             "row the weights with which the "
                             "slots are read.",
                             steps, read.story.sentences.size());
    print_story_with_gates(frame.terminal, network, read.story);
    frame.terminal.paragraph(
        read.by_rules
            ? "By the rules: in the " +
                  std::string(vocabulary.at(static_cast<std::size_t>(*read.by_rules))) + "."
            : "By the rules: the story does not say. The network has learnt nothing but "
              "places to answer with.");
}

} // namespace attn::entity_network
