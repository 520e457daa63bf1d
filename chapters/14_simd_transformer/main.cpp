/// \file
/// \brief The program of chapter 14: how fast matrix product, softmax, attention and the whole
/// transformer go on this machine, variant by variant, and how far that is from what the
/// machine can do.
#include "chapters/12_transformer/training/translation.hpp"
#include "chapters/14_simd_transformer/experiments/experiments.hpp"

#include <optional>
#include <string>
#include <utility>

namespace {

using namespace attn;
using namespace attn::simd_transformer;
using program::Frame;

/// What the command line asks for beside the common options.
struct Request
{
    std::optional<std::string> simd;
    bool list_simd = false;
    bool untimed = false;
    bool decoding = false;
    std::optional<std::size_t> n_tokens;
    std::optional<std::size_t> size;
    std::optional<std::size_t> n_steps;
    translation::TranslatorRequest transformer;
};

/// What smaller numbers cost a trained model.
void show_few_bytes_and_bits(Frame& frame, const Settings& settings)
{
    LearntModel learnt = learnt_model(frame.options);
    show_decoding_formats(frame, learnt);
    show_fewer_bits(frame, settings, std::move(learnt));
}

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame, const Settings& settings, bool untimed)
{
    if (!untimed) {
        frame.files.require_writable(); // before anything is printed
    }
    show_counted_ladders(frame, settings);
    show_attention_memory(frame);
    if (untimed) {
        show_whole_model(frame, settings, false);
        show_few_bytes_and_bits(frame, settings);
    } else {
        show_measured_ladders(frame, settings);
        show_attention_lengths(frame, settings);
        show_instruction_sets(frame, settings);
        show_threads(frame, settings);
        show_whole_model(frame, settings, true);
        show_few_bytes_and_bits(frame, settings);
        frame.files.draw_figures("14_simd_transformer",
                                 {"ladder", "roofline", "lengths", "sets", "threads"});
    }
}

/// Kernels, threads and sizes.
Settings settings_of(const Frame& frame, const Request& request)
{
    Settings settings;
    settings.how.n_threads = frame.options.threads;
    if (request.simd) {
        settings.how.kernels = &kernels::instruction_set(*request.simd, "--simd");
    }
    if (frame.options.quick) {
        settings.sizes = {.product = {192, 192, 192},
                          .softmax_rows = 1024,
                          .softmax_columns = 512,
                          .n_heads = 2,
                          .n_tokens = 256};
        settings.n_steps = 4;
        settings.n_words = 1024;
    }
    settings.sizes.n_tokens = request.n_tokens.value_or(settings.sizes.n_tokens);
    if (request.size) {
        settings.sizes.product = {*request.size, *request.size, *request.size};
    }
    return settings;
}

/// One transformer, on these kernels.
void one_transformer(Frame& frame, const Request& request, const Execution& how)
{
    const kernels::ComputeWith guard(how);
    transformer::one_transformer(frame, request.transformer, request.n_steps,
                                 computation_of(model_variants().back(), how));
}

/// Declares which options do not go together.
void add_rules(program::CommandLine& command_line)
{
    const std::string one =
        std::string("--translate --words --save --resume --load ") + translation::corpus_names;
    command_line.exclude_from_trace("--simd --list-simd --untimed --decoding --tokens --size");
    command_line.exclude("--list-simd", "--simd --untimed --decoding --tokens --size " + one,
                         "it lists names and measures nothing");
    command_line.exclude("--decoding", "--untimed --tokens --size " + one,
                         "it measures how fast a model of one size writes");
    command_line.exclude(one, "--untimed --tokens --size", "it is about one transformer");
    command_line.need("--steps", one,
                      "it is about the transformer that --translate, --save or --corpus "
                      "trains, and says nothing here");
}

} // namespace

int main(int argc, char** argv)
{
    program::CommandLine command_line(
        {"14_simd_transformer", "How fast can it go, and why?",
         "build/bin/14_simd_transformer\n"
         "build/bin/14_simd_transformer --trace\n"
         "build/bin/14_simd_transformer --list-simd\n"
         "build/bin/14_simd_transformer --decoding\n"
         "build/bin/14_simd_transformer --simd avx2 --threads 1 --tokens 2048\n"
         "build/bin/14_simd_transformer --translate \"the king 's red car is here .\""});
    Request request;
    command_line.add_text("--simd", request.simd, "NAME",
                          "the instruction set of the kernels: a name that --list-simd prints "
                          "(otherwise ATTN_SIMD, or the widest)");
    command_line.add_flag("--list-simd", request.list_simd,
                          "prints the instruction sets that this processor has, a name a line");
    command_line.add_count("--tokens", request.n_tokens, 1,
                           "of attention's ladder (1024; 256 with --quick)");
    command_line.add_count("--size", request.size, 1,
                           "rows, columns and depth of the matrix product (512; 192 with "
                           "--quick)");
    command_line.add_flag("--untimed", request.untimed,
                          "leaves out what is measured: no number depends on the machine");
    command_line.add_flag("--decoding", request.decoding,
                          "how fast a model of GPT-2's size writes, with weights of four, two "
                          "and one bytes: one minute, and two gigabytes of memory");
    command_line.add_text("--translate", request.transformer.translate, "SENTENCE",
                          "trains chapter 12's transformer, or loads it, and shows what its "
                          "heads attend to; - reads sentences from standard input, one a line");
    command_line.add_count("--steps", request.n_steps, 1,
                           translation::steps_help(translation::grammar_steps));
    add_translator_options(command_line, request.transformer, "transformer");
    add_rules(command_line);
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        if (frame.options.trace) {
            show_pencil_steps(frame);
        } else if (request.list_simd) {
            for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
                frame.terminal.line(kernels->name);
            }
        } else if (request.decoding) {
            show_decoding_speed(frame, settings_of(frame, request));
        } else if (request.transformer.words) {
            translation::show_known_words(frame, request.transformer);
        } else if (request.transformer.any()) {
            one_transformer(frame, request, settings_of(frame, request).how);
        } else {
            show_chapter(frame, settings_of(frame, request), request.untimed);
        }
    });
}
