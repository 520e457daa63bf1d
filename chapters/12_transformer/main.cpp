/// \file
/// \brief The program of chapter 12: the transformer whole, what each of its parts is good for,
/// what its heads look at, and what a word costs. Options in, tables out, numbers out; the
/// ideas are in layers.hpp and transformer.hpp, the tables in report*.cpp.
#include "chapters/12_transformer/experiments/report.hpp"

namespace {

using namespace attn;
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
    bahdanau::ReadersTranslator request;
    bool untrained = false;
    command_line.add_count("--steps", settings.n_steps, 1,
                           seq2seq::steps_help(report::chapters_steps));
    command_line.add_count("--seeds", settings.n_seeds, 1, "transformers of each variant");
    command_line.add_flag("--untrained", untrained,
                          "leaves out the trainings in float, which take most of the time");
    command_line.add_text("--translate", request.translate, "SENTENCE",
                          "trains one transformer, or loads it, and shows what its heads "
                          "look at");
    add_translator_options(command_line, request);
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        nn::expect_sense(bahdanau::translator_words("transformer"), request.given(),
                         settings.given(untrained), frame.options);
        if (frame.options.trace) {
            report::pencil_steps(frame);
        } else if (request.any()) {
            report::one_transformer(frame, request, settings.n_steps);
        } else {
            show_chapter(frame, settings, untrained);
        }
    });
}
