/// \file
/// \brief The program of chapter 5: which index each layer's weights carry, what a tanh leaves,
/// and attention beside dense layers and pooling on eight tasks. Options in, tables out, numbers
/// out; the ideas are in layers.hpp, raffel_ellis.hpp and ceilings.hpp, the tables in
/// experiments/.
#include "chapters/05_attention_versus_dense/experiments/experiments.hpp"
#include "common/program/run.hpp"

namespace {

using namespace attn;
using namespace attn::attention_versus_dense;
using program::Frame;

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, bool untrained)
{
    frame.files.require_writable();
    show_layer_properties(frame);
    show_ceilings(frame);
    show_by_hand(frame);
    if (!untrained) {
        show_marked_by_size(frame);
        show_marked_by_length(frame);
        show_scalar_trap(frame);
        show_lags(frame);
        show_arithmetic(frame);
        show_order(frame);
        show_learning_rates(frame);
        show_falling_rate(frame);
        show_weights(frame);
        frame.files.draw_figures("05_attention_versus_dense", {"weights", "curves"});
    }
}

} // namespace

int main(int argc, char** argv)
{
    program::CommandLine command_line(
        {"05_attention_versus_dense",
         "Is an attention layer not just a dense layer with a softmax?",
         "build/bin/05_attention_versus_dense\n"
         "build/bin/05_attention_versus_dense --trace"});
    bool untrained = false;
    command_line.add_flag("--untrained", untrained,
                          "leaves out the trainings in float, which take most of the time");
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        frame.options.trace ? show_pencil_steps(frame) : show_chapter(frame, untrained);
    });
}
