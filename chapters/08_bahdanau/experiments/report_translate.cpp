/// \file
/// \brief The body of one_translator() of report.hpp.
#include "chapters/08_bahdanau/kept_translator.hpp"
#include "chapters/08_bahdanau/experiments/report.hpp"
#include "chapters/08_bahdanau/report_readers.hpp"

#include <algorithm>
#include <utility>

namespace attn::bahdanau::report {

using program::Frame;

namespace {

/// For people's sentences: more of everything than the grammar's need.
constexpr Sizes readers_sizes = {64, 128};

/// Learns from the reader's sentences or from the grammar's.
KeptTranslator trained(Frame& frame, const Request& request, const Settings& settings)
{
    const Lesson lesson = lesson_of(request, frame.options.seed);
    const TranslationTask& task = lesson.task;
    AlignmentKind kind = kind_named(request.kind);
    if (lesson.readers) {
        kind.sizes = readers_sizes;
        kind.peak_rate = std::min(kind.peak_rate, 5e-3);
    }
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
    begin_lesson(frame, request, lesson);
    LearningOptions options =
        learning_options(request, frame.options, settings.n_steps, chapters_steps);
    options.settings = training_settings("08_bahdanau", settings_of(kept), options, task);
    Learnt learnt = nn::train_loadable(translator_words("translator"), options.files,
                                       [&] { return learn(kind, task, options); });
    if (lesson.readers) {
        frame.terminal.heading(kind.name);
        show_losses(frame, learnt.losses);
        show_quality(frame, task, learnt.translator);
    }
    kept.translator = std::move(learnt.translator);
    if (request.files.save) {
        keep(*request.files.save, kept); // without what only a training needs
        show_kept(frame, *request.files.save);
    }
    return kept;
}

void show_translation(Frame& frame, const KeptTranslator& kept, const std::string& sentence)
{
    const Translation found = translate(kept, sentence);
    show_words(frame, kept.source, found);
    if (kind_named(kept.kind).attends && !found.target.empty()) {
        frame.terminal.line();
        frame.terminal.heat_map(heat_map_of(found));
    }
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
