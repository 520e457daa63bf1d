#include "chapters/14_simd_transformer/experiments/report.hpp"
#include "chapters/14_simd_transformer/whole_model/whole_model.hpp"
#include "common/program/number.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace attn::simd_transformer::report {

using program::fixed;
using program::Frame;
using program::significant;
using program::Table;

namespace {

/// How the losses of a rung stand to those of the first.
std::string likeness(const ModelRung& rung, const ModelRun& run, const ModelRun& first)
{
    if (!rung.one_pass && run.losses == first.losses) {
        return "the same bits";
    }
    double apart = 0;
    for (std::size_t i = 0; i < run.losses.size(); ++i) {
        const double share = static_cast<double>(run.losses[i]) / first.losses[i];
        apart = std::max(apart, std::abs(share - 1));
    }
    return apart < 1e-5 ? "below 1e-5" : significant(apart, 2);
}

/// Words of both languages, the ends of the targets among them, and operations of all steps that
/// are timed.
struct Work
{
    double words = 0;
    double operations = 0;
};

Work work_of(const ModelLesson& lesson)
{
    Work work;
    for (std::size_t step = 1; step < lesson.batches.size(); ++step) {
        const text::Batch& batch = lesson.batches[step];
        for (const auto* lengths : {&batch.source_lengths, &batch.target_lengths}) {
            work.words += static_cast<double>(
                std::accumulate(lengths->begin(), lengths->end(), std::size_t{0}));
        }
        work.operations += step_operations(lesson.options, batch);
    }
    return work;
}

void trainings(Frame& frame, const Settings& settings, bool timed)
{
    frame.terminal.introduce(
        "The whole model",
        "Chapter 12's transformer, trained for {} steps of 32 of its sentences, each time on "
        "the "
        "same sentences and from the same numbers. Plain loops compute the very sums of the "
        "products, one after the other, so that all losses have the same bits, until attention "
        "in one pass adds up in another order.",
        settings.n_steps);
    if (timed) {
        frame.terminal.paragraph(
            "Words are those of both languages. Shares are of the peak of as many threads, for "
            "the operations of the matrix products alone, forwards and back.");
        frame.terminal.line();
    }
    const ModelLesson lesson = model_lesson(frame.options.seed, settings.n_steps);
    const Work work = work_of(lesson);
    std::vector<std::string> header = {"rung", "its idea", "last loss", "losses"};
    if (timed) {
        header = {"rung",      "ms a step", "words/s", "of peak", "times the first",
                  "last loss", "losses"};
    }
    Table table(header);
    std::optional<ModelRun> first;
    for (const ModelRung& rung : model_ladder()) {
        const Execution own{settings.how.kernels, rung.threaded ? settings.how.n_threads : 1};
        const ModelRun run = train_model(rung, settings.how, lesson);
        first = first.value_or(run);
        std::vector<std::string> row = {rung.name};
        if (timed) {
            const auto n_steps = static_cast<double>(settings.n_steps - 1);
            row.insert(row.end(),
                       {fixed(run.seconds * 1e3 / n_steps, 2),
                        fixed(work.words / run.seconds, 0),
                        fixed(work.operations / run.seconds * 1e-7 / fma_peak(own), 0) + " %",
                        fixed(first->seconds / run.seconds, 1)});
        } else {
            row.push_back(rung.idea);
        }
        row.push_back(fixed(static_cast<double>(run.losses.back()), 4));
        row.push_back(&rung == &model_ladder().front() ? "-" : likeness(rung, run, *first));
        table.row(row);
    }
    frame.terminal.table(table);
}

void long_text(Frame& frame, const Settings& settings, bool timed)
{
    const auto megabytes = [](std::size_t bytes) {
        return fixed(static_cast<double>(bytes) * 1e-6, 0);
    };
    const LongText text = read_long_text(*settings.how.kernels, settings.n_words);
    frame.terminal.introduce("A long text",
                             "{} words are read, and as many written with teacher forcing, by "
                             "a transformer that has "
                             "learnt nothing, with attention in one pass, on one thread.",
                             settings.n_words);
    frame.terminal.paragraph(fmt::format(
        "Memory of all that was computed: {} MB. A table of the scores of one of its three "
        "attentions, which nobody wrote, would take {} MB.",
        megabytes(text.bytes), megabytes(text.scores)));
    if (timed) {
        frame.terminal.paragraph(fmt::format("Time: {} s.", significant(text.seconds, 3)));
    }
}

} // namespace

void whole_model(Frame& frame, const Settings& settings, bool timed)
{
    trainings(frame, settings, timed);
    long_text(frame, settings, timed);
}

} // namespace attn::simd_transformer::report
