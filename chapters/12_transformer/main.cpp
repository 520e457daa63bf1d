/// \file
/// \brief The program of chapter 12: the transformer whole, what each of its parts is good for,
/// what its heads look at, and what a word costs. Options in, tables out, numbers out; the
/// ideas are in layers.hpp and transformer.hpp, the tables in report*.cpp.
#include "chapters/12_transformer/report.hpp"
#include "common/program/bad_input.hpp"

namespace {

using namespace attn;
using program::BadInput;
using program::Frame;
namespace report = attn::transformer::report;

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, const report::Settings& settings, bool untrained)
{
    frame.files.require_writable();
    text::CorpusSizes sizes;
    sizes.train = frame.options.quick ? report::quick_train : sizes.train;
    const seq2seq::TranslationTask task = seq2seq::grammar_task(frame.options.seed, sizes);
    report::parameters(frame, task);
    report::depth(frame);
    report::smoothing(frame, task);
    report::decoding(frame);
    if (!untrained) {
        report::copying(frame);
        const report::Trials trials = report::train_all(frame, task, settings);
        report::quality(frame, task, trials);
        report::lengths(frame, trials);
        report::ablation(frame, trials);
        report::norms(frame, trials);
        report::heads(frame, trials);
        report::reasons(frame, task, trials, settings);
        report::sentence(frame, task, trials);
        frame.files.draw_figures("12_transformer",
                                 {"ablation", "norms", "lengths", "heads", "cost"});
    }
}

/// Refuses options that do not go together.
void expect_sense(const Frame& frame, const report::Request& request,
                  const report::Settings& settings, bool untrained)
{
    program::keep_trace_apart(frame.options, request.any(),
                              "neither --translate, --save, --resume and --load nor a corpus");
    if (request.any() && (settings.n_seeds != 1 || untrained)) {
        throw BadInput("--translate, --save, --resume, --load and --corpus are about one "
                       "transformer, and go with neither --seeds nor --untrained");
    }
    if (request.load && (request.files.save || request.files.resume || request.corpus.any())) {
        throw BadInput(
            "--load: the transformer is trained already, and goes with neither --save "
            "and --resume nor a corpus");
    }
    if (request.files.resume && !request.files.save && !request.translate &&
        !request.corpus.any()) {
        throw BadInput(
            "--resume: say what to do with the transformer, by --translate or --save");
    }
    if (request.load && !request.translate) {
        throw BadInput("--load: say what to translate with it, by --translate");
    }
    if (settings.n_steps && (request.load || untrained)) {
        throw BadInput("--steps: nothing is trained with --load or --untrained");
    }
}

} // namespace

int main(int argc, char** argv)
{
    program::CommandLine command_line(
        {"12_transformer", "What is a transformer, whole, and what does each part do?",
         "build/bin/12_transformer\n"
         "build/bin/12_transformer --trace\n"
         "build/bin/12_transformer --translate \"the king 's red car is here .\"\n"
         "build/bin/12_transformer --corpus sentences.txt --save transformer.safetensors"});
    report::Settings settings;
    report::Request request;
    bool untrained = false;
    command_line.add_count("--steps", settings.n_steps, 1,
                           seq2seq::steps_help(report::chapters_steps));
    command_line.add_count("--seeds", settings.n_seeds, 1, "transformers of each variant");
    command_line.add_flag("--untrained", untrained,
                          "leaves out the trainings in float, which take most of the time");
    command_line.add_text("--translate", request.translate, "SENTENCE",
                          "trains one transformer, or loads it, and shows what its heads "
                          "look at");
    nn::add_training_options(command_line, request.files);
    command_line.add_text("--load", request.load, "FILE",
                          "with --translate: takes one that --save has kept");
    add_corpus_options(command_line, request.corpus);
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        expect_sense(frame, request, settings, untrained);
        if (frame.options.trace) {
            report::pencil_steps(frame);
        } else if (request.any()) {
            report::one_transformer(frame, request, settings);
        } else {
            show_chapter(frame, settings, untrained);
        }
    });
}
