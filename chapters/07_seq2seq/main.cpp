/// \file
/// \brief The program of chapter 7: what an embedding is, what can be foretold without reading,
/// and how translations by way of one vector fare with longer sentences; or the same on a reader's
/// sentences. Options in, tables out, numbers out; the ideas are in encoder.hpp, context.hpp,
/// decoder.hpp and translator.hpp, the tables in experiments/report*.cpp.
#include "chapters/07_seq2seq/experiments/report.hpp"
#include "common/program/bad_input.hpp"

namespace {

using namespace attn;
using program::Frame;
using translation::CorpusRequest;
namespace report = attn::seq2seq::report;

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, const report::Trainings& trainings, bool untrained)
{
    frame.files.require_writable();
    report::embedding(frame);
    const translation::TranslationTask task = report::sentences(frame);
    report::corpus(frame, task);
    report::rules(frame, task);
    report::search(frame);
    if (!untrained) {
        report::bottleneck(frame, task, report::train_all(frame, task, trainings));
        frame.files.draw_figures("07_seq2seq", {"lengths", "learning"});
    }
}

/// Refuses options that do not go together.
void expect_sense(const Frame& frame, const CorpusRequest& request,
                  const report::Trainings& trainings, bool untrained)
{
    const bool with_files = trainings.files.save || trainings.files.resume;
    program::keep_trace_apart(frame.options, request.any() || with_files,
                              "neither a corpus nor files of a training");
    if (with_files && !request.corpus) {
        throw program::BadInput("--save and --resume: the chapter trains several models; give "
                                "them with --corpus, which trains one");
    }
    if (request.corpus && (trainings.n_seeds != 1 || untrained)) {
        throw program::BadInput(
            "--corpus: one model is trained, so it goes with neither --seeds "
            "nor --untrained");
    }
}

} // namespace

int main(int argc, char** argv)
{
    program::CommandLine command_line(
        {"07_seq2seq", "What breaks without attention?",
         "build/bin/07_seq2seq\n"
         "build/bin/07_seq2seq --steps 2000 --seeds 3\n"
         "build/bin/07_seq2seq --trace\n"
         "build/bin/07_seq2seq --corpus sentences.txt --tutorial"});
    report::Trainings trainings;
    CorpusRequest request;
    bool untrained = false;
    command_line.add_count("--steps", trainings.n_steps, 1,
                           translation::steps_help(report::chapters_steps));
    command_line.add_count("--seeds", trainings.n_seeds, 1, "models of each kind");
    command_line.add_flag("--untrained", untrained,
                          "leaves out the trainings in float, which take most of the time");
    add_corpus_options(command_line, request);
    nn::add_training_options(command_line, trainings.files);
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        expect_sense(frame, request, trainings, untrained);
        if (frame.options.trace) {
            report::pencil_steps(frame);
        } else if (request.any()) {
            report::readers_corpus(frame, request, trainings);
        } else {
            show_chapter(frame, trainings, untrained);
        }
    });
}
