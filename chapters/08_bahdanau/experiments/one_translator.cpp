#include "chapters/08_bahdanau/experiments/experiments.hpp"

#include "chapters/08_bahdanau/interventions.hpp"
#include "common/program/bad_input.hpp"
#include "common/translation/parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace attn::bahdanau {

namespace {

constexpr std::size_t most_numbers = 4096; // of a file that can be believed

/// The longest source that a kind with keys of positions has one for; 1 for all others.
std::size_t n_positions_of(const Translator<float>& translator)
{
    for (const nn::NamedParameter<float>& one : translator.context().parameters) {
        if (one.name == "positions.weight") {
            return one.variable.shape()[1];
        }
    }
    return 1;
}

} // namespace

nn::Settings settings_of(const SavedTranslator& saved)
{
    const std::size_t n_positions = n_positions_of(saved.translator);
    nn::Settings settings = translation::settings_of(saved.languages, n_positions);
    settings.insert({{"kind", saved.kind},
                     {"embedding", std::to_string(saved.sizes.d_embedding)},
                     {"hidden", std::to_string(saved.sizes.hidden)},
                     {"positions", std::to_string(n_positions)}});
    return settings;
}

SavedTranslator load(const std::filesystem::path& file)
{
    const translation::SavedSettings settings(file);
    std::vector<std::string> names;
    for (const AlignmentKind& kind : alignment_kinds()) {
        names.push_back(kind.short_name);
    }
    const AlignmentKind& kind = kind_named(settings.choice("kind", names));
    Languages languages = settings.languages();
    const TranslatorSizes sizes = {settings.count("embedding", most_numbers),
                                   settings.count("hidden", most_numbers)};
    if (sizes.hidden % 2 != 0) {
        settings.refuse(
            "hidden",
            fmt::format("two directions share the numbers, so {} must be even", sizes.hidden));
    }
    random::Generator generator(1);
    Translator<float> translator =
        make_translator(kind, sizes, languages.source.size(), languages.target.size(),
                        settings.count("positions", translation::most_words), generator);
    nn::Parameters<float> parameters = translator.parameters();
    nn::load_model(file, parameters);
    return {kind.short_name, sizes, std::move(languages), std::move(translator)};
}

text::Words words_to_read(const SavedTranslator& saved, std::string_view sentence)
{
    text::Words words = translation::words_to_read(saved.languages, sentence);
    const std::size_t n_positions = n_positions_of(saved.translator);
    if (n_positions > 1 && words.size() > n_positions) {
        throw program::BadInput(
            fmt::format("{} words are more than the {} positions that the translator "
                        "knows",
                        words.size(), n_positions));
    }
    return words;
}

Translation translate(const SavedTranslator& saved, std::string_view sentence)
{
    words_to_read(saved, sentence); // or it is refused
    return translation::translate(model_of(saved.translator), saved.languages, sentence);
}

SavedTranslator train_translator(program::Frame& frame, const Request& request,
                                 const Trainings& trainings)
{
    constexpr TranslatorSizes readers_sizes = {64, 128}; // real sentences need more than ours
    const translation::TrainingData data =
        translation::training_data(request, frame.options.seed);
    AlignmentKind kind = kind_named(request.kind);
    if (data.readers) {
        kind.sizes = readers_sizes;
        kind.peak_rate = std::min(kind.peak_rate, 5e-3);
    }
    const auto untrained = [&] { return make_translator(kind, data.task, frame.options.seed); };
    SavedTranslator made{kind.short_name, kind.sizes, data.languages(), untrained()};
    if (request.translate && !request.reads_lines()) {
        translation::with_asked_sentence( // or it is refused now
            [&] { words_to_read(made, *request.translate); });
    }
    const TranslationModel model = translation::in_parts(
        model_of(made.translator), {model_of(untrained()), model_of(untrained())},
        frame.options.threads);
    const translation::Evaluation evaluation =
        translation::train_one(frame, request, data, model,
                               {.chapter = "08_bahdanau",
                                .model = "translator",
                                .heading = kind.name,
                                .label = kind.name,
                                .settings = settings_of(made),
                                .options = {.n_steps = translation::steps_of(
                                                request, frame.options, trainings.n_steps),
                                            .peak_rate = kind.peak_rate,
                                            .beta_2 = translation::brief_memory,
                                            .seed = frame.options.seed}});
    made.languages.quality = translation::quality_of(evaluation);
    return made;
}

namespace {

/// The weights of a translation, of each step that wrote a word and of that which ended it.
program::ExploredAttention explored(const SavedTranslator& saved, const Translation& found)
{
    const autograd::NoGradient<float> forwards;
    const TranslationModel model = model_of(saved.translator);
    text::NumberedPair pair;
    const auto written = model.decode(translation::batch_of(saved.languages, found, pair));
    const std::size_t n_source = pair.source.size();
    program::ExploredAttention one{.name = "attention"};
    one.weights = Array<float>::from_shape({1, 1, written.weights.size(), n_source});
    for (std::size_t t = 0; t < written.weights.size(); ++t) {
        std::copy_n(written.weights[t].value().data(), n_source,
                    one.weights.data() + t * n_source);
    }
    translation::name_words(one, found, deletion_drops(model, pair));
    return one;
}

} // namespace

void show_translation(program::Frame& frame, const SavedTranslator& translator,
                      const Request& request)
{
    if (request.explore && !kind_named(translator.kind).attends) {
        throw program::BadInput("--explore: this kind of translator has no weights to show");
    }
    if (request.reads_lines()) {
        translation::translate_lines(
            frame, translator.languages,
            [&](std::string_view sentence) { return translate(translator, sentence); });
        return;
    }
    const Translation found = translation::with_asked_sentence(
        [&] { return translate(translator, *request.translate); });
    translation::show_words(frame, translator.languages, found);
    if (kind_named(translator.kind).attends) {
        translation::show_weights(frame, found);
    }
    if (request.explore) {
        translation::write_explorer(frame, *request.explore, found,
                                    {explored(translator, found)});
    }
}

} // namespace attn::bahdanau
