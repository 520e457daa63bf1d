/// \file
/// \brief The program of chapter 13: the transformer's two halves, each alone; what a decoder
/// alone computes, and what it writes.
#include "chapters/13_language_models/experiments/halves.hpp"
#include "chapters/13_language_models/experiments/induction.hpp"
#include "chapters/13_language_models/experiments/pencil.hpp"
#include "chapters/13_language_models/experiments/prompt.hpp"
#include "chapters/13_language_models/experiments/text_model.hpp"

namespace {

using namespace attn;
using namespace attn::language_models;
using program::Frame;

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, bool untrained)
{
    frame.files.require_writable();
    show_halves(frame);
    if (!untrained) {
        show_induction(frame);
        show_sampling(frame);
        frame.files.draw_figures("13_language_models", {"induction", "weights"});
    }
}

} // namespace

int main(int argc, char** argv)
{
    program::CommandLine command_line(
        {"13_language_models", "How do GPT and BERT follow from it?",
         "build/bin/13_language_models\n"
         "build/bin/13_language_models --trace\n"
         "build/bin/13_language_models --text FILE --save model.safetensors\n"
         "build/bin/13_language_models --load model.safetensors --prompt \"The \"\n"
         "build/bin/13_language_models --gpt2 model.safetensors --bpe vocab.json merges.txt "
         "--prompt \"The \""});
    TextRequest text;
    WritingRequest writing;
    PublishedRequest published;
    std::optional<std::size_t> n_steps;
    bool untrained = false;
    command_line.add_count("--steps", n_steps, 1,
                           "batches of the training with --text (default: 500; with --nanogpt "
                           "2000)");
    command_line.add_flag("--untrained", untrained,
                          "leaves out the trainings in float, which take most of the time");
    add_text_options(command_line, text);
    add_writing_options(command_line, writing);
    add_published_options(command_line, published);
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        const bool other_model = text.given({}).any() || n_steps.has_value() || untrained;
        if (published.any()) {
            expect_options_agree(published, writing, other_model, frame.options);
            run_published(frame, published, writing);
            return;
        }
        nn::expect_options_agree(text_model_words(), text.given(writing),
                                 {.steps = n_steps.has_value(), .untrained = untrained},
                                 frame.options);
        expect_useful(writing, text, n_steps);
        if (frame.options.trace) {
            show_pencil_steps(frame);
        } else if (text.given(writing).any()) {
            run_text_model(frame, text, writing, n_steps);
        } else {
            show_chapter(frame, untrained);
        }
    });
}
