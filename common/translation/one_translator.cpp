#include "common/translation/one_translator.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/command_line.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/files.hpp"
#include "common/program/heat_map.hpp"
#include "common/program/number.hpp"
#include "common/program/text.hpp"
#include "common/text/nearest_words.hpp"
#include "common/text/sentence_pair.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <limits>
#include <numeric>
#include <utility>

namespace attn::translation {

using program::BadInput;

SavedSettings::SavedSettings(const std::filesystem::path& file)
    : file_(file), content_(storage::read_safetensors(file))
{
}

std::string SavedSettings::where(const std::string& name) const
{
    return fmt::format("{}, '{}'", program::in_quotes(file_.string(), program::longest_path),
                       name);
}

std::string SavedSettings::text(const std::string& name) const
{
    const auto found = content_.metadata().find(name);
    if (found == content_.metadata().end()) {
        throw BadInput(fmt::format("{} is missing: it was not written by --save of this "
                                   "program",
                                   where(name)));
    }
    return found->second;
}

std::size_t SavedSettings::count(const std::string& name, std::size_t at_most) const
{
    return static_cast<std::size_t>(program::parse_count(text(name), where(name), 1, at_most));
}

std::string SavedSettings::choice(const std::string& name,
                                  const std::vector<std::string>& choices) const
{
    return program::parse_choice(text(name), where(name), choices);
}

Languages SavedSettings::languages() const
{
    const auto vocabulary = [this](const std::string& name) {
        return text::Vocabulary::from_text(text(name), where(name));
    };
    Languages languages{vocabulary("source words"), vocabulary("target words"),
                        choice("normalisation", {"gentle", "tutorial"}) == "tutorial"
                            ? text::Normalisation::tutorial
                            : text::Normalisation::gentle,
                        count("longest translation", most_words)};
    if (content_.metadata().contains("quality")) { // neither stopped trainings nor old files
        languages.quality = text("quality");
        if (!program::is_printable(languages.quality)) {
            refuse("quality", program::in_quotes(languages.quality) + " is no sentence");
        }
    }
    return languages;
}

void SavedSettings::expect_shape(const std::string& tensor, const Shape& shape) const
{
    const Shape& found = content_.at(tensor).shape;
    if (found != shape) {
        refuse(tensor,
               fmt::format("the shape is {}, by the file's own settings {}", found, shape));
    }
}

void SavedSettings::refuse(const std::string& name, const std::string& why) const
{
    throw BadInput(where(name) + ": " + why);
}

nn::Settings settings_of(const Languages& languages, std::size_t longest_source)
{
    if (std::max(languages.max_length, longest_source) > most_words) {
        throw BadInput(fmt::format("sentences of {} words are too long to be learnt from, the "
                                   "limit is {}",
                                   std::max(languages.max_length, longest_source), most_words));
    }
    const bool tutorial = languages.normalisation == text::Normalisation::tutorial;
    return {{"source words", languages.source.to_text()},
            {"target words", languages.target.to_text()},
            {"normalisation", tutorial ? "tutorial" : "gentle"},
            {"longest translation", std::to_string(languages.max_length)}};
}

namespace {

/// Unknown words, each with the known ones that are spelt nearly so: "zebra, cta (cat?)".
std::string with_nearest_words(const text::Words& unknown, const text::Vocabulary& known)
{
    std::vector<std::string> named;
    for (const std::string& word : unknown) {
        const std::vector<std::string> nearest = text::nearest_words(word, known.words());
        named.push_back(
            nearest.empty() ? word : fmt::format("{} ({}?)", word, fmt::join(nearest, ", ")));
    }
    return fmt::format("{}", fmt::join(named, ", "));
}

} // namespace

text::Words words_to_read(const Languages& languages, std::string_view sentence)
{
    text::Words words = text::normalised_words(sentence, languages.normalisation);
    if (words.empty()) {
        throw BadInput("there are no words in the sentence");
    }
    const std::array<std::string_view, 4> ends = {".", "!", "?", "…"};
    if (languages.source.find(ends[0]) &&
        std::find(ends.begin(), ends.end(), words.back()) == ends.end()) {
        words.emplace_back(ends[0]);
    }
    const text::Words unknown = languages.source.unknown_words(words);
    if (!unknown.empty() && !languages.source.has_unknown()) {
        throw UnknownWords(fmt::format("the sentences to learn from have no {}",
                                       with_nearest_words(unknown, languages.source)));
    }
    return words;
}

Translation translate(const TranslationModel& model, const Languages& languages,
                      std::string_view sentence)
{
    text::Words source = words_to_read(languages, sentence);
    const std::vector<text::WordId> ids = languages.source.encode(source);
    const std::vector<std::size_t> lengths = {ids.size()};
    const text::Hypothesis found =
        model.translate({ids, lengths, ids.size()}, languages.max_length, {.width = 1})[0][0];
    const text::NumberedPair pair{ids, {found.words.begin(), found.words.end()}};
    Translation translation{std::move(source),
                            languages.target.decode(pair.target),
                            {},
                            found.log_probability,
                            found.finished};

    // The weights of the steps that wrote these words, all at once.
    const autograd::NoGradient<float> forwards;
    const auto written = model.decode(text::batch_of({&pair, 1}, std::vector<std::size_t>{0}));
    for (std::size_t t = 0; t < pair.target.size(); ++t) {
        const float* const row = written.weights[t].value().data();
        translation.weights.emplace_back(row, row + ids.size());
    }
    return translation;
}

// ---------------------------------------------------------------- as a reader asks for it

bool TranslatorRequest::any() const
{
    return translate || words || files.save || files.resume || load || corpus.corpus;
}

namespace {

/// For messages: what the model is called, and that it is asked by --translate.
nn::OneModelWords translator_words(const std::string& model)
{
    return {model, "--translate --words", "translate", corpus_names};
}

} // namespace

void add_translator_options(program::CommandLine& command_line, TranslatorRequest& request,
                            const std::string& model)
{
    command_line.add_flag("--words", request.words,
                          "prints the words that --translate can read, without a training");
    nn::add_training_options(command_line, request.files);
    command_line.add_input("--load", request.load, "FILE",
                           "with --translate: takes one that --save has kept");
    add_corpus_options(command_line, request.corpus);
    nn::add_one_model_rules(command_line, translator_words(model));
    command_line.exclude("--words", "--translate --save --resume --explore --steps",
                         "it lists words and trains nothing");
}

void add_explore_option(program::CommandLine& command_line, TranslatorRequest& request)
{
    command_line.add_output("--explore", request.explore, "FILE.html",
                            "with --translate: a page that shows all weights");
    command_line.need("--explore", "--translate",
                      "it shows how a sentence is translated; give one by --translate");
}

void expect_explorable(const TranslatorRequest& request)
{
    if (request.explore && request.reads_lines()) {
        throw BadInput("--explore: it shows how one sentence is translated; give it by "
                       "--translate");
    }
}

void show_known_words(program::Frame& frame, const TranslatorRequest& request)
{
    const text::Vocabulary known = request.load
                                       ? SavedSettings(*request.load).languages().source
                                       : training_data(request, frame.options.seed).task.source;
    std::vector<std::string> words(known.words().begin(), known.words().end());
    std::sort(words.begin(), words.end());
    frame.terminal.words(words);
}

Languages TrainingData::languages() const
{
    return {task.source, task.target, normalisation, task.max_length};
}

TrainingData training_data(const TranslatorRequest& request, std::uint64_t seed)
{
    const text::Normalisation normalisation = corpus_options(request.corpus).normalisation;
    if (!request.corpus.corpus) {
        return {grammar_task(seed), {}, normalisation};
    }
    ReadersSentences read = read_sentences(request.corpus);
    return {read.task, std::move(read), normalisation};
}

std::size_t steps_of(const TranslatorRequest& request, const program::CommonOptions& options,
                     std::optional<std::size_t> n_steps)
{
    const std::size_t steps =
        n_steps.value_or(request.corpus.corpus ? readers_steps : grammar_steps);
    return options.quick ? std::min<std::size_t>(steps, 20) : steps;
}

namespace {

/// A number that is another one for other sentences, or the same in another order: what a training
/// that is resumed has to agree on.
std::uint64_t checksum_of(const std::vector<text::SentencePair>& pairs)
{
    std::uint64_t sum = 0;
    for (const text::SentencePair& pair : pairs) {
        sum = 31 * (31 * sum + text::hash_of(pair.source)) + text::hash_of(pair.target);
    }
    return sum;
}

/// Refuses a sentence that the training could not teach to read: an unknown word can be read only
/// if there were rare ones to learn from.
void expect_known(const std::string& sentence, const TrainingData& data,
                  const TranslatorRequest& request)
{
    const text::Words words =
        with_asked_sentence([&] { return words_to_read(data.languages(), sentence); });
    const text::Words unknown = data.task.source.unknown_words(words);
    if (!unknown.empty() && request.corpus.min_frequency == 1) {
        throw BadInput(
            fmt::format("--translate: the sentences to learn from have no {}; --words lists "
                        "what they have, "
                        "and from --min-frequency 2 on other words can be read as unknown ones",
                        with_nearest_words(unknown, data.task.source)));
    }
}

/// Prints what became of a reader's lines.
void show_lines(program::Frame& frame, const CorpusRequest& request,
                const ReadersSentences& read)
{
    frame.terminal.heading("Your sentences");
    frame.terminal.paragraph(fmt::format(
        "{}: {} pairs to use; {} to learn from, {} to validate on, {} to test on. {} numbers "
        "for words of the source, {} for those of the translation.",
        std::filesystem::path(*request.corpus).filename().string(), read.n_pairs,
        read.task.train.size(), read.task.validation.size(), read.task.test.size(),
        read.task.source.size(), read.task.target.size()));
    for (const std::string& reason : read.report.reasons()) {
        frame.terminal.paragraph("Left out: " + reason + ".");
    }
}

/// Prints how the loss fell, and keeps all of it.
void show_losses(program::Frame& frame, const std::vector<double>& losses)
{
    frame.terminal.line();
    const std::size_t n_rows = std::min<std::size_t>(losses.size(), 8);
    program::Table table({"steps", "mean loss since the line above"});
    std::size_t from = 0;
    for (std::size_t row = 1; row <= n_rows; ++row) {
        const std::size_t to = losses.size() * row / n_rows;
        const double sum =
            std::accumulate(losses.begin() + static_cast<std::ptrdiff_t>(from),
                            losses.begin() + static_cast<std::ptrdiff_t>(to), 0.0);
        table.row(
            {std::to_string(to), program::fixed(sum / static_cast<double>(to - from), 3)});
        from = to;
    }
    frame.terminal.table(table);
    std::vector<double> steps(losses.size());
    std::iota(steps.begin(), steps.end(), 1.0);
    frame.files.write_csv("trained_readers_losses.csv",
                          program::CsvColumns()
                              .add("step", steps, program::significant, 9)
                              .add("loss", losses, program::significant, 6));
}

/// Prints the quality on a reader's test sentences, and ten of them.
void show_quality(program::Frame& frame, const EvaluationSet& part,
                  const Evaluation& evaluation)
{
    const text::TranslationCounts all = text::counts_by_length(evaluation.translations).all;
    frame.terminal.line();
    program::Table table({"test pairs", "words right", "perplexity", "exact match", "BLEU"});
    table.row({std::to_string(all.n_sentences), program::fixed(all.token_accuracy(), 3),
               program::fixed(all.tokens.perplexity(), 1), program::fixed(all.exact_match(), 3),
               program::fixed(100 * all.bleu(), 1)});
    frame.terminal.table(table);
    frame.terminal.line();
    constexpr std::size_t n_shown = 10;
    const std::size_t n = evaluation.translations.size();
    for (std::size_t i = 0; i < std::min(n_shown, n); ++i) {
        const std::size_t index = i * n / std::min(n_shown, n); // evenly taken
        frame.terminal.line(i == 0 ? "Some of them, with their references:" : "");
        report::show_translation(frame, part.pairs[index].source,
                                 evaluation.translations[index]);
    }
}

} // namespace

EvaluationSet evaluated_part(const TranslationTask& task, std::size_t n)
{
    return every_nth(task.pairs.test, task.test,
                     std::max<std::size_t>(task.test.size() / n, 1));
}

std::string quality_of(const Evaluation& evaluation)
{
    const std::vector<text::LengthBucket> up_to_14 = {{1, 14}};
    const text::CountsByLength counts =
        text::counts_by_length(evaluation.translations, up_to_14);
    const text::TranslationCounts& short_ones = counts.buckets[0].counts;
    const auto share = [](const text::TranslationCounts& some) {
        return program::fixed(100 * some.exact_match(), 1);
    };
    return fmt::format(
        "Of {} sentences that it has not seen, this translator gets {} % right to the last "
        "word{}; BLEU {}.",
        counts.all.n_sentences, share(counts.all),
        short_ones.n_sentences > 0
            ? fmt::format(" ({} % of those of up to 14 words)", share(short_ones))
            : "",
        program::fixed(100 * counts.all.bleu(), 1));
}

Evaluation train_one(program::Frame& frame, const TranslatorRequest& request,
                     const TrainingData& data, const TranslationModel& model,
                     const OneTraining& how)
{
    if (request.translate && !request.reads_lines()) {
        expect_known(*request.translate, data, request);
    }
    if (request.files.resume) {
        program::OpenFile(*request.files.resume); // or it is refused before a folder is made
    }
    const bool is_first = request.sharing.processes->is_first();
    if (data.readers && is_first) {
        frame.files.require_writable();
        show_lines(frame, request.corpus, *data.readers);
    }
    nn::Settings settings = how.settings; // what must be the same when it is resumed
    settings.insert(
        {{"chapter", how.chapter},
         {"seed", std::to_string(how.options.seed)},
         {"steps", std::to_string(how.options.n_steps)},
         {"sentences", fmt::format("{:016x}", checksum_of(data.task.pairs.train))}});
    nn::add_settings(request.sharing, settings);
    const auto training = [&] {
        return train(model, data.task.train, how.options,
                     {.label = how.label,
                      .files = request.files,
                      .settings = settings,
                      .sharing = request.sharing});
    };
    const std::vector<double> losses =
        how.loadable ? nn::train_loadable(translator_words(how.model), request.files, training)
                     : training();
    if (!is_first) {
        return {};
    }
    const std::size_t all = data.task.test.size();
    const EvaluationSet part = data.readers
                                   ? evaluated_part(data.task)
                                   : evaluated_part(data.task, frame.options.quick ? 100 : all);
    Evaluation evaluation = evaluate(model, data.task, part);
    if (data.readers) {
        frame.terminal.heading(how.heading);
        show_losses(frame, losses);
        if (!how.remark.empty()) {
            frame.terminal.paragraph(how.remark);
        }
        show_quality(frame, part, evaluation);
    }
    if (request.files.save && how.loadable) {
        settings = how.settings; // without what only a training needs
        settings.insert({"quality", quality_of(evaluation)});
        nn::save_model(*request.files.save, model.parameters, settings);
        frame.terminal.line();
        frame.terminal.paragraph("kept in " + *request.files.save);
    }
    return evaluation;
}

std::string why_not_read(const BadInput& error)
{
    return std::string(error.what()) + (dynamic_cast<const UnknownWords*>(&error) != nullptr
                                            ? "; --words lists what they have"
                                            : "");
}

text::Batch batch_of(const Languages& languages, const Translation& found,
                     text::NumberedPair& pair)
{
    pair = {languages.source.encode(found.source), languages.target.encode(found.target)};
    return text::batch_of({&pair, 1}, std::vector<std::size_t>{0});
}

void name_words(program::ExploredAttention& one, const Translation& found, const Matrix& drops)
{
    one.key_words = found.source;
    one.query_words = found.target;
    one.query_words.emplace_back("</s>");
    if (drops.size() > 0) {
        one.drops = Matrix::from_shape({found.target.size() + 1, found.source.size()});
        one.drops.fill(std::numeric_limits<double>::quiet_NaN()); // nobody asked for the end's
        std::copy(drops.begin(), drops.end(), one.drops.begin());
    }
}

void write_explorer(program::Frame& frame, const std::string& file, const Translation& found,
                    const std::vector<program::ExploredAttention>& attentions)
{
    program::write_explorer(
        file, text::text_of(found.source) + " → " + text::text_of(found.target), attentions);
    frame.terminal.line();
    frame.terminal.paragraph("to be explored in " + file);
}

namespace {

/// Prints how good the translator is that answers.
void show_quality(program::Frame& frame, const Languages& languages)
{
    frame.terminal.paragraph(languages.quality.empty()
                                 ? "How well this translator translates was not measured."
                                 : languages.quality);
}

/// Translates one line of standard input and prints it; a warning instead if it cannot be read.
/// \returns whether it could be
bool translate_line(program::Frame& frame, std::string_view line, std::size_t number,
                    const std::function<Translation(std::string_view)>& translate_one)
{
    try {
        const Translation found = translate_one(line);
        frame.terminal.line(text::text_of(found.source) + " → " + text::text_of(found.target) +
                            (found.finished ? "" : " (cut off)"));
        return true;
    } catch (const BadInput& error) {
        frame.terminal.warn(fmt::format("line {}: {}", number, why_not_read(error)));
        return false;
    }
}

} // namespace

void translate_lines(program::Frame& frame, const Languages& languages,
                     const std::function<Translation(std::string_view)>& translate_one)
{
    frame.terminal.heading("Your sentences");
    show_quality(frame, languages);
    frame.terminal.line();
    std::size_t number = 0; // of the line
    std::size_t n_read = 0;
    std::size_t n_refused = 0;
    for (std::string line; std::getline(std::cin, line);) {
        ++number;
        const std::string_view sentence =
            number == 1 ? program::without_byte_order_mark(line) : line;
        if (sentence.find_first_not_of(" \t\r") != std::string_view::npos) {
            ++n_read;
            n_refused += translate_line(frame, sentence, number, translate_one) ? 0U : 1U;
        }
    }
    if (n_read == 0) {
        throw BadInput("--translate -: there are no sentences on standard input");
    }
    if (n_refused > 0) {
        throw BadInput(fmt::format("--translate -: {} of {} sentences could not be read",
                                   n_refused, n_read));
    }
}

void show_words(program::Frame& frame, const Languages& languages, const Translation& found)
{
    frame.terminal.heading("Your sentence");
    const text::Words unknown = languages.source.unknown_words(found.source);
    if (!unknown.empty()) {
        frame.terminal.paragraph(fmt::format("Read as unknown words: {}.",
                                             with_nearest_words(unknown, languages.source)));
    }
    frame.terminal.paragraph(text::text_of(found.source));
    frame.terminal.paragraph(text::text_of(found.target));
    if (!found.finished) {
        frame.terminal.paragraph("(It found no end, and was cut off.)");
    }
    frame.terminal.line();
    show_quality(frame, languages);
}

void show_weights(program::Frame& frame, const Translation& found, const std::string& title)
{
    if (found.target.empty()) {
        return;
    }
    program::HeatMap map{Matrix::from_shape({found.target.size(), found.source.size()}),
                         found.target, "translation", "source", found.source};
    for (std::size_t t = 0; t < found.target.size(); ++t) {
        for (std::size_t j = 0; j < found.source.size(); ++j) {
            map.weights(t, j) = found.weights[t][j];
        }
    }
    frame.terminal.line();
    if (!title.empty()) {
        frame.terminal.line(title);
    }
    frame.terminal.heat_map(map);
}

} // namespace attn::translation
