/// \file
/// \brief The translator that a reader asks for as programs print it, here and in chapter 12: the
/// lines, the losses, the quality, a translation. Deliberately without a training.
#pragma once

#include "chapters/08_bahdanau/comparison.hpp"
#include "chapters/08_bahdanau/kept_translator.hpp"
#include "chapters/08_bahdanau/readers_translator.hpp"
#include "common/program/atomic_file.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/heat_map.hpp"
#include "common/program/number.hpp"
#include "common/program/run.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

namespace attn::bahdanau::report {

/// Refuses a sentence before the training that could not teach its words: an unknown word can
/// be read only if there were rare ones to learn from.
/// \param words          of the sentence
/// \param source         the vocabulary
/// \param min_frequency  rarer words are unknown ones
/// \throws BadInput naming the words
inline void expect_known(const text::Words& words, const text::Vocabulary& source,
                         std::size_t min_frequency)
{
    const text::Words unknown = source.unknown_words(words);
    if (!unknown.empty() && min_frequency == 1) {
        throw program::BadInput(fmt::format(
            "--translate: the sentences to learn from have no {}; from --min-frequency 2 on "
            "such words can be read as unknown ones",
            fmt::join(unknown, ", ")));
    }
}

/// Prints what became of a reader's lines.
/// \param frame     the program's terminal
/// \param question  with a corpus
/// \param read      its sentences
inline void show_lines(program::Frame& frame, const seq2seq::ReadersQuestion& question,
                       const seq2seq::ReadersSentences& read)
{
    frame.terminal.heading("Your sentences");
    frame.terminal.paragraph(fmt::format(
        "{}: {} pairs to use; {} to learn from, {} to validate on, {} to test on. {} numbers "
        "for words of the source, {} for those of the translation.",
        std::filesystem::path(*question.corpus).filename().string(), read.n_pairs,
        read.task.train.size(), read.task.validation.size(), read.task.test.size(),
        read.task.source.size(), read.task.target.size()));
    for (const std::string& reason : read.report.reasons()) {
        frame.terminal.paragraph("Left out: " + reason + ".");
    }
}

/// Finds out before a training what cannot be used, and prints what became of a reader's lines.
/// \param frame    the program's terminal and files
/// \param request  what is wanted
/// \param lesson   of the request
/// \throws BadInput if the file of --resume or the folder of files cannot be used
inline void begin_lesson(program::Frame& frame, const ReadersTranslator& request,
                         const Lesson& lesson)
{
    if (request.files.resume) {
        program::read_file(*request.files.resume);
    }
    if (lesson.readers) {
        frame.files.require_writable();
        show_lines(frame, request.corpus, *lesson.readers);
    }
}

/// Prints how the loss fell, and keeps all of it.
/// \param frame   the program's terminal and files
/// \param losses  [n_steps]
inline void show_losses(program::Frame& frame, const std::vector<double>& losses)
{
    frame.terminal.line();
    const std::size_t n_rows = std::min<std::size_t>(losses.size(), 8);
    program::Table table({"steps", "mean loss since the line above"});
    std::size_t from = 0;
    for (std::size_t row = 1; row <= n_rows; ++row) {
        const std::size_t to = losses.size() * row / n_rows;
        double sum = 0;
        for (std::size_t i = from; i < to; ++i) {
            sum += losses[i];
        }
        table.row(
            {std::to_string(to), program::fixed(sum / static_cast<double>(to - from), 3)});
        from = to;
    }
    frame.terminal.table(table);
    std::vector<double> steps(losses.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        steps[i] = static_cast<double>(i + 1);
    }
    frame.files.write_csv("trained_readers_losses.csv",
                          program::CsvColumns()
                              .add("step", steps, program::significant, 9)
                              .add("loss", losses, program::significant, 6));
}

/// Prints the quality on a reader's test sentences, at most about a thousand, and ten of them.
/// \param frame  the program's terminal
/// \param task   the reader's
/// \param model  trained on it
inline void show_quality(program::Frame& frame, const seq2seq::TranslationTask& task,
                         const seq2seq::TranslationModel& model)
{
    constexpr std::size_t n_judged = 1000;
    const std::size_t every = std::max<std::size_t>(task.test.size() / n_judged, 1);
    const JudgedPart part = every_nth(task.pairs.test, task.test, every);
    const Judgement judgement = judge(model, task, part.pairs, part.numbered);
    const text::TranslationCounts all = text::counts_by_length(judgement.translations).all;
    frame.terminal.line();
    program::Table table({"test pairs", "words right", "perplexity", "exact match", "BLEU"});
    table.row({std::to_string(all.n_sentences), program::fixed(all.token_accuracy(), 3),
               program::fixed(all.tokens.perplexity(), 1), program::fixed(all.exact_match(), 3),
               program::fixed(100 * all.bleu(), 1)});
    frame.terminal.table(table);
    frame.terminal.line();
    constexpr std::size_t n_shown = 10;
    const std::size_t n = judgement.translations.size();
    for (std::size_t i = 0; i < std::min(n_shown, n); ++i) {
        const std::size_t index = i * n / std::min(n_shown, n); // evenly taken
        frame.terminal.line(i == 0 ? "Some of them, with their references:" : "");
        const auto show = [&](const char* what, const text::Words& words) {
            frame.terminal.paragraph(fmt::format("{} « {} »", what, text::text_of(words)));
        };
        show("source", part.pairs[index].source);
        show("reference", judgement.translations[index].reference);
        show("translation", judgement.translations[index].hypothesis);
    }
}

/// Says where a translator was kept.
/// \param frame  the program's terminal
/// \param file   as the reader named it
inline void show_kept(program::Frame& frame, const std::string& file)
{
    frame.terminal.line();
    frame.terminal.paragraph("kept in " + file);
}

/// Prints a reader's sentence as it was read, and its translation.
/// \param frame   the program's terminal
/// \param source  the vocabulary
/// \param found   in words
inline void show_words(program::Frame& frame, const text::Vocabulary& source,
                       const Translation& found)
{
    frame.terminal.heading("Your sentence");
    const text::Words unknown = source.unknown_words(found.source);
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

/// What each word of a translation looked at.
/// \param found  at least one word
/// \returns      rows of the translation, columns of the source
inline program::HeatMap heat_map_of(const Translation& found)
{
    program::HeatMap map{Matrix::from_shape({found.target.size(), found.source.size()}),
                         found.target, "translation", "source", found.source};
    for (std::size_t t = 0; t < found.target.size(); ++t) {
        for (std::size_t j = 0; j < found.source.size(); ++j) {
            map.weights(t, j) = found.weights[t][j];
        }
    }
    return map;
}

} // namespace attn::bahdanau::report
