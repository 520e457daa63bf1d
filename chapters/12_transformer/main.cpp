/// \file
/// \brief The program of chapter 12: the transformer whole, what each of its parts is good for,
/// what its heads look at, and what a word costs.
#include "chapters/12_transformer/experiments/experiments.hpp"
#include "common/parallel/mpi.hpp"

namespace {

using namespace attn;
using namespace attn::transformer;
using program::Frame;

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, const Trainings& trainings, bool untrained)
{
    frame.files.require_writable();
    text::CorpusSizes sizes;
    sizes.train = frame.options.quick ? quick_train : sizes.train;
    const translation::TranslationTask task =
        translation::grammar_task(frame.options.seed, sizes);
    show_parameters(frame, task);
    show_depth(frame);
    show_smoothing(frame, task);
    show_decoding(frame);
    if (!untrained) {
        show_copying(frame);
        const AllTrained trained = train_all(frame, task, trainings);
        show_quality(frame, task, trained);
        show_ablation(frame, trained);
        show_residuals(frame, trained);
        show_norms(frame, trained);
        const std::vector<std::vector<HeadMeasures>> heads = show_heads(frame, task, trained);
        show_interventions(frame, task, trained, trainings);
        show_sentence(frame, task, trained, heads.front());
        frame.files.draw_figures("12_transformer",
                                 {"ablation", "norms", "lengths", "heads", "cost"});
    }
}

} // namespace

int main(int argc, char** argv)
{
    const auto processes = parallel::join_processes();
    program::CommandLine command_line(
        {"12_transformer", "What is a transformer, whole, and what does each of its parts do?",
         "build/bin/12_transformer\n"
         "build/bin/12_transformer --trace\n"
         "build/bin/12_transformer --translate \"the king 's red car is here .\"\n"
         "build/bin/12_transformer --corpus sentences.txt --save transformer.safetensors\n"
         "mpirun -n 2 build/bin/12_transformer --corpus sentences.txt"});
    Trainings trainings;
    translation::TranslatorRequest request;
    std::optional<std::size_t> n_parts;
    bool untrained = false;
    command_line.add_count("--steps", trainings.n_steps, 1,
                           translation::steps_help(chapters_steps, translation::grammar_steps));
    command_line.add_count("--seeds", trainings.n_seeds, 1, "transformers of each variant");
    command_line.add_flag("--untrained", untrained,
                          "leaves out the trainings in float, which take most of the time");
    command_line.add_text("--translate", request.translate, "SENTENCE",
                          "trains one transformer, or loads it, and shows what its heads "
                          "attend to; - reads sentences from standard input, one a line");
    add_translator_options(command_line, request, "transformer");
    add_explore_option(command_line, request);
    nn::add_parts_option(command_line, n_parts);
    command_line.need("--parts", "--translate --save --resume --corpus",
                      "it cuts the batches of the training of one transformer");
    command_line.exclude("--parts", "--load --words", "it cuts the batches of a training");
    return processes->end(program::run(argc, argv, command_line, [&](Frame& frame) {
        translation::expect_explorable(request);
        if (!request.any() || request.words || request.load) {
            nn::expect_unshared(*processes, "--corpus, --translate or --save");
        }
        request.sharing = nn::sharing_of(n_parts, *processes);
        if (frame.options.trace) {
            show_pencil_steps(frame);
        } else if (request.words) {
            translation::show_known_words(frame, request);
        } else if (request.any()) {
            const SavedTransformer saved = one_transformer(frame, request, trainings.n_steps);
            if (request.explore && processes->is_first()) {
                explore(frame, saved, request);
            }
        } else {
            show_chapter(frame, trainings, untrained);
        }
    }));
}
