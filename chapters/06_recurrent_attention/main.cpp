/// \file
/// \brief The program of chapter 6: how far a gradient comes, recalling with and without
/// attention, and forecasts of constructed and measured series, or of a reader's.
#include "chapters/06_recurrent_attention/experiments/report.hpp"
#include "common/program/bad_input.hpp"

namespace {

using namespace attn;
using program::Frame;
namespace report = attn::recurrent_attention::report;

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, bool untrained)
{
    frame.files.require_writable();
    report::distances(frame);
    if (!untrained) {
        report::recall(frame);
        report::memories(frame);
        report::constructed(frame);
        report::measured(frame);
        report::horizons(frame);
        frame.files.draw_figures("06_recurrent_attention", {"weights", "lags", "horizons"});
    }
}

} // namespace

int main(int argc, char** argv)
{
    program::CommandLine command_line(
        {"06_recurrent_attention",
         "How would I use attention in a recurrent network, and to forecast?",
         "build/bin/06_recurrent_attention\n"
         "build/bin/06_recurrent_attention --trace\n"
         "build/bin/06_recurrent_attention --data chapters/06_recurrent_attention/bjsales.csv "
         "--target sales --horizon 3 --window 8"});
    report::TableQuestion question;
    bool untrained = false;
    command_line.add_text("--data", question.data, "FILE.csv",
                          "a table of numbers, a row a moment, the earliest first");
    command_line.add_text("--target", question.target, "COLUMN",
                          "with --data: which column is to be forecast");
    command_line.add_count("--horizon", question.horizon, 1,
                           "with --data: how many rows ahead, at most");
    command_line.add_count("--window", question.window, 1,
                           "with --data: how many rows a forecast may look at");
    command_line.add_count("--season", question.season, 0,
                           "with --data: rows in a season, for the seasonal rule; 0 for none");
    command_line.add_flag("--changes", question.changes,
                          "with --data: forecasts changes from row to row, not levels");
    command_line.add_flag("--untrained", untrained,
                          "leaves out the trainings in float, which take most of the time");
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        program::keep_trace_apart(frame.options, question.data || question.target,
                                  "neither --data nor --target");
        if (question.target && !question.data) {
            throw program::BadInput("--target: it is a column of a table; give it with --data");
        }
        if (frame.options.trace) {
            report::pencil_steps(frame);
        } else if (question.data) {
            report::readers_table(frame, question);
        } else {
            show_chapter(frame, untrained);
        }
    });
}
