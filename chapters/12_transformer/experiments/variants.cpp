#include "chapters/12_transformer/experiments/experiments.hpp"

#include "chapters/08_bahdanau/alignment_kinds.hpp"
#include "common/program/seeds.hpp"
#include "common/random/streams.hpp"
#include "common/tensor/check.hpp"
#include "common/translation/training.hpp"

#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace attn::transformer {

namespace {

/// The whole with one thing changed.
Variant with_layer(const char* name, const char* short_name, const LayerOptions& layer)
{
    return {.name = name, .short_name = short_name, .layer = layer};
}

/// Two layers each, one norm, one way to start, one rate.
Variant deep(NormPlace norm, bool warm, bool fast)
{
    const std::string place = norm == NormPlace::before ? "pre" : "post";
    return {.name = fmt::format("{}-norm, {}, {}", place, warm ? "warm-up" : "none",
                                fast ? "0.01" : "0.005"),
            .short_name =
                fmt::format("{}_{}_{}", place, warm ? "warm" : "cold", fast ? "fast" : "slow"),
            .layer = {.norm = norm},
            .n_layers = 2,
            .n_warm_up = warm ? 200U : 0U,
            .peak_rate = fast ? 1e-2 : 5e-3};
}

} // namespace

const std::vector<Variant>& ablations()
{
    static const std::vector<Variant> variants = {
        {.name = "the whole", .short_name = "whole"},
        with_layer("no residual", "no_residual", {.residual = false}),
        with_layer("no norm", "no_norm", {.norm = NormPlace::nowhere}),
        with_layer("no feed-forward", "no_forward", {.feed_forward = false}),
        {.name = "no positions", .short_name = "no_places", .positions = Positions::none},
        with_layer("no decoder self-attention", "no_past", {.self_attention = false}),
        with_layer("one head", "one_head", {.n_heads = 1}),
        {.name = "no smoothing", .short_name = "no_smoothing", .label_smoothing = 0},
        with_layer("dropout 0.1", "dropout", {.dropout = 0.1})};
    return variants;
}

const std::vector<Variant>& residual_variants()
{
    static const std::vector<Variant> variants = {
        with_layer("the encoder", "encoder_adds", {.decoder_residual = false}),
        with_layer("the decoder", "decoder_adds", {.encoder_residual = false}),
        {.name = "none, half the rate",
         .short_name = "half_rate",
         .layer = {.residual = false},
         .peak_rate = 2.5e-3},
        with_layer("none, no encoder self-attention", "no_encoder_self",
                   {.residual = false, .encoder_attention = false})};
    return variants;
}

const std::vector<Variant>& norm_variants()
{
    static const std::vector<Variant> variants = [] {
        std::vector<Variant> all;
        for (const bool fast : {false, true}) {
            for (const NormPlace norm : {NormPlace::before, NormPlace::after}) {
                for (const bool warm : {true, false}) {
                    all.push_back(deep(norm, warm, fast));
                }
            }
        }
        return all;
    }();
    return variants;
}

const Variant& variant_named(std::string_view short_name)
{
    for (const std::vector<Variant>* table :
         {&ablations(), &residual_variants(), &norm_variants()}) {
        for (const Variant& variant : *table) {
            if (variant.short_name == short_name) {
                return variant;
            }
        }
    }
    throw ContractError("variant_named: there is no variant '" + std::string(short_name) + "'");
}

TransformerOptions options_of(const Variant& variant, std::size_t n_source,
                              std::size_t n_target)
{
    return {.n_source_words = n_source,
            .n_target_words = n_target,
            .n_encoder_layers = variant.n_layers,
            .n_decoder_layers = variant.n_layers,
            .layer = variant.layer,
            .positions = variant.positions,
            .label_smoothing = variant.label_smoothing};
}

TrainedTransformer train_variant(const Variant& variant, const TranslationTask& task,
                                 const EvaluationSet& set, std::size_t n_steps,
                                 std::uint64_t seed)
{
    random::Generator rng(seed, random::Stream::transformer_dropout);
    TrainedTransformer trained{
        &variant,
        make_transformer(options_of(variant, task.source.size(), task.target.size()), seed),
        {},
        {},
        {}};
    const TranslationModel model =
        model_of(trained.transformer, {}, variant.layer.dropout > 0 ? &rng : nullptr);
    trained.losses =
        translation::train(model, task.train,
                           {.n_steps = n_steps,
                            .peak_rate = variant.peak_rate,
                            .n_warm_up = translation::brief_warm_up(variant.n_warm_up, n_steps),
                            .seed = seed},
                           {.label = variant.name, .show_progress = false});
    trained.evaluation = translation::evaluate(model, task, set);
    trained.measures = translation::measures_of(trained.evaluation, set.pairs, true);
    return trained;
}

// ---------------------------------------------------------------- all trainings

namespace {

/// Chapter 8's translator with Bahdanau's own score.
TrainedRecurrent train_recurrent(const TranslationTask& task, const EvaluationSet& set,
                                 std::size_t n_steps, std::uint64_t seed)
{
    const bahdanau::AlignmentKind& kind = bahdanau::kind_named("additive_before");
    const seq2seq::Translator<float> translator = make_translator(kind, task, seed);
    const TranslationModel model = model_of(translator);
    translation::train(model, task.train,
                       {.n_steps = n_steps, .peak_rate = kind.peak_rate, .seed = seed},
                       {.label = kind.name, .show_progress = false});
    return {model.parameters.n_numbers(), translation::evaluate(model, task, set)};
}

} // namespace

AllTrained train_all(const program::Frame& frame, const TranslationTask& task,
                     const Trainings& trainings)
{
    const bool quick = frame.options.quick;
    std::vector<std::uint64_t> seeds(quick ? 1 : trainings.n_seeds);
    std::iota(seeds.begin(), seeds.end(), frame.options.seed);
    const TranslationTask short_task = translation::short_task(
        task, frame.options.seed, quick ? quick_train : text::CorpusSizes().train);
    AllTrained trained;
    trained.set = translation::every_nth(task.pairs.test, task.test,
                                         quick ? 60 : trainings.evaluated_every());
    const EvaluationSet short_set = translation::numbered_by(short_task, trained.set.pairs);

    // Each variant, then the whole on short sentences: a row each.
    std::vector<const Variant*> variants;
    for (const auto* table : {&ablations(), &residual_variants(), &norm_variants()}) {
        for (const Variant& variant : *table) {
            variants.push_back(&variant);
        }
    }
    variants.push_back(&ablations()[0]);
    const std::size_t n_same_steps = ablations().size() + residual_variants().size();
    const auto train = [&](std::size_t row, std::uint64_t seed) {
        const bool is_short = row + 1 == variants.size();
        const bool of_norms = row >= n_same_steps && !is_short;
        return train_variant(*variants[row], is_short ? short_task : task,
                             is_short ? short_set : trained.set,
                             quick      ? 4
                             : of_norms ? trainings.norm_steps()
                                        : trainings.steps(),
                             seed);
    };
    std::vector<OfVariant> found =
        program::run_rows_with_seeds(frame, "transformers", variants.size(), seeds, train);
    trained.short_only = std::move(found.back());
    const auto residuals = found.begin() + static_cast<std::ptrdiff_t>(ablations().size());
    const auto norms = found.begin() + static_cast<std::ptrdiff_t>(n_same_steps);
    trained.ablations = {found.begin(), residuals};
    trained.residuals = {residuals, norms};
    trained.norms = {norms, found.end() - 1};
    trained.recurrent =
        program::run_rows_with_seeds(
            frame, "recurrent ones", 1, seeds,
            [&](std::size_t, std::uint64_t seed) {
                return train_recurrent(task, trained.set, quick ? 4 : trainings.steps(), seed);
            })
            .front();
    return trained;
}

} // namespace attn::transformer
