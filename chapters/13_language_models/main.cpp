/// \file
/// \brief The program of chapter 13: the transformer's two halves, each alone; what a decoder
/// alone computes and writes, and what an encoder alone fills in.
#include "chapters/13_language_models/experiments/experiments.hpp"
#include "common/parallel/mpi.hpp"

namespace {

using namespace attn;
using namespace attn::language_models;
using program::Frame;

/// What masked and causal models of French sentences learn.
void show_french_models(Frame& frame)
{
    const FrenchSentences sentences = french_sentences(frame.options.seed, frame.options.quick);
    const MaskedTraining training = french_training(frame.options.quick);
    const FrenchModels models = train_french_models(frame, sentences, training);
    show_masked(frame, sentences, training, models);
    show_filling(frame, sentences, models);
}

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, bool untrained)
{
    frame.files.require_writable();
    show_halves(frame);
    if (!untrained) {
        show_induction(frame);
        show_french_models(frame);
        show_sampling(frame);
        frame.files.draw_figures("13_language_models", {"induction", "weights"});
    }
}

} // namespace

int main(int argc, char** argv)
{
    const auto processes = parallel::join_processes();
    program::CommandLine command_line(
        {"13_language_models", "How do GPT and BERT follow from the transformer?",
         "build/bin/13_language_models\n"
         "build/bin/13_language_models --trace\n"
         "build/bin/13_language_models --fill \"le roi [MASK] la reine .\"\n"
         "build/bin/13_language_models --text FILE --save model.safetensors\n"
         "mpirun -n 2 build/bin/13_language_models --text FILE --save model.safetensors\n"
         "build/bin/13_language_models --load model.safetensors --prompt \"The \"\n"
         "build/bin/13_language_models --gpt2 model.safetensors --bpe vocab.json merges.txt "
         "--prompt \"The \" --explore heads.html"});
    TextRequest text;
    WritingRequest writing;
    PublishedRequest published;
    std::optional<std::size_t> n_steps;
    std::optional<std::string> gaps;
    bool untrained = false;
    command_line.add_text("--fill", gaps, "TEXT",
                          "French words of the grammar, each gap written as [MASK]: what a "
                          "masked model fills in");
    command_line.add_count("--steps", n_steps, 1,
                           "batches of the training with --text (default: 500; with --nanogpt "
                           "2000)");
    command_line.add_flag("--untrained", untrained,
                          "leaves out the trainings in float, which take most of the time");
    command_line.exclude("--fill",
                         "--trace --steps --untrained --text --words --nanogpt --save --resume "
                         "--load --prompt --explore --tokens --temperature --top-k --top-p "
                         "--greedy --gpt2 --bpe --ids --encode --decode",
                         "it trains a model of its own");
    add_text_options(command_line, text);
    add_writing_options(command_line, writing);
    add_published_options(command_line, published);
    return processes->end(program::run(argc, argv, command_line, [&](Frame& frame) {
        if (!command_line.given(nn::about_one(text_model_words())) ||
            command_line.given("--load " + std::string(published_names))) {
            nn::expect_unshared(*processes, "--text or --nanogpt");
        }
        if (frame.options.trace) {
            show_pencil_steps(frame);
        } else if (gaps) {
            fill_readers_gaps(frame, *gaps);
        } else if (command_line.given(published_names)) {
            run_published(frame, published, writing);
        } else if (command_line.given(nn::about_one(text_model_words()))) {
            run_text_model(frame, text, writing, n_steps, *processes);
        } else {
            show_chapter(frame, untrained);
        }
    }));
}
