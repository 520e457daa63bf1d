/// \file
/// \brief The program of chapter 8: decoders that attend to every word of the source, what
/// their weights learn, and whether the weights are the reason. Options in, tables out, numbers
/// out; the ideas are in alignment.hpp, interventions.hpp and frozen_state.hpp.
#include "chapters/08_bahdanau/experiments/experiments.hpp"

#include <string>
#include <vector>

namespace {

using namespace attn;
using bahdanau::Request;
using bahdanau::Trainings;
using program::Frame;

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, const Trainings& trainings, bool untrained)
{
    frame.files.require_writable();
    const translation::TranslationTask task = bahdanau::sentences(frame);
    bahdanau::show_aligners(frame, task);
    bahdanau::show_costs(frame);
    bahdanau::show_at_once(frame);
    bahdanau::show_frozen_state(frame);
    if (!untrained) {
        const bahdanau::AllTrained trained = bahdanau::train_all(frame, task, trainings);
        bahdanau::show_kinds(frame, trained);
        bahdanau::show_lengths(frame, trained);
        if (trainings.longer) {
            bahdanau::show_longer(frame, task, trained, trainings);
        }
        bahdanau::show_learning(frame, trained);
        bahdanau::show_sentence(frame, task, trained);
        bahdanau::show_faithfulness(frame, task, trained, trainings);
        frame.files.draw_figures("08_bahdanau",
                                 {"lengths", "short", "alignment", "click", "reasons"});
    }
}

} // namespace

int main(int argc, char** argv)
{
    program::CommandLine command_line(
        {"08_bahdanau", "What does an alignment model learn?",
         "build/bin/08_bahdanau\n"
         "build/bin/08_bahdanau --trace\n"
         "build/bin/08_bahdanau --translate \"the king 's red car is here .\"\n"
         "build/bin/08_bahdanau --corpus sentences.txt --save translator.safetensors"});
    Trainings trainings;
    Request request;
    bool untrained = false;
    std::vector<std::string> kinds;
    for (const bahdanau::AlignmentKind& kind : bahdanau::alignment_kinds()) {
        kinds.push_back(kind.short_name);
    }
    command_line.add_count(
        "--steps", trainings.n_steps, 1,
        translation::steps_help(bahdanau::chapters_steps, translation::grammar_steps));
    command_line.add_count("--seeds", trainings.n_seeds, 1, "translators of each kind");
    command_line.add_flag("--longer", trainings.longer,
                          "trains Bahdanau's model also for 4 and 10 times as many steps");
    command_line.add_flag("--untrained", untrained,
                          "leaves out the trainings in float, which take most of the time");
    command_line.add_text("--translate", request.translate, "SENTENCE",
                          "trains one translator, or loads it, and shows what it attends to; - "
                          "reads sentences from standard input, one a line");
    command_line.add_choice(
        "--kind", request.kind, kinds,
        "with --translate, --save or --corpus: which translator is trained");
    add_translator_options(command_line, request);
    add_explore_option(command_line, request);
    command_line.exclude("--longer",
                         "--translate --words --save --resume --load --corpus --untrained "
                         "--trace",
                         "it adds to the chapter's trainings");
    command_line.need("--kind", "--translate --words --save --resume --corpus",
                      "it is about the one translator that --translate, --save or --corpus "
                      "trains, and says nothing here");
    command_line.exclude("--kind", "--load", "it is about a translator to be trained");
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        translation::expect_explorable(request);
        if (frame.options.trace) {
            bahdanau::show_pencil_steps(frame);
        } else if (request.words) {
            translation::show_known_words(frame, request);
        } else if (request.any()) {
            const bahdanau::SavedTranslator translator =
                request.load ? bahdanau::load(*request.load)
                             : bahdanau::train_translator(frame, request, trainings);
            if (request.translate) {
                bahdanau::show_translation(frame, translator, request);
            }
        } else {
            show_chapter(frame, trainings, untrained);
        }
    });
}
