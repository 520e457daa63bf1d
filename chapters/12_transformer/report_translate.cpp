/// \file
/// \brief The body of one_transformer() of report.hpp.
#include "chapters/08_bahdanau/kept_words.hpp"
#include "chapters/08_bahdanau/report_readers.hpp"
#include "chapters/12_transformer/kept_transformer.hpp"
#include "chapters/12_transformer/report.hpp"
#include "chapters/12_transformer/smoothing.hpp"
#include "common/program/atomic_file.hpp"
#include "common/program/interrupt.hpp"
#include "common/program/trained.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <utility>

namespace attn::transformer::report {

using program::Frame;

namespace {

/// How one transformer is trained.
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

/// Trains a transformer, whose file says what it is even if the training is stopped.
Learnt learn_and_keep(const Variant& variant, const TranslationTask& task,
                      LearningOptions options, const KeptTransformer& kept)
{
    options.settings = settings_of(kept);
    options.settings.insert(
        {{"chapter", "12_transformer"},
         {"seed", std::to_string(options.seed)},
         {"steps", std::to_string(options.n_steps)},
         {"sentences", fmt::format("{:016x}", seq2seq::checksum_of(task.pairs.train))}});
    try {
        return learn(variant, task, options);
    } catch (const program::Interrupted& end) {
        if (!options.files.save) {
            throw;
        }
        throw program::Interrupted(std::string(end.what()) +
                                   ", and --load translates with what was learnt so far");
    }
}

/// Learns from the reader's sentences or from the grammar's.
KeptTransformer trained(Frame& frame, const Request& request, const Settings& settings)
{
    if (request.files.save) {
        program::require_writable(*request.files.save, "--save");
    }
    const Variant& variant = ablations()[0];
    std::optional<seq2seq::ReadersSentences> read;
    if (request.corpus.any()) {
        read = seq2seq::read_sentences(request.corpus);
    }
    const TranslationTask task = read ? read->task : seq2seq::grammar_task(frame.options.seed);
    KeptTransformer kept{
        task.source, task.target, seq2seq::corpus_options(request.corpus).normalisation,
        task.max_length,
        make_transformer(options_of(variant, task.source.size(), task.target.size()),
                         frame.options.seed)};
    if (request.translate) { // or it is refused now
        bahdanau::report::expect_known(
            bahdanau::words_to_read(*request.translate, kept.normalisation, kept.source),
            kept.source, request.corpus.min_frequency);
    }
    if (request.files.resume) {
        program::read_file(*request.files.resume);
    }
    if (read) {
        frame.files.require_writable();
        bahdanau::report::show_lines(frame, request.corpus, *read);
    }

    Learnt learnt =
        learn_and_keep(variant, task, readers_options(frame, request, settings), kept);
    if (read) {
        frame.terminal.heading("A transformer");
        frame.terminal.paragraph(program::trained_note());
        bahdanau::report::show_losses(frame, learnt.losses);
        frame.terminal.paragraph(fmt::format(
            "The loss is smoothed: with {} words it cannot fall below {}.", task.target.size(),
            program::fixed(smoothing_floor(task.target.size(), variant.label_smoothing), 3)));
        bahdanau::report::show_quality(frame, task, model_of(learnt.transformer));
    }
    kept.transformer = std::move(learnt.transformer);
    if (request.files.save) {
        keep(*request.files.save, kept); // without what only a training needs
        frame.terminal.line();
        frame.terminal.paragraph("kept in " + *request.files.save);
    }
    return kept;
}

void show_heat_map(Frame& frame, const bahdanau::Translation& found, const std::string& name)
{
    frame.terminal.line();
    frame.terminal.line(name);
    program::HeatMap map{Matrix::from_shape({found.target.size(), found.source.size()}),
                         found.target, "translation", "source", found.source};
    for (std::size_t t = 0; t < found.target.size(); ++t) {
        for (std::size_t j = 0; j < found.source.size(); ++j) {
            map.weights(t, j) = found.weights[t][j];
        }
    }
    frame.terminal.heat_map(map);
}

void show_translation(Frame& frame, const KeptTransformer& kept, const std::string& sentence)
{
    bahdanau::words_to_read(sentence, kept.normalisation, kept.source);
    bool first = true;
    for (const Look& look : looks_of_layer(kept.transformer)) {
        const bahdanau::Translation found = translate(kept, sentence, look);
        if (first) {
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
        }
        first = false;
        if (!found.target.empty()) {
            show_heat_map(frame, found, look.head ? name_of(look) : "mean of the heads");
        }
    }
}

} // namespace

void one_transformer(Frame& frame, const Request& request, const Settings& settings)
{
    const KeptTransformer kept =
        request.load ? take_up(*request.load) : trained(frame, request, settings);
    if (request.translate) {
        show_translation(frame, kept, *request.translate);
    }
}

} // namespace attn::transformer::report
