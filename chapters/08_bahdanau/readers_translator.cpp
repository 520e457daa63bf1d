/// \file
/// \brief The bodies of readers_translator.hpp.
#include "chapters/08_bahdanau/readers_translator.hpp"

#include "common/program/atomic_file.hpp"
#include "common/program/command_line.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace attn::bahdanau {

nn::OneModelOptions ReadersTranslator::given() const
{
    return {.asked = translate.has_value(),
            .save = files.save.has_value(),
            .resume = files.resume.has_value(),
            .load = load.has_value(),
            .corpus = corpus.any()};
}

void add_translator_options(program::CommandLine& command_line, ReadersTranslator& request)
{
    nn::add_training_options(command_line, request.files);
    command_line.add_text("--load", request.load, "FILE",
                          "with --translate: takes one that --save has kept");
    add_corpus_options(command_line, request.corpus);
}

nn::OneModelWords translator_words(const std::string& model)
{
    return {model, "--translate", "translate"};
}

Lesson lesson_of(const ReadersTranslator& request, std::uint64_t seed)
{
    if (request.files.save) {
        program::require_writable(*request.files.save, "--save");
    }
    if (!request.corpus.any()) {
        return {seq2seq::grammar_task(seed), {}};
    }
    seq2seq::ReadersSentences read = seq2seq::read_sentences(request.corpus);
    return {read.task, std::move(read)};
}

LearningOptions learning_options(const ReadersTranslator& request,
                                 const program::CommonOptions& options,
                                 std::optional<std::size_t> n_steps, std::size_t chapters_steps)
{
    const std::size_t steps =
        n_steps.value_or(request.corpus.any() ? seq2seq::readers_steps : chapters_steps);
    return {.n_steps = options.quick ? std::min<std::size_t>(steps, 20) : steps,
            .seed = options.seed,
            .look_every = 0,
            .show_progress = true,
            .files = request.files};
}

nn::Settings training_settings(const std::string& chapter, nn::Settings kept,
                               const LearningOptions& options,
                               const seq2seq::TranslationTask& task)
{
    kept.insert(
        {{"chapter", chapter},
         {"seed", std::to_string(options.seed)},
         {"steps", std::to_string(options.n_steps)},
         {"sentences", fmt::format("{:016x}", seq2seq::checksum_of(task.pairs.train))}});
    return kept;
}

} // namespace attn::bahdanau
