/// \file
/// \brief The table of kinds, trainings, interventions, and translators in files.
#include "chapters/08_bahdanau/experiments/experiments.hpp"
#include "chapters/08_bahdanau/interventions.hpp"
#include "common/autograd/softmax.hpp"
#include "common/nn/checkpoint.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/interrupt.hpp"
#include "common/tensor/check.hpp"
#include "common/translation/training.hpp"
#include "tests/common/translation/small_task.hpp"
#include "tests/support/committed_table.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <fstream>
#include <set>

using namespace attn;
using namespace attn::bahdanau;
using namespace attn::testing;
using attn::testing::contains;
using Catch::Matchers::WithinAbs;

namespace {

SavedTranslator untrained(const std::string& kind_name)
{
    const AlignmentKind& kind = kind_named(kind_name);
    const TranslationTask& task = small_task();
    return {kind.short_name,
            kind.sizes,
            {task.source, task.target, text::Normalisation::gentle, task.max_length},
            make_translator(kind, task, 2)};
}

/// Whether two translators have the same parameters, to the bit.
bool same_parameters(const Translator<float>& a, const Translator<float>& b)
{
    const nn::Parameters<float> of_a = a.parameters();
    const nn::Parameters<float> of_b = b.parameters();
    return std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                      [](const auto& one, const auto& other) {
                          return one.name == other.name &&
                                 same_bits(one.variable.value(), other.variable.value());
                      });
}

} // namespace

TEST_CASE("the table of kinds", "[08]")
{
    std::set<std::string> names;
    std::set<std::string> short_names;
    for (const AlignmentKind& kind : alignment_kinds()) {
        CAPTURE(kind.name);
        names.insert(kind.name);
        short_names.insert(kind.short_name);
        CHECK(kind.attends == (kind.short_name != "none"));
        CHECK(&kind_named(kind.short_name) == &kind);
        const Translator<float> translator = make_translator(kind, small_task(), 2);
        CHECK(same_parameters(translator, make_translator(kind, small_task(), 2)));
        CHECK(!same_parameters(translator, make_translator(kind, small_task(), 3)));
    }
    CHECK(names.size() == alignment_kinds().size());
    CHECK(short_names.size() == alignment_kinds().size());
    CHECK(alignment_kinds()[0].short_name == "none");
    CHECK_THROWS_WITH(kind_named("cosine"), contains("'cosine'"));
    CHECK_FALSE(kind_named("location").architecture);
    CHECK_FALSE(kind_named("additive_before").architecture);
}

TEST_CASE("entropy and the attention of a word, by hand", "[08][oracle]")
{
    Evaluation evaluation;
    evaluation.translations.push_back({2, {"le", "roi"}, {"le", "roi"}, {3, 2, -1.5}});
    evaluation.weights.push_back({{0.5, 0.5}, {0.25, 0.75}});
    const std::vector<text::SentencePair> pairs = {
        {{"the", "king"}, {"le", "roi"}, {{0, 0}, {1, 1}}, {{1, 0}}}};
    const double second = -(0.25 * std::log(0.25) + 0.75 * std::log(0.75));
    CHECK_THAT(mean_entropy(evaluation), WithinAbs((std::log(2.0) + second) / 2, 1e-12));

    const AttentionOfWord attention = attention_of(evaluation, pairs, "le");
    CHECK(attention.n == 1);
    CHECK(attention.sure == 0.5);
    CHECK(attention.possible == 0.5);
    CHECK(attention_of(evaluation, pairs, "la").n == 0);
}

TEST_CASE("a training is observed, is the same again, and begins with the losses committed",
          "[08][train]")
{
    const TranslationTask& task = small_task();
    const EvaluationSet set = translation::every_nth(task.pairs.test, task.test, 20);
    const KindTraining how{.n_steps = 12, .seed = 4, .snapshot_every = 6, .n_validated = 8};
    const TrainedTranslator a = train_and_evaluate(kind_named("dot_after"), task, set, how);
    const TrainedTranslator b = train_and_evaluate(kind_named("dot_after"), task, set, how);
    REQUIRE(a.losses.size() == 12);
    CHECK(a.losses == b.losses);
    CHECK(a.losses.back() < a.losses.front());
    REQUIRE(a.snapshots.size() == 2);
    CHECK(a.snapshots[1].n_steps == 12);
    CHECK(a.snapshots[1].entropy > 0);
    CHECK(a.evaluation.translations.size() == set.pairs.size());
    CHECK(a.seed == 4);

    const program::NumericTable committed = committed_table("trained_first_losses.csv");
    const TranslationTask whole = translation::grammar_task(1);
    for (const char* name : {"additive_before", "general_after", "tutorial"}) {
        CAPTURE(name);
        // The rate rises for 100 steps, however many there are in all.
        const AlignmentKind& kind = kind_named(name);
        const Translator<float> translator = make_translator(kind, whole, 1);
        const std::vector<double> found = translation::train(
            model_of(translator), whole.train,
            {.n_steps = 100, .peak_rate = kind.peak_rate, .seed = 1}, {.show_progress = false});
        const std::vector<double>& losses = committed.column(name);
        REQUIRE(losses.size() == 100);
        check_first_losses(found, losses);
        CHECK(losses[0] > 5); // about ln 270: a guess
        CHECK(losses[99] < 3.5);
    }
}

// ---------------------------------------------------------------- interventions

TEST_CASE("other words are other words", "[08][property]")
{
    const text::Vocabulary& source = small_task().source;
    random::Generator generator(1);
    const std::vector<text::WordId> sentence(200, 5);
    std::set<text::WordId> seen;
    for (const text::WordId other : other_words(sentence, source, generator)) {
        CHECK(other != 5);
        CHECK(other > text::end_id);
        CHECK(other < static_cast<text::WordId>(source.size()));
        seen.insert(other);
    }
    CHECK(seen.size() > 50);
    const text::Vocabulary few({{"a", 1}, {"b", 1}, {"c", 1}}, {.with_unknown = true});
    for (const text::WordId other : other_words(sentence, few, generator)) {
        CHECK((other == 4 || other == 6)); // neither itself, 5, nor <unk>
    }
}

TEST_CASE("the unknown word is no other word", "[08][property]")
{
    const text::Vocabulary source({{"a", 5}, {"b", 5}, {"c", 1}},
                                  {.min_frequency = 2, .with_unknown = true});
    random::Generator generator(1);
    const std::vector<text::WordId> sentence(100, source.encode({"a"})[0]);
    for (const text::WordId other : other_words(sentence, source, generator)) {
        CHECK(other == source.encode({"b"})[0]);
    }
}

TEST_CASE("deleting and replacing a word changes what is predicted", "[08][oracle]")
{
    const TranslationTask& task = small_task();
    const Translator<float> translator =
        make_translator(kind_named("additive_before"), task, 2);
    const text::NumberedPair& pair = task.test[40];
    random::Generator generator(1);
    const std::vector<text::WordId> others = other_words(pair.source, task.source, generator);
    const Effects effects = effects_of(model_of(translator), pair, others);
    CHECK((deletion_drops(model_of(translator), pair) == effects.deletion));
    const std::size_t n_target = pair.target.size();
    const std::size_t n_source = pair.source.size();
    REQUIRE(effects.weights.shape(0) == n_target);
    REQUIRE(effects.deletion.shape(1) == n_source);

    // Sentence by sentence, as anybody would: ln p of word t, the end left out.
    const auto log_p = [&](const text::NumberedPair& one, std::size_t t) {
        const autograd::NoGradient<float> forwards;
        const text::Batch batch = text::batch_of({&one, 1}, std::vector<std::size_t>{0});
        const auto log_p_of_words = log_softmax(translator.decode(batch).logits);
        const std::size_t n_words = log_p_of_words.shape()[1];
        return static_cast<double>(
            log_p_of_words.value()
                .data()[t * n_words + static_cast<std::size_t>(one.target[t])]);
    };
    double largest = 0;
    for (const std::size_t j : {std::size_t{0}, n_source - 1}) {
        text::NumberedPair without = pair;
        without.source.erase(without.source.begin() + static_cast<std::ptrdiff_t>(j));
        text::NumberedPair with = pair;
        with.source[j] = others[j];
        for (std::size_t t = 0; t < n_target; ++t) {
            CAPTURE(j, t);
            CHECK_THAT(effects.deletion(t, j),
                       WithinAbs(log_p(pair, t) - log_p(without, t), 1e-5));
            CHECK_THAT(effects.replacement(t, j),
                       WithinAbs(log_p(pair, t) - log_p(with, t), 1e-5));
            largest = std::max(largest, std::abs(effects.deletion(t, j)));
        }
    }
    CHECK(largest > 1e-3); // a hundred times what is allowed
    for (std::size_t t = 0; t < n_target; ++t) {
        double sum = 0;
        for (std::size_t j = 0; j < n_source; ++j) {
            sum += effects.weights(t, j);
        }
        CHECK_THAT(sum, WithinAbs(1, 1e-5));
    }
    CHECK_THROWS_AS(effects_of(model_of(translator), pair, {}), ContractError);
}

TEST_CASE("an annotation that is knocked out is the mean of the others, and nothing else moves",
          "[08][oracle]")
{
    const TranslationTask& task = small_task();
    const text::NumberedPair& pair = task.test[40];
    const autograd::NoGradient<float> forwards;
    const text::Batch batch = text::batch_of({&pair, 1}, std::vector<std::size_t>{0});
    for (const char* kind : {"additive_before", "general_after", "location"}) {
        CAPTURE(kind);
        const Translator<float> translator = make_translator(kind_named(kind), task, 2);
        const Matrix drops = knockout_drops(translator, pair);
        REQUIRE(drops.shape(0) == pair.target.size());
        REQUIRE(drops.shape(1) == pair.source.size());
        const auto log_p = [&](const Variable<float>& logits, std::size_t t) {
            const auto of_words = log_softmax(logits);
            const std::size_t at =
                t * of_words.shape()[1] + static_cast<std::size_t>(pair.target[t]);
            return static_cast<double>(of_words.value().data()[at]);
        };
        // Alone, by a sum less its own row.
        const std::size_t j = 1;
        auto begin = translator.encode(translation::sources_of(batch));
        const Array<float> e = begin.encoding.states.value();
        Array<float> changed = e;
        const double n = static_cast<double>(pair.source.size());
        for (std::size_t k = 0; k < e.shape()[2]; ++k) {
            double sum = 0;
            for (std::size_t i = 0; i < pair.source.size(); ++i) {
                sum += static_cast<double>(e(0, i, k));
            }
            changed(0, j, k) =
                static_cast<float>((sum - static_cast<double>(e(0, j, k))) / (n - 1));
        }
        const auto whole = translator.decode(batch.target_input, begin);
        begin.encoding.states = Variable<float>(changed);
        begin.attend = translator.context().prepare(begin.encoding);
        const auto without = translator.decode(batch.target_input, begin);
        double largest = 0;
        for (std::size_t t = 0; t < pair.target.size(); ++t) {
            CHECK_THAT(drops(t, j),
                       WithinAbs(log_p(whole.logits, t) - log_p(without.logits, t), 1e-5));
            largest = std::max(largest, std::abs(drops(t, j)));
        }
        CHECK(largest > 1e-3);
    }
    // A context that reads no annotation but the encoder's last state does not notice.
    random::Generator generator(1);
    const Translator<float> last({.n_source_words = task.source.size(),
                                  .n_target_words = task.target.size(),
                                  .d_embedding = 8,
                                  .hidden = 8},
                                 seq2seq::last_state<float>(), generator);
    for (const double drop : knockout_drops(last, pair)) {
        CHECK(std::abs(drop) < 1e-6);
    }
    text::NumberedPair one = pair;
    one.source.resize(1);
    CHECK_THROWS_AS(knockout_drops(last, one), ContractError);
}

TEST_CASE("interventions over sentences", "[08]")
{
    const TranslationTask& task = small_task();
    const Translator<float> translator = make_translator(kind_named("location"), task, 2);
    const EvaluationSet set = translation::every_nth(task.pairs.test, task.test, 60);
    const Agreement agreement = intervene(model_of(translator), task, set, 1);
    std::size_t n_words = 0;
    std::size_t n_pairs = 0;
    for (const text::SentencePair& pair : set.pairs) {
        n_words += pair.target.size();
        n_pairs += pair.target.size() * pair.source.size() - pair.possible.size();
    }
    CHECK(agreement.n_words == n_words);
    std::size_t counted = 0;
    for (const translation::DropsOfClass& drops : agreement.classes) {
        counted += drops.linked.size() + drops.unlinked.size();
    }
    CHECK(counted == n_pairs); // each pair of words once, but for possible links
    const Agreement again = intervene(model_of(translator), task, set, 1);
    CHECK(again.drops_attended == agreement.drops_attended);
}

TEST_CASE("nouns of another gender", "[08]")
{
    const TranslationTask& task = small_task();
    const Translator<float> translator =
        make_translator(kind_named("additive_before"), task, 2);
    const EvaluationSet set = translation::every_nth(task.pairs.test, task.test, 8);
    const std::vector<SwappedNouns> found = swap_nouns(model_of(translator), task, set, 1);
    REQUIRE(found.size() == 4);
    const std::vector<std::string> articles = {"le", "la", "un", "une"};
    for (std::size_t k = 0; k < 4; ++k) {
        CAPTURE(articles[k]);
        CHECK(found[k].article == articles[k]);
        std::size_t n = 0; // articles are counted, pronouns and possessors' articles are not
        for (const text::SentencePair& pair : set.pairs) {
            for (const text::Link& link : pair.sure) {
                n += pair.target[link.target] == articles[k] &&
                             pair.source[link.source] == (k < 2 ? "the" : "a")
                         ? 1U
                         : 0U;
            }
        }
        CHECK(found[k].n == n);
        CHECK(found[k].weight_own + found[k].weight_noun <= 1.00001);
        CHECK(found[k].weight_noun > 0);
        CHECK(std::abs(found[k].drop_opposite) <
              0.5); // untrained: hardly a difference, but one
        CHECK(found[k].drop_opposite != 0.0);
        CHECK(found[k].drop_same != found[k].drop_opposite);
    }
    CHECK(swap_nouns(model_of(translator), task, set, 1)[1].drop_same == found[1].drop_same);
}

// ---------------------------------------------------------------- in files

TEST_CASE("a translator in a file comes back with the same bits", "[08]")
{
    const ScratchFolder scratch;
    for (const char* name : {"none", "additive_before", "dot_after", "location", "tutorial"}) {
        CAPTURE(name);
        const SavedTranslator saved = untrained(name);
        const std::filesystem::path file = scratch.path() / "saved.safetensors";
        nn::save_model(file, saved.translator.parameters(), settings_of(saved));
        const SavedTranslator back = load(file);
        CHECK(back.kind == name);
        CHECK(back.languages.source == saved.languages.source);
        CHECK(back.languages.target == saved.languages.target);
        CHECK(back.languages.max_length == saved.languages.max_length);
        CHECK(back.languages.normalisation == saved.languages.normalisation);
        CHECK(same_parameters(back.translator, saved.translator));
        const Translation first = translate(saved, "The king's red car is here.");
        const Translation second = translate(back, "the king 's red car is here .");
        CHECK(first.source.size() == 8);
        CHECK(first.target == second.target);
        CHECK(first.weights == second.weights);
        CHECK(first.weights.size() == first.target.size());
    }
}

TEST_CASE("a stopped training is a translator too, and goes on to the same bits", "[08]")
{
    const ScratchFolder scratch;
    const std::string file = (scratch.path() / "saved.safetensors").string();
    const auto train = [&](const SavedTranslator& translator, const nn::TrainingPlan& plan) {
        return translation::train(model_of(translator.translator), small_task().train,
                                  {.n_steps = 3, .peak_rate = 1e-2, .seed = 2}, plan);
    };
    const SavedTranslator saved = untrained("tutorial");
    const SavedTranslator first = untrained("tutorial");
    {
        const program::InterruptWatch
            watch; // so that the training begins with a request to end
        std::raise(SIGINT);
        CHECK_THROWS_WITH(train(first, {.show_progress = false,
                                        .files = {.save = file},
                                        .settings = settings_of(saved)}),
                          contains("after step 0 of 3") && contains("--resume"));
    }
    const SavedTranslator stopped = load(file);
    CHECK(translate(stopped, "the king .").target == translate(saved, "the king .").target);

    const std::vector<double> whole = train(untrained("tutorial"), {.show_progress = false});
    nn::TrainingPlan resuming{
        .show_progress = false, .files = {.resume = file}, .settings = settings_of(saved)};
    CHECK(train(untrained("tutorial"), resuming) == whole);
    resuming.settings["kind"] = "location";
    CHECK_THROWS_WITH(train(untrained("tutorial"), resuming),
                      contains("kind 'tutorial'") && contains("'location'"));
}

TEST_CASE("what cannot be translated or loaded is named", "[08][bad_input]")
{
    const ScratchFolder scratch;
    const SavedTranslator saved = untrained("location");
    CHECK_THROWS_WITH(translate(saved, "the zebra is a gnu ."), contains("zebra, gnu"));
    CHECK_THROWS_WITH(translate(saved, " ( ) "), contains("no words"));
    std::string many = "the king";
    for (int i = 0; i < 40; ++i) {
        many += " and the king";
    }
    CHECK_THROWS_WITH(translate(saved, many), contains("positions"));
    CHECK_THROWS_WITH(words_to_read(saved, "the zebra ."), contains("no zebra"));
    CHECK_THROWS_WITH(words_to_read(saved, many), contains("positions"));
    CHECK(words_to_read(saved, "The king.") == text::Words{"the", "king", "."});

    CHECK_THROWS_AS(load(scratch.path() / "none.safetensors"), program::BadInput);
    std::ofstream(scratch.path() / "bad.safetensors") << "nothing of the kind";
    CHECK_THROWS_AS(load(scratch.path() / "bad.safetensors"), program::BadInput);
    nn::save_model(scratch.path() / "other.safetensors", saved.translator.parameters());
    CHECK_THROWS_WITH(load(scratch.path() / "other.safetensors"),
                      contains("'kind'") && contains("--save"));
    nn::save_model(scratch.path() / "other.safetensors", saved.translator.parameters(),
                   {{"kind", "cosine"}});
    CHECK_THROWS_WITH(load(scratch.path() / "other.safetensors"), contains("cosine"));
}
