/// \file
/// \brief The bodies of kept_transformer.hpp.
#include "chapters/12_transformer/kept_transformer.hpp"

#include "chapters/08_bahdanau/kept_words.hpp"
#include "common/nn/checkpoint.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/number.hpp"
#include "common/program/text.hpp"
#include "common/storage/safetensors.hpp"

#include <fmt/format.h>
#include <utility>

namespace attn::transformer {

namespace {

// Of a file that can be believed.
constexpr std::size_t most_words = 100'000;
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

nn::Settings settings_of(const KeptTransformer& kept)
{
    if (kept.max_length > most_words) {
        throw program::BadInput(
            fmt::format("sentences of {} words are too long to be learnt from, the limit is {}",
                        kept.max_length, most_words));
    }
    const TransformerOptions& options = kept.transformer.options();
    return {{"model", "transformer"},
            {"d", std::to_string(options.layer.d_model)},
            {"heads", std::to_string(options.layer.n_heads)},
            {"feed-forward", std::to_string(options.layer.d_ff)},
            {"encoder layers", std::to_string(options.n_encoder_layers)},
            {"decoder layers", std::to_string(options.n_decoder_layers)},
            {"norm", name_of(options.layer.norm)},
            {"source words", kept.source.to_text()},
            {"target words", kept.target.to_text()},
            {"normalisation", bahdanau::name_of(kept.normalisation)},
            {"longest translation", std::to_string(kept.max_length)}};
}

void keep(const std::filesystem::path& file, const KeptTransformer& kept)
{
    nn::save_model(file, kept.transformer.parameters(), settings_of(kept));
}

KeptTransformer take_up(const std::filesystem::path& file)
{
    const bahdanau::KeptSettings settings(file);
    settings.choice("model", {"transformer"});
    text::Vocabulary source = settings.vocabulary("source words");
    text::Vocabulary target = settings.vocabulary("target words");
    std::vector<std::string> norms;
    for (const NormPlace place : norm_places) {
        norms.push_back(name_of(place));
    }
    const LayerOptions layer = {.d_model = settings.count("d", most_numbers),
                                .n_heads = settings.count("heads", most_numbers),
                                .d_ff = settings.count("feed-forward", most_numbers),
                                .norm = norm_place_named(settings.choice("norm", norms))};
    if (layer.d_model % 2 != 0 || layer.d_model % layer.n_heads != 0) {
        throw program::BadInput(
            fmt::format("{}, 'd': {} numbers must be even, and a multiple of the {} heads",
                        program::in_quotes(file.string(), program::longest_path), layer.d_model,
                        layer.n_heads));
    }
    const TransformerOptions options = {
        .n_source_words = source.size(),
        .n_target_words = target.size(),
        .n_encoder_layers = settings.count("encoder layers", most_layers),
        .n_decoder_layers = settings.count("decoder layers", most_layers),
        .layer = layer};
    expect_tensors(file, options);
    Transformer<float> transformer = make_transformer(options, 1);
    nn::Parameters<float> parameters = transformer.parameters();
    nn::load_model(file, parameters);
    return {std::move(source), std::move(target), settings.normalisation(),
            settings.count("longest translation", most_words), std::move(transformer)};
}

bahdanau::Translation translate(const KeptTransformer& kept, std::string_view sentence,
                                const Look& look)
{
    text::Words source = bahdanau::words_to_read(sentence, kept.normalisation, kept.source);
    const std::vector<text::WordId> ids = kept.source.encode(source);
    const std::vector<std::size_t> lengths = {ids.size()};
    const auto found = translate(kept.transformer, {ids, lengths, ids.size()}, kept.max_length,
                                 {.width = 1}, look)[0][0];
    return bahdanau::in_words(std::move(source), found, kept.target);
}

} // namespace attn::transformer
