/// \file
/// \brief The program of chapter 10: a memory that is written through gates while a story is read,
/// and asked by attention; the answer to a reader's story.
#include "chapters/10_entity_network/experiments/experiments.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace {

using namespace attn;
using program::Frame;

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, std::size_t gru_steps, bool untrained)
{
    frame.files.require_writable();
    entity_network::show_world(frame);
    if (!untrained) {
        const auto networks = entity_network::show_answers(frame, gru_steps);
        entity_network::show_gates(frame, networks.carried);
        entity_network::show_ablations(frame, networks);
        entity_network::show_more_answers(frame);
        frame.files.draw_figures("10_entity_network", {"gates", "lengths"});
    }
}

} // namespace

int main(int argc, char** argv)
{
    program::CommandLine command_line({"10_entity_network",
                                       "Can attention keep a memory of a changing world?",
                                       "build/bin/10_entity_network\n"
                                       "build/bin/10_entity_network --trace\n"
                                       "build/bin/10_entity_network --story story.txt"});
    std::optional<std::string> story;
    std::size_t n_steps = 3000;
    std::size_t gru_steps = entity_network::usual_gru_steps;
    bool untrained = false;
    command_line.add_input("--story", story, "FILE",
                           "sentences and a question, - for standard input. Anna, Ben, Clara, "
                           "David; went, walked, "
                           "moved, travelled to the kitchen, garden, hall, office, cellar, "
                           "attic; took, picked up, "
                           "dropped, put down the apple, book, lamp. Where is ...?");
    command_line.add_count("--steps", n_steps, 1, "batches of the training for --story");
    command_line.add_count("--gru-steps", gru_steps, 1,
                           "batches of the GRU's training (the page: 8000)");
    command_line.add_flag("--untrained", untrained,
                          "leaves out the trainings in float, which take most of the time");
    command_line.exclude_from_trace("--story");
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        if (frame.options.trace) {
            entity_network::show_pencil_steps(frame);
        } else if (story) {
            entity_network::show_readers_story(frame, *story, n_steps);
        } else {
            show_chapter(frame, gru_steps, untrained);
        }
    });
}
