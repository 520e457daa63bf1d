/// \file
/// \brief The program of chapter 12: the transformer whole, what each of its parts is good for,
/// what its heads look at, and what a word costs. Options in, tables out, numbers out; the
/// ideas are in layers.hpp and transformer.hpp, the tables in experiments/report*.cpp.
#include "chapters/12_transformer/experiments/report.hpp"

namespace {

using namespace attn;
using program::Frame;
namespace report = attn::transformer::report;

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, const report::Trainings& trainings, bool untrained)
{
    frame.files.require_writable();
    text::CorpusSizes sizes;
    sizes.train = frame.options.quick ? report::quick_train : sizes.train;
    const translation::TranslationTask task =
        translation::grammar_task(frame.options.seed, sizes);
    report::parameters(frame, task);
    report::depth(frame);
    report::smoothing(frame, task);
    report::decoding(frame);
    if (!untrained) {
        report::copying(frame);
        const report::AllTrained trained = report::train_all(frame, task, trainings);
        report::quality(frame, task, trained);
        report::lengths(frame, trained);
        report::ablation(frame, trained);
        report::norms(frame, trained);
        report::heads(frame, trained);
        report::reasons(frame, task, trained, trainings);
        report::sentence(frame, task, trained);
        frame.files.draw_figures("12_transformer",
                                 {"ablation", "norms", "lengths", "heads", "cost"});
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
    report::Trainings trainings;
    translation::TranslatorRequest request;
    bool untrained = false;
    command_line.add_count("--steps", trainings.n_steps, 1,
                           translation::steps_help(report::chapters_steps));
    command_line.add_count("--seeds", trainings.n_seeds, 1, "transformers of each variant");
    command_line.add_flag("--untrained", untrained,
                          "leaves out the trainings in float, which take most of the time");
    command_line.add_text("--translate", request.translate, "SENTENCE",
                          "trains one transformer, or loads it, and shows what its heads "
                          "look at");
    add_translator_options(command_line, request);
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        nn::expect_sense(translation::translator_words("transformer"), request.given(),
                         trainings.given(untrained), frame.options);
        if (frame.options.trace) {
            report::pencil_steps(frame);
        } else if (request.any()) {
            report::one_transformer(frame, request, trainings.n_steps);
        } else {
            show_chapter(frame, trainings, untrained);
        }
    });
}
