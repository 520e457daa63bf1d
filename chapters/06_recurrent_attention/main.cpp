/// \file
/// \brief The program of chapter 6: how far a gradient comes, recalling with and without
/// attention, and forecasts of constructed and measured series, or of a reader's.
#include "chapters/06_recurrent_attention/experiments/experiments.hpp"

#include <cstddef>
#include <fmt/format.h>

namespace {

using namespace attn;
using program::Frame;

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, std::size_t longer, bool untrained)
{
    frame.files.require_writable();
    recurrent_attention::show_gradient_reach(frame);
    if (!untrained) {
        recurrent_attention::show_recall(frame);
        recurrent_attention::show_memories(frame);
        recurrent_attention::show_longer_recall(frame, longer);
        recurrent_attention::show_recall_rates(frame, longer);
        recurrent_attention::show_constructed(frame);
        recurrent_attention::show_forecast_rates(frame, longer);
        recurrent_attention::show_measured(frame);
        recurrent_attention::show_rolling_origins(frame);
        recurrent_attention::show_horizons(frame);
        frame.files.draw_figures("06_recurrent_attention",
                                 {"recall", "weights", "lags", "ratios", "added", "horizons"});
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
    recurrent_attention::TableRequest request;
    std::size_t longer = recurrent_attention::longer_steps;
    bool untrained = false;
    command_line.add_count(
        "--steps", longer, 1,
        fmt::format("of the longest trainings, at most (the page: {})", 20000));
    command_line.add_input("--data", request.data, "FILE.csv",
                           "a table of numbers, a row a moment, the earliest first");
    command_line.add_text("--target", request.target, "COLUMN",
                          "with --data: which column is to be forecast");
    command_line.add_count("--horizon", request.horizon, 1,
                           "with --data: how many rows ahead, at most");
    command_line.add_count("--window", request.window, 1,
                           "with --data: how many rows a forecast may look at");
    command_line.add_count("--season", request.season, 0,
                           "with --data: rows in a season, for the seasonal rule; 0 for none");
    command_line.add_flag("--changes", request.changes,
                          "with --data: forecasts changes from row to row, not levels");
    command_line.add_flag("--untrained", untrained,
                          "leaves out the trainings in float, which take most of the time");
    command_line.exclude_from_trace("--data --target");
    command_line.need("--target", "--data", "it is a column of a table; give it with --data");
    command_line.need("--data", "--target",
                      "--target COLUMN must say which column is to be forecast");
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        if (frame.options.trace) {
            recurrent_attention::show_pencil_steps(frame);
        } else if (request.data) {
            recurrent_attention::show_readers_table(frame, request);
        } else {
            show_chapter(frame, longer, untrained);
        }
    });
}
