/// \file
/// \brief The program of chapter 11: the shapes and the exact properties of multi-head
/// attention, what several heads, three projections and positions are for, and attention beside
/// recurrence.
#include "chapters/11_multi_head/experiments/experiments.hpp"

namespace {

using namespace attn;
using namespace attn::multi_head;
using program::Frame;

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, bool untrained)
{
    if (!untrained) { // without the trainings it only prints
        frame.files.require_writable();
    }
    show_shapes(frame);
    show_exact_properties(frame);
    show_distances(frame);
    show_layer_costs(frame);
    if (!untrained) {
        show_marked_pairs(frame);
        show_earlier_letters(frame);
        show_projections(frame);
        show_longer_sequences(frame);
        show_recurrence(frame);
        frame.files.draw_figures("11_multi_head",
                                 {"pairs", "heads", "projections", "places", "recall"});
    }
}

} // namespace

int main(int argc, char** argv)
{
    program::CommandLine command_line(
        {"11_multi_head", "Why several heads, why three projections, where is the order?",
         "build/bin/11_multi_head\n"
         "build/bin/11_multi_head --trace\n"
         "build/bin/11_multi_head --time"});
    bool untrained = false;
    bool time = false;
    command_line.add_flag("--untrained", untrained,
                          "leaves out the trainings in float, which take most of the time");
    command_line.add_flag("--time", time,
                          "times the layers on this computer, and nothing else");
    command_line.exclude_from_trace("--untrained --time");
    command_line.exclude("--time", "--untrained", "it trains nothing");
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        if (frame.options.trace) {
            show_pencil_steps(frame);
        } else if (time) {
            show_timed_layers(frame);
        } else {
            show_chapter(frame, untrained);
        }
    });
}
