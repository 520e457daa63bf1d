/// \file
/// \brief The body of readers_transformer.hpp.
#include "chapters/12_transformer/readers_transformer.hpp"

#include "chapters/08_bahdanau/kept_words.hpp"
#include "chapters/08_bahdanau/report_readers.hpp"
#include "chapters/12_transformer/heads.hpp"
#include "chapters/12_transformer/kept_transformer.hpp"
#include "chapters/12_transformer/smoothing.hpp"
#include "common/program/number.hpp"

#include <fmt/format.h>
#include <utility>

namespace attn::transformer::report {

using bahdanau::ReadersTranslator;
using program::Frame;

namespace {

/// Learns from the reader's sentences or from the grammar's.
KeptTransformer trained(Frame& frame, const ReadersTranslator& request,
                        std::optional<std::size_t> n_steps,
                        const Computation<float>& computation)
{
    const bahdanau::Lesson lesson = bahdanau::lesson_of(request, frame.options.seed);
    const TranslationTask& task = lesson.task;
    const Variant& variant = ablations()[0];
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
    bahdanau::report::begin_lesson(frame, request, lesson);
    LearningOptions options =
        bahdanau::learning_options(request, frame.options, n_steps, chapters_steps);
    options.settings =
        bahdanau::training_settings("12_transformer", settings_of(kept), options, task);
    Learnt learnt =
        nn::train_loadable(bahdanau::translator_words("transformer"), options.files,
                           [&] { return learn(variant, task, options, computation); });
    if (lesson.readers) {
        frame.terminal.heading("A transformer");
        bahdanau::report::show_losses(frame, learnt.losses);
        frame.terminal.paragraph(fmt::format(
            "The loss is smoothed: with {} words it cannot fall below {}.", task.target.size(),
            program::fixed(smoothing_floor(task.target.size(), variant.label_smoothing), 3)));
        bahdanau::report::show_quality(frame, task, model_of(learnt.transformer));
    }
    kept.transformer = std::move(learnt.transformer);
    if (request.files.save) {
        keep(*request.files.save, kept); // without what only a training needs
        bahdanau::report::show_kept(frame, *request.files.save);
    }
    return kept;
}

void show_translation(Frame& frame, const KeptTransformer& kept, const std::string& sentence)
{
    bool first = true;
    for (const Look& look : looks_of_layer(kept.transformer)) {
        const bahdanau::Translation found = translate(kept, sentence, look);
        if (first) {
            bahdanau::report::show_words(frame, kept.source, found);
        }
        first = false;
        if (!found.target.empty()) {
            frame.terminal.line();
            frame.terminal.line(look.head ? name_of(look) : "mean of the heads");
            frame.terminal.heat_map(bahdanau::report::heat_map_of(found));
        }
    }
}

} // namespace

void one_transformer(Frame& frame, const ReadersTranslator& request,
                     std::optional<std::size_t> n_steps, const Computation<float>& computation)
{
    KeptTransformer kept =
        request.load ? take_up(*request.load) : trained(frame, request, n_steps, computation);
    kept.transformer.compute_by(computation);
    if (request.translate) {
        show_translation(frame, kept, *request.translate);
    }
}

} // namespace attn::transformer::report
