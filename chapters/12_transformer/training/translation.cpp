#include "chapters/12_transformer/training/translation.hpp"

#include "chapters/12_transformer/training/label_smoothing.hpp"
#include "common/autograd/layout.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "common/program/number.hpp"
#include "common/translation/parts.hpp"
#include "common/translation/search.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace attn::transformer {

TranslationModel model_of(const Transformer<float>& transformer, const HeadChoice& choice,
                          random::Generator* rng)
{
    const TransformerOptions& options = transformer.options();
    expect(choice.layer < options.n_decoder_layers &&
               choice.head.value_or(0) < options.layer.n_heads,
           "there is no head {} in layer {} of {} layers with {} heads",
           choice.head.value_or(0), choice.layer, options.n_decoder_layers,
           options.layer.n_heads);
    const auto own = std::make_shared<const Transformer<float>>(transformer);
    TranslationModel model;
    model.parameters = own->parameters();
    model.loss = [own, rng](const text::Batch& b) { return own->loss(b, rng); };
    model.embed = [own](const Sentences& all) { return own->embed(all); };
    model.decode_from = [own, choice](const Variable<float>& embedded,
                                      const text::Batch& batch) {
        AllWeights<float> all;
        const Variable<float> rows = own->decode(
            batch.target_input, own->encode(embedded, batch.source_lengths), nullptr, &all);
        const Variable<float> by_step = reshape(
            permute(rows, {1, 0, 2}), {batch.n_target * batch.n_pairs, rows.shape()[2]});
        const Variable<float> weights(
            translation::weights_of(choice, all.decoder[choice.layer].source));
        translation::DecoderOutput<float> written{own->logits(by_step), {}};
        for (std::size_t t = 0; t < batch.n_target; ++t) {
            written.weights.push_back(select(weights, 1, t));
        }
        return written;
    };
    model.translate = [own](const Sentences& sentences, std::size_t max_length,
                            const text::BeamOptions& beam) {
        const autograd::NoGradient<float> forwards;
        using States = std::vector<DecodingState<float>>; // [n_hypotheses]
        const auto step = [&](States states, std::span<const std::int64_t> words) {
            const Variable<float> logits(own->step(words, states));
            return translation::NextWords<float, States>{logits, std::move(states)};
        };
        const Variable<float> embedded = own->embed(sentences);
        return translation::search<float>(step, text::select_elements<DecodingState<float>>,
                                          own->begin(own->encode(embedded, sentences.lengths)),
                                          sentences.batch(), max_length, beam);
    };
    if (rng != nullptr) {
        model.state.add("dropout", *rng);
    }
    return model;
}

namespace {

// Of a file that can be believed.
constexpr std::size_t most_numbers = 4096;
constexpr std::size_t most_layers = 64;

/// Refuses a file whose large tensors are not of the sizes that it states, before a transformer
/// of these sizes asks for memory.
void expect_tensors(const translation::SavedSettings& settings,
                    const TransformerOptions& options)
{
    const std::size_t d = options.layer.d_model;
    settings.expect_shape("source.weight", {options.n_source_words, d});
    settings.expect_shape("target.weight", {options.n_target_words, d});
    for (const auto& [part, n_layers] : {std::pair("encoder", options.n_encoder_layers),
                                         std::pair("decoder", options.n_decoder_layers)}) {
        for (std::size_t i = 0; i < n_layers; ++i) {
            const std::string layer = fmt::format("{}.layers.{}.", part, i);
            settings.expect_shape(layer + "self_attn.q_proj.weight", {d, d});
            settings.expect_shape(layer + "linear1.weight", {options.layer.d_ff, d});
        }
    }
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

SavedTransformer load(const std::filesystem::path& file)
{
    const translation::SavedSettings settings(file);
    settings.choice("model", {"transformer"});
    translation::Languages languages = settings.languages();
    const std::vector<std::string> norms(norm_names.begin(), norm_names.end());
    const auto norm = std::find(norms.begin(), norms.end(), settings.choice("norm", norms));
    const LayerOptions layer = {.d_model = settings.count("d", most_numbers),
                                .n_heads = settings.count("heads", most_numbers),
                                .d_ff = settings.count("feed-forward", most_numbers),
                                .norm = static_cast<NormPlace>(norm - norms.begin())};
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
    expect_tensors(settings, options);
    Transformer<float> transformer = make_transformer(options, 1);
    nn::Parameters<float> parameters = transformer.parameters();
    nn::load_model(file, parameters);
    return {std::move(languages), std::move(transformer)};
}

namespace {

/// Learns from the reader's sentences or from the grammar's.
SavedTransformer trained(program::Frame& frame, const TranslatorRequest& request,
                         std::optional<std::size_t> n_steps,
                         const Computation<float>& computation)
{
    const translation::TrainingData lesson = training_data(request, frame.options.seed);
    const std::size_t n_words = lesson.task.target.size();
    const TransformerOptions options{.n_source_words = lesson.task.source.size(),
                                     .n_target_words = n_words};
    const auto untrained = [&] {
        Transformer<float> transformer = make_transformer(options, frame.options.seed);
        transformer.set_computation(computation);
        return transformer;
    };
    SavedTransformer made{lesson.languages(), untrained()};
    const TranslationModel whole = model_of(made.transformer);
    const bool shared = request.sharing.n_parts > 1;
    const kernels::ComputeWith threads(
        {kernels::execution().kernels,
         shared ? frame.options.threads : kernels::execution().n_threads});
    const TranslationModel model =
        shared ? whole
               : translation::in_parts(whole, {model_of(untrained()), model_of(untrained())},
                                       frame.options.threads);
    const std::size_t steps = steps_of(request, frame.options, n_steps);
    const translation::Evaluation evaluation = translation::train_one(
        frame, request, lesson, model,
        {.chapter = "12_transformer",
         .model = "transformer",
         .heading = "A transformer",
         .label = "the whole",
         .settings = settings_of(made),
         .options = {.n_steps = steps,
                     .peak_rate = 7e-3,
                     .n_warm_up = translation::brief_warm_up(200, steps),
                     .beta_2 = translation::brief_memory,
                     .seed = frame.options.seed},
         .remark = fmt::format(
             "The loss is smoothed: with {} words it cannot fall below {}.", n_words,
             program::fixed(smoothing_floor(n_words, options.label_smoothing), 3))});
    if (request.sharing.processes->is_first()) {
        made.languages.quality = translation::quality_of(evaluation);
    }
    return made;
}

} // namespace

SavedTransformer one_transformer(program::Frame& frame, const TranslatorRequest& request,
                                 std::optional<std::size_t> n_steps,
                                 const Computation<float>& computation)
{
    SavedTransformer saved =
        request.load ? load(*request.load) : trained(frame, request, n_steps, computation);
    saved.transformer.set_computation(computation);
    if (!request.sharing.processes->is_first()) {
        return saved;
    }
    if (request.reads_lines()) {
        translation::translate_lines(frame, saved.languages, [&](std::string_view sentence) {
            return translation::translate(model_of(saved.transformer), saved.languages,
                                          sentence);
        });
    } else if (request.translate) {
        for (const HeadChoice& choice :
             translation::head_choices(saved.transformer.options().layer.n_heads)) {
            const translation::Translation found = translation::with_asked_sentence([&] {
                return translate(model_of(saved.transformer, choice), saved.languages,
                                 *request.translate);
            });
            if (!choice.head) {
                translation::show_words(frame, saved.languages, found);
            }
            translation::show_weights(frame, found,
                                      choice.head ? name_of(choice) : "mean of the heads");
        }
    }
    return saved;
}

} // namespace attn::transformer
