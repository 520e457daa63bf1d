/// \file
/// \brief The program of chapter 9: networks that point, to sort numbers, to find convex hulls and
/// to plan short tours; the hull of a reader's points.
#include "chapters/09_pointer_network/experiments/experiments.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace {

using namespace attn;
using program::Frame;

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, std::size_t n_steps, bool untrained)
{
    frame.files.require_writable();
    pointer_network::show_three_numbers(frame);
    pointer_network::show_answers(frame);
    if (!untrained) {
        pointer_network::show_sorting(frame);
        const auto networks = pointer_network::show_hulls(frame, n_steps);
        pointer_network::show_hull_targets(frame, networks, n_steps);
        pointer_network::show_tours(frame, n_steps);
        frame.files.draw_figures("09_pointer_network", {"weights", "lengths", "hulls"});
    }
}

} // namespace

int main(int argc, char** argv)
{
    program::CommandLine command_line({"09_pointer_network",
                                       "What if the output is a position in the input?",
                                       "build/bin/09_pointer_network\n"
                                       "build/bin/09_pointer_network --trace\n"
                                       "build/bin/09_pointer_network --points points.csv"});
    std::optional<std::string> points;
    std::size_t n_steps = 4000;
    bool untrained = false;
    command_line.add_input("--points", points, "FILE.csv",
                           "the hull of 3 to 50 points; columns x and y, or two columns");
    command_line.add_count("--steps", n_steps, 1, "batches of the trainings on points");
    command_line.add_flag("--untrained", untrained,
                          "leaves out the trainings in float, which take most of the time");
    command_line.exclude_from_trace("--points");
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        if (frame.options.trace) {
            pointer_network::show_pencil_steps(frame);
        } else if (points) {
            pointer_network::show_readers_hull(frame, *points, n_steps);
        } else {
            show_chapter(frame, n_steps, untrained);
        }
    });
}
