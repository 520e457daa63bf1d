/// \file
/// \brief The decoder and the translator in every architecture: gradients, teacher forcing against
/// step by step, selecting rows, searches, and what is refused.
#include "tests/07_seq2seq/samples.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/softmax.hpp"

#include <cmath>
#include <set>

using namespace attn;
using namespace attn::seq2seq;
using namespace attn::testing;
using attn::testing::contains;
using Catch::Matchers::WithinAbs;

namespace {

/// Calls what is given with a tiny translator of each unit and context.
void for_each_kind(const std::function<void(const Translator<double>&)>& check)
{
    for (const Unit unit : {Unit::gru, Unit::lstm}) {
        for (const ContextFunction<double>& context : tiny_contexts()) {
            CAPTURE(static_cast<int>(unit), context.name);
            check(tiny_translator<double>(unit, context));
        }
    }
}

constexpr std::size_t hidden = 4;

/// A context that depends on the query: its product with the last state of the encoder.
ContextFunction<double> product_with_state(QueryState query_state)
{
    return {"product", query_state, [](const Encoding<double>& encoding) {
                const Variable<double> none(
                    filled<double>({encoding.lengths.size(), encoding.states.shape()[1]}, 0.0));
                return AttentionFunction<double>([=](const DecoderQuery<double>& query) {
                    return Attended<double>{query.state * encoding.last, none};
                });
            }};
}

constexpr ContextInput all_context_inputs[] = {ContextInput::gates, ContextInput::joined,
                                               ContextInput::none};
constexpr ReadoutInput all_readouts[] = {ReadoutInput::state_context_word,
                                         ReadoutInput::state_context, ReadoutInput::state};

/// Calls what is given with a tiny translator of every architecture that there can be.
void for_each_architecture(const std::function<void(const Translator<double>&)>& check)
{
    for (const QueryState query_state :
         {QueryState::none, QueryState::previous, QueryState::current}) {
        for (const ContextInput context_input : all_context_inputs) {
            for (const ReadoutInput readout_input : all_readouts) {
                const bool too_late =
                    query_state == QueryState::current && context_input != ContextInput::none;
                const bool of_no_use =
                    context_input == ContextInput::none && readout_input == ReadoutInput::state;
                if (too_late || of_no_use) {
                    continue;
                }
                CAPTURE(static_cast<int>(query_state), static_cast<int>(context_input),
                        static_cast<int>(readout_input));
                const auto context = query_state == QueryState::none
                                         ? mean_state<double>()
                                         : product_with_state(query_state);
                check(tiny_translator<double>(
                    Unit::gru, context, DecoderArchitecture{context_input, readout_input}));
            }
        }
    }
}

/// The most probable word of a row of logits.
std::size_t best_of(const Array<double>& logits, std::size_t row)
{
    const std::size_t n = logits.shape()[1];
    const double* const from = logits.data() + row * n;
    return static_cast<std::size_t>(std::max_element(from, from + n) - from);
}

} // namespace

TEST_CASE("words by step", "[07]")
{
    const std::vector<std::int64_t> rows = {1, 2, 3, 4, 5, 6};
    CHECK(translation::by_step(rows, 2) == std::vector<std::int64_t>{1, 4, 2, 5, 3, 6});
    CHECK(translation::by_step(rows, 3) == std::vector<std::int64_t>{1, 3, 5, 2, 4, 6});
    CHECK_THROWS_WITH(translation::by_step(rows, 4),
                      contains("6 words") && contains("4 sentences"));
    CHECK_THROWS_AS(translation::by_step(rows, 0), ContractError);
}

TEST_CASE("gradients of a translator's loss, every unit, context and architecture", "[07]")
{
    const text::Batch batch = tiny_batch();
    const auto check = [&](const Translator<double>& translator) {
        check_all_gradients(translator.parameters(), [&] { return translator.loss(batch); });
    };
    for_each_kind(check);
    for_each_architecture(check);
}

TEST_CASE("a decoder begins with a tanh of the encoder's last state, by hand", "[07][oracle]")
{
    for_each_kind([](const Translator<double>& translator) {
        const auto begin = translator.encode(translation::sources_of(tiny_batch()));
        const nn::Parameters<double> parameters = translator.parameters();
        const Array<double>& last = begin.encoding.last.value(); // [batch, hidden]
        const Array<double>& W = parameters.at("decoder.first.weight").variable.value();
        const Array<double>& b = parameters.at("decoder.first.bias").variable.value();
        REQUIRE(begin.state.hidden.shape() == last.shape());
        for (std::size_t row = 0; row < last.shape()[0]; ++row) {
            for (std::size_t j = 0; j < hidden; ++j) {
                double sum = b.data()[j];
                for (std::size_t i = 0; i < hidden; ++i) {
                    sum += last(row, i) * W(i, j);
                }
                CHECK_THAT(begin.state.hidden.value()(row, j),
                           WithinAbs(std::tanh(sum), 1e-12));
            }
        }
    });
}

TEST_CASE("teacher forcing gives what steps give one by one", "[07][property]")
{
    const text::Batch batch = tiny_batch();
    std::size_t n_translators = 0;
    const auto check = [&](const Translator<double>& translator) {
        ++n_translators;
        const DecoderOutput<double> output = translator.decode(batch);
        REQUIRE(output.logits.shape() == Shape{batch.n_target * 3, n_tiny_words});
        REQUIRE(output.weights.size() == batch.n_target);
        DecodingState<double> decoding = translator.encode(translation::sources_of(batch));
        const std::vector<std::int64_t> words = translation::by_step(batch.target_input, 3);
        for (std::size_t t = 0; t < batch.n_target; ++t) {
            const std::span<const std::int64_t> last(words.data() + 3 * t, 3);
            const NextWord<double> next = translator.step(last, decoding);
            decoding.state = next.state;
            for (std::size_t i = 0; i < next.logits.size(); ++i) {
                CHECK_THAT(
                    next.logits.value().data()[i],
                    WithinAbs(output.logits.value().data()[t * next.logits.size() + i], 1e-12));
            }
        }
    };
    for_each_kind(check);
    for_each_architecture(check);
    CHECK(n_translators == 6 + 8 + 8 + 2);
}

TEST_CASE("the loss is the mean over words and ends, fillers left out", "[07][oracle]")
{
    const text::Batch batch = tiny_batch();
    const auto translator = tiny_translator<double>(Unit::gru, mean_state<double>());
    const Variable<double> log_p = log_softmax(translator.decode(batch).logits);
    double sum = 0;
    double n = 0;
    const std::vector<text::NumberedPair> pairs = tiny_pairs();
    for (std::size_t row = 0; row < 3; ++row) {
        std::vector<text::WordId> answers = pairs[row].target;
        answers.push_back(text::end_id);
        for (std::size_t t = 0; t < answers.size(); ++t) {
            sum -= log_p.value().data()[(t * 3 + row) * n_tiny_words +
                                        static_cast<std::size_t>(answers[t])];
            n += 1;
        }
    }
    CHECK(n == 11);
    CHECK_THAT(translator.loss(batch).item(), WithinAbs(sum / n, 1e-12));
}

TEST_CASE("an untrained translator has the loss of a guess, about ln V", "[07]")
{
    const auto translator = tiny_translator<double>(Unit::gru, last_state<double>());
    CHECK_THAT(translator.loss(tiny_batch()).item(),
               WithinAbs(std::log(static_cast<double>(n_tiny_words)), 0.5));
}

TEST_CASE("selected sentences go on as if they were alone", "[07][property]")
{
    for_each_kind([&](const Translator<double>& translator) {
        const text::Batch batch = tiny_batch();
        const DecodingState<double> all = translator.encode(translation::sources_of(batch));
        const DecodingState<double> some = translator.select(all, {2, 0, 2});
        CHECK(some.encoding.lengths == std::vector<std::size_t>{3, 4, 3});
        const std::vector<std::int64_t> words = {1, 1, 1};
        const Variable<double> of_all = translator.step(words, all).logits;
        const Variable<double> of_some = translator.step(words, some).logits;
        for (const std::size_t row : {0U, 1U, 2U}) {
            const std::size_t from = row == 1 ? 0 : 2;
            check_close(select(of_some, 0, row).value(), select(of_all, 0, from).value(),
                        1e-12);
        }
    });
}

TEST_CASE("a greedy translation takes the most probable word at each step", "[07]")
{
    for_each_kind([&](const Translator<double>& translator) {
        const text::Batch batch = tiny_batch();
        const Translations found = translate(translator, translation::sources_of(batch), 6);
        REQUIRE(found.size() == 3);
        for (std::size_t row = 0; row < 3; ++row) {
            DecodingState<double> decoding =
                translator.select(translator.encode(translation::sources_of(batch)), {row});
            std::vector<std::int64_t> last = {text::begin_id};
            std::vector<std::size_t> words;
            for (std::size_t t = 0; t < 6; ++t) {
                const NextWord<double> next = translator.step(last, decoding);
                const std::size_t best = best_of(next.logits.value(), 0);
                if (best == static_cast<std::size_t>(text::end_id)) {
                    break;
                }
                words.push_back(best);
                last = {static_cast<std::int64_t>(best)};
                decoding.state = next.state;
            }
            CHECK(found[row][0].words == words);
        }
    });
}

TEST_CASE("a wider beam finds nothing less probable", "[07]")
{
    const auto translator = tiny_translator<double>(Unit::gru, last_state<double>());
    const text::Batch batch = tiny_batch();
    const Translations narrow =
        translate(translator, translation::sources_of(batch), 3, {.width = 8});
    const Translations wide =
        translate(translator, translation::sources_of(batch), 3, {.width = 60});
    for (std::size_t row = 0; row < 3; ++row) {
        CHECK(wide[row].size() > narrow[row].size());
        REQUIRE(narrow[row][0].finished);
        CHECK(wide[row][0].log_probability >= narrow[row][0].log_probability - 1e-12);
    }
    CHECK_THROWS_AS(translate(translator, translation::sources_of(batch), 0), ContractError);
}

TEST_CASE("a translator tells its parameters by name", "[07]")
{
    const auto gru = tiny_translator<double>(Unit::gru, last_state<double>());
    const auto lstm = tiny_translator<double>(Unit::lstm, last_state<double>());
    CHECK(gru.parameters().n_numbers() < lstm.parameters().n_numbers());
    CHECK(gru.parameters().at("decoder.context.weight").variable.shape() == Shape{4, 12});
    CHECK(gru.context().name == "last state");
    random::Generator generator(1);
    CHECK_THROWS_AS(Translator<double>({0, 5}, last_state<double>(), generator), ContractError);
}

// [claim_cell]
TEST_CASE("an LSTM decoder begins with an empty cell", "[07][claim]")
{
    const text::Batch batch = tiny_batch();
    const auto lstm = tiny_translator<double>(Unit::lstm, last_state<double>());
    const DecodingState<double> decoding = lstm.encode(translation::sources_of(batch));
    REQUIRE(decoding.state.cell);
    CHECK(list_of(decoding.state.cell->value()) == std::vector<double>(12, 0.0));
    CHECK_FALSE(tiny_translator<double>(Unit::gru, last_state<double>())
                    .encode(translation::sources_of(batch))
                    .state.cell);
}
// [claim_cell]

// ---------------------------------------------------------------- architectures

TEST_CASE("the usual architecture is Bahdanau's, and Luong's where s_t asks", "[07]")
{
    for (const QueryState query_state : {QueryState::none, QueryState::previous}) {
        CHECK(usual_architecture(query_state).context_input == ContextInput::gates);
        CHECK(usual_architecture(query_state).readout_input ==
              ReadoutInput::state_context_word);
    }
    CHECK(usual_architecture(QueryState::current).context_input == ContextInput::none);
    CHECK(usual_architecture(QueryState::current).readout_input == ReadoutInput::state_context);
    const auto usual = tiny_translator<double>(Unit::lstm, mean_state<double>());
    const auto named = tiny_translator<double>(Unit::lstm, mean_state<double>(),
                                               usual_architecture(QueryState::none));
    CHECK(list_of(usual.loss(tiny_batch()).value()) ==
          list_of(named.loss(tiny_batch()).value()));
}

TEST_CASE("a decoder has the parameters of its architecture, under names that files keep",
          "[07]")
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
        for (const nn::NamedParameter<double>& one : translator.parameters()) {
            if (!one.name.starts_with("encoder.recurrent")) {
                found.insert(one.name);
            }
        }
        return found == wanted;
    };
    const std::set<std::string> readout = {"decoder.readout.weight", "decoder.readout.bias"};
    std::set<std::string> bahdanaus = readout;
    bahdanaus.insert("decoder.context.weight");
    CHECK(has(tiny_translator<double>(Unit::gru, mean_state<double>(),
                                      usual_architecture(QueryState::previous)),
              bahdanaus));
    CHECK(has(tiny_translator<double>(Unit::gru, product_with_state(QueryState::current),
                                      usual_architecture(QueryState::current)),
              readout));
    const auto tutorials = tiny_translator<double>(
        Unit::gru, product_with_state(QueryState::previous), tutorial_architecture);
    CHECK(has(tutorials, {"decoder.join.weight", "decoder.join.bias"}));
    const nn::Parameters<double> list = tutorials.parameters();
    CHECK(list.at("decoder.join.weight").variable.shape() == Shape{3 + hidden, hidden});
    CHECK(list.at("decoder.word.weight").variable.shape() == Shape{hidden, 3 * hidden});
}

TEST_CASE("a context that comes too late, or is of no use, is refused", "[07][bad_input]")
{
    for (const ContextInput context_input : {ContextInput::gates, ContextInput::joined}) {
        CHECK_THROWS_WITH(tiny_translator<double>(
                              Unit::gru, product_with_state(QueryState::current),
                              DecoderArchitecture{context_input, ReadoutInput::state_context}),
                          contains("too late"));
    }
    CHECK_THROWS_WITH(
        tiny_translator<double>(Unit::gru, mean_state<double>(),
                                DecoderArchitecture{ContextInput::none, ReadoutInput::state}),
        contains("neither the step nor the readout"));
}
