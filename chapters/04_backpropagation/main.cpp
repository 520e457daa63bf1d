/// \file
/// \brief The program of chapter 4: a tape forwards and backwards, gradients by hand and by
/// differences, the derivative of a context, the width of chapter 2's kernel learnt by descent,
/// what a training consists of, and chapter 3's scores learnt. Options in, tables out, numbers
/// out; the ideas are in toy_tape.hpp, backpropagation.hpp, kernel_width.hpp, training/ and
/// learnt_scores.hpp, the tables in experiments/.
#include "chapters/04_backpropagation/experiments/experiments.hpp"
#include "common/program/run.hpp"

namespace {

using namespace attn;
using namespace attn::backpropagation;
using program::Frame;

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, bool untrained)
{
    frame.files.require_writable();
    show_toy_tape(frame);
    show_step_sizes(frame);
    show_gradients(frame);
    show_covariance(frame);
    show_width(frame);
    frame.files.draw_figures("04_backpropagation", {"width"});
    if (!untrained) {
        show_model_selection(frame);
        show_learnt_retrieval(frame);
        show_root(frame);
        frame.files.draw_figures("04_backpropagation", {"learning", "retrieval"});
    }
}

} // namespace

int main(int argc, char** argv)
{
    program::CommandLine command_line({"04_backpropagation",
                                       "How are attention's parameters learnt?",
                                       "build/bin/04_backpropagation\n"
                                       "build/bin/04_backpropagation --trace"});
    bool untrained = false;
    command_line.add_flag("--untrained", untrained,
                          "leaves out the trainings in float, which take most of the time");
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        frame.options.trace ? show_pencil_steps(frame) : show_chapter(frame, untrained);
    });
}
