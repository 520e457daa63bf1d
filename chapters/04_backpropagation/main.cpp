/// \file
/// \brief The program of chapter 4: gradients by hand and along the tape, the slope of a
/// context, and the width of chapter 2's kernel learnt by descent. Options in, tables out,
/// numbers out; the ideas are in backpropagation.hpp and kernel_width.hpp, the tables in
/// report.cpp.
#include "chapters/04_backpropagation/report.hpp"
#include "common/program/run.hpp"

namespace {

using namespace attn;
using program::Frame;
namespace report = attn::backpropagation::report;

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame)
{
    frame.files.require_writable();
    report::gradients(frame);
    report::covariance(frame);
    report::width(frame);
    frame.files.draw_figures("04_backpropagation", {"width"});
}

} // namespace

int main(int argc, char** argv)
{
    program::CommandLine command_line({"04_backpropagation",
                                       "How are attention's parameters learnt?",
                                       "build/bin/04_backpropagation\n"
                                       "build/bin/04_backpropagation --trace"});
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        if (frame.options.trace) {
            report::pencil_steps(frame);
        } else {
            show_chapter(frame);
        }
    });
}
