#include "chapters/10_entity_network/experiments/experiments.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/program/text.hpp"

#include <fmt/format.h>

namespace attn::entity_network {

void show_readers_story(program::Frame& frame, const std::string& file, std::size_t n_steps)
{
    const bool from_input = file == "-";
    const std::string source = from_input                    ? "standard input"
                               : program::is_printable(file) ? file
                                                             : program::in_quotes(file);
    const std::string text =
        program::read_file(from_input ? "/dev/stdin" : file, std::size_t{1} << 20U);
    if (const std::string_view encoding = program::likely_encoding(text); !encoding.empty()) {
        throw program::BadInput(fmt::format(
            "{}: the story seems to be in {}, and must be UTF-8", source, encoding));
    }
    const ReadersStory read = read_story(text, source);
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
