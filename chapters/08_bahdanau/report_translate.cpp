/// \file
/// \brief The body of one_translator() of report.hpp.
#include "chapters/08_bahdanau/kept_translator.hpp"
#include "chapters/08_bahdanau/report.hpp"
#include "chapters/08_bahdanau/report_readers.hpp"
#include "common/program/atomic_file.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/trained.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace attn::bahdanau::report {

using program::Frame;

namespace {

/// For people's sentences: more of everything than the grammar's need.
constexpr Sizes readers_sizes = {64, 128};

/// How one translator is trained.
LearningOptions readers_options(const Frame& frame, const Request& request,
                                const Settings& settings)
{
    LearningOptions options;
    options.n_steps = request.corpus.any() ? settings.n_steps.value_or(seq2seq::readers_steps)
                                           : settings.steps();
    if (frame.options.quick) {
        options.n_steps = std::min<std::size_t>(options.n_steps, 20);
    }
    options.seed = frame.options.seed;
    options.look_every = 0;
    options.show_progress = true;
    options.files = request.files;
    return options;
}

/// Trains a translator, whose file says what it is even if the training is stopped.
Learnt learn_and_keep(const AlignmentKind& kind, const TranslationTask& task,
                      LearningOptions options, const KeptTranslator& kept)
{
    options.settings = settings_of(kept);
    options.settings.insert(
        {{"chapter", "08_bahdanau"},
         {"seed", std::to_string(options.seed)},
         {"steps", std::to_string(options.n_steps)},
         {"sentences", fmt::format("{:016x}", seq2seq::checksum_of(task.pairs.train))}});
    try {
        return learn(kind, task, options);
    } catch (const program::Interrupted& end) {
        if (!options.files.save) {
            throw;
        }
        throw program::Interrupted(std::string(end.what()) +
                                   ", and --load translates with what was learnt so far");
    }
}

/// Learns from the reader's sentences or from the grammar's.
KeptTranslator trained(Frame& frame, const Request& request, const Settings& settings)
{
    if (request.files.save) {
        program::require_writable(*request.files.save, "--save");
    }
    AlignmentKind kind = kind_named(request.kind);
    std::optional<seq2seq::ReadersSentences> read;
    if (request.corpus.any()) {
        read = seq2seq::read_sentences(request.corpus);
        kind.sizes = readers_sizes;
        kind.peak_rate = std::min(kind.peak_rate, 5e-3);
    }
    const TranslationTask task = read ? read->task : seq2seq::grammar_task(frame.options.seed);
    KeptTranslator kept{kind.short_name,
                        kind.sizes,
                        task.source,
                        task.target,
                        seq2seq::corpus_options(request.corpus).normalisation,
                        task.max_length,
                        make_translator(kind, task, frame.options.seed)};
    if (request.translate) {
        expect_known(words_to_read(kept, *request.translate), kept.source,
                     request.corpus.min_frequency);
    }
    if (request.files.resume) {
        program::read_file(*request.files.resume);
    }
    if (read) {
        frame.files.require_writable();
        show_lines(frame, request.corpus, *read);
    }

    Learnt learnt = learn_and_keep(kind, task, readers_options(frame, request, settings), kept);
    if (read) {
        frame.terminal.heading(kind.name);
        frame.terminal.paragraph(program::trained_note());
        show_losses(frame, learnt.losses);
        show_quality(frame, task, learnt.translator);
    }
    kept.translator = std::move(learnt.translator);
    if (request.files.save) {
        keep(*request.files.save, kept); // without what only a training needs
        frame.terminal.line();
        frame.terminal.paragraph("kept in " + *request.files.save);
    }
    return kept;
}

void show_translation(Frame& frame, const KeptTranslator& kept, const std::string& sentence)
{
    const Translation found = translate(kept, sentence);
    frame.terminal.heading("Your sentence");
    const text::Words unknown = kept.source.unknown_words(found.source);
    if (!unknown.empty()) {
        frame.terminal.paragraph(
            fmt::format("Read as unknown words: {}.", fmt::join(unknown, ", ")));
    }
    frame.terminal.paragraph(text::text_of(found.source));
    frame.terminal.paragraph(text::text_of(found.target));
    if (!found.finished) {
        frame.terminal.paragraph("(It found no end, and was cut off.)");
    }
    if (!kind_named(kept.kind).attends || found.target.empty()) {
        return;
    }
    frame.terminal.line();
    program::HeatMap map{Matrix::from_shape({found.target.size(), found.source.size()}),
                         found.target, "translation", "source", found.source};
    for (std::size_t t = 0; t < found.target.size(); ++t) {
        for (std::size_t j = 0; j < found.source.size(); ++j) {
            map.weights(t, j) = found.weights[t][j];
        }
    }
    frame.terminal.heat_map(map);
}

} // namespace

void one_translator(Frame& frame, const Request& request, const Settings& settings)
{
    const KeptTranslator kept =
        request.load ? take_up(*request.load) : trained(frame, request, settings);
    if (request.translate) {
        show_translation(frame, kept, *request.translate);
    }
}

} // namespace attn::bahdanau::report
