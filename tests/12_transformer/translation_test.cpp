/// \file
/// \brief A transformer as the model that is trained, searched, evaluated and intervened in;
/// its variants and heads; copying; transformers in files.
#include "chapters/08_bahdanau/interventions.hpp"
#include "chapters/12_transformer/experiments/experiments.hpp"
#include "common/autograd/softmax.hpp"
#include "common/nn/checkpoint.hpp"
#include "common/program/bad_input.hpp"
#include "common/random/random.hpp"
#include "common/random/streams.hpp"
#include "common/translation/training.hpp"
#include "tests/12_transformer/samples.hpp"
#include "tests/common/translation/small_task.hpp"
#include "tests/support/committed_table.hpp"
#include "tests/support/program_checks.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <set>

using namespace attn;
using namespace attn::transformer;
using namespace attn::testing;
using attn::testing::contains;
using Catch::Matchers::WithinAbs;

namespace {

Transformer<float> untrained(const Variant& variant, std::uint64_t seed = 2)
{
    return make_transformer(
        options_of(variant, small_task().source.size(), small_task().target.size()), seed);
}

EvaluationSet few(std::size_t every)
{
    return translation::every_nth(small_task().pairs.test, small_task().test, every);
}

/// ln p of what a search has found, by teacher forcing: no caches, no beam.
double forced_log_p(const Transformer<float>& transformer,
                    const std::vector<text::WordId>& source, const text::Hypothesis& found)
{
    const std::vector<text::NumberedPair> pair = {
        {source, {found.words.begin(), found.words.end()}}};
    const text::Batch batch = text::batch_of(pair, text::evaluation_plan(1, 1)[0]);
    const autograd::NoGradient<float> forwards;
    const Variable<float> log_p =
        log_softmax(model_of(transformer).decode(batch).logits); // [words and end, V]
    double sum = 0;
    for (std::size_t t = 0; t < found.length(); ++t) {
        const auto word = static_cast<std::size_t>(batch.answers[t]);
        sum += static_cast<double>(log_p.value().data()[t * log_p.shape()[1] + word]);
    }
    return sum;
}

} // namespace

// ---------------------------------------------------------------- the fitting

TEST_CASE("the mean of the heads is the mean of the heads", "[12]")
{
    const Transformer<float> transformer = untrained(ablations()[0]);
    const EvaluationSet set = few(40);
    const auto weights_of = [&](const HeadChoice& choice) {
        return translation::predict(model_of(transformer, choice), set).weights;
    };
    const std::vector<HeadChoice> choices =
        translation::head_choices(transformer.options().layer.n_heads);
    REQUIRE(choices.size() == 5);
    CHECK(name_of(choices[0]) == "mean");
    CHECK(name_of(choices[4]) == "head 4");
    const auto mean = weights_of(choices[0]);
    double sum = 0; // over the heads
    for (std::size_t h = 1; h < choices.size(); ++h) {
        const auto one = weights_of(choices[h]);
        sum += one[1][0][0];
        double row = 0;
        for (const double weight : one[1][0]) {
            row += weight;
        }
        CHECK_THAT(row, WithinAbs(1, 1e-5));
    }
    CHECK_THAT(mean[1][0][0], WithinAbs(sum / 4, 1e-6));
    CHECK_THROWS_WITH(model_of(transformer, {.layer = 1}), contains("1"));
    CHECK_THROWS_WITH(model_of(transformer, {.head = 4}), contains("4"));
}

TEST_CASE("a search says of its sentences what teacher forcing says, a wide one of better ones",
          "[12]")
{
    const Transformer<float> transformer = untrained(ablations()[0]);
    const EvaluationSet set = few(40);
    const text::Batch batch =
        text::batch_of(set.numbered, text::evaluation_plan(set.numbered.size(), 10)[0]);
    const TranslationModel model = model_of(transformer);
    const auto narrow = model.translate(translation::sources_of(batch), 8, {.width = 1});
    const auto wide = model.translate(translation::sources_of(batch), 8, {.width = 4});
    REQUIRE(narrow.size() == batch.n_pairs);
    for (std::size_t i = 0; i < narrow.size(); ++i) {
        const std::vector<text::WordId>& source = set.numbered[batch.pairs[i]].source;
        REQUIRE(narrow[i].size() == 1);
        REQUIRE(wide[i].size() == 4);
        CHECK(wide[i][0].log_probability >= narrow[i][0].log_probability - 1e-5);
        for (const auto* found : {&narrow[i], &wide[i]}) {
            for (const auto& one : *found) {
                CHECK_THAT(one.log_probability,
                           WithinAbs(forced_log_p(transformer, source, one), 1e-3));
            }
        }
    }
}

TEST_CASE("interventions ask a transformer as any other model", "[12]")
{
    const Transformer<float> transformer = untrained(ablations()[0]);
    const text::NumberedPair& pair = small_task().test[30];
    random::Generator generator(1);
    const auto others = bahdanau::other_words(pair.source, small_task().source, generator);
    const translation::Effects mean = bahdanau::effects_of(model_of(transformer), pair, others);
    const translation::Effects head =
        bahdanau::effects_of(model_of(transformer, {.head = 2}), pair, others);
    CHECK(mean.weights.shape(0) == pair.target.size());
    CHECK(mean.deletion == head.deletion); // who attends does not change what is written
    CHECK(mean.gradient == head.gradient);
    CHECK(mean.weights != head.weights);
}

// ---------------------------------------------------------------- variants

TEST_CASE("the tables of variants", "[12]")
{
    std::set<std::string> names;
    std::set<std::string> short_names;
    for (const auto* table : {&ablations(), &residual_variants(), &norm_variants()}) {
        for (const Variant& variant : *table) {
            names.insert(variant.name);
            short_names.insert(variant.short_name);
            CHECK(&variant_named(variant.short_name) == &variant);
        }
    }
    CHECK(names.size() == 21);
    CHECK(short_names.size() == 21);
    CHECK(ablations()[0].short_name == "whole");
    CHECK_THROWS_WITH(variant_named("other"), contains("'other'"));
    CHECK(variant_named("post_cold_fast").n_warm_up == 0);
    CHECK(variant_named("post_cold_fast").layer.norm == NormPlace::after);
    CHECK(variant_named("post_cold_fast").peak_rate == 1e-2);
    CHECK(variant_named("pre_warm_slow").peak_rate == 5e-3);
    CHECK(variant_named("half_rate").peak_rate == 2.5e-3);
    CHECK(!variant_named("no_encoder_self").layer.encoder_attention);
}

TEST_CASE("variants start from the same numbers where they have the same matrices", "[12]")
{
    const nn::Parameters<float> whole = untrained(ablations()[0]).parameters();
    const auto other_seed = untrained(ablations()[0], 3).parameters();
    CHECK(!same_bits(whole.at("output.weight").variable.value(),
                     other_seed.at("output.weight").variable.value()));
    for (const Variant& variant : ablations()) {
        CAPTURE(variant.name);
        for (const nn::NamedParameter<float>& one : untrained(variant).parameters()) {
            CHECK(same_bits(one.variable.value(), whole.at(one.name).variable.value()));
        }
    }
    CHECK(whole.n_numbers() == untrained(variant_named("one_head")).parameters().n_numbers());
}

TEST_CASE("a training with dropout differs, and the same seed gives the same one", "[12]")
{
    const auto losses = [](const char* name, std::uint64_t seed) {
        return train_variant(variant_named(name), small_task(), few(200), 2, seed).losses;
    };
    const auto whole = losses("whole", 1);
    const auto dropout = losses("dropout", 1);
    CHECK(whole == losses("whole", 1));
    CHECK(whole != losses("whole", 2));
    CHECK(dropout == losses("dropout", 1));
    CHECK(dropout != whole);

    // What is dropped is drawn from a stream of its own, not from that of the first numbers.
    const auto first_loss = [](random::Stream stream) {
        const Transformer<float> transformer = untrained(variant_named("dropout"), 1);
        random::Generator rng(1, stream);
        return translation::train(model_of(transformer, {}, &rng), small_task().train,
                                  {.n_steps = 1}, {.show_progress = false})[0];
    };
    CHECK(dropout[0] == first_loss(random::Stream::transformer_dropout));
    CHECK(first_loss(random::Stream::transformer_dropout) !=
          first_loss(random::Stream::transformer_parameters));
}

TEST_CASE("a brief training keeps a third of its steps for the fall of the rate", "[12]")
{
    CHECK(translation::brief_warm_up(200, 2000) == 200);
    CHECK(translation::brief_warm_up(200, 300) == 200);
    CHECK(translation::brief_warm_up(200, 200) == 133);
    CHECK(translation::brief_warm_up(0, 200) == 0);
    CHECK(translation::brief_warm_up(200, 1) == 0);
}

TEST_CASE("means of losses", "[12]")
{
    CHECK(means_of({1, 3, 5, 7, 100}, 2) == std::vector<double>{2, 6});
    CHECK(means_of({1, 3, 5, 7}, 2) == std::vector<double>{2, 6}); // no block short
    CHECK(means_of({1}, 2).empty());
    CHECK_THROWS_AS(means_of({1}, 0), ContractError);
}

TEST_CASE("the head with the lowest error on the validation sentences is chosen", "[12]")
{
    const Transformer<float> transformer = untrained(ablations()[0]);
    const EvaluationSet set = few(40);
    std::vector<HeadMeasures> measures = measure_heads(transformer, set, set);
    REQUIRE(measures.size() == 5);
    CHECK(!measures[0].choice.head);
    CHECK_THAT(measures[1].validation_error,
               WithinAbs(measures[1].test.alignment_error, 1e-12)); // the same sentences
    const std::vector<HeadMeasures> other_test = measure_heads(transformer, set, few(25));
    for (std::size_t i = 0; i < measures.size(); ++i) { // who chooses has not seen the test
        CHECK(other_test[i].validation_error == measures[i].validation_error);
        CHECK(other_test[i].test.on_sure != measures[i].test.on_sure);
    }
    for (HeadMeasures& one : measures) {
        one.validation_error = 0.5;
    }
    measures[0].validation_error = 0; // the mean is no head
    measures[3].validation_error = 0.4;
    CHECK(best_head(measures) == 2);
    measures[2].validation_error = 0.4;
    CHECK(best_head(measures) == 1); // of equal ones the first
    CHECK_THROWS_AS(best_head({}), ContractError);
}

// ---------------------------------------------------------------- copying

TEST_CASE("copies are sentences of all symbols, and themselves", "[12]")
{
    random::Generator generator(1);
    const auto pairs = copies(50, 4, 3, generator);
    REQUIRE(pairs.size() == 50);
    std::set<text::WordId> symbols;
    for (const text::NumberedPair& pair : pairs) {
        CHECK(pair.source == pair.target);
        CHECK(pair.source.size() == 4);
        symbols.insert(pair.source.begin(), pair.source.end());
    }
    CHECK(symbols == std::set<text::WordId>{3, 4, 5});
}

// ---------------------------------------------------------------- files

TEST_CASE("a transformer in a file translates with the same bits", "[12]")
{
    const ScratchFolder scratch;
    const TranslationTask& task = small_task();
    const SavedTransformer saved{
        {task.source, task.target, text::Normalisation::gentle, task.max_length},
        untrained(ablations()[0])};
    nn::save_model(scratch.path() / "saved.safetensors", saved.transformer.parameters(),
                   settings_of(saved));
    const SavedTransformer again = load(scratch.path() / "saved.safetensors");
    CHECK(again.languages.source.to_text() == saved.languages.source.to_text());
    CHECK(again.languages.max_length == saved.languages.max_length);
    CHECK(settings_of(again) == settings_of(saved));
    const auto sentence = "The king's car is here.";
    const auto translate = [](const SavedTransformer& one, const char* text,
                              const HeadChoice& choice = {}) {
        return translation::translate(model_of(one.transformer, choice), one.languages, text);
    };
    const translation::Translation a = translate(saved, sentence);
    const translation::Translation b = translate(again, sentence);
    CHECK(a.target == b.target);
    CHECK(a.weights == b.weights);
    REQUIRE(a.weights.size() == a.target.size());
    for (const std::vector<double>& weights : a.weights) {
        CHECK(weights.size() == a.source.size());
        CHECK_THAT(std::accumulate(weights.begin(), weights.end(), 0.0), WithinAbs(1, 1e-5));
    }
    CHECK(a.log_probability == b.log_probability);
    const translation::Translation head = translate(again, sentence, {.head = 1});
    CHECK(head.target == a.target);
    CHECK(head.source == text::Words{"the", "king", "'s", "car", "is", "here", "."});
    CHECK_THROWS_WITH(translate(saved, "the zebra ."), contains("no zebra"));
    CHECK_THROWS_WITH(translate(saved, " "), contains("no words"));

    SavedTransformer endless = saved;
    endless.languages.max_length = 100'001;
    CHECK_THROWS_WITH(settings_of(endless), contains("100001 words are too long"));
    CHECK_THROWS_AS(load(scratch.path() / "none.safetensors"), program::BadInput);
    std::ofstream(scratch.path() / "bad.safetensors") << "nothing of the kind";
    CHECK_THROWS_AS(load(scratch.path() / "bad.safetensors"), program::BadInput);
    const auto with = [&](const char* name, const char* value) {
        nn::Settings settings = settings_of(saved);
        settings[name] = value;
        nn::save_model(scratch.path() / "other.safetensors", saved.transformer.parameters(),
                       settings);
        return scratch.path() / "other.safetensors";
    };
    CHECK_THROWS_WITH(load(with("model", "translator")), contains("'model'"));
    CHECK_THROWS_WITH(load(with("norm", "sometimes")), contains("'norm'"));
    CHECK_THROWS_WITH(load(with("heads", "5")), contains("5 heads"));
    CHECK_THROWS_WITH(load(with("d", "32")),
                      contains("'source.weight'") && contains("64") && contains("32"));
    CHECK_THROWS_WITH(load(with("d", "4096")), contains("'source.weight'"));
    CHECK_THROWS_WITH(load(with("feed-forward", "4096")), contains("linear1.weight"));
    CHECK_THROWS_WITH(load(with("encoder layers", "64")), contains("encoder.layers.1"));
    CHECK_THROWS_WITH(load(with("decoder layers", "2")), contains("decoder.layers.1"));
    CHECK_THROWS_WITH(load(with("encoder layers", "0")), contains("encoder layers"));
    nn::save_model(scratch.path() / "other.safetensors", saved.transformer.parameters());
    CHECK_THROWS_WITH(load(scratch.path() / "other.safetensors"),
                      contains("'model'") && contains("--save"));
}

// ---------------------------------------------------------------- the committed training

TEST_CASE("the first losses are those committed, and a greedy translation is right where every "
          "forced word is",
          "[12][train]")
{
    const std::vector<double> committed =
        committed_table("trained_first_losses.csv").column("whole");
    REQUIRE(committed.size() == 100);
    CHECK(committed[0] > 5); // about ln 270: a guess
    CHECK(committed[99] < 3.5);
    // The rate rises for 200 steps if there are at least 300 in all.
    const TranslationTask task = translation::grammar_task(1);
    const TrainedTransformer whole = train_variant(
        ablations()[0], task, translation::every_nth(task.pairs.test, task.test, 30), 300, 1);
    CHECK(whole.variant == &ablations()[0]);
    CHECK(whole.losses.size() == 300);
    check_first_losses(whole.losses, committed);
    CHECK(whole.measures.tokens > 0.75);
    std::size_t n_exact = 0;
    for (const text::EvaluatedTranslation& one : whole.evaluation.translations) {
        const bool exact = one.hypothesis == one.reference;
        n_exact += exact ? 1U : 0U;
        CHECK((one.tokens.n_right == one.tokens.n_tokens) == exact);
    }
    CHECK(n_exact > 0);
}
