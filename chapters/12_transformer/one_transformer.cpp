#include "chapters/12_transformer/one_transformer.hpp"

#include "common/nn/label_smoothing.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/number.hpp"
#include "common/program/text.hpp"
#include "common/storage/safetensors.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace attn::transformer {

namespace {

// Of a file that can be believed.
constexpr std::size_t most_numbers = 4096;
constexpr std::size_t most_layers = 64;

const std::vector<NormPlace> norm_places = {NormPlace::before, NormPlace::after,
                                            NormPlace::nowhere};

NormPlace norm_place_named(const std::string& name)
{
    for (const NormPlace place : norm_places) {
        if (name_of(place) == name) {
            return place;
        }
    }
    throw ContractError("norm_place_named: there is no '" + name + "'");
}

/// Refuses a file whose large tensors are not of the sizes that it states, before a transformer
/// of these sizes asks for memory.
void expect_tensors(const std::filesystem::path& file, const TransformerOptions& options)
{
    const storage::TensorFile tensors = storage::read_safetensors(file);
    const std::size_t d = options.layer.d_model;
    const auto check = [&](const std::string& name, const Shape& wanted) {
        const Shape& found = tensors.at(name + ".weight").shape;
        if (found != wanted) {
            throw program::BadInput(fmt::format(
                "{}, '{}.weight': the shape is {}, by the file's own settings {}",
                program::in_quotes(file.string(), program::longest_path), name, found, wanted));
        }
    };
    check("source", {options.n_source_words, d});
    check("target", {options.n_target_words, d});
    const auto check_layers = [&](const char* part, std::size_t n_layers) {
        for (std::size_t i = 0; i < n_layers; ++i) {
            const std::string layer = fmt::format("{}.layers.{}.", part, i);
            check(layer + "self_attn.q_proj", {d, d});
            check(layer + "linear1", {options.layer.d_ff, d});
        }
    };
    check_layers("encoder", options.n_encoder_layers);
    check_layers("decoder", options.n_decoder_layers);
}

} // namespace

nn::Settings settings_of(const SavedTransformer& saved)
{
    const TransformerOptions& options = saved.transformer.options();
    nn::Settings settings = translation::settings_of(saved.languages);
    settings.insert({{"model", "transformer"},
                     {"d", std::to_string(options.layer.d_model)},
                     {"heads", std::to_string(options.layer.n_heads)},
                     {"feed-forward", std::to_string(options.layer.d_ff)},
                     {"encoder layers", std::to_string(options.n_encoder_layers)},
                     {"decoder layers", std::to_string(options.n_decoder_layers)},
                     {"norm", name_of(options.layer.norm)}});
    return settings;
}

void save(const std::filesystem::path& file, const SavedTransformer& saved)
{
    nn::save_model(file, saved.transformer.parameters(), settings_of(saved));
}

SavedTransformer load(const std::filesystem::path& file)
{
    const translation::SavedSettings settings(file);
    settings.choice("model", {"transformer"});
    translation::Languages languages = settings.languages();
    std::vector<std::string> norms;
    for (const NormPlace place : norm_places) {
        norms.push_back(name_of(place));
    }
    const LayerOptions layer = {.d_model = settings.count("d", most_numbers),
                                .n_heads = settings.count("heads", most_numbers),
                                .d_ff = settings.count("feed-forward", most_numbers),
                                .norm = norm_place_named(settings.choice("norm", norms))};
    if (layer.d_model % 2 != 0 || layer.d_model % layer.n_heads != 0) {
        settings.refuse("d",
                        fmt::format("{} numbers must be even, and a multiple of the {} heads",
                                    layer.d_model, layer.n_heads));
    }
    const TransformerOptions options = {
        .n_source_words = languages.source.size(),
        .n_target_words = languages.target.size(),
        .n_encoder_layers = settings.count("encoder layers", most_layers),
        .n_decoder_layers = settings.count("decoder layers", most_layers),
        .layer = layer};
    expect_tensors(file, options);
    Transformer<float> transformer = make_transformer(options, 1);
    nn::Parameters<float> parameters = transformer.parameters();
    nn::load_model(file, parameters);
    return {std::move(languages), std::move(transformer)};
}

Translation translate(const SavedTransformer& saved, std::string_view sentence,
                      const HeadChoice& choice)
{
    return translation::translate(model_of(saved.transformer, choice), saved.languages,
                                  sentence);
}

std::size_t warm_up_of(std::size_t n_warm_up, std::size_t n_steps)
{
    return std::min(n_warm_up, 2 * n_steps / 3);
}

namespace {

/// Learns from the reader's sentences or from the grammar's.
SavedTransformer trained(program::Frame& frame, const translation::TranslatorRequest& request,
                         std::optional<std::size_t> n_steps,
                         const Computation<float>& computation)
{
    const translation::Lesson lesson = translation::lesson_of(request, frame.options.seed);
    const std::size_t n_words = lesson.task.target.size();
    const TransformerOptions options{.n_source_words = lesson.task.source.size(),
                                     .n_target_words = n_words};
    SavedTransformer made{lesson.languages(), make_transformer(options, frame.options.seed)};
    made.transformer.compute_by(computation);
    if (request.translate) { // or it is refused now
        translation::expect_known(
            translation::words_to_read(made.languages, *request.translate), lesson, request);
    }
    const std::size_t steps =
        translation::steps_of(request, frame.options, n_steps, report::chapters_steps);
    translation::train_one(
        frame, request, lesson, model_of(made.transformer),
        {.chapter = "12_transformer",
         .model = "transformer",
         .heading = "A transformer",
         .label = "the whole",
         .settings = settings_of(made),
         .options = {.n_steps = steps,
                     .n_warm_up = warm_up_of(200, steps),
                     .seed = frame.options.seed},
         .remark = fmt::format(
             "The loss is smoothed: with {} words it cannot fall below {}.", n_words,
             program::fixed(nn::smoothing_floor(n_words, options.label_smoothing), 3))});
    return made;
}

} // namespace

void report::one_transformer(program::Frame& frame,
                             const translation::TranslatorRequest& request,
                             std::optional<std::size_t> n_steps,
                             const Computation<float>& computation)
{
    SavedTransformer saved =
        request.load ? load(*request.load) : trained(frame, request, n_steps, computation);
    saved.transformer.compute_by(computation);
    if (!request.translate) {
        return;
    }
    for (const HeadChoice& choice : head_choices(saved.transformer)) {
        const Translation found = translate(saved, *request.translate, choice);
        if (!choice.head) {
            translation::show_words(frame, saved.languages, found);
        }
        translation::show_weights(frame, found,
                                  choice.head ? name_of(choice) : "mean of the heads");
    }
}

} // namespace attn::transformer
