/// \file
/// \brief Where a context enters and what a word is read out of: every wiring that there can be,
/// with slopes, teacher forcing against step by step, and what is refused.
#include "tests/07_seq2seq/samples.hpp"

#include "common/autograd/arithmetic.hpp"

#include <set>

using namespace attn;
using namespace attn::seq2seq;
using namespace attn::testing;
using attn::testing::contains;
using Catch::Matchers::WithinAbs;

namespace {

constexpr std::size_t hidden = 4;

/// A context that depends on the state that asks: its product with the last state of the encoder.
ContextFunction<double> product_with_state(Asks asks)
{
    return {"product", asks, [](const Encoding<double>& encoding) {
                const Variable<double> none(
                    filled<double>({encoding.lengths.size(), encoding.states.shape()[1]}, 0.0));
                return Answer<double>([=](const Question<double>& question) {
                    return Attended<double>{question.state * encoding.last, none};
                });
            }};
}

Translator<double> wired(Unit unit, ContextFunction<double> context, const Wiring& wiring)
{
    random::Generator generator(7);
    TranslatorOptions options{n_tiny_words, n_tiny_words, 3, hidden};
    options.unit = unit;
    options.wiring = wiring;
    return {options, std::move(context), generator};
}

constexpr Enters all_places[] = {Enters::gates, Enters::joined, Enters::nowhere};
constexpr ReadsOut all_readouts[] = {ReadsOut::state_context_word, ReadsOut::state_context,
                                     ReadsOut::state};

/// Calls what is given with a tiny translator of every wiring that there can be.
void for_each_wiring(const std::function<void(const Translator<double>&)>& check)
{
    for (const Asks asks : {Asks::never, Asks::before, Asks::after}) {
        for (const Enters enters : all_places) {
            for (const ReadsOut reads_out : all_readouts) {
                const bool too_late = asks == Asks::after && enters != Enters::nowhere;
                const bool of_no_use =
                    enters == Enters::nowhere && reads_out == ReadsOut::state;
                if (too_late || of_no_use) {
                    continue;
                }
                CAPTURE(static_cast<int>(asks), static_cast<int>(enters),
                        static_cast<int>(reads_out));
                const auto context =
                    asks == Asks::never ? mean_state<double>() : product_with_state(asks);
                check(wired(Unit::gru, context, {enters, reads_out}));
            }
        }
    }
}

std::set<std::string> names_in(const nn::Parameters<double>& parameters)
{
    std::set<std::string> names;
    for (const nn::NamedParameter<double>& one : parameters) {
        names.insert(one.name);
    }
    return names;
}

} // namespace

TEST_CASE("slopes of the loss in every wiring", "[07]")
{
    const text::Batch batch = tiny_batch();
    for_each_wiring([&](const Translator<double>& translator) {
        check_all_gradients(translator.parameters(), [&] { return translator.loss(batch); });
    });
}

TEST_CASE("in every wiring teacher forcing gives what steps give", "[07][property]")
{
    const text::Batch batch = tiny_batch();
    std::size_t n_wirings = 0;
    for_each_wiring([&](const Translator<double>& translator) {
        ++n_wirings;
        const Written<double> written = translator.write(batch);
        Draft<double> draft = translator.read(translation::sources_of(batch));
        const std::vector<std::int64_t> words = translation::by_step(batch.target_input, 3);
        for (std::size_t t = 0; t < batch.n_target; ++t) {
            const std::span<const std::int64_t> last(words.data() + 3 * t, 3);
            const NextWord<double> next = translator.step(last, draft);
            draft.state = next.state;
            for (std::size_t i = 0; i < next.logits.size(); ++i) {
                CHECK_THAT(next.logits.value().data()[i],
                           WithinAbs(written.logits.value().data()[t * next.logits.size() + i],
                                     1e-12));
            }
        }
    });
    CHECK(n_wirings == 8 + 8 + 2);
}

TEST_CASE("the usual wiring is Bahdanau's, and Luong's where s_t asks", "[07]")
{
    for (const Asks asks : {Asks::never, Asks::before}) {
        CHECK(usual_wiring(asks).enters == Enters::gates);
        CHECK(usual_wiring(asks).reads_out == ReadsOut::state_context_word);
    }
    CHECK(usual_wiring(Asks::after).enters == Enters::nowhere);
    CHECK(usual_wiring(Asks::after).reads_out == ReadsOut::state_context);
    const auto usual = tiny_translator<double>(Unit::lstm, mean_state<double>());
    const auto named = wired(Unit::lstm, mean_state<double>(), usual_wiring(Asks::never));
    CHECK(list_of(usual.loss(tiny_batch()).value()) ==
          list_of(named.loss(tiny_batch()).value()));
}

TEST_CASE("a decoder has the parameters of its wiring, under names that files keep", "[07]")
{
    const std::set<std::string> always = {
        "encoder.embedding.weight", "decoder.embedding.weight", "decoder.first.weight",
        "decoder.first.bias",       "decoder.word.weight",      "decoder.word.bias",
        "decoder.weight_hh",        "decoder.bias_hh",          "decoder.output.weight",
        "decoder.output.bias"};
    const auto has = [&](const Translator<double>& translator,
                         const std::set<std::string>& more) {
        std::set<std::string> wanted = always;
        wanted.insert(more.begin(), more.end());
        std::set<std::string> found;
        for (const std::string& name : names_in(translator.parameters())) {
            if (name.rfind("encoder.recurrent", 0) != 0) {
                found.insert(name);
            }
        }
        return found == wanted;
    };
    const std::set<std::string> readout = {"decoder.readout.weight", "decoder.readout.bias"};
    std::set<std::string> bahdanaus = readout;
    bahdanaus.insert("decoder.context.weight");
    CHECK(has(wired(Unit::gru, mean_state<double>(), usual_wiring(Asks::before)), bahdanaus));
    CHECK(has(wired(Unit::gru, product_with_state(Asks::after), usual_wiring(Asks::after)),
              readout));
    const auto tutorials = wired(Unit::gru, product_with_state(Asks::before), tutorials_wiring);
    CHECK(has(tutorials, {"decoder.join.weight", "decoder.join.bias"}));
    const nn::Parameters<double> list = tutorials.parameters();
    CHECK(list.at("decoder.join.weight").variable.shape() == Shape{3 + hidden, hidden});
    CHECK(list.at("decoder.word.weight").variable.shape() == Shape{hidden, 3 * hidden});
}

TEST_CASE("a context that comes too late, or is of no use, is refused", "[07][bad_input]")
{
    for (const Enters enters : {Enters::gates, Enters::joined}) {
        CHECK_THROWS_WITH(wired(Unit::gru, product_with_state(Asks::after),
                                {enters, ReadsOut::state_context}),
                          contains("too late"));
    }
    CHECK_THROWS_WITH(
        wired(Unit::gru, mean_state<double>(), {Enters::nowhere, ReadsOut::state}),
        contains("neither the step nor the readout"));
}
