/// \file
/// \brief The program of chapter 7: what an embedding is, what can be predicted without reading,
/// and how translations by way of one vector fare with longer sentences; or the same on a reader's
/// sentences. Options in, tables out, numbers out; the ideas are in encoder.hpp, context.hpp,
/// decoder.hpp and translator.hpp.
#include "chapters/07_seq2seq/experiments/experiments.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace attn;
using program::Frame;
using translation::CorpusRequest;

/// What a reader may ask of the trainings.
struct Trainings
{
    std::optional<std::size_t> n_steps = {}; ///< batches of 32 sentences
    std::size_t n_seeds = 1;                 ///< models of each kind
    bool longer = false;                     ///< some are also trained for more steps
    nn::TrainingFiles files = {};            ///< of the training on a reader's corpus
};

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, const Trainings& trainings, bool untrained)
{
    frame.files.require_writable();
    seq2seq::show_embedding(frame);
    const translation::TranslationTask task = seq2seq::sentences(frame);
    seq2seq::show_corpus(frame, task);
    seq2seq::show_rules(frame, task);
    seq2seq::show_greedy_search(frame);
    if (!untrained) {
        const std::vector<seq2seq::SeedsOfModel> trained =
            seq2seq::train_all(frame, task, trainings.n_steps, trainings.n_seeds);
        seq2seq::show_bottleneck(frame, task, trained);
        seq2seq::show_forced_and_free(frame, trained.front());
        seq2seq::show_searches(frame, task, trained.front());
        frame.terminal.introduce("Some translations",
                                 "By the GRU with the last state: the first sentence of the "
                                 "test set of each of some lengths.");
        translation::report::show_translations(
            frame, task.pairs.test, trained.front().front().evaluation, {4, 8, 12, 18, 26});
        frame.files.draw_figures("07_seq2seq", {"lengths", "learning"});
        if (trainings.longer) {
            seq2seq::show_longer(
                frame, trained,
                seq2seq::train_longer(frame, task, trainings.n_steps, trainings.n_seeds));
            frame.files.draw_figures("07_seq2seq", {"training"});
        }
    }
}

} // namespace

int main(int argc, char** argv)
{
    program::CommandLine command_line(
        {"07_seq2seq", "What breaks without attention?",
         "build/bin/07_seq2seq\n"
         "build/bin/07_seq2seq --steps 2000 --seeds 3 --longer\n"
         "build/bin/07_seq2seq --trace\n"
         "build/bin/07_seq2seq --corpus sentences.txt --tutorial"});
    Trainings trainings;
    CorpusRequest request;
    bool untrained = false;
    command_line.add_count("--steps", trainings.n_steps, 1,
                           translation::steps_help(seq2seq::chapters_steps));
    command_line.add_count("--seeds", trainings.n_seeds, 1, "models of each kind");
    command_line.add_flag("--longer", trainings.longer,
                          "trains the GRU with the last state also for 4 and 10 times as many "
                          "steps, that with the mean for 4 times");
    command_line.add_flag("--untrained", untrained,
                          "leaves out the trainings in float, which take most of the time");
    add_corpus_options(command_line, request);
    nn::add_training_options(command_line, trainings.files);
    command_line.exclude_from_trace(std::string("--save --resume ") +
                                    translation::corpus_names);
    command_line.need("--save --resume", "--corpus",
                      "the chapter trains several models; give it with --corpus, which trains "
                      "one");
    command_line.exclude("--corpus", "--seeds --longer --untrained", "one model is trained");
    command_line.exclude("--longer", "--untrained", "it asks for trainings");
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        if (frame.options.trace) {
            seq2seq::show_pencil_steps(frame);
        } else if (request.corpus) {
            seq2seq::show_readers_corpus(frame, request, trainings.files, trainings.n_steps);
        } else {
            show_chapter(frame, trainings, untrained);
        }
    });
}
