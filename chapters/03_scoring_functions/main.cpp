/// \file
/// \brief The program of chapter 3: what each score costs, what the root of d is for, which
/// score finds the key, what a mask hides, and why the softmax. Options in, tables out,
/// numbers out; the ideas are in scoring_functions.hpp, the tables in
/// experiments/.
#include "chapters/03_scoring_functions/experiments/experiments.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/run.hpp"

#include <cmath>
#include <fmt/format.h>

namespace {

using namespace attn;
using namespace attn::scoring_functions;
using program::Frame;

/// What the reader may choose.
struct Options
{
    std::vector<double> sizes;
    std::size_t n_keys = 64;
};

/// The largest size and number of keys: a table of both takes a minute.
constexpr std::size_t most = 4096;

/// The table of the root of d that the reader wants.
RootOptions root_options(const Options& options)
{
    RootOptions root{{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}, options.n_keys};
    if (!options.sizes.empty()) {
        root.sizes.clear();
    }
    for (const double size : options.sizes) {
        if (size < 1 || size > static_cast<double>(most) || size != std::floor(size)) {
            throw program::BadInput(
                fmt::format("--d: must be whole numbers from 1 to {}, got {}", most, size));
        }
        root.sizes.push_back(static_cast<std::size_t>(size));
    }
    return root;
}

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, const RootOptions& root)
{
    frame.files.require_writable();
    show_costs(frame);
    show_root(frame, root, true);
    show_lengths(frame);
    show_retrieval(frame);
    show_projections(frame);
    show_masks(frame);
    show_normalisers(frame);
    show_root_slider(frame);
    frame.files.draw_figures("03_scoring_functions", {"root", "lengths", "retrieval"});
}

} // namespace

int main(int argc, char** argv)
{
    Options options;
    program::CommandLine command_line(
        {"03_scoring_functions", "How should a query be compared with a key?",
         "build/bin/03_scoring_functions\n"
         "build/bin/03_scoring_functions --d 64,77,128 --keys 1000"});
    command_line.add_numbers("--d", options.sizes, "D,D",
                             "sizes of query and key: prints the table of the root of d alone");
    command_line.add_count("--keys", options.n_keys, 2,
                           "keys in a table of that experiment: prints that table alone", most);
    constexpr const char* sizes = "--d --keys";
    command_line.exclude_from_trace(sizes);
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        const RootOptions root = root_options(options);
        if (frame.options.trace) {
            show_pencil_steps(frame);
        } else if (command_line.given(sizes)) {
            show_root(frame, root, false);
        } else {
            show_chapter(frame, root);
        }
    });
}
