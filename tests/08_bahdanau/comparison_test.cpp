/// \file
/// \brief The table of kinds, trainings and judgements, interventions, and translators in files.
#include "chapters/08_bahdanau/kept_translator.hpp"
#include "chapters/08_bahdanau/reasons.hpp"
#include "common/autograd/softmax.hpp"
#include "common/nn/checkpoint.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/interrupt.hpp"
#include "tests/07_seq2seq/small_task.hpp"
#include "tests/08_bahdanau/samples.hpp"
#include "tests/support/committed_losses.hpp"
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

KeptTranslator untrained(const std::string& kind_name)
{
    const AlignmentKind& kind = kind_named(kind_name);
    const TranslationTask& task = small_task();
    return {kind.short_name,
            kind.sizes,
            task.source,
            task.target,
            text::Normalisation::gentle,
            task.max_length,
            make_translator(kind, task, 2)};
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
        const Translator<float> a = make_translator(kind, small_task(), 2);
        const Translator<float> b = make_translator(kind, small_task(), 2);
        const Translator<float> c = make_translator(kind, small_task(), 3);
        bool other = false;
        const nn::Parameters<float> of_a = a.parameters();
        const nn::Parameters<float> of_b = b.parameters();
        const nn::Parameters<float> of_c = c.parameters();
        auto in_b = of_b.begin();
        auto in_c = of_c.begin();
        for (const auto& one : of_a) {
            CHECK(same_bits(one.variable.value(), (in_b++)->variable.value()));
            other = other || !same_bits(one.variable.value(), (in_c++)->variable.value());
        }
        CHECK(other); // another seed, other numbers
    }
    CHECK(names.size() == 9);
    CHECK(short_names.size() == 9);
    CHECK(alignment_kinds()[0].short_name == "none");
    CHECK_THROWS_WITH(kind_named("cosine"), contains("'cosine'"));
}

TEST_CASE("each nth of a part", "[08]")
{
    const TranslationTask& task = small_task();
    const JudgedPart part = every_nth(task.pairs.test, task.test, 50);
    REQUIRE(part.pairs.size() == (task.test.size() + 49) / 50);
    CHECK(part.pairs[1].source == task.pairs.test[50].source);
    CHECK(part.numbered[1].target == task.test[50].target);
    CHECK_THROWS_AS(every_nth(task.pairs.test, task.test, 0), ContractError);
    CHECK_THROWS_AS(every_nth(task.pairs.test, task.train, 2), ContractError);
}

TEST_CASE("the first pair of some lengths", "[08]")
{
    const TranslationTask& task = small_task();
    const std::vector<std::size_t> lengths = {12, 6, 1000};
    const JudgedPart part = first_of_lengths(task.pairs.test, task.test, lengths);
    REQUIRE(part.pairs.size() == 2);
    REQUIRE(part.numbered.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(part.pairs[i].source.size() == lengths[i]);
        const auto first = std::find_if(
            task.test.begin(), task.test.end(),
            [&](const text::NumberedPair& pair) { return pair.source.size() == lengths[i]; });
        CHECK(part.numbered[i].source == first->source);
        CHECK(part.numbered[i].target == first->target);
    }
    CHECK_THROWS_AS(first_of_lengths(task.pairs.test, task.train, lengths), ContractError);
}

TEST_CASE("the telling sentence has a possessive and neighbours that cross", "[08]")
{
    const std::vector<text::SentencePair>& pairs = small_task().pairs.test;
    const text::SentencePair& pair = pairs[telling_sentence(pairs)];
    CHECK(pair.source.size() >= 8);
    CHECK(pair.source.size() <= 11);
    CHECK(std::find(pair.source.begin(), pair.source.end(), "'s") != pair.source.end());
    CHECK(!pair.possible.empty());
    const text::SentencePair straight{{"a", "b"}, {"x", "y"}, {{0, 0}, {1, 1}}, {}};
    CHECK_THROWS_WITH(telling_sentence(std::vector<text::SentencePair>{straight}),
                      contains("none of 1"));
}

TEST_CASE("measures, entropy and the looks of a word, by hand", "[08][oracle]")
{
    Judgement judgement;
    judgement.translations.push_back({2, {"le", "roi"}, {"le", "roi"}, {3, 2, -1.5}});
    judgement.weights.push_back({{0.5, 0.5}, {0.25, 0.75}});
    const std::vector<text::SentencePair> pairs = {
        {{"the", "king"}, {"le", "roi"}, {{0, 0}, {1, 1}}, {{1, 0}}}};
    const Measures measures = measures_of(judgement, pairs, true);
    CHECK_THAT(measures.tokens, WithinAbs(2.0 / 3, 1e-12));
    CHECK(measures.exact == 1);
    CHECK(measures.alignment_error == 0); // ties go to the first word
    CHECK_THAT(measures.on_sure, WithinAbs(0.625, 1e-12));
    CHECK_THAT(measures.on_sure_or_possible, WithinAbs(0.875, 1e-12));
    CHECK(std::isnan(measures_of(judgement, pairs, false).on_sure));
    const double second = -(0.25 * std::log(0.25) + 0.75 * std::log(0.75));
    CHECK_THAT(mean_entropy(judgement), WithinAbs((std::log(2.0) + second) / 2, 1e-12));

    const LooksOfWord looks = looks_of(judgement, pairs, "le");
    CHECK(looks.n == 1);
    CHECK(looks.sure == 0.5);
    CHECK(looks.possible == 0.5);
    CHECK(looks_of(judgement, pairs, "la").n == 0);
}

TEST_CASE("a training is looked at, and is the same again", "[08][train]")
{
    const TranslationTask& task = small_task();
    const JudgedPart part = every_nth(task.pairs.test, task.test, 20);
    const LearningOptions options{.n_steps = 12, .seed = 4, .look_every = 6, .n_looked_at = 8};
    const Trial a = try_kind(kind_named("dot_after"), task, part, options);
    const Trial b = try_kind(kind_named("dot_after"), task, part, options);
    REQUIRE(a.learnt.losses.size() == 12);
    CHECK(a.learnt.losses == b.learnt.losses);
    CHECK(a.learnt.losses.back() < a.learnt.losses.front());
    REQUIRE(a.learnt.looks.size() == 2);
    CHECK(a.learnt.looks[1].n_steps == 12);
    CHECK(a.learnt.looks[1].entropy > 0);
    CHECK(a.judgement.translations.size() == part.pairs.size());
    CHECK(a.seed == 4);
}

TEST_CASE("the first losses are those committed", "[08][train]")
{
    const program::NumericTable committed = committed_table("trained_first_losses.csv");
    const TranslationTask task = seq2seq::grammar_task(1);
    for (const char* name : {"additive_before", "general_after", "tutorial"}) {
        CAPTURE(name);
        // The rate rises for 100 steps, however many there are in all.
        const LearningOptions options{.n_steps = 100, .seed = 1, .look_every = 0};
        const Learnt learnt = learn(kind_named(name), task, options);
        const std::vector<double>& losses = committed.column(name);
        REQUIRE(losses.size() == 100);
        check_first_losses(learnt.losses, losses);
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

TEST_CASE("classes of weights", "[08]")
{
    CHECK(class_of(0) == 0);
    CHECK(class_of(0.0099) == 0);
    CHECK(class_of(0.01) == 1);
    CHECK(class_of(0.5) == 3);
    CHECK(class_of(0.95) == 5);
    CHECK(class_of(1) == 5);
    CHECK(class_of(1.0000001) == 5); // by rounding
}

TEST_CASE("deleting and replacing a word changes what is foretold", "[08][oracle]")
{
    const TranslationTask& task = small_task();
    const Translator<float> translator =
        make_translator(kind_named("additive_before"), task, 2);
    const text::NumberedPair& pair = task.test[40];
    random::Generator generator(1);
    const std::vector<text::WordId> others = other_words(pair.source, task.source, generator);
    const Effects effects = effects_of(translator, pair, others);
    const std::size_t n_target = pair.target.size();
    const std::size_t n_source = pair.source.size();
    REQUIRE(effects.weights.shape(0) == n_target);
    REQUIRE(effects.deletion.shape(1) == n_source);

    // Sentence by sentence, as anybody would: ln p of word t, the end left out.
    const auto log_p = [&](const text::NumberedPair& one, std::size_t t) {
        const autograd::NoGradient<float> looking;
        const text::Batch batch = text::batch_of({&one, 1}, std::vector<std::size_t>{0});
        const auto log_p_of_words = log_softmax(translator.write(batch).logits);
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
    CHECK_THROWS_AS(effects_of(translator, pair, {}), ContractError);
    CHECK(largest_of({{0.1, 0.7, 0.7}, {3, 1, 2}}) == std::vector<std::size_t>{1, 0});
}

TEST_CASE("agreement counts words, by hand", "[08][oracle]")
{
    Agreement agreement;
    const Effects effects{
        {{0.9, 0.1}, {0.2, 0.8}}, {{5, 1}, {2, 1}}, {{4, 1}, {0, 1}}, {{0, 1}, {1, 0}}};
    const text::SentencePair pair{{"a", "b"}, {"x", "y"}, {{0, 0}, {1, 1}}, {}};
    agreement.add(effects, pair);
    CHECK(agreement.n_words == 2);
    CHECK(agreement.weight == 1);   // x: both the first; y: deletion says a, the weight b
    CHECK(agreement.gradient == 1); // y
    CHECK(agreement.replacement == 1);
    CHECK(agreement.n_linked == 2);
    CHECK(agreement.sure_weight == 2);
    CHECK(agreement.sure_deletion == 1);
    CHECK(agreement.sure_gradient == 0);
    CHECK(agreement.drops_attended == std::vector<double>{5, 1});
    CHECK(agreement.drops_other == std::vector<double>{1, 2});
}

TEST_CASE("interventions over sentences", "[08]")
{
    const TranslationTask& task = small_task();
    const Translator<float> translator = make_translator(kind_named("location"), task, 2);
    const JudgedPart part = every_nth(task.pairs.test, task.test, 60);
    const Reasons reasons = intervene(translator, task, part, 1);
    std::size_t n_words = 0;
    std::size_t n_pairs = 0;
    for (const text::SentencePair& pair : part.pairs) {
        n_words += pair.target.size();
        n_pairs += pair.target.size() * pair.source.size() - pair.possible.size();
    }
    CHECK(reasons.agreement.n_words == n_words);
    std::size_t counted = 0;
    for (const DropsOfClass& drops : reasons.by_weight) {
        counted += drops.linked.size() + drops.unlinked.size();
    }
    CHECK(counted == n_pairs); // each pair of words once, but for possible links
    const Reasons again = intervene(translator, task, part, 1);
    CHECK(again.agreement.drops_attended == reasons.agreement.drops_attended);
}

TEST_CASE("nouns of another gender", "[08]")
{
    const TranslationTask& task = small_task();
    const Translator<float> translator =
        make_translator(kind_named("additive_before"), task, 2);
    const JudgedPart part = every_nth(task.pairs.test, task.test, 8);
    const std::vector<SwappedNouns> found = swap_nouns(translator, task, part, 1);
    REQUIRE(found.size() == 4);
    const std::vector<std::string> articles = {"le", "la", "un", "une"};
    for (std::size_t k = 0; k < 4; ++k) {
        CAPTURE(articles[k]);
        CHECK(found[k].article == articles[k]);
        std::size_t n = 0; // articles are counted, pronouns and possessors' articles are not
        for (const text::SentencePair& pair : part.pairs) {
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
    CHECK(swap_nouns(translator, task, part, 1)[1].drop_same == found[1].drop_same);
}

// ---------------------------------------------------------------- in files

TEST_CASE("a translator in a file comes back with the same bits", "[08]")
{
    const ScratchFolder scratch;
    for (const char* name : {"none", "additive_before", "dot_after", "location", "tutorial"}) {
        CAPTURE(name);
        const KeptTranslator kept = untrained(name);
        const std::filesystem::path file = scratch.path() / "kept.safetensors";
        keep(file, kept);
        const KeptTranslator back = take_up(file);
        CHECK(back.kind == name);
        CHECK(back.source == kept.source);
        CHECK(back.target == kept.target);
        CHECK(back.max_length == kept.max_length);
        CHECK(back.normalisation == kept.normalisation);
        const nn::Parameters<float> a = kept.translator.parameters();
        const nn::Parameters<float> b = back.translator.parameters();
        auto other = b.begin();
        for (const auto& one : a) {
            CHECK(same_bits(one.variable.value(), (other++)->variable.value()));
        }
        const Translation first = translate(kept, "The king's red car is here.");
        const Translation second = translate(back, "the king 's red car is here .");
        CHECK(first.source.size() == 8);
        CHECK(first.target == second.target);
        CHECK(first.weights == second.weights);
        CHECK(first.weights.size() == first.target.size());
    }
}

TEST_CASE("a stopped training is a translator too, and goes on to the same bits", "[08][train]")
{
    const ScratchFolder scratch;
    KeptTranslator kept = untrained("tutorial");
    LearningOptions options{.n_steps = 3, .seed = 2, .look_every = 0};
    options.files.save = scratch.path() / "kept.safetensors";
    options.settings = settings_of(kept);
    const AlignmentKind& kind = kind_named("tutorial");
    {
        const program::InterruptWatch
            watch; // so that the training begins with a request to end
        std::raise(SIGINT);
        CHECK_THROWS_WITH(learn(kind, small_task(), options),
                          contains("after step 0 of 3") && contains("--resume"));
    }
    const KeptTranslator stopped = take_up(*options.files.save);
    CHECK(translate(stopped, "the king .").target == translate(kept, "the king .").target);

    const Learnt whole = learn(kind, small_task(), {.n_steps = 3, .seed = 2, .look_every = 0});
    options.files.resume = options.files.save;
    const Learnt resumed = learn(kind, small_task(), options);
    CHECK(resumed.losses == whole.losses);
    options.settings["kind"] = "location";
    CHECK_THROWS_WITH(learn(kind, small_task(), options),
                      contains("kind 'tutorial'") && contains("'location'"));
}

TEST_CASE("what cannot be translated or taken up is named", "[08][bad_input]")
{
    const ScratchFolder scratch;
    const KeptTranslator kept = untrained("location");
    CHECK_THROWS_WITH(translate(kept, "the zebra is a gnu ."), contains("zebra, gnu"));
    CHECK_THROWS_WITH(translate(kept, " ( ) "), contains("no words"));
    std::string many = "the king";
    for (int i = 0; i < 40; ++i) {
        many += " and the king";
    }
    CHECK_THROWS_WITH(translate(kept, many), contains("positions"));
    CHECK_THROWS_WITH(words_to_read(kept, "the zebra ."), contains("no zebra"));
    CHECK_THROWS_WITH(words_to_read(kept, many), contains("positions"));
    CHECK(words_to_read(kept, "The king.") == text::Words{"the", "king", "."});

    CHECK_THROWS_AS(take_up(scratch.path() / "none.safetensors"), program::BadInput);
    std::ofstream(scratch.path() / "bad.safetensors") << "nothing of the kind";
    CHECK_THROWS_AS(take_up(scratch.path() / "bad.safetensors"), program::BadInput);
    nn::save_model(scratch.path() / "other.safetensors", kept.translator.parameters());
    CHECK_THROWS_WITH(take_up(scratch.path() / "other.safetensors"),
                      contains("'kind'") && contains("--save"));
    nn::save_model(scratch.path() / "other.safetensors", kept.translator.parameters(),
                   {{"kind", "cosine"}});
    CHECK_THROWS_WITH(take_up(scratch.path() / "other.safetensors"), contains("cosine"));
}
