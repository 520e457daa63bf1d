/// \file
/// \brief A transformer as the model that is trained, searched, judged and intervened in; its
/// variants and heads; copying; transformers in files.
#include "chapters/07_seq2seq/translator_training.hpp"
#include "chapters/08_bahdanau/reasons.hpp"
#include "chapters/12_transformer/copy_task.hpp"
#include "chapters/12_transformer/heads.hpp"
#include "chapters/12_transformer/kept_transformer.hpp"
#include "common/autograd/softmax.hpp"
#include "common/nn/checkpoint.hpp"
#include "common/nn/optimisers.hpp"
#include "common/program/bad_input.hpp"
#include "tests/07_seq2seq/small_task.hpp"
#include "tests/12_transformer/samples.hpp"
#include "tests/support/committed_losses.hpp"
#include "tests/support/committed_table.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
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

JudgedPart few(std::size_t every)
{
    return bahdanau::every_nth(small_task().pairs.test, small_task().test, every);
}

/// ln p of what a search has found, by teacher forcing: no caches, no beam.
double forced_log_p(const Transformer<float>& transformer,
                    const std::vector<text::WordId>& source,
                    const text::Hypothesis<seq2seq::WeightsOfStep>& found)
{
    const std::vector<text::NumberedPair> pair = {
        {source, {found.words.begin(), found.words.end()}}};
    const text::Batch batch = text::batch_of(pair, text::evaluation_plan(1, 1)[0]);
    const autograd::NoGradient<float> looking;
    const Variable<float> log_p =
        log_softmax(model_of(transformer).write(batch).logits); // [words and end, V]
    double sum = 0;
    for (std::size_t t = 0; t < found.words.size() + (found.finished ? 1U : 0U); ++t) {
        const auto word = static_cast<std::size_t>(batch.answers[t]);
        sum += static_cast<double>(log_p.value().data()[t * log_p.shape()[1] + word]);
    }
    return sum;
}

LearningOptions steps(std::size_t n)
{
    LearningOptions options;
    options.n_steps = n;
    options.look_every = 0;
    return options;
}

} // namespace

// ---------------------------------------------------------------- the fitting

TEST_CASE("the mean of the heads is the mean of the heads", "[12]")
{
    const Transformer<float> transformer = untrained(ablations()[0]);
    const JudgedPart part = few(40);
    const auto weights_of = [&](const Look& look) {
        return seq2seq::foretell(model_of(transformer, look), part.pairs, part.numbered)
            .weights;
    };
    const std::vector<Look> looks = looks_of_layer(transformer);
    REQUIRE(looks.size() == 5);
    CHECK(name_of(looks[0]) == "mean");
    CHECK(name_of(looks[4]) == "head 4");
    const auto mean = weights_of(looks[0]);
    double sum = 0; // over the heads
    for (std::size_t h = 1; h < looks.size(); ++h) {
        const auto one = weights_of(looks[h]);
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

TEST_CASE("greedy translations are right where every forced word is", "[12][train]")
{
    const Trial trial = try_variant(ablations()[0], small_task(), few(4), steps(60));
    std::size_t n_exact = 0;
    std::size_t n_forced = 0;
    for (const text::JudgedTranslation& one : trial.judgement.translations) {
        const bool forced = one.tokens.n_right == one.tokens.n_tokens;
        n_forced += forced ? 1U : 0U;
        n_exact += one.hypothesis == one.reference ? 1U : 0U;
        CHECK(forced == (one.hypothesis == one.reference));
    }
    CHECK(n_exact == n_forced);
    CHECK(trial.variant == &ablations()[0]);
    CHECK(trial.measures.tokens > 0.15);
    CHECK(trial.learnt.losses.size() == 60);
}

TEST_CASE("a search says of its sentences what teacher forcing says, a wide one of better ones",
          "[12]")
{
    const Transformer<float> transformer = untrained(ablations()[0]);
    const JudgedPart part = few(40);
    const text::Batch batch =
        text::batch_of(part.numbered, text::evaluation_plan(part.numbered.size(), 10)[0]);
    const auto narrow = translate(transformer, seq2seq::sources_of(batch), 8);
    const auto wide = translate(transformer, seq2seq::sources_of(batch), 8, {.width = 4});
    REQUIRE(narrow.size() == batch.n_pairs);
    for (std::size_t i = 0; i < narrow.size(); ++i) {
        const std::vector<text::WordId>& source = part.numbered[batch.pairs[i]].source;
        REQUIRE(narrow[i].size() == 1);
        REQUIRE(wide[i].size() == 4);
        CHECK(wide[i][0].log_probability >= narrow[i][0].log_probability - 1e-5);
        for (const auto* found : {&narrow[i], &wide[i]}) {
            for (const auto& one : *found) {
                CHECK_THAT(one.log_probability,
                           WithinAbs(forced_log_p(transformer, source, one), 1e-3));
                CHECK(one.extras.size() == one.words.size() + (one.finished ? 1U : 0U));
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
    const bahdanau::Effects mean = bahdanau::effects_of(model_of(transformer), pair, others);
    const bahdanau::Effects head =
        bahdanau::effects_of(model_of(transformer, {.head = 2}), pair, others);
    CHECK(mean.weights.shape(0) == pair.target.size());
    CHECK(mean.deletion == head.deletion); // who looks does not change what is written
    CHECK(mean.gradient == head.gradient);
    CHECK(mean.weights != head.weights);
}

// ---------------------------------------------------------------- variants

TEST_CASE("the tables of variants", "[12]")
{
    std::set<std::string> names;
    std::set<std::string> short_names;
    for (const auto* table : {&ablations(), &norm_variants()}) {
        for (const Variant& variant : *table) {
            names.insert(variant.name);
            short_names.insert(variant.short_name);
            CHECK(&variant_named(variant.short_name) == &variant);
        }
    }
    CHECK(names.size() == 17);
    CHECK(short_names.size() == 17);
    CHECK(ablations()[0].short_name == "whole");
    CHECK_THROWS_WITH(variant_named("other"), contains("'other'"));
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
    CHECK(whole.n_numbers() + 0 ==
          untrained(variant_named("one_head")).parameters().n_numbers());
}

TEST_CASE("a training with dropout differs, and the same seed gives the same one",
          "[12][train]")
{
    const auto losses = [](const char* name, std::uint64_t seed) {
        LearningOptions options = steps(3);
        options.seed = seed;
        return learn(variant_named(name), small_task(), options).losses;
    };
    const auto whole = losses("whole", 1);
    CHECK(whole == losses("whole", 1));
    CHECK(whole != losses("whole", 2));
    CHECK(losses("dropout", 1) == losses("dropout", 1));
    CHECK(losses("dropout", 1) != whole);

    // What decides on dropout does not repeat the numbers that the transformer began with.
    const ScratchFolder scratch;
    LearningOptions options = steps(0);
    options.files.save = scratch.path() / "model.safetensors";
    learn(variant_named("dropout"), small_task(), options);
    nn::Parameters<float> parameters =
        untrained(variant_named("dropout"), options.seed).parameters();
    nn::Adam<float> adam(parameters, {});
    random::Generator rng(1);
    std::vector<double> no_losses;
    nn::State<float> state;
    adam.list_state(state, "adam");
    state.add("dropout", rng);
    state.add("losses", no_losses);
    nn::load_checkpoint(*options.files.save, parameters, state);
    const float first = parameters.at("source.weight").variable.value().data()[0];
    CHECK(std::abs(rng.normal() / 8 - static_cast<double>(first)) > 1e-6); // 8 is the root of d
}

TEST_CASE("a brief training keeps a third of its steps for the fall of the rate", "[12]")
{
    CHECK(warm_up_of(ablations()[0], 2000) == 200);
    CHECK(warm_up_of(variant_named("post_warm_fast"), 300) == 200);
    CHECK(warm_up_of(variant_named("post_warm_fast"), 200) == 133);
    CHECK(warm_up_of(variant_named("post_cold_fast"), 200) == 0);
    CHECK(warm_up_of(ablations()[0], 1) == 0);
}

TEST_CASE("means of losses", "[12]")
{
    CHECK(means_of({1, 3, 5, 7, 100}, 2) == std::vector<double>{2, 6});
    CHECK(means_of({1, 3, 5, 7}, 2) == std::vector<double>{2, 6});
    CHECK(means_of({1}, 2).empty());
    CHECK_THROWS_AS(means_of({1}, 0), ContractError);
}

TEST_CASE("the head with the lowest error on the validation sentences is chosen", "[12]")
{
    const Transformer<float> transformer = untrained(ablations()[0]);
    const JudgedPart part = few(40);
    const JudgedPart other = few(35);
    std::vector<HeadMeasures> measures = measure_heads(transformer, part, other);
    REQUIRE(measures.size() == 5);
    CHECK(!measures[0].look.head);
    CHECK(measures[1].validation_error != measures[1].test.alignment_error);
    CHECK_THAT(measure_heads(transformer, other, part)[1].test.alignment_error,
               WithinAbs(measures[1].validation_error, 1e-12)); // of the same sentences
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

TEST_CASE("a transformer copies after a second of training", "[12][train]")
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

    const CopyTrial trial = try_copying({.length = 6, .n_steps = 250, .n_test = 50});
    CHECK(trial.words > 0.99);
    CHECK(trial.exact > 0.95);
    CHECK(trial.on_place > 0.4);
    const CopyTrial nothing = try_copying({.length = 6, .n_steps = 1, .n_test = 50});
    CHECK(nothing.exact < 0.1);
}

// ---------------------------------------------------------------- files

TEST_CASE("a transformer in a file translates with the same bits", "[12]")
{
    const ScratchFolder scratch;
    const TranslationTask& task = small_task();
    const KeptTransformer kept{task.source, task.target, text::Normalisation::gentle,
                               task.max_length, untrained(ablations()[0])};
    keep(scratch.path() / "kept.safetensors", kept);
    const KeptTransformer again = take_up(scratch.path() / "kept.safetensors");
    CHECK(again.source.to_text() == kept.source.to_text());
    CHECK(again.max_length == kept.max_length);
    CHECK(settings_of(again) == settings_of(kept));
    const auto sentence = "The king's car is here.";
    const bahdanau::Translation a = translate(kept, sentence);
    const bahdanau::Translation b = translate(again, sentence);
    CHECK(a.target == b.target);
    CHECK(a.weights == b.weights);
    CHECK(a.log_probability == b.log_probability);
    const bahdanau::Translation head = translate(again, sentence, {.head = 1});
    CHECK(head.target == a.target);
    CHECK(head.source == text::Words{"the", "king", "'s", "car", "is", "here", "."});
    CHECK_THROWS_WITH(translate(kept, "the zebra ."), contains("no zebra"));
    CHECK_THROWS_WITH(translate(kept, " "), contains("no words"));

    KeptTransformer endless = kept;
    endless.max_length = 100'001;
    CHECK_THROWS_WITH(settings_of(endless), contains("100001 words are too long"));
    CHECK_THROWS_AS(take_up(scratch.path() / "none.safetensors"), program::BadInput);
    std::ofstream(scratch.path() / "bad.safetensors") << "nothing of the kind";
    CHECK_THROWS_AS(take_up(scratch.path() / "bad.safetensors"), program::BadInput);
    const auto with = [&](const char* name, const char* value) {
        nn::Settings settings = settings_of(kept);
        settings[name] = value;
        nn::save_model(scratch.path() / "other.safetensors", kept.transformer.parameters(),
                       settings);
        return scratch.path() / "other.safetensors";
    };
    CHECK_THROWS_WITH(take_up(with("model", "translator")), contains("'model'"));
    CHECK_THROWS_WITH(take_up(with("norm", "sometimes")), contains("'norm'"));
    CHECK_THROWS_WITH(take_up(with("heads", "5")), contains("5 heads"));
    CHECK_THROWS_WITH(take_up(with("d", "32")),
                      contains("'source.weight'") && contains("64") && contains("32"));
    CHECK_THROWS_WITH(take_up(with("d", "4096")), contains("'source.weight'"));
    CHECK_THROWS_WITH(take_up(with("feed-forward", "4096")), contains("linear1.weight"));
    CHECK_THROWS_WITH(take_up(with("encoder layers", "64")), contains("encoder.layers.1"));
    CHECK_THROWS_WITH(take_up(with("decoder layers", "2")), contains("decoder.layers.1"));
    CHECK_THROWS_WITH(take_up(with("encoder layers", "0")), contains("encoder layers"));
    nn::save_model(scratch.path() / "other.safetensors", kept.transformer.parameters());
    CHECK_THROWS_WITH(take_up(scratch.path() / "other.safetensors"),
                      contains("'model'") && contains("--save"));
}

// ---------------------------------------------------------------- the committed training

TEST_CASE("the first losses are those committed", "[12][train]")
{
    const std::vector<double> committed =
        committed_table("trained_first_losses.csv").column("whole");
    REQUIRE(committed.size() == 100);
    // The rate rises for 200 steps if there are at least 300 in all.
    const Learnt learnt = learn(ablations()[0], seq2seq::grammar_task(1), steps(300));
    check_first_losses(learnt.losses, committed);
    CHECK(committed[0] > 5); // about ln 270: a guess
    CHECK(committed[99] < 3.5);
}
