/// \file
/// \brief The program of chapter 2: predicts Old Faithful's next eruption by similarity
/// alone, shows what the bandwidth and the mask do, compares the kernels where the truth is
/// known, and asks what keys of many numbers and one query cost; or predicts from the reader's
/// own table. Data in, tables out, numbers out; the ideas are in kernels.hpp,
/// nadaraya_watson.hpp and bandwidth.hpp, the tables in experiments/.
#include "chapters/02_nadaraya_watson/experiments/experiments.hpp"
#include "common/program/run.hpp"

#include <fmt/format.h>
#include <vector>

namespace {

using namespace attn;
using namespace attn::nadaraya_watson;
using program::Frame;

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame)
{
    frame.files.require_writable();
    const Sample real = old_faithful();
    const Sample synthetic = synthetic_sample(frame.options.seed, 0, n_synthetic);
    const std::vector<Choice> choices = choose_for_every_kernel(real, frame.options.threads);
    show_kernels(frame, real, choices);
    show_widths(frame, real, choices[0].bandwidth);
    show_empty_window(frame, real);
    show_synthetic_weights(frame, synthetic);
    show_mask(frame, synthetic, real);
    show_bias_and_variance(frame);
    show_boundary(frame);
    show_comparison(frame);
    show_many_numbers(frame);
    show_more_keys(frame);
    show_fewer_numbers(frame);
    show_query_cost(frame, real, synthetic);
    show_slider(frame, real, choices);
    frame.files.draw_figures("02_nadaraya_watson",
                             {"kernels", "fit", "weights", "width", "boundary"});
}

} // namespace

int main(int argc, char** argv)
{
    PredictionOptions options;
    program::CommandLine command_line(
        {"02_nadaraya_watson", "Can similarity alone predict?",
         "build/bin/02_nadaraya_watson\n"
         "build/bin/02_nadaraya_watson --query 1.8,3.2,4.5\n"
         "build/bin/02_nadaraya_watson --data cars.csv --kernel epanechnikov --bandwidth loo "
         "--query 10,21 --format csv"});
    command_line.add_input("--data", options.data, "FILE.csv",
                           "your own table of numbers; without it Old Faithful is asked. "
                           "With this or any of the options below the program predicts, "
                           "and leaves the chapter's experiments out");
    command_line.add_text("--key", options.key, "NAME",
                          "the key's column: else the first that is not the value");
    command_line.add_text("--value", options.value, "NAME",
                          "the value's column: else the first that is not the key");
    command_line.add_text("--kernel", options.kernel, "WORD",
                          fmt::format("how much a key counts at a distance: {}; else the first",
                                      fmt::join(kernel_names(), ", ")));
    command_line.add_text(
        "--bandwidth", options.bandwidth, "NUMBER|loo",
        "the bandwidth, in the key's units, or chosen by leave-one-out, as it "
        "is without this option");
    command_line.add_number("--cut", options.cut, "R",
                            "no key beyond R bandwidths counts; R's ksmooth has 4");
    command_line.add_numbers("--query", options.queries, "X,Y",
                             "where to predict: else eleven points over the keys");
    command_line.add_text("--format", options.format, "WORD",
                          "table, or csv: on standard output only the lines "
                          "query,prediction,keys_in_window; else table");
    constexpr const char* prediction =
        "--data --key --value --kernel --bandwidth --cut --query --format";
    command_line.exclude_from_trace(prediction);
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        if (frame.options.trace) {
            show_pencil_steps(frame);
        } else if (command_line.given(prediction)) {
            show_prediction(frame, options);
        } else {
            show_chapter(frame);
        }
    });
}
