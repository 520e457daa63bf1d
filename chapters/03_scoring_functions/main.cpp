/// \file
/// \brief The program of chapter 3: what each score costs, what the root of d is for, which
/// score finds the key, what a mask hides, and why the softmax. Options in, tables out,
/// numbers out; the ideas are in scoring_functions.hpp, the tables in experiments/report.cpp.
#include "chapters/03_scoring_functions/experiments/report.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/run.hpp"

#include <cmath>
#include <fmt/format.h>

namespace {

using namespace attn;
using program::Frame;
namespace report = attn::scoring_functions::report;

/// What the reader may choose.
struct Options
{
    std::vector<double> sizes;
    std::size_t n_keys = 64;
};

/// The largest size and number of keys: a table of both takes a minute.
constexpr std::size_t most = 4096;

/// What is asked about the root of d.
report::RootQuestion read_question(const Options& options)
{
    report::RootQuestion question{{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024},
                                  options.n_keys};
    if (question.n_keys > most) {
        throw program::BadInput(
            fmt::format("--keys: must be at most {}, got {}", most, question.n_keys));
    }
    if (!options.sizes.empty()) {
        question.sizes.clear();
    }
    for (const double size : options.sizes) {
        if (size < 1 || size > static_cast<double>(most) || size != std::floor(size)) {
            throw program::BadInput(
                fmt::format("--d: must be whole numbers from 1 to {}, got {}", most, size));
        }
        question.sizes.push_back(static_cast<std::size_t>(size));
    }
    return question;
}

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, const report::RootQuestion& question)
{
    frame.files.require_writable();
    report::costs(frame);
    report::write_root(frame, report::root(frame, question));
    report::lengths(frame);
    report::retrieval(frame);
    report::masks(frame);
    report::normalisers(frame);
    report::slider(frame);
    frame.files.draw_figures("03_scoring_functions", {"root", "lengths", "retrieval"});
}

} // namespace

int main(int argc, char** argv)
{
    Options options;
    const std::size_t default_keys = options.n_keys;
    program::CommandLine command_line(
        {"03_scoring_functions", "How should a query be compared with a key?",
         "build/bin/03_scoring_functions\n"
         "build/bin/03_scoring_functions --d 64,77,128 --keys 1000"});
    command_line.add_numbers("--d", options.sizes, "D,D",
                             "sizes of query and key: prints the table of the root of d alone");
    command_line.add_count(
        "--keys", options.n_keys, 2,
        "keys in a table of that experiment: another number prints that table alone");
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        const report::RootQuestion question = read_question(options);
        const bool own = !options.sizes.empty() || options.n_keys != default_keys;
        program::keep_trace_apart(frame.options, own, "neither --d nor --keys");
        if (frame.options.trace) {
            report::pencil_steps(frame);
        } else if (own) {
            report::root(frame, question);
        } else {
            show_chapter(frame, question);
        }
    });
}
