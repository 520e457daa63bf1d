#include "chapters/08_bahdanau/experiments/report.hpp"
#include "chapters/08_bahdanau/experiments/saved_translator.hpp"

#include <algorithm>
#include <utility>

namespace attn::bahdanau::report {

using program::Frame;

namespace {

/// For people's sentences: more of everything than the grammar's need.
constexpr TranslatorSizes readers_sizes = {64, 128};

/// Learns from the reader's sentences or from the grammar's.
SavedTranslator trained(Frame& frame, const Request& request, const Trainings& trainings)
{
    const translation::Lesson lesson = translation::lesson_of(request, frame.options.seed);
    AlignmentKind kind = kind_named(request.kind);
    if (lesson.readers) {
        kind.sizes = readers_sizes;
        kind.peak_rate = std::min(kind.peak_rate, 5e-3);
    }
    SavedTranslator made{kind.short_name, kind.sizes, lesson.languages(),
                         make_translator(kind, lesson.task, frame.options.seed)};
    if (request.translate) {
        words_to_read(made, *request.translate); // or it is refused now
    }
    const std::size_t n_steps =
        translation::steps_of(request, frame.options, trainings.n_steps, chapters_steps);
    translation::train_one(frame, request, lesson, model_of(made.translator),
                           {.chapter = "08_bahdanau",
                            .model = "translator",
                            .heading = kind.name,
                            .label = kind.name,
                            .settings = settings_of(made),
                            .options = {.n_steps = n_steps,
                                        .peak_rate = kind.peak_rate,
                                        .seed = frame.options.seed}});
    return made;
}

} // namespace

void one_translator(Frame& frame, const Request& request, const Trainings& trainings)
{
    const SavedTranslator translator =
        request.load ? load(*request.load) : trained(frame, request, trainings);
    if (request.translate) {
        const Translation found = translate(translator, *request.translate);
        translation::show_words(frame, translator.languages, found);
        if (kind_named(translator.kind).attends) {
            translation::show_weights(frame, found);
        }
    }
}

} // namespace attn::bahdanau::report
